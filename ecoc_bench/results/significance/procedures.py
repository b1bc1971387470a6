"""The statistical procedures, each on plain arrays of errors: lower is better."""

from functools import cache
from math import inf, nan, sqrt
from typing import NamedTuple

import numpy as np
from scipy import stats

SEED = 0
SAMPLES = 20_000  # a probability of 1/2 is then known to 0.004
PRIOR = 0.5  # weight of a prior observation that both are equal
EXACT = 13  # data sets up to which all changes of signs are counted


class Friedman(NamedTuple):
    """Are all methods equal? N data sets, k methods."""

    chi2: float
    p_chi2: float
    chi2_ties: float  # the same, corrected for tied ranks
    p_ties: float
    F: float  # Iman and Davenport's, less conservative
    p_F: float
    df: tuple[int, int]  # of F; the first is also the df of chi2


class SignedRank(NamedTuple):
    """Wilcoxon's test of one pair."""

    T: float
    p: float


class Bayes(NamedTuple):
    """Probabilities that sum to 1."""

    first_better: float
    equal: float
    second_better: float


class CorrectedT(NamedTuple):
    """Nadeau and Bengio's test of one pair within one data set."""

    t: float
    p: float


def average_ranks(errors: np.ndarray) -> np.ndarray:
    """Mean over the rows of each column's rank; 1 is the lowest error, ties share their ranks.

    >>> average_ranks(np.array([[1.0, 2.0, 3.0], [5.0, 5.0, 1.0]]))
    array([1.75, 2.25, 2.  ])
    """
    return stats.rankdata(errors, axis=1).mean(axis=0)


def friedman(errors: np.ndarray) -> Friedman:
    """Friedman's chi-square and Iman and Davenport's F. Demsar 2006, Section 3.2.2.

    chi2 is the paper's, which ignores ties and so is conservative; chi2_ties is scipy's.
    """
    N, k = errors.shape
    R = average_ranks(errors)
    chi2 = 12 * N / (k * (k + 1)) * float((R**2).sum() - k * (k + 1) ** 2 / 4)
    left = N * (k - 1) - chi2
    # If all data sets rank the methods in the same way, the denominator is 0 up to rounding.
    F = (N - 1) * chi2 / left if left > 1e-9 else inf
    df = k - 1, (k - 1) * (N - 1)
    # If all methods tie on every data set, scipy divides 0 by 0.
    tied = (errors == errors[:, :1]).all()
    chi2_ties, p_ties = (0.0, 1.0) if tied else stats.friedmanchisquare(*errors.T)
    return Friedman(
        chi2,
        float(stats.chi2.sf(chi2, k - 1)),
        float(chi2_ties),
        float(p_ties),
        F,
        float(stats.f.sf(F, *df)),
        df,
    )


def critical_difference(k: int, N: int, alpha: float) -> float:
    """CD = q_alpha sqrt(k (k + 1) / (6 N)): average ranks further apart differ. Nemenyi."""
    q = stats.studentized_range.ppf(1 - alpha, k, inf) / sqrt(2)
    return float(q * sqrt(k * (k + 1) / (6 * N)))


def nemenyi(errors: np.ndarray) -> np.ndarray:
    """k x k matrix of p-values of the differences of average ranks."""
    N, k = errors.shape
    R = average_ranks(errors)
    q = abs(R[:, None] - R) / sqrt(k * (k + 1) / (6 * N))
    # Each p is an integral: one for each distinct difference.
    distinct, place = np.unique(q, return_inverse=True)
    p = stats.studentized_range.sf(distinct * sqrt(2), k, inf)
    return p[place].reshape(k, k)


def wilcoxon(first: np.ndarray, second: np.ndarray) -> SignedRank:
    """Signed-rank test, two-sided; ranks of zero differences are split. Demsar 2006, 3.1.3.

    Up to 13 data sets the p-value is exact even with ties: every change of signs is counted.
    Beyond, scipy chooses: exact up to 50 without ties, otherwise the normal approximation.
    """
    difference = np.round(first - second, 9)
    n = len(difference)
    if not difference.any():
        return SignedRank(n * (n + 1) / 4, 1.0)
    tied = 0 in difference or len(np.unique(abs(difference))) < n
    test = stats.wilcoxon(difference, zero_method="zsplit", method="approx" if tied else "auto")
    p = _exact_p(difference) if tied and n <= EXACT else float(test.pvalue)
    return SignedRank(float(test.statistic), p)


def _exact_p(difference: np.ndarray) -> float:
    """Two-sided p over all 2^n changes of signs; scipy's own enumeration takes a thousandfold."""
    ranks = stats.rankdata(abs(difference))
    half_zeros = ranks[difference == 0].sum() / 2
    ranks = ranks * (difference != 0)
    signs = (np.arange(2 ** len(ranks))[:, None] >> np.arange(len(ranks))) & 1
    every = signs @ ranks + half_zeros
    seen = ranks[difference > 0].sum() + half_zeros
    below, above = (every <= seen + 1e-9).mean(), (every >= seen - 1e-9).mean()
    return float(min(1.0, 2 * min(below, above)))


def holm(p: np.ndarray) -> np.ndarray:
    """Holm's step-down adjusted p-values.

    Not statsmodels': it collects the garbage of the whole process in each call.

    >>> holm(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.06, 0.06])
    """
    order = np.argsort(p)
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1.0)


def bayesian_signed_rank(first: np.ndarray, second: np.ndarray, rope: float) -> Bayes:
    """The probabilities of "first better", "equal within the rope" and "second better".

    Benavoli et al. 2014; with a rope of 1, differences of up to 1 point count as equal. The sample
    is seeded: the same errors always give the same numbers.
    """
    difference = np.append(0.0, second - first)  # the prior's pseudo-observation, then the data
    sums = difference[:, None] + difference
    W = _dirichlet(len(difference))
    better, worse = (
        ((W @ np.heaviside(sign * sums - 2 * rope, 0.5)) * W).sum(axis=1) for sign in (1, -1)
    )
    likeliest = np.column_stack([better, 1 - better - worse, worse]).argmax(axis=1)
    return Bayes(*(np.bincount(likeliest, minlength=3) / len(W)).tolist())


@cache
def _dirichlet(n: int) -> np.ndarray:
    """Weights of n - 1 data sets and, first, of the prior, in each sample of the posterior."""
    weights = np.append(PRIOR, np.ones(n - 1))
    return np.random.RandomState(SEED).dirichlet(weights, SAMPLES)


def corrected_t(first: np.ndarray, second: np.ndarray, ratio: float) -> CorrectedT:
    """Resampled t-test with variance (1/J + n_test/n_train) s^2. Nadeau and Bengio 2003, Eq. 9.

    The J differences are those of all folds of all repeats; ``ratio`` is n_test/n_train. If all
    folds differ by the same number other than 0, the variance is 0: t and p are NaN.
    """
    difference = np.round(first - second, 9)
    if np.ptp(difference) == 0:
        return CorrectedT(nan, nan) if difference.any() else CorrectedT(0.0, 1.0)
    J = len(difference)
    t = difference.mean() / sqrt((1 / J + ratio) * difference.var(ddof=1))
    return CorrectedT(float(t), float(2 * stats.t.sf(abs(t), J - 1)))
