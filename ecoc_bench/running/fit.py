"""A fit: the columns of one task on its training rows, and their margins."""

import os
import platform
import resource
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..coding.folds import dealt, dealt_whole
from ..data.inputs import prepare, projected
from ..errors import reason
from ..experiment.tasks import ROWS, CellTask, Recipe, SlabTask, Task
from ..learners.compiling import Stopwatch
from ..learners.contract import Learner
from ..results.catalogue import ROUNDS
from ..results.failures import Failure
from ..seeds import seed_for
from .record import Record
from .workers.child import call_within


@dataclass(frozen=True, eq=False)
class Fitted:
    """The result of a task: its record if any column was fitted, and what the worker used.

    Seconds are without those of compilation, which happens once on a machine.
    """

    record: Record | None
    failures: list[Failure]
    worker: str = ""
    peak: int = 0  # most memory that the worker has held, in bytes
    seconds: float = 0.0


class Group(NamedTuple):
    """Columns fitted together; margins are (stages, rows, columns)."""

    stages: tuple[int, ...]
    train: np.ndarray
    test: np.ndarray
    converged: list[bool]
    seconds: list[float]
    shift: np.ndarray | None = None  # (training rows, columns), where the learner has it
    eta: np.ndarray | None = None  # (stages, columns), where the learner has it
    log_Z: np.ndarray | None = None  # the same
    score_margins: np.ndarray | None = None  # (training rows), where a method has it
    norms: np.ndarray | None = None  # of a method with score_margins
    history: dict[str, np.ndarray] | None = None  # by round, where the method has it


NONE = np.empty((1, 0, 1))  # in the place of margins


class Problem(NamedTuple):
    """Why columns could not be fitted."""

    reason: str
    details: str


def fit_task(task, data, recipe: Recipe) -> Fitted:
    """Fit a task on the training rows, and take margins on training and test rows.

    A fault of the learner must not stop the other columns and cells, so each of its exceptions
    becomes a Failure.
    """
    clock = Stopwatch()
    at, learner = task.context, recipe.learner
    nominal, *rows = projected(data, *((at.train,) if at.inner else (at.train, at.test)))
    X = prepare(recipe.inputs, nominal, *rows)
    folds = inner_folds(at, data.sequences) if at.inner else None
    chains = [_chain(learner, data, part) for part in (at.train, at.test)]
    settings = settings_for(task, data, recipe, nominal)
    groups: list[tuple[tuple[str, ...], Group]] = []
    failures = []
    margins = _Gathered(len(task.columns))
    rows = X[:1] if at.inner else [X[0], *X]
    for columns, group in fitted_groups(task, recipe, settings, rows, folds, chains):
        names = task.columns[columns]
        if isinstance(group, Problem):
            failures.append(failure(task, *group, names))
        else:
            groups.append((names, margins.without(columns, group)))
        del group  # its margins must not outlive its turn
    record = _record(at.key, groups, *margins.whole()) if groups else None
    return Fitted(record, failures, *usage(), clock.read())


def settings_for(task: Task, data, recipe: Recipe, nominal) -> dict[str, Any]:
    """The parameters of a learner that the data set."""
    settings: dict[str, Any] = {}
    if recipe.inputs == "coded" and recipe.learner.takes("nominal"):
        settings["nominal"] = nominal
    if recipe.learner.uses_costs(data.costs):
        settings["costs"] = data.costs
    return settings


def fitted_groups(
    task: Task, recipe: Recipe, settings: dict[str, Any], X: list, folds, chains: list
) -> Iterator[tuple[slice, Group | Problem]]:
    """Which columns were fitted together, and what came of it; X[0] are the rows to fit.

    One of them must not fail the others: then each is fitted alone.
    """
    learner, stages = recipe.learner, None
    seeded = learner.takes("random_state")
    waiting = together(learner, len(task.columns))[::-1]
    while waiting:
        columns = waiting.pop()
        if seeded:
            names = task.names_of(columns)
            settings["random_state"] = seed_for(recipe.seed, task.context.key, names)
        Y = task.signs(columns)[task.context.y_train]
        group = _guarded(recipe, learner.fresh(**settings), X, Y, folds, chains)
        if isinstance(group, Group):
            stages = stages or group.stages
            if group.stages != stages:
                group = Problem("ValueError: the columns must have margins at the same stages", "")
        if isinstance(group, Group) or Y.shape[1] == 1 or learner.single_call:
            yield columns, group
        else:
            waiting += [slice(j, j + 1) for j in reversed(range(columns.start, columns.stop))]
        del group


