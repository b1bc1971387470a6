"""What a plan is made of: cells to be decoded, contexts that fits depend on, tasks for workers."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ..learners.contract import Learner

ROWS_PER_TASK = 20_000  # training rows times columns fitted by one task: some seconds, not minutes
LABELS = "labels"  # the one column of a method that needs no code


@dataclass(frozen=True)
class Cell:
    """What is decoded as one: a code on one fold, with the margins of one learner.

    A method that needs no code stands in the place of one, with the learner `joint`.
    """

    dataset: str
    learner: str
    code: str
    draw: int
    repeat: int
    fold: int


@dataclass(frozen=True, eq=False)
class Context:
    """All that a fit depends on but its columns; `key` is made of just that content.

    The first `n_validation` of the test rows are the validation part. Labels are those that the
    learner is told; only the test part's are sure to be the true ones.
    """

    key: str
    dataset: str
    learner: str  # or method
    repeat: int
    fold: int
    train: np.ndarray = field(repr=False)
    test: np.ndarray = field(repr=False)
    y_train: np.ndarray = field(repr=False)
    y_test: np.ndarray = field(repr=False)
    n_validation: int = 0
    inner: int = 0  # folds of the training rows, each left out in turn: no test rows then


@dataclass(frozen=True, eq=False)
class Task:
    """Columns to be fitted in one go: `block[:, j]` is known to the store as `columns[j]`."""

    context: Context
    columns: tuple[str, ...]
    block: np.ndarray = field(repr=False)

    @property
    def cost(self) -> int:
        return len(self.context.train) * len(self.columns)


@dataclass(frozen=True, eq=False)
class Recipe:
    """How the fits of one learner are done: what does not change from task to task."""

    learner: Learner
    inputs: str
    seed: int
    timeout: float | None = None
    apart: bool = False  # each fit in a process of its own, which it may bring down


def labels_of(n_classes: int) -> np.ndarray:
    """In the place of a code: one column that holds the labels themselves."""
    return np.arange(n_classes, dtype=np.int16)[:, None]


def chunks(context: Context, columns: dict[str, np.ndarray], size: int) -> Iterator[Task]:
    names = list(columns)
    size = size or min(max(ROWS_PER_TASK // len(context.train), 1), 64)
    for start in range(0, len(names), size):
        chosen = names[start : start + size]
        yield Task(context, tuple(chosen), np.column_stack([columns[n] for n in chosen]))


def column_name(column: np.ndarray) -> str:
    """A dichotomy as text, one sign per class.

    >>> column_name(np.array([1, 0, -1]))
    '+0-'
    """
    return "".join("-0+"[int(entry) + 1] for entry in column)
