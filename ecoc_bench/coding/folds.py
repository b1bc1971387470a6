"""Stratified folds: class numbers in, the fold of each example or of each sequence out."""

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


def dealt_whole(y, sequences, shares, rng: np.random.Generator) -> np.ndarray:
    """The part of each example, such that no sequence is divided; part f has about shares[f].

    Sequences come in random order, the longest first, and each goes to the part where it adds least
    to sum_fr (n_fr - e_fr)^2 / e_fr: n_fr examples of class r are in part f, where
    e_fr = shares[f] n_r are due. Ties go to the part with the fewest examples, then to the first.
    """
    shares = np.asarray(shares, dtype=float)
    _, sequence = np.unique(sequences, return_inverse=True)
    counts = np.zeros((int(sequence.max()) + 1, int(y.max()) + 1))
    np.add.at(counts, (sequence, y), 1.0)
    total = np.maximum(counts.sum(axis=0), 1.0)
    dealt_out = np.zeros((len(shares), counts.shape[1]))
    part = np.empty(len(counts), dtype=np.int64)
    order = rng.permutation(len(counts))
    open_parts = np.flatnonzero(shares)
    for i in order[np.argsort(-counts[order].sum(axis=1), kind="stable")]:
        due = shares[open_parts, None] * total
        added = ((2 * (dealt_out[open_parts] - due) + counts[i]) * counts[i] / due).sum(axis=1)
        fewest = dealt_out[open_parts].sum(axis=1)
        part[i] = open_parts[np.lexsort((fewest, added.round(9)))[0]]
        dealt_out[part[i]] += counts[i]
    return part[sequence]
