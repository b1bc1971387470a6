"""Precision, recall and F1 of each class, with 95% intervals."""

from typing import NamedTuple

import numpy as np

from ..results.summary import wilson


class Rate(NamedTuple):
    """A rate and its interval; NaN if there is nothing that it is a rate of."""

    value: float
    low: float
    high: float


class ClassScores(NamedTuple):
    """How well one class is found."""

    rows: int
    predicted: float  # rows that are predicted as this class, a mean over repeats
    precision: Rate
    recall: Rate
    f1: Rate


def class_scores(C: np.ndarray) -> list[ClassScores]:
    """`C[a, b]`: rows of class a that are predicted as b."""
    right, rows, predicted = np.diag(C), C.sum(axis=1), C.sum(axis=0)
    return [
        ClassScores(
            round(rows[c]), predicted[c], _rate(right[c], predicted[c]),
            _rate(right[c], rows[c]), _f1(right[c], rows[c] + predicted[c] - right[c]),
        )
        for c in range(len(C))
    ]  # fmt: skip


def _rate(part: float, whole: float) -> Rate:
    """Wilson's interval; `whole` counts rows once, however often they were tested."""
    if whole <= 0:
        return Rate(np.nan, np.nan, np.nan)
    value = min(1.0, part / whole)
    return Rate(value, *wilson(value, max(1, round(whole))))


def _f1(right: float, either: float) -> Rate:
    """F1 = 2 J / (1 + J) of J = TP / (TP + FP + FN), which is a rate: its interval carries over."""
    return Rate(*(2 * bound / (1 + bound) for bound in _rate(right, either)))
