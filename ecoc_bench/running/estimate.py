"""How long fits will take, from small fits on some of the rows; nothing of them is kept.

Cells whose rows are kept are decoded by the workers, too: made-up margins of some rows are timed.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import log

import numpy as np
from threadpoolctl import threadpool_limits

from ..experiment.plan import Plan
from ..experiment.room import rows_of
from ..experiment.tasks import CellTask, SlabTask, Task
from .cell_rows import decode_columns
from .fit import fit_task
from .forecast import rows_in_columns
from .record import Record
from .slab_rows import fit_slab

FIRST = 100  # training rows of the first fit; then twice as many, and so on
ENOUGH = 0.1  # seconds: a fit that takes longer needs no larger one
BUDGET = 20.0  # seconds for all small fits; what is left then goes by the mean of its learner
STEEPEST = 3.0  # power of the rows that seconds may grow with
SLAB_ROWS = 1000  # of a small slab
DECODED = (500, 1000)  # training rows whose decoding is timed
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
        if not isinstance(task, SlabTask):
            groups.setdefault((at.learner, at.dataset, bool(at.inner)), []).append(task)
    until = time.perf_counter() + BUDGET
    known: dict[tuple, float] = {}
    with threadpool_limits(1):
        for group, members in groups.items():
            if time.perf_counter() < until:
                growth = _growth(plan, max(members, key=rows_in_columns))
                if growth is not None:
                    known[group] = sum(map(growth.of, members))
        decoding = _decoding(plan, [t for t in tasks if type(t) is CellTask], until)
        sums = sum(_seconds_of_slabs(plan, members) for members in _slabs(tasks))
    if groups and not known:
        return None
    return (_with_means(groups, known) if groups else 0.0) + decoding + sums


def _slabs(tasks: list[Task]) -> Iterable[list[SlabTask]]:
    """The slabs of each cell."""
    found: dict[tuple, list[SlabTask]] = {}
    for task in tasks:
        if isinstance(task, SlabTask):
            found.setdefault((task.context.key, id(task.block)), []).append(task)
    return found.values()


def _seconds_of_slabs(plan: Plan, tasks: list[SlabTask]) -> float:
    """From some of their columns and rows: to fit a column, its sums on a row, a row at the end."""
    at, most = tasks[0].context, len(tasks[0].columns)
    data, recipe = plan.datasets[at.dataset], plan.recipes()[at.learner]
    m, n = min(max(SEVERAL, recipe.learner.columns_at_once), most // 2), SLAB_ROWS

    def seconds(columns: int, rows: int) -> float:
        first = (most - columns) // 2  # neighbours, as in a slab: they leave out the same rows
        block = tasks[0].block[:, first : first + columns]
        part = replace(tasks[0], columns=range(columns), block=block, rows=slice(0, rows))
        return fit_slab(part, data, recipe).seconds

    seconds(m, n)  # the very first may compile or import
    once, twice, both = seconds(m, n), seconds(2 * m, n), seconds(2 * m, 2 * n)
    at_end = max(2 * once - twice, 0.0)
    of_sums = max(both - twice - at_end, 0.0) / 2
    of_fits = max(twice - once - of_sums, 0.0)
    return sum(
        at_end * rows_of(t) / n + (of_fits + of_sums * rows_of(t) / n) * len(t.columns) / m
        for t in tasks
    )


def _decoding(plan: Plan, tasks: list[CellTask], until: float) -> float:
    """Seconds of decoding in these tasks; a code is timed once for a data set and a learner."""
    groups: dict[tuple, list[CellTask]] = {}
    for task in tasks:
        at = task.context
        groups.setdefault((at.dataset, at.learner, task.block.shape), []).append(task)
    known, of_known = 0.0, 0
    for members in groups.values():
        if time.perf_counter() < until:
            known += _seconds_to_decode(plan, members[0]) * len(members)
            of_known += len(members)
    return known * len(tasks) / max(of_known, 1)


def _seconds_to_decode(plan: Plan, task: CellTask) -> float:
    """From two numbers of rows: what is done once for a code must not count for each row."""
    rng, learner = np.random.default_rng(0), plan.fitters[task.context.learner]
    fits = []
    for n in DECODED:
        part = _part(task, n)
        at = part.context
        rows = [len(at.train), len(at.test)]
        train, test = (rng.standard_normal((1, m, len(task.columns))) for m in rows)
        record = Record("", task.columns, (0,), (True,) * len(task.columns), (), train, test)
        where = {name: j for j, name in enumerate(task.columns)}
        places = [(record, where[name]) for name in task.names]
        assert task.decoding is not None
        start = time.perf_counter()
        decode_columns(task.decoding, at, task.sign, places, [places for _ in task.inner])
        fits.append((sum(rows), time.perf_counter() - start))
    (few, short), (many, long) = fits
    slope = max(long - short, 0.0) / max(many - few, 1)
    whole = len(task.context.train) + len(task.context.test)
    return (short + slope * (whole - few)) * learner.n_stages


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
