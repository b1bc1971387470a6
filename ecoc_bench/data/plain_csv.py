"""Whether a CSV is plain: what its header says, and a check of its text part by part.

Plain is UTF-8 with as many cells in each line as the header has, no quote inside a cell and no
quoted line break. The parsers of `csv_parsers` read such text as `table.parse` does.
"""

import csv
from codecs import BOM_UTF8
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import DataError
from .csvfile import MISSING, number
from .stream import opened
from .table import parse

SAMPLE = 2**16  # bytes in which columns of text are found
LONGEST = csv.field_size_limit()  # of a cell
NEWLINE, QUOTE = 10, 34


class NotPlain(Exception):
    """The file must be read cell by cell: where and why."""


@dataclass(frozen=True)
class Layout:
    """The header: where its line ends in the bytes, and what follows from it."""

    names: tuple[str, ...]
    separator: str
    end: int  # of the header, in bytes
    line: int  # of the first row
    text: frozenset[str]  # attributes with text in the first rows


def layout_of(path: Path, nameless: bool) -> Layout:
    """What the first rows say; they are read cell by cell."""
    with opened(path) as stream:
        raw = stream.read(SAMPLE)
        if len(raw) == SAMPLE:
            raw = raw[: raw.rfind(b"\n") + 1]
    try:
        table = parse(raw, str(path), nameless)
    except DataError as error:
        raise NotPlain(str(error)) from None
    start = len(BOM_UTF8) if raw.startswith(BOM_UTF8) else 0
    while raw[start : start + 1] in (b"\n", b"\r"):
        start += 1
    end = raw.find(b"\n", start) + 1
    header = next(csv.reader([raw[start:end].decode()], delimiter=table.separator))
    if tuple(map(str.strip, header)) != table.names:
        raise NotPlain("a header of several lines")
    text = frozenset(name for name, cells in table.cells.items() if _has_text(cells))
    line = raw.count(b"\n", 0, end) + 1
    return Layout(table.names, table.separator, end, line, text)


def _has_text(cells: tuple[str, ...]) -> bool:
    return any(np.isnan(number(cell)) and cell not in MISSING for cell in cells)


def checked(part: bytes, line: int, layout: Layout) -> bytes:
    """The part with plain ends of lines; refused where it is not plain."""
    part = part.replace(b"\r\n", b"\n")
    try:
        if not part.isascii():
            part.decode("utf-8")
    except UnicodeDecodeError:
        raise NotPlain(f"lines from {line}: not UTF-8") from None
    for byte, what in ((b"\0", "a NUL byte"), (b"\r", "a line that ends without a line feed")):
        if byte in part:
            raise NotPlain(f"line {line + part.count(NEWLINE, 0, part.index(byte))}: {what}")
    if part.startswith(BOM_UTF8):
        raise NotPlain(f"line {line}: a byte order mark in a cell")  # parsers would skip it
    _check_cells(np.frombuffer(part, np.uint8), line, layout)
    return part


def _check_cells(part: np.ndarray, line: int, layout: Layout) -> None:
    """Refuse lines with more or fewer cells than the header has, and quotes inside of cells."""
    ends = np.flatnonzero((part == ord(layout.separator)) | (part == NEWLINE))
    quotes = np.flatnonzero(part == QUOTE)
    if len(quotes):
        ends = _outside(part, ends, quotes, line)
    n = len(layout.names)
    is_newline = part[ends] == NEWLINE
    if len(ends) % n or is_newline.sum() != len(ends) // n or not is_newline[n - 1 :: n].all():
        first = int(np.argmax(is_newline != (np.arange(1, len(ends) + 1) % n == 0)))
        row = int(is_newline[:first].sum())
        raise NotPlain(f"line {line + row}: not {n} cells, as many as the header has")
    if np.diff(ends, prepend=-1).max() > LONGEST:
        raise NotPlain(f"lines from {line}: a cell of more than {LONGEST} characters")


def _outside(part: np.ndarray, ends: np.ndarray, quotes: np.ndarray, line: int) -> np.ndarray:
    """The ends of cells outside quotes, which must surround whole cells of one line."""
    opening, closing = quotes[::2], quotes[1::2]
    if len(opening) == len(closing):
        is_end = np.zeros(len(part), dtype=bool)
        is_end[ends] = True
        before = (opening == 0) | is_end[opening - 1]
        inside = np.searchsorted(ends, opening), np.searchsorted(ends, closing)
        within = np.repeat(False, len(ends))
        for start, stop in zip(*(side[inside[0] < inside[1]] for side in inside), strict=True):
            within[start:stop] = True
        if before.all() and is_end[closing + 1].all() and not (part[ends[within]] == NEWLINE).any():
            return ends[~within]
    raise NotPlain(f"lines from {line}: quotes inside of cells, or around several lines")
