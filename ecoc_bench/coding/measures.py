"""Measures of the test labels besides the error: (y, predicted, ...) -> a number.

`y` and `predicted` hold a class index for each test row, or whatever the problem has in their place
(a row of 0 and 1 for a set of labels). A measure names what else it needs behind the `*` of its
signature, and whoever has it passes it under that name:

    scores     rows x classes, highest wins: minus the decoder's distances; methods have none
    costs      classes x classes: costs[r, q] is the cost of predicting q for the true class r
    sequences  for each row, the number of the sequence that it belongs to

A cell that lacks what a measure needs has no value of it. A value is NaN where the measure is
undefined on these rows: an empty cell in measures.csv, left out of means. Which classes count where
a class has no test rows is said by each measure.
"""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from math import nan
from typing import Any, NamedTuple

import numpy as np

from ..errors import ConfigError, unknown


class Measure(NamedTuple):
    """A function of true and predicted labels, and how its numbers are shown and compared."""

    of: Callable[..., float]
    title: str
    lowest_wins: bool = True
    percent: bool = True  # a share, shown in percent; else a cost, shown per 100 test rows
    label_sets: bool = False  # whether y and predicted are sets of labels, and not one label each

    @property
    def needs(self) -> list[str]:
        """The names of what it takes besides true and predicted labels."""
        found = signature(self.of).parameters.values()
        return [p.name for p in found if p.kind is Parameter.KEYWORD_ONLY]

    @property
    def heading(self) -> str:
        """The title of its numbers, which are shown per 100 test rows."""
        return f"{self.title} (%)" if self.percent else f"{self.title} per 100 test rows"


def named(name: str) -> Measure:
    """The measure of that name."""
    if name not in MEASURES:
        raise ConfigError(unknown("measure", name, MEASURES))
    return MEASURES[name]


def values(names, y, predicted, known: Mapping[str, Any]) -> dict[str, float]:
    """The measures of these names, without those that need what is not known."""
    chosen = {name: named(name) for name in names}
    return {
        name: measure.of(y, predicted, **{need: known[need] for need in measure.needs})
        for name, measure in chosen.items()
        if all(known.get(need) is not None for need in measure.needs)
    }


def balanced_error(y, predicted) -> float:
    """The mean of the classes' errors: each class counts the same, however many rows it has.

    A class without test rows has no error and is left out of the mean.

    >>> balanced_error([0, 0, 0, 1], [0, 0, 0, 0])
    0.5
    """
    y, wrong = np.asarray(y), np.not_equal(y, predicted)
    rows = np.bincount(y)
    return _mean(np.bincount(y, weights=wrong)[rows > 0] / rows[rows > 0])


def macro_f1(y, predicted) -> float:
    """The mean over classes of F1 = 2 TP/(2 TP + FP + FN), the highest wins.

    A class that is never predicted, or has no test rows but is predicted, has F1 = 0. One without
    test rows that is not predicted either has none (0/0) and is left out of the mean.

    >>> macro_f1([0, 0, 0, 1], [0, 0, 1, 1])
    0.7333333333333334
    """
    y, predicted = np.asarray(y), np.asarray(predicted)
    k = int(max(y.max(initial=0), predicted.max(initial=0))) + 1
    right = np.bincount(y[y == predicted], minlength=k)
    both = np.bincount(y, minlength=k) + np.bincount(predicted, minlength=k)  # 2 TP + FP + FN
    return _mean(2 * right[both > 0] / both[both > 0])


def mean_cost(y, predicted, *, costs) -> float:
    """The mean of costs[true, predicted]; the error, if every mistake costs 1.

    >>> mean_cost([0, 0, 1], [0, 1, 0], costs=[[0, 6], [3, 0]])
    3.0
    """
    return _mean(np.asarray(costs)[np.asarray(y), np.asarray(predicted)])


def hamming_loss(y, predicted) -> float:
    """Label sets: the share of wrong labels, Eq. 9.4 of Mohri et al. divided by k.

    >>> hamming_loss([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.25
    """
    from sklearn.metrics import hamming_loss

    return float(hamming_loss(y, predicted))


def one_error(y, predicted, *, scores) -> float:
    """Label sets: how often the label of highest score is not in the set.

    The first of equal scores counts; rows without any label are left out.

    >>> one_error([[1, 0], [1, 1], [0, 0]], None, scores=[[1, 2], [4, 3], [6, 5]])
    0.5
    """
    y, top = np.asarray(y), np.argmax(scores, axis=1)
    labelled = np.flatnonzero(y.any(axis=1))
    return _mean(1.0 - y[labelled, top[labelled]])


def coverage(y, predicted, *, scores) -> float:
    """Label sets: how many labels, by falling score, are needed to have all of the set.

    A row without any label needs none.
    """
    from sklearn.metrics import coverage_error

    return float(coverage_error(y, scores))


def ranking_loss(y, predicted, *, scores) -> float:
    """Label sets: the share of pairs of a label in the set and one outside in the wrong order.

    Equal scores are wrong; rows without such a pair count 0.
    """
    from sklearn.metrics import label_ranking_loss

    return float(label_ranking_loss(y, scores))


def average_precision(y, predicted, *, scores) -> float:
    """Label sets: of the labels down to each one of the set, the share in it; the highest wins.

    A row without any label, or with all of them, counts 1.
    """
    from sklearn.metrics import label_ranking_average_precision_score

    return float(label_ranking_average_precision_score(y, scores))


def sequence_error(y, predicted, *, sequences) -> float:
    """The share of the sequences with a wrong label anywhere; data without sequences have none.

    >>> sequence_error([0, 0, 1, 1], [0, 0, 1, 0], sequences=[7, 7, 9, 9])
    0.5
    """
    _, sequence = np.unique(sequences, return_inverse=True)
    return _mean(np.bincount(sequence, weights=np.not_equal(y, predicted)) > 0)


def _mean(numbers: np.ndarray) -> float:
    return float(numbers.mean()) if len(numbers) else nan


MEASURES: dict[str, Measure] = {
    "balanced_error": Measure(balanced_error, "Balanced error"),
    "sequence_error": Measure(sequence_error, "Error per sequence"),
    "macro_f1": Measure(macro_f1, "Macro-averaged F1", lowest_wins=False),
    "mean_cost": Measure(mean_cost, "Cost", percent=False),
    "hamming_loss": Measure(hamming_loss, "Hamming loss", label_sets=True),
    "one_error": Measure(one_error, "One-error", label_sets=True),
    "coverage": Measure(coverage, "Coverage", percent=False, label_sets=True),
    "ranking_loss": Measure(ranking_loss, "Ranking loss", label_sets=True),
    "average_precision": Measure(
        average_precision, "Average precision", lowest_wins=False, label_sets=True
    ),
}
