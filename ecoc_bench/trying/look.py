"""A file becomes a table to learn from and what there is to say about it, before any fit."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import repeat
from pathlib import Path

import numpy as np

from ..data.csvfile import COMMAS, MISSING, Dataset, number, to_dataset
from ..data.formats import load_cells
from ..data.suspects import suspects
from ..data.table import Table
from ..errors import DataError
from .answer import Look

MOST_NUMBERS = 30  # different numbers in a target, from which it may be a regression
MOST_TEXTS = 500  # different texts in a column: each would become an input of 0 and 1
FEW_TEXTS = 20  # ... so many are categories, however few the rows
WORDS = 4  # of a text, on average, from which it is prose
MOST_NAMES = 20  # of columns in a message
SPLIT = "\0split"  # the column that marks the rows of a test file; no file has this name


@dataclass(frozen=True, eq=False)
class Problem:
    """The table, coded, and where its rows come from."""

    data: Dataset
    look: Look
    lines: np.ndarray  # of the file
    groups: np.ndarray | None  # the number of each row's group
    group: str | None  # the column that names it
    left_out: tuple[str, ...]  # columns of the file that no model sees

    @property
    def train(self) -> np.ndarray | None:
        """The rows to train on, where a test file was given."""
        return self.data.train


def read_problem(
    path: Path,
    target: str,
    drop: Collection[str] = (),
    group: str | None = None,
    test: Path | None = None,
) -> Problem:
    """A CSV or Parquet file with its target, or a DataError that says what to do next."""
    table, sha256 = load_cells(path, drop)
    if test is not None:
        table = _with_test(table, load_cells(test, drop)[0])
    return to_problem(table, target, drop, group, sha256, str(path))


def to_problem(
    table: Table,
    target: str,
    drop: Collection[str],
    group: str | None,
    sha256: str,
    source: str,
) -> Problem:
    """The cells of a table as a problem."""
    _check_names(table, target, drop, group)
    remarks: list[str] = []
    table = _checked_target(table, target, remarks)
    left_out = {target, SPLIT, *drop, *([group] if group else [])}
    attributes = [name for name in table.cells if name not in left_out]
    useless = dict(_useless(table, attributes))
    remarks += useless.values()
    if attributes and len(useless) == len(attributes):
        raise DataError(
            f"{table.where}: no column to learn from: {remarks[-1]}. Add columns of numbers or of "
            "categories."
        )
    data = to_dataset(
        table,
        name=Path(source).stem,
        target=target,
        nominal=_categories(table, [name for name in attributes if name not in useless]),
        split=SPLIT if SPLIT in table.cells else None,
        rare_classes="error",
        empty_is_value=False,
        sha256=sha256,
        drop=[*drop, *useless, *([group] if group else [])],
    )
    remarks += [*data.remarks, *_on_columns(data)]
    groups = None if group is None else _groups(table, group)
    look = _look(data, source, target, tuple(remarks), table.unit)
    return Problem(data, look, np.array(table.lines), groups, group, (*drop, *useless))


def _check_names(table: Table, target: str, drop: Collection[str], group: str | None) -> None:
    named = [("target", target), *(("drop", name) for name in drop)]
    for option, name in named + ([("group", group)] if group is not None else []):
        if name not in table.cells:
            near = get_close_matches(name, table.cells, n=1)
            some = ", ".join([*table.cells][:MOST_NAMES])
            hint = f"Did you mean '{near[0]}'?" if near else f"It has: {some}."
            raise DataError(f"{table.where}: no column '{name}' for --{option}. {hint}")
    if target in drop or target == group:
        raise DataError(f"{table.where}: column '{target}' is the --target. Name another column.")


def _look(data: Dataset, source: str, target: str, remarks: tuple[str, ...], unit: str) -> Look:
    return Look(
        source=source,
        target=target,
        n_rows=len(data.y),
        classes=data.classes,
        counts=np.bincount(data.y, minlength=data.n_classes),
        columns=data.columns,
        kinds=tuple("category" if nominal else "number" for nominal in data.nominal),
        missing=np.isnan(data.X).sum(axis=0),
        remarks=remarks,
        unit=unit,
    )


def _with_test(table: Table, test: Table) -> Table:
    """The rows of both files, marked."""
    lacking = [name for name in table.cells if name not in test.cells]
    if lacking:
        raise DataError(
            f"{test.where}: no column '{lacking[0]}', which {table.where} has. Both files need the "
            "same columns."
        )
    cells = {name: cells + test.cells[name] for name, cells in table.cells.items()}
    parts = (("train", len(table.lines)), ("test", len(test.lines)))
    cells[SPLIT] = tuple(part for name, n in parts for part in repeat(name, n))
    return replace(table, cells=cells, lines=(*table.lines, *test.lines))


def _checked_target(table: Table, target: str, remarks: list[str]) -> Table:
    """The rows that have a label, if the labels are classes at all."""
    known = np.array([cell not in MISSING for cell in table.cells[target]], dtype=bool)
    if not known.any():
        raise DataError(f"{table.where}: column '{target}' is empty. Name another --target.")
    if not known.all():
        remarks.append(f"{(~known).sum()} rows without a label in '{target}' are left out")
        table = table.keep(known)
    counts = _training_counts(table, target)
    where = f"{table.where}: column '{target}'"
    if len(counts) == 1:
        only = next(iter(counts))
        raise DataError(f"{where} has one class, '{only}'. Add rows of another, or name another.")
    if len(counts) > MOST_NUMBERS and all(map(_is_number, counts)):
        raise DataError(
            f"{where} has {len(counts)} different numbers: a regression? Classes are needed here. "
            "Name another --target, or put the numbers into a few ranges first."
        )
    rare = [label for label, count in counts.items() if count < 2]
    if len(rare) > len(table.lines) / 2:
        raise DataError(
            f"{where} has a value of its own in {len(rare)} of {len(table.lines)} rows: that is an "
            "identifier or text, not a class. Name another --target."
        )
    if rare:
        where = table.at(table.cells[target].index(rare[0]))
        more = f" ({len(rare) - 1} more classes have too few)" if len(rare) > 1 else ""
        n_rows = "one row" if counts[rare[0]] else "no row to train on"
        raise DataError(
            f"{where}: class '{rare[0]}' has {n_rows}{more}, at least 2 are needed. Merge it with "
            f"another class, or remove the {table.unit}."
        )
    return table


def _training_counts(table: Table, target: str) -> Counter:
    """The rows of each class; where a test file is given, those that are not in it."""
    labels = table.cells[target]
    if SPLIT not in table.cells:
        return Counter(labels)
    counts = Counter(dict.fromkeys(labels, 0))
    counts.update(
        label for label, part in zip(labels, table.cells[SPLIT], strict=True) if part == "train"
    )
    return counts


def _useless(table: Table, attributes: list[str]) -> Iterator[tuple[str, str]]:
    """Columns that no model should see, each with the sentence that says why it is left out."""
    for name in attributes:
        cells = [cell for cell in table.cells[name] if cell not in MISSING]
        values = set(cells)
        if not values:
            yield name, f"column '{name}' is all missing and is left out"
        elif len(values) == 1:
            yield name, f"column '{name}' is constant and is left out"
        elif values == {"train", "test"}:
            yield name, f"column '{name}' holds a split into train and test and is left out"
        elif len(values) > FEW_TEXTS and 2 * sum(map(_is_number, values)) < len(values):
            words = sum(len(value.split()) for value in values) / len(values)
            if words >= WORDS and len(values) > len(cells) / 2:
                what = "free text, which no candidate reads,"
            elif len(values) > min(MOST_TEXTS, 0.5 * len(cells)):
                what = f"{len(values)} different texts in {len(cells)} rows"
            else:
                continue
            yield name, f"column '{name}' has {what} and is left out"


def _categories(table: Table, attributes: list[str]) -> list[str]:
    """The columns of categories: mostly text, or a few values of which one is text."""
    found = []
    for name in attributes:
        counts = Counter(cell for cell in table.cells[name] if cell not in MISSING)
        text = sum(count for cell, count in counts.items() if not _is_number(cell))
        if 2 * text > counts.total() or (text and len(counts) <= FEW_TEXTS):
            found.append(name)
    return found


def _is_number(cell: str) -> bool:
    return bool(COMMAS.fullmatch(cell)) or not np.isnan(number(cell))


def _on_columns(data: Dataset) -> Iterator[str]:
    for sentence in suspects(data):
        what, _, name = sentence.removesuffix("] leaves it out").partition("; drop: [")
        yield f"{what}; --drop '{name}' leaves it out"
    n_clashing = clashing(data.X, data.y)
    if n_clashing:
        share = n_clashing / len(data.y)
        yield f"{n_clashing} rows ({share:.1%}) have a twin with another label: no model parts them"


def clashing(X: np.ndarray, y: np.ndarray) -> int:
    """How many rows have a twin, equal in every column, of another class.

    >>> clashing(np.array([[1.0, np.nan], [1.0, np.nan], [2.0, 0.0]]), np.array([0, 1, 0]))
    2
    """
    rows = np.ascontiguousarray(X + 0.0)  # -0.0 becomes 0.0
    rows[np.isnan(rows)] = np.nan  # of one bit pattern
    _, twin = np.unique(rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel(), return_inverse=True)
    lowest = np.full(twin.max() + 1, len(y))
    highest = np.full(twin.max() + 1, -1)
    np.minimum.at(lowest, twin, y)
    np.maximum.at(highest, twin, y)
    return int((lowest < highest)[twin].sum())


def _groups(table: Table, group: str) -> np.ndarray:
    cells = table.cells[group]
    if missing := [i for i, cell in enumerate(cells) if cell in MISSING]:
        raise DataError(
            f"{table.at(missing[0])}: no group in column '{group}'. Give a row that stands alone a "
            "group of its own."
        )
    return np.unique(np.array(cells), return_inverse=True)[1]


def sampled(problem: Problem, n: int, seed: int) -> Problem:
    """About n of the rows, as many of each class as its share, at least two; test rows all stay."""
    rng = np.random.default_rng(seed)
    y, total = problem.data.y, len(problem.data.y)
    keep = np.zeros(total, dtype=bool)
    for r in range(problem.data.n_classes):
        rows = rng.permutation(np.flatnonzero(y == r))
        keep[rows[: max(2, round(n * len(rows) / total))]] = True
    train = problem.train
    if train is not None:
        keep |= ~train
    remark = (
        f"{keep.sum()} of {total} rows, drawn at random, are used: --time is too short for all. "
        "More time gives a better model"
    )
    data = replace(
        problem.data,
        X=problem.data.X[keep],
        y=y[keep],
        train=None if train is None else train[keep],
    )
    look = replace(problem.look, remarks=(*problem.look.remarks, remark))
    groups = None if problem.groups is None else _renumbered(problem.groups[keep])
    return replace(problem, data=data, look=look, lines=problem.lines[keep], groups=groups)


def _renumbered(groups: np.ndarray) -> np.ndarray:
    return np.unique(groups, return_inverse=True)[1]
