"""The cells of a CSV -> a Dataset, or an error that names the line, the column and the next step.

A cell of the file is missing if it is empty or one of ``?``, ``NA``, ``NaN`` and ``nan``.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import compress

import numpy as np

from ..errors import DataError
from .label_sets import Labels, distinct_sets, known_rows, membership, without_rare
from .table import SEPARATORS, Table

COMMAS = re.compile(r"[+-]?[\d.]*,[\d.,]*\d([eE][+-]?\d+)?")  # a number with decimal commas, or so
DECIMAL = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
MISSING = frozenset({"", "?", "NA", "NaN", "nan"})


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table ready for learning; a nominal column of X holds indices into its categories.

    X may also be a sparse matrix (CSR) of numbers, none missing.

    y holds the class of each row. Where a row may have several of the labels in `classes`, y holds
    the number of its label set, a row of `sets`.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    classes: tuple[str, ...]
    columns: tuple[str, ...]
    categories: tuple[tuple[str, ...] | None, ...]
    train: np.ndarray | None
    sha256: str
    note: str = ""
    pca: int | None = None  # number of principal components to use instead of the attributes
    remarks: tuple[str, ...] = ()  # how the file was read, where that is not a matter of course
    sets: np.ndarray | None = None  # the distinct label sets, sets x labels in {-1, +1}
    costs: np.ndarray | None = None  # costs[r, q] of predicting class q for class r
    sequences: np.ndarray | None = None  # number of the sequence that each row belongs to

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def nominal(self) -> np.ndarray:
        """Which columns are nominal, as a mask of length d."""
        return np.array([values is not None for values in self.categories], dtype=bool)


def to_dataset(
    table: Table,
    *,
    name: str,
    target: str,
    nominal: Collection[str] | None,
    split: str | None,
    rare_classes: str,
    empty_is_value: bool,
    sha256: str,
    drop: Collection[str] = (),
    missing_labels: str = "error",
    labels: Labels | None = None,
    sequence: str | None = None,
    dtype: str = "float64",
) -> Dataset:
    """Encode a table; ``nominal`` None: the columns with more text than numbers are nominal."""
    targets = label_columns(target, labels)
    _check_columns(table, targets, nominal or (), split, drop, sequence)
    table, unlabelled = _labelled(table.without(drop), targets, missing_labels, labels)
    if labels is None:
        table = _without_rare(table, target, split, rare_classes)
        (classes, y), sets = _encode(table.cells[target], empty_is_value=True), None
    else:
        found = membership(table, target, labels)
        classes, has = without_rare(table, *found, _train(table, split), rare_classes)
        sets, y = distinct_sets(has)
    others = (*targets, split, sequence)
    columns = tuple(column for column in table.names if column not in others)
    pairs = [_column(table, column, nominal, empty_is_value) for column in columns]
    return Dataset(
        name=name,
        X=_matrix(table, columns, [values for _, values in pairs], dtype),
        y=y.astype(np.int64),
        classes=classes,
        columns=columns,
        categories=tuple(values for values, _ in pairs),
        train=_train(table, split),
        sha256=sha256,
        note="; ".join(_notes(unlabelled, sets)),
        remarks=tuple(_remarks(table, columns, pairs)),
        sets=sets,
        sequences=None if sequence is None else _sequences(table, sequence, split),
    )


def _matrix(table: Table, columns: tuple[str, ...], values: list[np.ndarray], dtype) -> np.ndarray:
    """The attributes as one matrix; that of the table where it has one, filled in."""
    if table.numbers is None and dtype == "float64":
        return np.column_stack(values)
    X = np.empty((len(values[0]), len(columns)), dtype)
    if table.numbers is not None:
        X = table.numbers.block
    for column, of_column, into in zip(columns, values, X.T, strict=True):
        if column in table.cells:
            with np.errstate(over="ignore"):
                into[:] = of_column
            _check_size(table, column, of_column, np.isinf(into))
    return X


def _check_size(table: Table, column: str, values: np.ndarray, infinite: np.ndarray) -> None:
    if infinite.any():
        i = int(infinite.argmax())
        raise DataError(
            f"{table.at(i)}: column '{column}': {values[i]:g} is too large for dtype: float32. "
            "Remove this key."
        )


def label_columns(target: str, labels: Labels | None) -> tuple[str, ...]:
    """The columns that hold labels."""
    return labels.columns if labels and labels.columns else (target,)


def _notes(unlabelled: int, sets: np.ndarray | None) -> Iterator[str]:
    if unlabelled:
        yield f"{unlabelled} rows without a label were left out"
    if sets is not None:
        yield f"rows have sets of {sets.shape[1]} labels, and an error is a set with a wrong label"


def _remarks(table: Table, columns, pairs) -> Iterator[str]:
    if table.separator == ",":
        return
    yield f"its cells are separated by {SEPARATORS[table.separator]}"
    commas = [
        column
        for column, (categories, _) in zip(columns, pairs, strict=True)
        if categories is None and any("," in cell for cell in table.cells.get(column, ()))
    ]
    if commas:
        yield f"decimal commas were read in {', '.join(commas)}"


def _labelled(
    table: Table, targets: tuple[str, ...], missing_labels: str, labels: Labels | None
) -> tuple[Table, int]:
    """The rows with a label, and how many have none."""
    if labels is None:
        missing = np.array([label in MISSING for label in table.cells[targets[0]]], dtype=bool)
    else:
        missing = ~known_rows(table, targets, labels)
    if missing.any() and missing_labels == "error":
        where = f"column '{targets[0]}'" if len(targets) == 1 else "a column of labels"
        raise DataError(
            f"{table.at(int(missing.argmax()))}: no label in {where} "
            f"({missing.sum()} of {len(missing)} rows have none). Fill it in, remove the line, or "
            "set missing_labels: drop."
        )
    return (table.keep(~missing) if missing.any() else table), int(missing.sum())


def _check_columns(
    table: Table,
    targets: tuple[str, ...],
    nominal: Collection[str],
    split: str | None,
    drop: Collection[str],
    sequence: str | None,
) -> None:
    wanted = [*(("target", t) for t in targets), *(("nominal", column) for column in nominal)]
    wanted += [("drop", column) for column in drop]
    roles = [("split", split), ("sequence", sequence)]
    for role, column in wanted + [(role, name) for role, name in roles if name is not None]:
        if column not in table.names:
            near = get_close_matches(column, table.names, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"It has: {', '.join(table.names)}."
            raise DataError(f"{table.where}: no column '{column}' for {role}. {hint}")
    for role, columns in (("nominal", nominal), ("drop", drop)):
        for column in columns:
            if column in (*targets, split, sequence):
                raise DataError(
                    f"{table.where}: column '{column}' is no attribute. Remove it from {role}."
                )
            if role == "drop" and column in nominal:
                raise DataError(f"{table.where}: column '{column}' is in nominal and drop. Choose.")
    for name, role, others in (
        (split, "target and split", targets),
        (sequence, "target and sequence", targets),
        (sequence, "split and sequence", (split,)),
    ):
        if name is not None and name in others:
            raise DataError(f"{table.where}: column '{name}' is both {role}. Name two.")
    if not set(table.names) - {*targets, split, sequence, *drop}:
        raise DataError(f"{table.where}: no attribute columns. Add one next to '{targets[0]}'.")


def _train(table: Table, split: str | None) -> np.ndarray | None:
    """The mask of the training rows."""
    if split is None:
        return None
    for i, part in enumerate(table.cells[split]):
        if part not in ("train", "test"):
            raise DataError(
                f"{table.at(i)}: column '{split}' has '{part}', must be train or test. Fix the "
                "cell, or rename the column if it is an attribute."
            )
    train = np.array([part == "train" for part in table.cells[split]], dtype=bool)
    if train.all() or not train.any():
        part = "test" if train.all() else "train"
        raise DataError(f"{table.where}: column '{split}' has no {part} row. Add some.")
    return train


def _sequences(table: Table, sequence: str, split: str | None) -> np.ndarray:
    """The number of each row's sequence, in the order in which these begin."""
    cells, train = table.cells[sequence], _train(table, split)
    numbers: dict[str, int] = {}
    part: dict[str, bool] = {}
    for i, cell in enumerate(cells):
        if cell in MISSING:
            raise DataError(
                f"{table.at(i)}: no name in column '{sequence}' of the sequences. "
                "Give a row that stands alone a name of its own."
            )
        numbers.setdefault(cell, len(numbers))
        if train is not None and part.setdefault(cell, bool(train[i])) != train[i]:
            raise DataError(
                f"{table.at(i)}: sequence '{cell}' has rows in train and in test. "
                f"Put all of it into one part of column '{split}'."
            )
    return np.array([numbers[cell] for cell in cells], dtype=np.int64)


