"""The metrics of a leaderboard: true classes and probabilities in, a number out.

Each takes weights of the rows, B x n: a resample of the rows is a row of counts, and B resamples
are scored at once. A resample without any row scores NaN.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

LEAST = 1e-15  # no probability counts as less: one row would decide the mean


class Metric(NamedTuple):
    """A metric, and how to read it."""

    of: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    higher_is_better: bool
    title: str
    percent: bool  # whether it is a share, printed in percent
    by_class: bool  # whether it counts rows class by class, which takes longer


def error(y: np.ndarray, P: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The share of rows whose likeliest class is not theirs."""
    return _mean((P.argmax(axis=1) != y).astype(float), weights)


def log_loss(y: np.ndarray, P: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean of -ln of the probability of the true class."""
    return _mean(-np.log(np.maximum(P[np.arange(len(y)), y], LEAST)), weights)


def balanced_accuracy(y: np.ndarray, P: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean over the classes of the share of their rows that are right."""
    hits, of_class, _ = _counts(y, P, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return _over_classes(hits / of_class, of_class > 0)


def macro_f1(y: np.ndarray, P: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean over the classes of 2 hits / (rows + predictions)."""
    hits, of_class, predicted = _counts(y, P, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return _over_classes(2 * hits / (of_class + predicted), of_class > 0)


def _mean(losses: np.ndarray, weights: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return weights @ losses / weights.sum(axis=1)


def _counts(y, P, weights) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hits, rows and predictions of each class, B x k."""
    labels, r = P.argmax(axis=1), np.arange(P.shape[1])
    true, told = (y[:, None] == r).astype(float), (labels[:, None] == r).astype(float)
    return weights @ (true * told), weights @ true, weights @ told


def _over_classes(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """The mean over the classes that have rows."""
    return np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1)


def score(name: str, y: np.ndarray, P: np.ndarray) -> float:
    """A metric of all rows.

    >>> score("error", np.array([0, 1]), np.array([[0.9, 0.1], [0.8, 0.2]]))
    0.5
    """
    return float(METRICS[name].of(y, P, np.ones((1, len(y))))[0])


METRICS = {
    "error": Metric(error, False, "error", True, False),
    "balanced_accuracy": Metric(balanced_accuracy, True, "balanced accuracy", True, True),
    "macro_f1": Metric(macro_f1, True, "macro F1", True, True),
    "log_loss": Metric(log_loss, False, "log loss", False, False),
}
