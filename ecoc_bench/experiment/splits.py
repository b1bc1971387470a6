"""Training, validation and test rows: drawn parts, the original split, or stratified folds.

Parts and folds are stratified by class, or by label set where sets have rows enough. The rows of a
sequence stay together. Noise changes labels of the training and validation rows alone.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..coding.folds import dealt_whole, stratified
from ..data.csvfile import Dataset
from ..errors import ConfigError
from ..seeds import seed_for
from .config import Evaluation, Experiment
from .dataset_spec import DatasetSpec, PartsSpec

FEWEST = 10  # rows that a label set has on average, if parts are to share it out
Rows = tuple[int, int, np.ndarray, np.ndarray, np.ndarray]


class Split(NamedTuple):
    """Row numbers of the parts, and the labels of all rows as the learner sees them."""

    repeat: int
    fold: int
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    labels: np.ndarray


def splits(data: Dataset, spec: DatasetSpec, experiment: Experiment) -> list[Split]:
    """Every split of a data set. All noise levels of one data set have the same rows."""
    name = spec.of or spec.name
    return [
        Split(*split, mislabelled(data, split, spec.noise, (experiment.seed, "noise", name)))
        for split in _rows(data, name, spec, experiment)
    ]


def _rows(data: Dataset, name: str, spec: DatasetSpec, experiment: Experiment) -> list[Rows]:
    how, parts = experiment.evaluation, spec.parts or experiment.parts
    repeats = range(spec.repeats or how.repeats)
    if parts is not None:
        draws = (_rng(experiment.seed, "parts", name, repeat) for repeat in repeats)
        return [(i, 0, *_parts(data, parts, rng)) for i, rng in enumerate(draws)]
    none = np.array([], dtype=np.int64)
    if data.train is not None and how.original_split:
        return [(0, 0, np.flatnonzero(data.train), none, np.flatnonzero(~data.train))]
    y = strata(data, how.folds)
    _check_folds(data, y, how)
    return [
        (repeat, fold, train, none, test)
        for repeat in repeats
        for fold, (train, test) in enumerate(
            _folds(data, y, how, _rng(experiment.seed, "folds", name, repeat))
        )
    ]


def strata(data: Dataset, folds: int) -> np.ndarray:
    """What the folds share out evenly: classes, or label sets with `folds` rows on average.

    Otherwise all rows are alike: most sets would be in one fold only, whatever the deal.
    """
    many = data.sets is not None and len(data.y) < folds * len(data.sets)
    return np.zeros_like(data.y) if many else data.y


def noted(data: Dataset, experiment: Experiment) -> Dataset:
    """The data, with a note if it has too many label sets for stratified folds."""
    folds = experiment.evaluation.folds
    if data.sets is None or strata(data, folds) is data.y:
        return data
    why = f"{len(data.sets)} label sets are too many for folds with an even share of each"
    return replace(data, note=f"{data.note}; {why}")


def _check_folds(data: Dataset, y: np.ndarray, how: Evaluation) -> None:
    largest = int(np.bincount(y).max())
    if data.sequences is not None and how.equal_folds:
        raise ConfigError(
            f"evaluation.equal_folds counts rows, but the sequences of '{data.name}' stay whole. "
            "Remove it."
        )
    if data.sequences is not None and (n := int(data.sequences.max()) + 1) < how.folds:
        raise ConfigError(
            f"evaluation.folds is {how.folds}, but '{data.name}' has only {n} sequences. Use fewer "
            "folds."
        )
    if largest < how.folds:
        what = "the largest class" if y is data.y else "all"
        raise ConfigError(
            f"evaluation.folds is {how.folds}, but {what} of '{data.name}' has only {largest} "
            "rows. Use fewer folds."
        )


def _folds(
    data: Dataset, y: np.ndarray, how: Evaluation, rng
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(training rows, test rows) of each fold."""
    if data.sequences is None:
        yield from stratified(y, how.folds, rng, how.equal_folds)
        return
    fold = dealt_whole(y, data.sequences, np.full(how.folds, 1 / how.folds), rng)
    for f in range(how.folds):
        yield np.flatnonzero(fold != f), np.flatnonzero(fold == f)


def _rng(*content) -> np.random.Generator:
    return np.random.default_rng(seed_for(*content))


def _parts(data: Dataset, parts: PartsSpec, rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training, validation and test rows, each class dealt out in the same proportions."""
    y = strata(data, FEWEST)
    if parts.of is None:
        shares = np.array([parts.train, parts.validation, parts.test], dtype=float)
        train, validation, test = _deal(data, y, np.arange(len(y)), shares / shares.sum(), rng)
    elif data.train is None:
        raise ConfigError(
            f"parts.of is '{parts.of}', but '{data.name}' has no original split. Give 'train', "
            "'validation' and 'test'."
        )
    else:
        train, test = np.flatnonzero(data.train), np.flatnonzero(~data.train)
        shares = np.array([parts.validation, 1 - parts.validation])
        validation, rest = _deal(data, y, train if parts.of == "train" else test, shares, rng)
        train, test = (rest, test) if parts.of == "train" else (train, rest)
    empty = [n for n, part in (("training", train), ("test", test)) if not len(part)]
    if parts.validation and not len(validation):
        empty.append("validation")
    if empty or len(set(data.y[train].tolist())) < 2:
        what = f"no {empty[0]} rows" if empty else "training rows of one class only"
        raise ConfigError(f"parts leave '{data.name}' {what}. Use larger shares.")
    return train, validation, test


def _deal(data: Dataset, y, rows, shares, rng) -> list[np.ndarray]:
    """These rows in parts of the given shares; the rows of each class are shuffled, then cut."""
    if data.sequences is not None:
        dealt = dealt_whole(y[rows], data.sequences[rows], shares, rng)
        return [rows[dealt == f] for f in range(len(shares))]
    parts: list[list[np.ndarray]] = [[] for _ in shares]
    for r in np.unique(y[rows]):
        mine = rng.permutation(rows[y[rows] == r])
        cuts = np.rint(np.cumsum(shares)[:-1] * len(mine)).astype(int)
        for part, piece in zip(parts, np.split(mine, cuts), strict=True):
            part.append(piece)
    return [np.sort(np.concatenate(part)) for part in parts]


def mislabelled(data: Dataset, split: Rows, noise: float, content: tuple) -> np.ndarray:
    """The labels, with a share of them changed to another class: in training and validation part.

    The rows come in an order that is the same for all levels: a higher level keeps the changes of
    a lower one.
    """
    labels = data.y.copy()
    repeat, fold, train, validation, _ = split
    for name, part in (("train", train), ("validation", validation)):
        rng = _rng(*content, repeat, fold, name)
        order, shift = rng.permutation(part), rng.integers(1, data.n_classes, len(part))
        changed = round(noise * len(part))
        rows = order[:changed]
        labels[rows] = (labels[rows] + shift[:changed]) % data.n_classes
    return labels
