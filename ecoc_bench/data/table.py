"""A CSV file -> its cells by column, or an error that names the line and the next step.

Cells are separated by commas, semicolons or tabs, whichever the header has. Every cell is a Python
string: `fast_csv` reads large plain files, and leaves the others to this module.
"""

import csv
import io
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

import numpy as np

from ..errors import DataError
from .stream import opened

LARGEST = 2**31  # bytes of text: as Python strings they need twenty times as much memory
PARQUET = b"PAR1"  # how such a file begins
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}


@dataclass(frozen=True)
class Table:
    """The cells of a file by column, with the line of the file where each row ends.

    A column that is known to hold numbers may have its cells in `numbers` instead.
    """

    where: str
    cells: Mapping[str, tuple[str, ...]]
    lines: Sequence[int]
    separator: str = ","
    numbers: "Numbers | None" = None
    unit: str = "line"

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the order of the file."""
        return tuple(self.cells) if self.numbers is None else self.numbers.names

    def at(self, i: int) -> str:
        """Where row i is, for messages."""
        return f"{self.where}: {self.unit} {self.lines[i]}"

    def keep(self, mask: np.ndarray) -> "Table":
        cells = {name: tuple(compress(cells, mask)) for name, cells in self.cells.items()}
        numbers = self.numbers and replace(self.numbers, block=self.numbers.block[mask])
        lines = tuple(compress(self.lines, mask))
        return replace(self, cells=cells, lines=lines, numbers=numbers)

    def without(self, columns: Collection[str]) -> "Table":
        cells = {name: cells for name, cells in self.cells.items() if name not in columns}
        numbers = self.numbers and self.numbers.without(columns)
        return replace(self, cells=cells, numbers=numbers)


@dataclass(frozen=True)
class Numbers:
    """Columns as numbers, NaN if missing, in one block: it becomes the X of the data.

    `names` has all columns of the table. `at`: the column of the block of each attribute; those of
    text are filled in when they are coded.
    """

    names: tuple[str, ...]
    block: np.ndarray
    at: Mapping[str, int]

    def without(self, columns: Collection[str]) -> "Numbers":
        return replace(self, names=tuple(name for name in self.names if name not in columns))


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, uncompressed if it is a gzip."""
    with opened(path) as stream:
        raw = stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise DataError(f"{path}: larger than {LARGEST} bytes. Use a part of it.")
    return raw


def parse(raw: bytes, where: str, nameless: bool = False) -> Table:
    """The cells, stripped of spaces; ``where`` names the file in errors.

    ``nameless``: whether a column may have no name, because it is left out.
    """
    text = _text(raw, where)
    separator = separator_of(text)
    records, lines = _records(text, separator, where)
    header = records.pop(0)
    check_names(header, f"{where}: line {lines[0]}", nameless)
    cells = dict(zip(header, zip(*records, strict=True), strict=True))
    return Table(where, cells, tuple(lines[1:]), separator)


def check_names(names: Sequence[str], where: str, nameless: bool) -> None:
    """Refuse columns that share a name or have none."""
    for name, count in Counter(names).items():
        if count > 1:
            what, how = f"{count} columns named '{name}'", ""
        elif not name and not nameless:
            what, how = "a column without a name", ' or leave it out: drop: [""].'
        else:
            continue
        how = "Give each column its own name" + (how or ".")
        raise DataError(f"{where}: {what}. {how}")


def refuse_parquet(start: bytes, end: bytes, where: str) -> None:
    """Refuse a Parquet file, by its first and last bytes: it has another reader.

    A CSV may begin with the name PAR1, too, but has no NUL.
    """
    if start.startswith(PARQUET) and end.endswith(PARQUET) and b"\0" in end:
        raise DataError(f"{where}: Parquet, not a CSV. Give it a name that ends in .parquet.")


def _text(raw: bytes, where: str) -> str:
    refuse_parquet(raw[:4], raw[-8:], where)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        what = "not UTF-8, but UTF-16" if raw[:2] in UTF_16 else "not UTF-8"
        raise DataError(f"{where}: line {line}: {what}. Save the file as UTF-8.") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DataError(f"{where}: line {line}: a NUL byte. Save the file as text, in UTF-8.")
    return text


def separator_of(text: str) -> str:
    """The comma, unless the header has none outside quotes, but semicolons or tabs.

    >>> separator_of("size;kind\\n1,5;a\\n"), separator_of('"a;b",kind\\n'), separator_of("kind\\n")
    (';', ',', ',')
    """
    header = next((line for line in text.splitlines() if line.strip()), "")
    bare = "".join(header.split('"')[::2])
    if "," in bare:
        return ","
    return max(SEPARATORS, key=bare.count)


def _records(text: str, separator: str, where: str) -> tuple[list[tuple[str, ...]], list[int]]:
    """The header and the rows, none longer or shorter, and the lines where they end."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
    records: list[tuple[str, ...]] = []
    lines: list[int] = []
    try:
        for record in reader:
            if not record:
                continue
            records.append(tuple(map(str.strip, record)))
            lines.append(reader.line_num)
            if len(record) != len(records[0]):
                what = SEPARATORS[separator].removesuffix("s")
                raise DataError(
                    f"{where}: line {reader.line_num}: {len(record)} cells, the header has "
                    f"{len(records[0])}. Quote cells that hold a {what}, or fix the line."
                )
    except csv.Error as error:
        raise DataError(f"{where}: line {reader.line_num}: {error}. Fix the line.") from None
    if len(records) < 2:
        found = "a header and no rows" if records else "empty"
        raise DataError(f"{where}: {found}. Give a header line and a line for each example.")
    return records, lines
