"""Stratified folds: class numbers in, the fold of each example out."""

from collections.abc import Iterator

import numpy as np


def dealt(y, folds: int, rng: np.random.Generator) -> np.ndarray:
    """The fold of each example: all are shuffled, then dealt out in turn, class after class."""
    order = rng.permutation(len(y))
    fold = np.empty(len(y), dtype=np.int64)
    fold[order[np.argsort(y[order], kind="stable")]] = np.arange(len(y)) % folds
    return fold


def stratified(
    y, folds: int, rng: np.random.Generator, equal: bool = False
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(training rows, test rows) of each fold: each class is shuffled, then dealt out in turn.

    The deal goes on from class to class, so that small classes do not pile up in the first folds.
    `equal` folds have floor(n/folds) rows each: the rows left over, drawn at random, are in every
    training part and in no test part.
    """
    fold = np.full(len(y), -1)
    n_dealt, dealt_out = 0, np.ones(len(y), dtype=bool)
    if equal and (left_over := len(y) % folds):
        dealt_out[rng.permutation(len(y))[:left_over]] = False
    for r in range(int(y.max()) + 1):
        rows = rng.permutation(np.flatnonzero((y == r) & dealt_out))
        fold[rows] = (n_dealt + np.arange(len(rows))) % folds
        n_dealt += len(rows)
    for f in range(folds):
        yield np.flatnonzero(fold != f), np.flatnonzero(fold == f)
