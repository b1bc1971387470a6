"""Is one error rate worse than another beyond the noise? One-sided tests that keep their level.

Each returns the p-value of "ours is no worse than the reference"; swap the two for "no better".
"""

from collections.abc import Sequence
from math import ceil, floor, log, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri, stdtrit
from scipy.stats import binomtest, hypergeom
from statsmodels.stats.multitest import multipletests

SMALLEST = 1e-30  # lowest p over draws: far below, scipy's quantile of t is at times wrong


def sign_test(change: np.ndarray) -> float:
    """Exact sign test: `change` is, per example, our mistakes minus the reference's.

    With one prediction of each example this is McNemar's exact test. Over several draws of a code
    an example still counts once, by the sign of its sum: its draws are not independent.
    """
    worse, better = int((change > 0).sum()), int((change < 0).sum())
    if worse == 0:
        return 1.0
    return float(binomtest(worse, worse + better, alternative="greater").pvalue)


def over_repeats(p: Sequence[float]) -> float:
    """One p-value from several on the same examples: twice their mean, for any dependence.

    Vovk & Wang, Combining p-values via averaging, Biometrika 107 (2020).
    """
    return p[0] if len(p) == 1 else min(1.0, 2 * float(np.mean(p)))


def two_proportions(rate: float, reference: float, n: int) -> float:
    """Fisher's exact test of two error rates, each on n examples, as if on different examples.

    Both runs share most of their examples, so the test is conservative. Means over repeats are not
    whole counts: ours is rounded down, the reference's up.
    """
    errors, ref_errors = floor(rate * n + 1e-9), ceil(reference * n - 1e-9)
    return float(hypergeom.sf(errors - 1, 2 * n, errors + ref_errors, n))


def over_draws(rates: Sequence[float], reference: Sequence[float], n: int) -> float:
    """Mean rates over the draws of a random code, on n examples each, if the codes differ.

    The difference is noise of the examples (normal, variance A) plus noise of the draws (Student's
    t, its variance B pooled over both sides). It is beyond the level p if it exceeds the sum of
    the two quantiles of p/2, by the union bound: a t with the variance A + B would trust a spread
    that few draws happen to understate. The result is never below Fisher's p, which is exact for
    few errors.
    """
    sides = np.array(rates), np.array(reference)
    freedom = len(rates) + len(reference) - 2
    if freedom < 1:
        raise ValueError("one draw on each side tells nothing about the spread over draws")
    means = [float(side.mean()) for side in sides]
    middle = (means[0] + means[1]) / 2
    A = middle * (1 - middle) * 2 / n
    spread = sum(((side - side.mean()) ** 2).sum() for side in sides) / freedom
    B = spread * (1 / len(rates) + 1 / len(reference))
    p = _union_bound(means[0] - means[1], sqrt(A), sqrt(B), freedom)
    return max(p, two_proportions(means[0], means[1], n))


def _union_bound(difference: float, normal_sd: float, t_sd: float, freedom: int) -> float:
    """The p at which the two quantiles of p/2 add up to the difference."""

    def beyond(log_half_p: float) -> float:
        half_p = np.exp(log_half_p)
        return difference + normal_sd * ndtri(half_p) + t_sd * stdtrit(freedom, half_p)

    if difference <= 0:
        return 1.0
    if beyond(log(SMALLEST)) > 0:
        return SMALLEST
    return float(2 * np.exp(brentq(beyond, log(SMALLEST), log(0.5))))


def holm(p: Sequence[float], alpha: float) -> np.ndarray:
    """Which hypotheses Holm's procedure rejects; the chance of any false rejection is <= alpha."""
    return multipletests(p, alpha, method="holm")[0] if len(p) else np.zeros(0, dtype=bool)
