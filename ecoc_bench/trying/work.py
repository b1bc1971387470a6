"""What a child process of a trial does: fit a candidate on some rows, and score others.

The parent sends these functions by name and never runs them: heavy imports are inside.
"""

import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..data.csvfile import Dataset
from ..models.scoring import scores_of
from .candidates import Candidate

if TYPE_CHECKING:
    from ..data.inputs import FittedInputs

WARM = 60  # rows of a fit that only compiles kernels

_data: list[Dataset] = []  # of this process
_warm: set[str] = set()  # candidates whose kernels are compiled here


class Scored(NamedTuple):
    """The out-of-sample scores of a test part, and what they cost."""

    scores: np.ndarray
    fit_seconds: float
    predict_seconds: float


class Fitted(NamedTuple):
    """A fitted candidate with its inputs."""

    inputs: "FittedInputs"
    estimator: Any
    seconds: float

    def scores(self, X: np.ndarray, k: int) -> np.ndarray:
        """Scores of coded rows for all k classes.

        A class that the training part lacks is as far below the lowest as the highest is above.
        """
        S = scores_of(self.estimator, self.inputs.transform(X))
        classes = np.asarray(self.estimator.classes_, dtype=np.int64)
        if len(classes) == k:
            return S
        every = np.empty((len(S), k))
        every[:] = (2 * S.min(axis=1) - S.max(axis=1))[:, None]
        every[:, classes] = S
        return every


def receive(data: Dataset, paths: list[str]) -> None:
    """The table arrives once for each process; modules of `--add` lie on the parent's paths."""
    from ..running.workers.process import settle

    settle()
    sys.path[:] = paths
    _data[:] = [data]


def table() -> Dataset:
    """The table of this process."""
    return _data[0]


def fit(candidate: Candidate, rows: np.ndarray, seed: int) -> Fitted:
    """A candidate, fitted on these rows with its inputs; compilation does not count as the fit."""
    data = _data[0]
    if candidate.compiling and candidate.name not in _warm:
        few = rows[:: max(1, len(rows) // WARM)]
        if len(few) < len(rows) and len(np.unique(data.y[few])) > 1:
            _fit(candidate, few, seed)
        _warm.add(candidate.name)
    return _fit(candidate, rows, seed)


def _fit(candidate: Candidate, rows: np.ndarray, seed: int) -> Fitted:
    from ..data.inputs import FittedInputs

    data, began = _data[0], time.perf_counter()
    inputs = FittedInputs.fit(candidate.inputs, data.nominal, data.X[rows])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of convergence: the score of the fit tells
        X = inputs.transform(data.X[rows])
        estimator = candidate.fit(X, data.y[rows], data.nominal, seed)
    return Fitted(inputs, estimator, time.perf_counter() - began)


def fit_part(candidate: Candidate, train: np.ndarray, test: np.ndarray, seed: int) -> Scored:
    """Fit on the training rows and score the test rows."""
    data, fitted = _data[0], fit(candidate, train, seed)
    began = time.perf_counter()
    S = fitted.scores(data.X[test], data.n_classes)
    return Scored(S, fitted.seconds, time.perf_counter() - began)


def fit_whole(
    candidate: Candidate,
    rows: np.ndarray,
    seed: int,
    temperature: float,
    facts: dict[str, Any],
    labels: tuple | None,
    path: Path,
) -> float:
    """Fit on all rows and write the model; how many bytes it has."""
    from ..models.file import save
    from ..models.model import Model

    data, fitted = _data[0], fit(candidate, rows, seed)
    part = _of_rows(data, rows)
    save(Model.of(part, fitted.inputs, fitted.estimator, temperature, facts, labels), path)
    return float(path.stat().st_size)


def scores_of_file(path: Path, X: np.ndarray) -> np.ndarray:
    """The scores of coded rows by a model's file."""
    from ..models.file import load

    return load(path).scores(X)


def _of_rows(data: Dataset, rows: np.ndarray) -> Dataset:
    return data if len(rows) == len(data.y) else replace(data, X=data.X[rows], y=data.y[rows])
