"""Training and test rows: the original split of a data set, or stratified folds."""

from collections.abc import Iterator

import numpy as np

from .config import Experiment
from .csvfile import Dataset
from .errors import ConfigError
from .seeds import seed_for


def splits(
    data: Dataset, experiment: Experiment
) -> list[tuple[int, int, tuple[np.ndarray, np.ndarray]]]:
    """(repeat, fold, (train, test)): the original split, or stratified folds."""
    how = experiment.evaluation
    if data.train is not None and how.original_split:
        return [(0, 0, (np.flatnonzero(data.train), np.flatnonzero(~data.train)))]
    largest = int(np.bincount(data.y).max())
    if largest < how.folds:
        raise ConfigError(
            f"evaluation.folds is {how.folds}, but the largest class of '{data.name}' has only "
            f"{largest} rows. Use fewer folds."
        )
    return [
        (repeat, fold, parts)
        for repeat in range(how.repeats)
        for fold, parts in enumerate(_folds(data, how.folds, experiment.seed, repeat))
    ]


def _folds(
    data: Dataset, folds: int, seed: int, repeat: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Stratified folds: the rows of each class, shuffled, are dealt out in turn.

    The deal goes on from class to class, so that small classes do not pile up in the first folds.
    """
    rng = np.random.default_rng(seed_for(seed, "folds", data.name, repeat))
    fold = np.empty(len(data.y), dtype=np.int64)
    dealt = 0
    for r in range(data.n_classes):
        rows = rng.permutation(np.flatnonzero(data.y == r))
        fold[rows] = (dealt + np.arange(len(rows))) % folds
        dealt += len(rows)
    for f in range(folds):
        yield np.flatnonzero(fold != f), np.flatnonzero(fold == f)