def _without_rare(table: Table, target: str, split: str | None, rare_classes: str) -> Table:
    """Leave out or refuse classes with fewer than two rows to train on."""
    labels = table.cells[target]
    train = _train(table, split)
    counts = Counter(dict.fromkeys(labels, 0))
    counts.update(labels if train is None else compress(labels, train))
    rare = sorted(label for label, count in counts.items() if count < 2)
    if rare and rare_classes == "error":
        at = table.at(labels.index(rare[0]))
        of = "training rows" if split else "rows"
        raise DataError(
            f"{at}: class '{rare[0]}' has {counts[rare[0]]} {of}, at least "
            "2 are needed. Merge it with another class, or set rare_classes to keep or drop."
        )
    if rare and rare_classes == "drop":
        table = table.keep(np.array([label not in rare for label in labels], dtype=bool))
    left = len(set(table.cells[target]))
    if left < 2:
        raise DataError(
            f"{table.where}: column '{target}' has {left} classes to learn, at least 2 are "
            "needed. Check that it is the target."
        )
    return table


def _column(
    table: Table, column: str, nominal: Collection[str] | None, empty_is_value: bool
) -> tuple[tuple[str, ...] | None, np.ndarray]:
    """Categories (None: numeric) and values of an attribute."""
    if table.numbers is not None and column not in table.cells:
        return None, table.numbers.block[:, table.numbers.at[column]]
    cells = table.cells[column]
    if nominal is not None and column in nominal:
        return _encode(cells, empty_is_value)
    values = np.array([number(cell) for cell in cells], dtype=np.float64)
    text = [i for i in np.flatnonzero(np.isnan(values)).tolist() if cells[i] not in MISSING]
    if 2 * sum(bool(COMMAS.fullmatch(cells[i])) for i in text) > len(text):
        _check_commas(table, column, text)
        values = np.array([number(cell.replace(",", ".")) for cell in cells], dtype=np.float64)
        text = []
    if nominal is None and len(text) > np.isfinite(values).sum():
        return _encode(cells, empty_is_value)
    infinite = np.flatnonzero(np.isinf(values)).tolist()
    for rows, what, advice in (
        (text, "is not a number", "Fix it, or declare the column nominal."),
        (infinite, "is not finite", "Leave the cell empty if the value is missing."),
    ):
        if rows:
            i = rows[0]
            raise DataError(f"{table.at(i)}: column '{column}': '{cells[i]}' {what}. {advice}")
    return None, values


