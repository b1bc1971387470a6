"""Which classes are taken for which: counts, an order of neighbours, and errors of pairs."""

from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from .held_out import HeldOut

MOST_OPTIMAL = 150  # classes: the best order of more leaves takes seconds


class Confusion(NamedTuple):
    """Rows of one class that are taken for another, by number of class."""

    true: int
    predicted: int
    rows: float  # a mean over repeats
    share: float  # of the rows of the true class


def counts(held: HeldOut) -> np.ndarray:
    """C[a, b]: rows of class a that are predicted as b, a mean over repeats."""
    k = held.n_classes
    return np.bincount(held.y * k + held.predicted, held.weight, k * k).reshape(k, k)


def shares(C: np.ndarray) -> np.ndarray:
    """Each row of C over its sum; a class without rows has a row of zeros."""
    return C / np.maximum(C.sum(axis=1, keepdims=True), 1e-300)


def top_confusions(C: np.ndarray, most: int) -> list[Confusion]:
    """The entries off the diagonal with the most rows."""
    wrong, R = C * (1 - np.eye(len(C))), shares(C)
    order = np.lexsort([-R.ravel(), -wrong.ravel()])[:most]
    return [
        Confusion(int(a), int(b), float(wrong[a, b]), float(R[a, b]))
        for a, b in zip(*np.unravel_index(order, C.shape), strict=True)
        if wrong[a, b] > 0
    ]


def pairwise_errors(held: HeldOut) -> np.ndarray:
    """E[a, b]: the error on rows of a and b if no other class could be the answer.

    The mean of the rates of the two classes, so that a rare class counts as much as a frequent
    one; equal probabilities count one half.
    """
    own = held.P[np.arange(len(held.y)), held.y][:, None]
    lost = (own < held.P) + 0.5 * (own == held.P)
    sums, rows = np.zeros((held.n_classes,) * 2), np.zeros(held.n_classes)
    np.add.at(sums, held.y, lost * held.weight[:, None])
    np.add.at(rows, held.y, held.weight)
    rates = sums / np.maximum(rows, 1e-300)[:, None]
    E = (rates + rates.T) / 2
    np.fill_diagonal(E, 0)
    return E


def merges(similarity: np.ndarray) -> np.ndarray:
    """SciPy's linkage of average similarity, at heights of the largest similarity minus it."""
    distance = similarity.max() - (similarity + similarity.T) / 2
    np.fill_diagonal(distance, 0)
    condensed = squareform(distance, checks=False)
    tree = linkage(condensed, "average")
    return optimal_leaf_ordering(tree, condensed) if len(distance) <= MOST_OPTIMAL else tree


def neighbours(C: np.ndarray) -> np.ndarray:
    """An order of the classes in which those that are taken for each other stand side by side."""
    if len(C) < 3:
        return np.arange(len(C))
    return leaves_list(merges(shares(C) * (1 - np.eye(len(C)))))


def most_confused(C: np.ndarray, most: int) -> np.ndarray:
    """The classes with the most wrong rows, as true or as predicted class, in their order."""
    wrong = C * (1 - np.eye(len(C)))
    found = np.argsort(-(wrong.sum(axis=0) + wrong.sum(axis=1)), kind="stable")[:most]
    return np.sort(found)
