"""How long fits will take, from small fits on some of the rows; nothing of them is kept."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log

import numpy as np
from threadpoolctl import threadpool_limits

from ..experiment.plan import Plan
from ..experiment.tasks import Task
from .fit import fit_task
from .forecast import rows_in_columns

FIRST = 100  # training rows of the first fit; then twice as many, and so on
ENOUGH = 0.1  # seconds: a fit that takes longer needs no larger one
BUDGET = 20.0  # seconds for all small fits; what is left then goes by the mean of its learner
STEEPEST = 3.0  # power of the rows that seconds may grow with
SEVERAL = 8  # columns of a small fit: what they share, such as a kernel matrix, is paid once


@dataclass(frozen=True)
class Growth:
    """Seconds of a fit with so many training rows in its columns, and the power they grow with."""

    rows: float
    seconds: float
    power: float
    columns: int

    def of(self, task: Task) -> float:
        """The seconds of a task: rows of a column count by their power, columns one by one."""
        n = len(task.columns)
        rows = rows_in_columns(task) / n
        return self.seconds * (rows / self.rows) ** self.power * n / self.columns


def expected_seconds(plan: Plan, tasks: list[Task]) -> float | None:
    """Seconds of work in these tasks; None if no small fit succeeded."""
    groups: dict[tuple, list[Task]] = {}
    for task in tasks:
        at = task.context
        groups.setdefault((at.learner, at.dataset, bool(at.inner)), []).append(task)
    until = time.perf_counter() + BUDGET
    known: dict[tuple, float] = {}
    with threadpool_limits(1):
        for group, members in groups.items():
            if time.perf_counter() < until:
                growth = _growth(plan, max(members, key=rows_in_columns))
                if growth is not None:
                    known[group] = sum(map(growth.of, members))
    return _with_means(groups, known) if known or not tasks else None


def _with_means(groups: dict[tuple, list[Task]], known: dict[tuple, float]) -> float:
    """The sum over all groups; those without a fit have the seconds per row of their learner."""
    rows = {group: sum(map(rows_in_columns, members)) for group, members in groups.items()}

    def rate(like: Iterable[tuple]) -> float:
        like = list(like)
        return sum(known[g] for g in like) / sum(rows[g] for g in like)

    return sum(
        known[group]
        if group in known
        else n * rate([g for g in known if g[0] == group[0]] or known)
        for group, n in rows.items()
    )


def _growth(plan: Plan, task: Task) -> Growth | None:
    """Fits of more and more rows, until one takes long enough or has all rows."""
    learner = plan.fitters[task.context.learner]
    if not learner.single_call:
        task = _few_columns(task, max(SEVERAL, learner.columns_at_once))
    data = plan.datasets[task.context.dataset]
    recipe = plan.recipes()[task.context.learner]
    fits: list[tuple[float, float]] = []
    n = min(FIRST, len(task.context.train))
    while True:
        part = _part(task, n)
        for _ in range(1 if fits else 2):  # the very first may compile or import
            fitted = fit_task(part, data, recipe)
        if fitted.record is None:
            return None
        fits.append((rows_in_columns(part) / len(part.columns), fitted.seconds))
        if fitted.seconds > ENOUGH or n == len(task.context.train):
            return Growth(*fits[-1], _power(fits), len(part.columns))
        n = min(2 * n, len(task.context.train))


def _power(fits: list[tuple[float, float]]) -> float:
    """The power of the rows by which seconds grow, from the last two fits; 1 from a single one."""
    if len(fits) < 2:
        return 1.0
    (few, short), (many, long) = fits[-2:]
    return min(max(log(long / short) / log(many / few), 0.0), STEEPEST) if many > few else 1.0


def _few_columns(task: Task, most: int) -> Task:
    chosen = np.unique(np.linspace(0, len(task.columns) - 1, most).astype(int))
    names = tuple(task.columns[s] for s in chosen)
    return replace(task, columns=names, block=task.block[:, chosen])


def _part(task: Task, n: int) -> Task:
    """The task on n of its training rows, spread over all, and as large a share of the others."""
    at = task.context
    if n >= len(at.train):
        return task
    rows = np.linspace(0, len(at.train) - 1, n).astype(int)
    others = np.arange(0, len(at.test), max(len(at.train) // n, 1))
    part = replace(
        at,
        train=at.train[rows],
        y_train=at.y_train[rows],
        test=at.test[others],
        y_test=at.y_test[others],
        n_validation=0,
    )
    return replace(task, context=part)