def _chain(learner: Learner, data, rows) -> dict[str, Any]:
    """What `fit` and `staged_margins` get besides these rows."""
    if data.sequences is None or not learner.takes_sequences:
        return {}
    return {"sequences": data.sequences[rows]}


def failure(task, reason: str, details: str = "", names: tuple[str, ...] | None = None) -> Failure:
    """The failure of a task, or of some of its columns."""
    at = task.context
    kept = task.key if isinstance(task, CellTask) else ""
    columns = task.columns if names is None else names
    if isinstance(task, SlabTask):
        columns = (*task.names, *(names or ()))
    elif kept:
        columns = (ROWS, *columns)
    return Failure(
        dataset=at.dataset,
        learner=at.learner,
        repeat=at.repeat,
        fold=at.fold,
        reason=reason,
        details=details,
        columns=columns,
        context=kept or at.key,
    )


def together(learner: Learner, n_columns: int) -> list[slice]:
    """Which columns are fitted together: all in a single call, or as many as share work."""
    if learner.single_call:
        return [slice(None)]
    size = learner.columns_at_once
    return [slice(j, min(j + size, n_columns)) for j in range(0, n_columns, size)]


class _Gathered:
    """The margins of all groups of a task, which hold none themselves: a worker has them once."""

    def __init__(self, n_columns: int):
        self.arrays: list[np.ndarray] = []
        self.done = np.zeros(n_columns, dtype=bool)

    def without(self, columns: slice, group: Group) -> Group:
        """The group without its margins, which are copied to their columns."""
        self.done[columns] = True
        parts = [group.train, group.test]
        if parts[0].shape[2] == len(self.done):
            self.arrays = parts  # of all columns at once
            return group._replace(train=NONE, test=NONE)
        if not self.arrays:
            self.arrays = [np.empty((*A.shape[:2], len(self.done)), A.dtype) for A in parts]
        for i, part in enumerate(parts):
            kind = np.result_type(self.arrays[i], part)
            self.arrays[i] = self.arrays[i].astype(kind, copy=False)
            self.arrays[i][:, :, columns] = part
        return group._replace(train=NONE, test=NONE)

    def whole(self) -> list[np.ndarray]:
        """Margins on training and test rows, of the columns that could be fitted."""
        return self.arrays if self.done.all() else [A[:, :, self.done] for A in self.arrays]


def _record(context: str, groups: list[tuple[tuple[str, ...], Group]], train, test) -> Record:
    known: dict[str, Any] = {
        name: np.concatenate(parts, axis=1)
        for name in ("shift", "eta", "log_Z")
        if (parts := [p for _, group in groups if (p := getattr(group, name)) is not None])
    }
    whole = groups[0][1]  # a method is one group
    history = whole.history or {}
    return Record(
        context=context,
        columns=tuple(name for names, _ in groups for name in names),
        stages=whole.stages,
        converged=tuple(ok for _, group in groups for ok in group.converged),
        seconds=tuple(s for _, group in groups for s in group.seconds),
        train=train,
        test=test,
        **known,
        score_margins=whole.score_margins,
        norms=whole.norms,
        history=np.array(list(history.values()), dtype=float) if history else None,
        told=tuple(history),
    )


def _guarded(recipe: Recipe, *arguments) -> Group | Problem:
    """The fit; in a child process if its time is limited, or if it may crash its process."""
    if recipe.timeout is None and not recipe.apart:
        return _attempt(*arguments)
    try:
        return call_within(recipe.timeout, _attempt, *arguments)
    except (TimeoutError, RuntimeError) as error:
        return Problem(reason(error), "")


