"""A fit: the columns of one task on its training rows, and their margins."""

import os
import platform
import resource
import sys
import time
import traceback
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .errors import reason
from .failures import Failure
from .inputs import prepare
from .seeds import seed_for
from .store import Record
from .timelimit import call_within


@dataclass(frozen=True, eq=False)
class Job:
    """How the fits of one learner are done: what does not change from task to task."""

    learner: object
    inputs: str
    seed: int
    timeout: float | None = None
    apart: bool = False  # each fit in a process of its own: it may kill that


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a task gave: its record if any column was fitted, and what the worker needed."""

    record: Record | None
    failures: list[Failure]
    worker: str = ""
    peak: int = 0  # bytes of memory that the worker has held at most
    seconds: float = 0.0


class Part(NamedTuple):
    """Columns fitted together; margins are (stages, rows, columns)."""

    stages: tuple[int, ...]
    train: np.ndarray
    test: np.ndarray
    converged: list[bool]
    seconds: list[float]


class Problem(NamedTuple):
    """Why columns could not be fitted."""

    reason: str
    details: str


def fit_task(task, data, job: Job) -> Fitted:
    """Fit a task on the training rows, and take margins on training and test rows.

    A fault of the learner must not stop the other columns and cells, so any exception of it
    becomes a Failure.
    """
    start = time.perf_counter()
    at = task.context
    X_train, X_test = prepare(job.inputs, data.nominal, data.X[at.train], data.X[at.test])
    Y = task.block[data.y[at.train]]
    settings = {}
    if job.inputs == "coded" and _takes(job.learner, "nominal"):
        settings["nominal"] = data.nominal
    parts: list[tuple[tuple[str, ...], Part]] = []
    failures = []
    for group in _groups(job.learner, len(task.columns)):
        names = task.columns[group]
        if _takes(job.learner, "random_state"):
            settings["random_state"] = seed_for(job.seed, at.key, names)
        fresh = clone(job.learner).set_params(**settings)
        part = _guarded(job, fresh, X_train, X_test, Y[:, group])
        if isinstance(part, Part) and parts and part.stages != parts[0][1].stages:
            part = Problem("ValueError: the columns must have margins at the same stages", "")
        if isinstance(part, Part):
            parts.append((names, part))
        else:
            failures.append(failure(task, *part, names))
    record = _record(at.key, parts) if parts else None
    return Fitted(record, failures, *usage(), time.perf_counter() - start)


def failure(task, reason: str, details: str = "", names: tuple[str, ...] | None = None) -> Failure:
    """The failure of a task, or of some of its columns."""
    at = task.context
    return Failure(
        dataset=at.dataset,
        learner=at.learner,
        repeat=at.repeat,
        fold=at.fold,
        reason=reason,
        details=details,
        columns=task.columns if names is None else names,
        context=at.key,
    )


def _takes(learner, parameter: str) -> bool:
    return parameter in learner.get_params(deep=False)


def _groups(learner, n_columns: int) -> list[slice]:
    """Columns fitted together: all of them in a single call, else each by itself."""
    if learner.single_call:
        return [slice(None)]
    return [slice(j, j + 1) for j in range(n_columns)]


def _record(context: str, parts: list[tuple[tuple[str, ...], Part]]) -> Record:
    return Record(
        context=context,
        columns=tuple(name for names, _ in parts for name in names),
        stages=parts[0][1].stages,
        converged=tuple(ok for _, part in parts for ok in part.converged),
        seconds=tuple(s for _, part in parts for s in part.seconds),
        train=np.concatenate([part.train for _, part in parts], axis=2),
        test=np.concatenate([part.test for _, part in parts], axis=2),
    )


def _guarded(job: Job, *arguments) -> Part | Problem:
    """The fit; in a child process if its time is limited, or if it may not live."""
    if job.timeout is None and not job.apart:
        return _attempt(*arguments)
    try:
        return call_within(job.timeout, _attempt, *arguments)
    except (TimeoutError, RuntimeError) as error:
        return Problem(reason(error), "")


def _attempt(learner, X_train, X_test, Y) -> Part | Problem:
    try:
        return _fit_columns(learner, X_train, X_test, Y)
    except (Exception, SystemExit) as error:
        return Problem(reason(error), traceback.format_exc())


def _fit_columns(learner, X_train, X_test, Y) -> Part:
    start = time.perf_counter()
    learner.fit(X_train, Y)
    stages, train = _staged(learner, X_train)
    _, test = _staged(learner, X_test)
    for margins, X in ((train, X_train), (test, X_test)):
        _check(margins, (len(stages), X.shape[0], Y.shape[1]))
    seconds = (time.perf_counter() - start) / Y.shape[1]
    converged = getattr(learner, "converged_", np.ones(Y.shape[1], dtype=bool))
    return Part(stages, train, test, converged.tolist(), [seconds] * Y.shape[1])


def _check(margins: np.ndarray, shape: tuple[int, ...]) -> None:
    if margins.shape != shape:
        raise ValueError(f"margins must have shape {shape[1:]}. Got {margins.shape[1:]} instead")
    if not np.isfinite(margins).all():
        raise ValueError("the learner gave margins that are not finite")


def _staged(learner, X) -> tuple[tuple[int, ...], np.ndarray]:
    """Margins at the learner's recorded stages; stage 0 if it has none."""
    if not hasattr(learner, "staged_margins"):
        return (0,), np.asarray(learner.margins(X), dtype=np.float64)[None]
    stages, margins = zip(*learner.staged_margins(X), strict=True)
    return tuple(int(stage) for stage in stages), np.stack(margins)


def usage() -> tuple[str, int]:
    """This worker's name, and the most memory it has held, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return f"{platform.node()}:{os.getpid()}", peak