def _check_commas(table: Table, column: str, text: list[int]) -> None:
    """Refuse commas in numbers unless all are decimal commas, in a file without commas of its own.

    A comma may also stand between thousands: 1,234 is then not 1.234.
    """
    cells = table.cells[column]
    wrong = [i for i in text if not DECIMAL.fullmatch(cells[i])]
    if table.separator == "," or wrong:
        i = wrong[0] if wrong else text[0]
        raise DataError(
            f"{table.at(i)}: column '{column}': '{cells[i]}' is not a number. Write numbers with a "
            "decimal point and without commas, or declare the column nominal."
        )


def number(cell: str) -> float:
    """The value of a cell, NaN for text. An underscore is text here, unlike in Python."""
    try:
        return float("nan" if "_" in cell else cell)
    except ValueError:
        return float("nan")


def _encode(cells: tuple[str, ...], empty_is_value: bool) -> tuple[tuple[str, ...], np.ndarray]:
    """Categories in order, numerically if all are numbers, and the code of each cell.

    >>> _encode(("10", "9", "?"), empty_is_value=False)
    (('9', '10'), array([ 1.,  0., nan]))
    """
    values = set(cells) if empty_is_value else set(cells) - MISSING
    numbers = {value: number(value) for value in values}
    if np.isnan(list(numbers.values())).any():
        categories = sorted(values)
    else:
        categories = sorted(values, key=lambda value: (numbers[value], value))
    code = {value: float(i) for i, value in enumerate(categories)}
    return tuple(categories), np.array([code.get(cell, np.nan) for cell in cells])
