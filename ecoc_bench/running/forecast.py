"""How long unfinished tasks will take, learnt from the seconds of the finished ones."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from math import log2

import numpy as np

from ..experiment.room import rows_of
from ..experiment.tasks import LABELS, SlabTask, Task

MARGIN = 0.1  # of the work to fit a row in a column: its margin, and what sums add of that


class Forecast:
    """Seconds of work, done and left.

    A task is compared with finished tasks of its learner, data set and size of columns; if there
    are none, with those of its learner and data set, then of its learner, then with all. Within
    such a group, seconds go with rows times columns. A worker's first task of a learner may hold
    the import of its modules: others are believed before it.
    """

    def __init__(self, tasks: Iterable[Task]):
        self.todo = {task: rows_in_columns(task) for task in tasks}
        self.n_columns = sum(len(task.columns) for task in self.todo)
        self.n_finished = 0
        self.seconds = 0.0
        self._left: Counter[tuple] = Counter()
        for task, rows in self.todo.items():
            self._left[_group(task, rows)] += rows
        self._done: Counter[tuple] = Counter()  # rows, by whether tasks were first, and group
        self._spent: defaultdict[tuple, float] = defaultdict(float)
        self._begun: set[tuple[str, str]] = set()  # workers with the learners they have fitted

    def finish(self, task: Task, seconds: float, worker: str) -> None:
        rows = self.todo.pop(task)
        group = _group(task, rows)
        self._left[group] -= rows
        self.seconds += seconds
        self.n_finished += len(task.columns)
        pair = worker, task.context.learner
        first = pair not in self._begun
        self._begun.add(pair)
        for key in _ancestors(group):
            self._done[first, key] += rows
            self._spent[first, key] += seconds

    def left(self) -> float | None:
        """Seconds of work in unfinished tasks; None before any has finished."""
        if not self._done:
            return None if self.todo else 0.0
        return sum(rows * self._rate(group) for group, rows in self._left.items())

    def under_way(self, jobs: int) -> dict[Task, float]:
        """The next tasks, which the workers probably have by now, and their expected seconds."""
        if not self._done:
            return {}
        first = islice(self.todo.items(), jobs)
        return {task: rows * self._rate(_group(task, rows)) for task, rows in first}

    def _rate(self, group: tuple) -> float:
        *same_learner, all_tasks = _ancestors(group)
        order = [(first, key) for first in (False, True) for key in same_learner]
        order += [(False, all_tasks), (True, all_tasks)]
        known = next(key for key in order if self._done[key])
        return self._spent[known] / self._done[known]


def scouts_first(tasks: list[Task]) -> list[Task]:
    """The tasks with the smallest of each learner and data set first: a forecast needs them all.

    The others keep their order.
    """
    scouts = {(task.context.learner, task.context.dataset): task for task in tasks}
    for task in tasks:
        key = task.context.learner, task.context.dataset
        if rows_in_columns(task) < rows_in_columns(scouts[key]):
            scouts[key] = task
    first = set(scouts.values())
    return [*scouts.values(), *(task for task in tasks if task not in first)]


def rows_in_columns(task: Task) -> int:
    """Training rows summed over the columns of a task; zeros of the code leave rows out.

    Most of a slab's work is margins of its rows, which these columns do not leave out.
    """
    at = task.context
    if task.columns == (LABELS,):
        return len(at.train)
    members = np.bincount(at.y_train, minlength=task.block.shape[0])
    more = MARGIN * rows_of(task) * len(task.columns) if isinstance(task, SlabTask) else 0.0
    return max(int((members @ (task.block != 0)).sum() + more), 1)


def _group(task: Task, rows: int) -> tuple:
    at = task.context
    size = round(log2(max(rows / len(task.columns), 1)))
    return at.learner, at.dataset, (bool(at.inner), size)


def _ancestors(group: tuple) -> Iterator[tuple]:
    """The group and those that it belongs to, the closest first; the last holds all."""
    return (group[:n] for n in range(len(group), -1, -1))
