"""Data made for a statement: Figure 3 of Allwein et al. 2000, exercise 9.6 of Mohri et al. 2018.

A config names data of this kind by `make:`, a function `(rng, **params) -> (X, y, train)`.
"""

import numpy as np
from sklearn.base import BaseEstimator

from .errors import ConfigError


def normals(
    rng: np.random.Generator, classes: int, per_class: int = 100
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """|x| of standard normals, cut into classes 1, ..., k; as many test examples. Section 6.

    Class j holds theta_{j-1} <= |x| < theta_j. theta_j is the least training example of class
    j + 1, so that every class has exactly `per_class` of them; the paper says no more about theta.
    """
    _check_count("classes", classes, 2)
    _check_count("per_class", per_class, 1)
    n = classes * per_class
    x = np.abs(rng.standard_normal(2 * n))
    train = np.arange(2 * n) < n
    theta = np.sort(x[train])[per_class::per_class]
    return x[:, None], np.searchsorted(theta, x, side="right") + 1, train


normals.identity = "ecoc_bench.synthetic:normals"  # type: ignore[attr-defined]


def mistaken_pairs(
    rng: np.random.Generator, classes: int, r: float = 0.02, per_place: int = 100
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every pair errs on a share r of its rows, their vote on (k - 1) r: exercise 9.6, Mohri et al.

    There is a place (l, p) for any two classes. Of its rows, the share (k - 1) r belongs to class l
    and the rest to p: the classifier of l and p cannot but say p there, p wins against all others,
    too, and no other pair sees a row of l that it gets wrong. So the bound (k - 1) r of Section
    9.4.2 is reached, for classes of the same size. Inputs are an indicator of each place; the test
    part is as the training part, in another order.
    """
    _check_count("classes", classes, 2)
    _check_count("per_place", per_place, 2)
    if isinstance(r, bool) or not isinstance(r, int | float) or not 0 <= r < 0.5 / (classes - 1):
        raise ConfigError(
            f"r must be from 0 to below 1/(2 (k - 1)) = {0.5 / (classes - 1):g}. Got {r!r} instead."
        )
    wrong = round(r * (classes - 1) * per_place)
    if abs(wrong - r * (classes - 1) * per_place) > 1e-9 * per_place:
        raise ConfigError(
            f"(k - 1) r per_place must be a whole number, {classes - 1} x {r:g} x {per_place} is "
            "not one: change per_place."
        )
    pairs = [(guest, host) for guest in range(classes) for host in range(classes) if guest != host]
    y = np.concatenate([[guest] * wrong + [host] * (per_place - wrong) for guest, host in pairs])
    place = np.repeat(np.arange(len(pairs)), per_place)
    order = np.concatenate([rng.permutation(len(y)), rng.permutation(len(y))])
    return np.eye(len(pairs))[place[order]], y[order] + 1, np.arange(2 * len(y)) < len(y)


mistaken_pairs.identity = "ecoc_bench.synthetic:mistaken_pairs"  # type: ignore[attr-defined]


def _check_count(name: str, value, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"{name} must be a whole number, {least} or more. Got {value!r} instead.")


class OneSidedAdaBoost(BaseEstimator):
    """AdaBoost on h(x) = +1 if x < t, else -1, never with opposite signs: Section 6, literally.

    Allwein et al. 2000. It uses the first feature only. Each column is boosted separately
    (multi-call), with t at both ends or midway between training examples. Deviation: eps_t is at
    least 1/(2m), so alpha_t is finite.
    """

    identity = "ecoc_bench.synthetic:OneSidedAdaBoost"
    loss = "exponential"
    inputs = "raw"
    version = 2
    # The code is used unchanged: these hypotheses fit a column and its complement differently.
    single_call = True

    def __init__(self, rounds=10):
        self.rounds = rounds

    def fit(self, X, Y):
        """alpha_t = 1/2 ln((1 - eps_t)/eps_t) of the t with the least eps_t, for each column."""
        order = np.argsort(X[:, 0], kind="stable")
        x, Y = X[order, 0], np.asarray(Y, dtype=float)[order]
        cuts = np.r_[-np.inf, (x[1:] + x[:-1]) / 2, np.inf]
        apart = np.r_[True, x[1:] > x[:-1], True]
        D = np.abs(Y)
        self.cuts_ = np.empty((self.rounds, Y.shape[1]))
        self.alphas_ = np.empty_like(self.cuts_)
        for t in range(self.rounds):
            D = D / D.sum(axis=0)
            below = np.vstack([np.zeros(Y.shape[1]), np.cumsum(D * Y, axis=0)])
            # Rounded, so that ties go to the least t, whatever the order of the sums.
            edges = np.where(apart[:, None], 2 * below - below[-1], -np.inf).round(12)
            self.cuts_[t] = cuts[edges.argmax(axis=0)]
            eps = np.clip((1 - edges.max(axis=0)) / 2, 1 / (2 * len(x)), 1 / 2)
            self.alphas_[t] = np.log((1 - eps) / eps) / 2
            D = D * np.exp(-Y * self.alphas_[t] * _side(x, self.cuts_[t]))
        return self

    @property
    def eta_(self) -> np.ndarray:
        """eta = sum_t alpha_t of each column, after all rounds: Eq. 16."""
        return self.alphas_.sum(axis=0)[None]

    def margins(self, X) -> np.ndarray:
        """F[i, s] = sum_t alpha_t h_t(x_i), of column s."""
        steps = zip(self.alphas_, self.cuts_, strict=True)
        return sum(alpha * _side(X[:, 0], cut) for alpha, cut in steps)


def _side(x, cuts) -> np.ndarray:
    """+1 where x < cut, else -1: examples by columns."""
    return np.where(x[:, None] < cuts, 1.0, -1.0)
