"""Which candidates cannot be told from the best, and which of them is picked."""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

ALPHA = 0.05
ROPE = 0.01  # a point: who is farther from the best than this is not picked for simplicity
Rule = Callable[[np.ndarray, np.ndarray], int]


class Bayes(NamedTuple):
    """Probabilities that sum to 1: which of two is better by more than a point."""

    first_better: float
    equal: float
    second_better: float


def tied(scores: np.ndarray, by_part: np.ndarray, ratio: float) -> np.ndarray:
    """Which candidates cannot be told from the best, B x candidates, in each of B resamples.

    Corrected resampled t-tests, adjusted by Holm: `scores` are B x candidates and `by_part`
    B x candidates x test parts; lower is better.
    """
    best = np.nanargmin(scores, axis=1)
    p = _p_values(by_part - np.take_along_axis(by_part, best[:, None, None], axis=1), ratio)
    others = np.arange(scores.shape[1]) != best[:, None]
    p[~others] = 2.0  # behind all others in the order
    order = np.argsort(p, axis=1, kind="stable")
    factors = np.maximum(scores.shape[1] - 1 - np.arange(scores.shape[1]), 1)
    adjusted = np.empty_like(p)
    raised = np.maximum.accumulate(factors * np.take_along_axis(p, order, axis=1), axis=1)
    np.put_along_axis(adjusted, order, raised, axis=1)
    return (adjusted > ALPHA) | ~others


def _p_values(differences: np.ndarray, ratio: float) -> np.ndarray:
    """Two-sided p-values over the last axis: Nadeau & Bengio's corrected resampled t-test.

    Parts that a resample left empty are NaN; a difference that is the same in all parts is no
    chance, unless it is 0.
    """
    known = np.isfinite(differences)
    J = known.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, differences, 0.0).sum(axis=-1) / J
        squares = np.where(known, differences - mean[..., None], 0.0) ** 2
        t = mean / np.sqrt((1 / J + ratio) * squares.sum(axis=-1) / (J - 1))
    p = 2 * stdtr(np.maximum(J - 1, 1), -np.abs(t))
    p[np.isnan(t)] = 1.0  # no difference in any part
    p[J < 2] = 1.0
    return p


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
    worse, up_to = (float(stdtr(J - 1, (end - difference.mean()) / scale)) for end in (-ROPE, ROPE))
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
