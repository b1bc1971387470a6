"""A large table in parts -> its numbers in one block, its text as cells."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from ..errors import DataError
from .table import Numbers, Table

Part = Mapping[str, np.ndarray]  # columns of some rows: numbers, or strings as objects


class FoundText(Exception):
    """Columns that were taken for numbers turned out to be text."""

    def __init__(self, columns: Collection[str]):
        self.columns = columns


@dataclass(frozen=True)
class Roles:
    """What the columns of a file are for, by its header."""

    attributes: tuple[str, ...]  # in the order of the file
    text: frozenset[str]  # columns whose cells are needed as they are written
    skipped: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Frame:
    """What is known of a table before its cells are read."""

    path: Path
    names: tuple[str, ...]
    roles: Roles
    n_rows: int  # at most
    first: int  # the line of the first row
    separator: str = ","
    unit: str = "line"

    @property
    def used(self) -> list[str]:
        return [name for name in self.names if name not in self.roles.skipped]


def in_one_block(
    frame: Frame, parts_of: Callable[[frozenset[str]], Iterator[Part]], text: frozenset[str], dtype
) -> Table:
    """The table; `parts_of` reads it anew, with these columns as text, and may find more of them.

    Cells of skipped columns are not kept.
    """
    _check_room(frame.path, frame.n_rows * len(frame.roles.attributes) * np.dtype(dtype).itemsize)
    text = frame.roles.text | (text - frame.roles.skipped)
    while True:
        try:
            return _table(frame, parts_of(text), text, dtype)
        except FoundText as found:
            text = text | frozenset(found.columns)


def _check_room(path: Path, need: int) -> None:
    free = psutil.virtual_memory().available
    if need > free:
        raise DataError(
            f"{path}: its numbers need {need / 1e9:.1f} GB of memory, {free / 1e9:.1f} GB are "
            "free. Use a part of it, drop columns, or set dtype: float32."
        )


def _table(frame: Frame, parts: Iterator[Part], text: frozenset[str], dtype) -> Table:
    block = np.empty((frame.n_rows, len(frame.roles.attributes)), dtype)
    at = {name: j for j, name in enumerate(frame.roles.attributes)}
    numeric = [name for name in frame.used if name not in text]
    cells: dict[str, list[str]] = {name: [] for name in frame.used if name in text}
    known = {name: _Stripped() for name in cells}
    row = 0
    for part in parts:
        n = len(next(iter(part.values()), ()))
        rows = block[row : row + n]
        for name, column in cells.items():
            column += map(known[name].__getitem__, part[name].tolist())
        for name in numeric:
            with np.errstate(over="ignore"):
                rows[:, at[name]] = part[name]
        if infinite := [name for name in numeric if np.isinf(rows[:, at[name]]).any()]:
            raise FoundText(infinite)  # as text they are judged one by one
        row += n
    return Table(
        str(frame.path),
        {name: tuple(column) for name, column in cells.items()},
        range(frame.first, frame.first + row),
        frame.separator,
        Numbers(frame.names, block[:row], at),
        frame.unit,
    )


class _Stripped(dict):
    """Cells of a column without spaces around them; equal ones are one object."""

    def __missing__(self, cell: str) -> str:
        self[cell] = stripped = self.setdefault(cell.strip(), cell.strip())
        return stripped
