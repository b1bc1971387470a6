"""A CSV file -> a Dataset, or an error that names the line, the column and the next step.

A cell of the file is missing if it is empty or one of ``?``, ``NA``, ``NaN`` and ``nan``.
Not handled: separators other than the comma, several labels in a row, sparse matrices.
"""

import csv
import gzip
import io
import zlib
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from ..errors import DataError

LARGEST = 2**31  # bytes of a table, uncompressed: a small gzip can hold more than fits into memory
MISSING = frozenset({"", "?", "NA", "NaN", "nan"})


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table ready for learning; a nominal column of X holds indices into its categories."""

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

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def nominal(self) -> np.ndarray:
        """Which columns are nominal, as a mask of length d."""
        return np.array([values is not None for values in self.categories], dtype=bool)


@dataclass(frozen=True)
class Table:
    """The cells of a CSV by column, with the line of the file where each row ends."""

    where: str
    cells: dict[str, tuple[str, ...]]
    lines: tuple[int, ...]

    def keep(self, mask: np.ndarray) -> "Table":
        chosen = np.flatnonzero(mask).tolist()
        cells = {name: tuple(cells[i] for i in chosen) for name, cells in self.cells.items()}
        return Table(self.where, cells, tuple(self.lines[i] for i in chosen))


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, uncompressed if it is a gzip."""
    try:
        if path.exists() and not path.is_file():
            raise DataError(f"{path}: cannot be read: it is not a file. Check the path.")
        raw = path.read_bytes()
        if raw.startswith(b"\x1f\x8b"):
            with gzip.open(path) as file:
                raw = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise DataError(f"{path}: no such file. Check the path.") from None
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"{path}: cannot be read ({why}). Get a new copy of it.") from None
    except ValueError as error:  # a NUL, or half a surrogate pair, in the path
        raise DataError(f"{str(path)!r}: not a path ({error}). Check it.") from None
    if len(raw) > LARGEST:
        raise DataError(f"{path}: larger than {LARGEST} bytes. Use a part of it.")
    return raw


