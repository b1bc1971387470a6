"""Data sets made by a function, `make(rng, **params) -> (X, y, train)`, named by its import path.

X is a numeric matrix (NaN: missing), y has a label for every row, and train is a mask of the
training rows or None for cross-validation. It may give `sequences` in a fourth place: for each row
the name of its sequence.
"""

import hashlib
import inspect
from pathlib import Path

import numpy as np

from ..data.csvfile import Dataset
from ..errors import ConfigError, DataError, UserError, reason
from ..plugins import load_object
from ..seeds import seed_for
from .dataset_spec import DatasetSpec


def generate(spec: DatasetSpec, folder: Path, seed: int) -> Dataset:
    """The data set of a spec; its random numbers depend on the run's seed and the spec alone."""
    make = load_object(str(spec.make), folder)
    if not callable(make):
        raise ConfigError(f"'{spec.make}' must be a function (rng, **params) -> (X, y, train).")
    known_as = getattr(make, "identity", spec.make)
    rng = np.random.default_rng(seed_for(seed, "data", spec.name, known_as, spec.params))
    try:
        inspect.signature(make).bind(rng, **spec.params)
        made = make(rng, **spec.params)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigError(f"'{spec.make}' fails: {reason(error)}") from error
    if not isinstance(made, tuple) or len(made) not in (3, 4):
        raise ConfigError(f"'{spec.make}' must give (X, y, train). Got {type(made).__name__}.")
    return _dataset(spec, *made)


def _dataset(spec: DatasetSpec, X, y, train, sequences=None) -> Dataset:
    try:
        X = np.ascontiguousarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"'{spec.make}': X must be a matrix of numbers: {error}.") from error
    y = _labels(spec, y)
    labels = y.astype(str)
    if X.ndim != 2 or X.size == 0 or labels.shape != (len(X),):
        raise DataError(
            f"'{spec.make}': X must be (rows, attributes) and y have a label for each row. "
            f"Got shapes {X.shape} and {labels.shape}."
        )
    if np.isinf(X).any():
        raise DataError(f"'{spec.make}': X has infinite values. Use NaN for what is missing.")
    mask = None if train is None else _mask(spec, train, len(X))
    chain = None if sequences is None else _chain(spec, sequences, mask, len(X))
    classes = _classes(y)
    codes = {label: i for i, label in enumerate(classes)}
    counts = np.unique(labels if mask is None else labels[mask], return_counts=True)[1]
    if len(classes) < 2 or len(counts) < len(classes) or counts.min() < 2:
        raise DataError(
            f"'{spec.make}': at least 2 classes, each with at least 2 rows to train on, are needed."
        )
    return Dataset(
        name=spec.name,
        X=X,
        y=np.array([codes[label] for label in labels.tolist()], dtype=np.int64),
        classes=classes,
        columns=tuple(f"x{j}" for j in range(X.shape[1])),
        categories=(None,) * X.shape[1],
        train=mask,
        sha256=_sha256(X, labels, mask, *([] if chain is None else [chain])),
        sequences=chain,
    )


def _labels(spec: DatasetSpec, y) -> np.ndarray:
    try:
        labels = np.asarray(np.asarray(y).tolist())
    except ValueError:
        labels = np.array([None])
    if labels.dtype.kind not in "biufU" or (labels != labels).any():
        raise DataError(f"'{spec.make}': y must be a list of labels, all numbers or all text.")
    return labels


def _mask(spec: DatasetSpec, train, n: int) -> np.ndarray:
    mask = np.asarray(train)
    if mask.dtype != bool or mask.shape != (n,) or mask.all() or not mask.any():
        raise DataError(
            f"'{spec.make}': train must be None, or a boolean for each row, some of each."
        )
    return mask


def _chain(spec: DatasetSpec, sequences, mask, n: int) -> np.ndarray:
    """The number of each row's sequence, in the order in which these begin."""
    names = np.asarray(sequences)
    if names.shape != (n,) or names.dtype.kind not in "iuU":
        raise DataError(
            f"'{spec.make}': sequences must be None, or the name of a sequence for each row, all "
            "whole numbers or all text."
        )
    _, first, number = np.unique(names, return_index=True, return_inverse=True)
    if mask is not None and len(set(zip(number.tolist(), mask.tolist(), strict=True))) > len(first):
        raise DataError(f"'{spec.make}': a sequence has rows in train and in test.")
    return np.argsort(np.argsort(first))[number]


def _classes(y) -> tuple[str, ...]:
    """The labels in order: numbers by value, text by alphabet."""
    return tuple(str(label) for label in np.unique(np.asarray(y)).tolist())


def _sha256(*arrays) -> str:
    whole = hashlib.sha256()
    for array in arrays:
        whole.update(b"none" if array is None else array.tobytes())
    return whole.hexdigest()