def _attempt(learner: Learner, X, Y, folds, chains) -> Group | Problem:
    try:
        if folds is None:
            return _fit_columns(learner, X, Y, chains)
        return _fit_inner(learner, X[0], Y, folds, chains[0])
    except (Exception, SystemExit) as error:
        return Problem(reason(error), traceback.format_exc())


def _fit_columns(learner: Learner, X, Y, chains) -> Group:
    """Fit X[0]; margins of the other one or two parts."""
    clock = Stopwatch()
    fitted, *parts = X
    learner.fit(fitted, Y, **chains[0])
    found = [_staged(learner, part, chain) for part, chain in zip(parts, chains, strict=True)]
    stages, train = found[0]
    for (_, margins), part in zip(found, parts, strict=True):
        _check(margins, (len(stages), part.shape[0], Y.shape[1]))
    test = found[1][1] if len(found) > 1 else train[:, :0]
    seconds = clock.read() / Y.shape[1]
    known = (
        *(learner.loo_shift_, learner.eta_, learner.log_Z_),
        *(learner.score_margins_, learner.norms_, _history(learner)),
    )
    return Group(stages, train, test, _converged(learner, Y), [seconds] * Y.shape[1], *known)


def _history(learner: Learner) -> dict[str, np.ndarray] | None:
    """What a method tells of its rounds, checked."""
    told = learner.history_
    if told is None:
        return None
    if unknown := [name for name in told if name not in ROUNDS]:
        raise ValueError(f"history_ must be named by {', '.join(ROUNDS)}. Got {unknown[0]!r}")
    if "round" not in told or len({np.shape(values) for values in told.values()}) > 1:
        raise ValueError("history_ must hold arrays of one length, with the numbers in 'round'")
    return told


def _converged(learner: Learner, Y) -> list[bool]:
    known = learner.converged_
    return [True] * Y.shape[1] if known is None else np.asarray(known, dtype=bool).tolist()


def inner_folds(context, sequences=None) -> np.ndarray:
    """The inner fold of each training row; sequences, of all rows of the data, stay whole."""
    # The context's key is not in the seed: learners of a sweep are compared on the same folds.
    rng = np.random.default_rng(seed_for("inner", context.train.tolist()))
    if sequences is None:
        return dealt(context.y_train, context.inner, rng)
    shares = np.full(context.inner, 1 / context.inner)
    return dealt_whole(context.y_train, sequences[context.train], shares, rng)


def _fit_inner(learner: Learner, X, Y, folds, chain) -> Group:
    """Margins of the training rows, each from a fit that did not see the row.

    Rows are left out by zeros in Y, so that learners can share work between the fits; inputs are
    prepared on all training rows.
    """
    clock = Stopwatch()
    held_out, converged = np.empty(0), [True] * Y.shape[1]
    for fold in range(folds.max() + 1):
        fitted = learner.fitted(X, Y * (folds != fold)[:, None], **chain)
        stages, margins = _staged(fitted, X, chain)
        _check(margins, (len(stages), X.shape[0], Y.shape[1]))
        held_out = held_out if held_out.size else np.empty_like(margins)
        held_out[:, folds == fold] = margins[:, folds == fold]
        converged = [a and b for a, b in zip(converged, _converged(fitted, Y), strict=True)]
    seconds = clock.read() / Y.shape[1]
    return Group(stages, held_out, held_out[:, :0], converged, [seconds] * Y.shape[1])


def _check(margins: np.ndarray, shape: tuple[int, ...]) -> None:
    if margins.shape != shape:
        raise ValueError(f"margins must have shape {shape[1:]}. Got {margins.shape[1:]} instead")
    if not np.isfinite(margins).all():
        raise ValueError("the learner gave margins that are not finite")


def _staged(learner: Learner, X, chain) -> tuple[tuple[int, ...], np.ndarray]:
    """Margins at the learner's recorded stages."""
    stages, margins = zip(*learner.staged_margins(X, **chain), strict=True)
    return tuple(int(stage) for stage in stages), np.stack(margins)


def usage() -> tuple[str, int]:
    """This worker's name, and the most memory it has held, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return f"{platform.node()}:{os.getpid()}", peak
