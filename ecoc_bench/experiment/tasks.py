"""What a plan is made of: cells to be decoded, contexts that fits depend on, tasks for workers."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ..coding.decoders import Decoder
    from ..learners.contract import Learner


ROWS_PER_TASK = 20_000  # training rows times columns fitted by one task: some seconds, not minutes
LABELS = "labels"  # the one column of a method that needs no code
ROWS = "rows"  # in the place of a column: what a cell was decoded to
SPELT = 256  # classes up to which a column is named by its entries


@dataclass(frozen=True)
class Cell:
    """What is fitted once and decoded by every decoder: one code and one learner on one fold.

    A method, which has no code, is in the place of the code, with the learner `joint`.
    """

    dataset: str
    learner: str
    code: str
    draw: int
    repeat: int
    fold: int


@dataclass(frozen=True, eq=False)
class Context:
    """Everything that a fit depends on, except its columns; `key` is made of just this content.

    The first `n_validation` of the test rows are the validation part. Labels are as the learner
    sees them; only those of the test part are sure to be true.
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
    inner: int = 0  # folds of the training rows, each left out in turn; then there are no test rows


@dataclass(frozen=True, eq=False)
class Task:
    """Columns to fit in one go: `columns[j]` is the name of `block[:, j]` in the store."""

    context: Context
    columns: tuple[str, ...]
    block: np.ndarray = field(repr=False)

    @property
    def cost(self) -> int:
        return len(self.context.train) * len(self.columns)

    def signs(self, columns: slice) -> np.ndarray:
        """Some columns of the block."""
        return self.block[:, columns]

    def names_of(self, columns: slice) -> tuple[str, ...]:
        """The names of some columns, which seeds are made of."""
        return self.columns[columns]


class Named(NamedTuple):
    """A decoder of an experiment: its name in results, what the config calls, and the function."""

    name: str
    call: str
    decode: "Decoder"


@dataclass(frozen=True, eq=False)
class Decoding:
    """What is needed to decode the margins of a cell, besides these."""

    cell: Cell
    M: Any = field(repr=False)  # sparse for decoding by sums
    loss: str  # of the learner
    decoders: tuple[Named, ...]
    measures: tuple[str, ...]
    known: dict[str, Any]  # what measures may need besides labels: see `coding.measures`
    examples: str  # a digest of the test rows
    vc_dimension: int | None


@dataclass(frozen=True, eq=False)
class CellTask(Task):
    """A cell whose rows are kept in place of its margins: fitted and decoded by one worker.

    `names` and `sign` are those of the columns of M, `columns` the distinct names; `key` is what
    the rows are stored under, `inner` the context of held-out margins, if any.
    """

    key: str = ""
    names: tuple[str, ...] = field(default=(), repr=False)
    sign: np.ndarray = field(default_factory=lambda: np.ones(0), repr=False)
    inner: tuple[Context, ...] = ()
    decoding: Decoding | None = None


@dataclass(frozen=True, eq=False)
class SlabTask(CellTask):
    """A slab of the rows of a cell that is decoded by sums: see `coding.column_sums`.

    `rows` are among the training rows and then the test rows. All columns are fitted for them; the
    block is sparse, and columns are numbers in place of names. `loss` is the learner's.
    """

    columns: Any
    block: Any = field(repr=False)
    rows: slice = field(default_factory=lambda: slice(0, 0))
    decoders: tuple["Decoder", ...] = ()
    loss: str = ""

    def signs(self, columns: slice) -> np.ndarray:
        return self.block[:, columns].toarray()

    def names_of(self, columns: slice) -> tuple[str, ...]:
        return tuple(column_name(column) for column in self.signs(columns).T)


@dataclass(frozen=True, eq=False)
class Recipe:
    """How to fit one learner: the settings that are the same for all its tasks."""

    learner: "Learner"
    inputs: str
    seed: int
    timeout: float | None = None
    apart: bool = False  # each fit in a separate process, which it may crash


def labels_of(n_classes: int) -> np.ndarray:
    """What a method has in the place of a code: one column that holds the labels."""
    return np.arange(n_classes, dtype=np.int16)[:, None]


def chunks(context: Context, columns: dict[str, np.ndarray], learner: "Learner") -> Iterator[Task]:
    """Tasks of some columns each; all columns are one task of a single-call learner."""
    names, at_once = list(columns), learner.columns_at_once
    size = min(max(ROWS_PER_TASK * at_once // len(context.train), 1), max(at_once, 64))
    size = max(len(names), 1) if learner.single_call else size
    for start in range(0, len(names), size):
        chosen = names[start : start + size]
        yield Task(context, tuple(chosen), np.column_stack([columns[n] for n in chosen]))


def column_name(column: np.ndarray) -> str:
    """A dichotomy as text, one sign per class; of many classes, a digest of these signs.

    >>> column_name(np.array([1, 0, -1]))
    '+0-'
    """
    signs = _SIGNS[column + 1].tobytes()
    if len(column) <= SPELT:
        return signs.decode()
    return f"{len(column)}-{hashlib.sha256(signs).hexdigest()[:40]}"


_SIGNS = np.frombuffer(b"-0+", dtype=np.uint8)
