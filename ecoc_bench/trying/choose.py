"""Which candidates cannot be told from the best, and which of them is picked."""

from collections.abc import Callable, Sequence
from math import isnan, sqrt

import numpy as np
from scipy import stats

from ..results.significance.procedures import Bayes, corrected_t, holm

ALPHA = 0.05
ROPE = 0.01  # a point: who is farther from the best than this is not picked for simplicity
Rule = Callable[[np.ndarray, np.ndarray], int]


def tied(scores: np.ndarray, by_fold: np.ndarray, ratio: float) -> np.ndarray:
    """Which candidates cannot be told from the best: corrected t-tests, adjusted by Holm.

    `scores` of the candidates and `by_fold`, candidates x test parts: lower is better.
    """
    best = int(np.nanargmin(scores))
    others = [c for c in range(len(scores)) if c != best]
    same = np.ones(len(scores), dtype=bool)
    if others:
        p = np.array([_p(by_fold[best], by_fold[c], ratio) for c in others])
        same[others] = holm(p) > ALPHA
    return same


def _p(first: np.ndarray, second: np.ndarray, ratio: float) -> float:
    """Folds that a resample left empty are NaN; equal differences in all folds are no chance."""
    known = np.isfinite(first) & np.isfinite(second)
    if known.sum() < 2:
        return 1.0
    p = corrected_t(first[known], second[known], ratio).p
    return 0.0 if isnan(p) else p


def correlated_bayes(first: np.ndarray, second: np.ndarray, ratio: float) -> Bayes:
    """The Bayesian correlated t-test of Corani & Benavoli 2015, with a rope of one point.

    The posterior of the mean difference is Student's, of the corrected t-test's variance.
    """
    difference = second - first
    J = len(difference)
    scale = sqrt((1 / J + ratio) * float(difference.var(ddof=1)))
    if scale == 0:
        mean = float(difference.mean())
        return Bayes(float(mean > ROPE), float(abs(mean) <= ROPE), float(mean < -ROPE))
    at = stats.t(J - 1, difference.mean(), scale)
    worse, up_to = float(at.cdf(-ROPE)), float(at.cdf(ROPE))
    return Bayes(1 - up_to, up_to - worse, worse)


def simplest(order: Sequence[float]) -> Rule:
    """The first in this order of those that are tied with the best and within a point of it."""

    def rule(scores: np.ndarray, same: np.ndarray) -> int:
        near = same & (scores <= np.nanmin(scores) + ROPE)
        return min(np.flatnonzero(near).tolist(), key=lambda c: order[c])

    return rule


def best(scores: np.ndarray, same: np.ndarray) -> int:
    """The best, whatever it costs."""
    return int(np.nanargmin(scores))


PICKS = {
    "simple": "the simplest",
    "best": "the best",
    "fast": "the fastest to predict",
    "small": "the smallest model",
}


def rule_for(pick: str, entries: Sequence) -> Rule:
    """The rule of `--pick` for these candidates."""
    if pick == "best":
        return best
    key = {"simple": "simplicity", "fast": "predict_us", "small": "megabytes"}[pick]
    return simplest([getattr(entry, key) for entry in entries])
