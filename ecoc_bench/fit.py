"""A fit: the columns of one task on its training rows, and their margins."""

import os
import platform
import resource
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from .errors import reason
from .failures import Failure
from .inputs import prepare, projected
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
    shift: np.ndarray | None = None  # (training rows, columns), where the learner has it


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
    nominal, *rows = projected(data, *((at.train,) if at.inner else (at.train, at.test)))
    X = prepare(job.inputs, nominal, *rows)
    Y = task.block[at.y_train]
    folds = inner_folds(at) if at.inner else None
    settings: dict[str, Any] = {}
    if job.inputs == "coded" and _takes(job.learner, "nominal"):
        settings["nominal"] = nominal
    parts: list[tuple[tuple[str, ...], Part]] = []
    failures = []
    for group in _groups(job.learner, len(task.columns)):
        names = task.columns[group]
        if _takes(job.learner, "random_state"):
            settings["random_state"] = seed_for(job.seed, at.key, names)
        fresh = clone(job.learner).set_params(**settings)
        part = _guarded(job, fresh, X, Y[:, group], folds)
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
    shifts = [part.shift for _, part in parts if part.shift is not None]
    return Record(
        context=context,
        columns=tuple(name for names, _ in parts for name in names),
        stages=parts[0][1].stages,
        converged=tuple(ok for _, part in parts for ok in part.converged),
        seconds=tuple(s for _, part in parts for s in part.seconds),
        train=np.concatenate([part.train for _, part in parts], axis=2),
        test=np.concatenate([part.test for _, part in parts], axis=2),
        shift=np.concatenate(shifts, axis=1) if shifts else None,
    )


def _guarded(job: Job, *arguments) -> Part | Problem:
    """The fit; in a child process if its time is limited, or if it may not live."""
    if job.timeout is None and not job.apart:
        return _attempt(*arguments)
    try:
        return call_within(job.timeout, _attempt, *arguments)
    except (TimeoutError, RuntimeError) as error:
        return Problem(reason(error), "")


def _attempt(learner, X, Y, folds) -> Part | Problem:
    try:
        if folds is None:
            return _fit_columns(learner, X[0], X[1], Y)
        return _fit_inner(learner, X[0], Y, folds)
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
    shift = getattr(learner, "loo_shift_", None)
    return Part(stages, train, test, converged.tolist(), [seconds] * Y.shape[1], shift)


def inner_folds(context) -> np.ndarray:
    """The inner fold of each training row: the rows of each class, shuffled, are dealt out."""
    # not by the context's key: learners of a sweep are compared on the same folds
    rng = np.random.default_rng(seed_for("inner", context.train.tolist()))
    order = rng.permutation(len(context.y_train))
    order = order[np.argsort(context.y_train[order], kind="stable")]
    folds = np.empty(len(order), dtype=np.int64)
    folds[order] = np.arange(len(order)) % context.inner
    return folds


def _fit_inner(learner, X, Y, folds) -> Part:
    """Margins of the training rows, each by a fit that did not see it.

    Rows are left out by zeros in Y, so that learners can share work between the fits; inputs are
    prepared on all training rows.
    """
    start = time.perf_counter()
    held_out, converged = np.empty(0), np.ones(Y.shape[1], dtype=bool)
    for fold in range(folds.max() + 1):
        fitted = clone(learner).fit(X, Y * (folds != fold)[:, None])
        stages, margins = _staged(fitted, X)
        _check(margins, (len(stages), len(X), Y.shape[1]))
        held_out = held_out if held_out.size else np.empty_like(margins)
        held_out[:, folds == fold] = margins[:, folds == fold]
        converged &= getattr(fitted, "converged_", converged)
    seconds = (time.perf_counter() - start) / Y.shape[1]
    return Part(stages, held_out, held_out[:, :0], converged.tolist(), [seconds] * Y.shape[1])


def _check(margins: np.ndarray, shape: tuple[int, ...]) -> None:
    if margins.shape != shape:
        raise ValueError(f"margins must have shape {shape[1:]}. Got {margins.shape[1:]} instead")
    if not np.isfinite(margins).all():
        raise ValueError("the learner gave margins that are not finite")


def _staged(learner, X) -> tuple[tuple[int, ...], np.ndarray]:
    """Margins at the learner's recorded stages; stage 0 if it has none."""
    if not hasattr(learner, "staged_margins"):
        return (0,), np.asarray(learner.margins(X))[None]
    stages, margins = zip(*learner.staged_margins(X), strict=True)
    return tuple(int(stage) for stage in stages), np.stack(margins)


def usage() -> tuple[str, int]:
    """This worker's name, and the most memory it has held, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return f"{platform.node()}:{os.getpid()}", peak
