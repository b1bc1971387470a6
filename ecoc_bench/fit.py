"""What a worker does: fit the columns of one task and give back their margins."""

import time
import traceback
import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from .inputs import prepare
from .seeds import seed_for
from .store import Record


@dataclass(frozen=True)
class Failure:
    """Columns that could not be fitted, with the reason."""

    dataset: str
    learner: str
    repeat: int
    fold: int
    columns: tuple[str, ...]
    reason: str
    details: str


def fit_task(task, data, learner, inputs: str, seed: int) -> tuple[Record | None, list[Failure]]:
    """Fit a task on the training rows, and take margins on training and test rows.

    A fault of the learner must not stop the other columns and cells, so any exception of it
    becomes a Failure.
    """
    at = task.context
    X_train, X_test = prepare(inputs, data.nominal, data.X[at.train], data.X[at.test])
    Y = task.block[data.y[at.train]]
    settings = {"nominal": data.nominal} if inputs == "coded" and _takes(learner, "nominal") else {}
    parts, failures = [], []
    for group in _groups(learner, len(task.columns)):
        names = task.columns[group]
        if _takes(learner, "random_state"):
            settings["random_state"] = seed_for(seed, at.key, names)
        try:
            fresh = clone(learner).set_params(**settings)
            parts.append((names, *_fit_columns(fresh, X_train, X_test, Y[:, group])))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            details = traceback.format_exc()
            where = (at.dataset, at.learner, at.repeat, at.fold)
            failures.append(Failure(*where, names, reason, details))
    return _record(at.key, parts) if parts else None, failures


def _takes(learner, parameter: str) -> bool:
    return parameter in learner.get_params(deep=False)


def _groups(learner, n_columns: int) -> list[slice]:
    """Columns fitted together: all of them in a single call, else each by itself."""
    if learner.single_call:
        return [slice(None)]
    return [slice(j, j + 1) for j in range(n_columns)]


def _record(context: str, parts) -> Record:
    return Record(
        context=context,
        columns=tuple(name for part in parts for name in part[0]),
        stages=parts[0][1],
        converged=tuple(ok for part in parts for ok in part[4]),
        seconds=tuple(s for part in parts for s in part[5]),
        train=np.concatenate([part[2] for part in parts], axis=2),
        test=np.concatenate([part[3] for part in parts], axis=2),
    )


def _fit_columns(learner, X_train, X_test, Y):
    """(stages, training margins, test margins, converged, seconds) of columns fitted together."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        learner.fit(X_train, Y)
    stages, train = _staged(learner, X_train)
    _, test = _staged(learner, X_test)
    for margins in (train, test):
        if not np.isfinite(margins).all():
            raise ValueError("the learner gave margins that are not finite")
    seconds = (time.perf_counter() - start) / Y.shape[1]
    converged = getattr(learner, "converged_", np.ones(Y.shape[1], dtype=bool))
    return stages, train, test, converged.tolist(), [seconds] * Y.shape[1]


def _staged(learner, X):
    """Margins at the learner's recorded stages, (stages, rows, columns); stage 0 if it has none."""
    if not hasattr(learner, "staged_margins"):
        return (0,), learner.margins(X)[None]
    stages, margins = zip(*learner.staged_margins(X), strict=True)
    return tuple(int(stage) for stage in stages), np.stack(margins)