def parse(raw: bytes, where: str) -> Table:
    """The cells, stripped of spaces; ``where`` names the file in errors."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(f"{where}: line {line}: not UTF-8. Save the file as UTF-8.") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DataError(f"{where}: line {line}: a NUL byte. Save the file as text, in UTF-8.")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records: list[tuple[str, ...]] = []
    lines: list[int] = []
    try:
        for record in reader:
            if not record:
                continue
            records.append(tuple(map(str.strip, record)))
            lines.append(reader.line_num)
            if len(record) != len(records[0]):
                raise DataError(
                    f"{where}: line {reader.line_num}: {len(record)} cells, the header has "
                    f"{len(records[0])}. Quote cells that hold a comma, or fix the line."
                )
    except csv.Error as error:
        raise DataError(f"{where}: line {reader.line_num}: {error}. Fix the line.") from None
    if len(records) < 2:
        found = "a header and no rows" if records else "empty"
        raise DataError(f"{where}: {found}. Give a header line and a line for each example.")
    header = records.pop(0)
    for name, count in Counter(header).items():
        if not name or count > 1:
            what = "a column without a name" if not name else f"{count} columns named '{name}'"
            raise DataError(f"{where}: line {lines[0]}: {what}. Give each column its own name.")
    return Table(
        where, dict(zip(header, zip(*records, strict=True), strict=True)), tuple(lines[1:])
    )


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
) -> Dataset:
    """Encode a table; ``nominal`` None: the columns with more text than numbers are nominal."""
    _check_columns(table, target, nominal or (), split)
    labels = table.cells[target]
    for line, label in zip(table.lines, labels, strict=True):
        if label in MISSING:
            raise DataError(
                f"{table.where}: line {line}: no label in column '{target}'. "
                "Fill it in or remove the line."
            )
    table = _without_rare(table, target, split, rare_classes)
    classes, y = _encode(table.cells[target], empty_is_value=True)
    columns = tuple(column for column in table.cells if column not in (target, split))
    pairs = [_column(table, column, nominal, empty_is_value) for column in columns]
    return Dataset(
        name=name,
        X=np.column_stack([values for _, values in pairs]),
        y=y.astype(np.int64),
        classes=classes,
        columns=columns,
        categories=tuple(values for values, _ in pairs),
        train=_train(table, split),
        sha256=sha256,
    )


def _check_columns(table: Table, target: str, nominal: Collection[str], split: str | None) -> None:
    wanted = [("target", target), *(("nominal", column) for column in nominal)]
    for role, column in wanted + ([("split", split)] if split is not None else []):
        if column not in table.cells:
            near = get_close_matches(column, table.cells, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else f"It has: {', '.join(table.cells)}."
            raise DataError(f"{table.where}: no column '{column}' for {role}. {hint}")
    for column in nominal:
        if column in (target, split):
            raise DataError(
                f"{table.where}: column '{column}' is no attribute. Remove it from nominal."
            )
    if split == target:
        raise DataError(f"{table.where}: column '{target}' is both target and split. Name two.")
    if not set(table.cells) - {target, split}:
        raise DataError(f"{table.where}: no attribute columns. Add one next to '{target}'.")


def _train(table: Table, split: str | None) -> np.ndarray | None:
    """The mask of the training rows."""
    if split is None:
        return None
    for line, part in zip(table.lines, table.cells[split], strict=True):
        if part not in ("train", "test"):
            raise DataError(
                f"{table.where}: line {line}: column '{split}' has '{part}', must be train or "
                "test. Fix the cell, or rename the column if it is an attribute."
            )
    train = np.array([part == "train" for part in table.cells[split]], dtype=bool)
    if train.all() or not train.any():
        part = "test" if train.all() else "train"
        raise DataError(f"{table.where}: column '{split}' has no {part} row. Add some.")
    return train


def _without_rare(table: Table, target: str, split: str | None, rare_classes: str) -> Table:
    """Leave out or refuse classes with fewer than two rows to train on."""
    labels = table.cells[target]
    train = _train(table, split)
    counts = Counter(dict.fromkeys(labels, 0))
    counts.update(labels if train is None else np.array(labels)[train].tolist())
    rare = sorted(label for label, count in counts.items() if count < 2)
    if rare and rare_classes == "error":
        line = table.lines[labels.index(rare[0])]
        of = "training rows" if split else "rows"
        raise DataError(
            f"{table.where}: line {line}: class '{rare[0]}' has {counts[rare[0]]} {of}, at least "
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
    cells = table.cells[column]
    if nominal is not None and column in nominal:
        return _encode(cells, empty_is_value)
    values = np.array([_number(cell) for cell in cells], dtype=np.float64)
    text = [i for i in np.flatnonzero(np.isnan(values)) if cells[i] not in MISSING]
    if nominal is None and len(text) > np.isfinite(values).sum():
        return _encode(cells, empty_is_value)
    infinite = np.flatnonzero(np.isinf(values)).tolist()
    for rows, what, advice in (
        (text, "is not a number", "Fix it, or declare the column nominal."),
        (infinite, "is not finite", "Leave the cell empty if the value is missing."),
    ):
        if rows:
            line, cell = table.lines[rows[0]], cells[rows[0]]
            raise DataError(
                f"{table.where}: line {line}: column '{column}': '{cell}' {what}. {advice}"
            )
    return None, values


def _number(cell: str) -> float:
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
    numbers = {value: _number(value) for value in values}
    if np.isnan(list(numbers.values())).any():
        categories = sorted(values)
    else:
        categories = sorted(values, key=lambda value: (numbers[value], value))
    code = {value: float(i) for i, value in enumerate(categories)}
    return tuple(categories), np.array([code.get(cell, np.nan) for cell in cells])
