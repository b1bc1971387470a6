"""A large plain CSV -> its table by pandas' reader: numbers as numbers, in one block.

`read` gives the same data as `table.parse` does, or raises `NotPlain`. It reads the file twice, in
parts: for the checksum and the number of rows, then for the cells. Every part is checked before
pandas sees it: UTF-8, as many cells in each line as the header has, no quote inside a cell, no
quoted line break. pandas refuses what is not a number; such a column is then read as text, whose
cells `csvfile` judges. Its numbers are rounded correctly, as Python's are.
"""

import csv
import hashlib
import io
import re
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DataError
from . import table as cells_table
from .block import FoundText, Frame, Part, Roles, in_one_block
from .csvfile import MISSING, number
from .stream import opened
from .table import Table, parse

PART = 2**23  # bytes of text that are parsed together
SAMPLE = 2**16  # bytes in which columns of text are found
THREADS = 2
RATIO = 100  # of a large gzip to its content: tables have 3 to 30, a bomb has 1,000
LONGEST = csv.field_size_limit()  # of a cell
NEWLINE, QUOTE = 10, 34
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class NotPlain(Exception):
    """The file must be read cell by cell: where and why."""


@dataclass(frozen=True)
class _Layout:
    """The header: where its line ends in the bytes, and what follows from it."""

    names: tuple[str, ...]
    separator: str
    end: int  # of the header, in bytes
    line: int  # of the first row
    text: frozenset[str]  # attributes with text in the first rows


def read(
    path: Path,
    roles_of: Callable[[tuple[str, ...]], Roles],
    nameless: bool = False,
    dtype: str = "float64",
) -> tuple[Table, str]:
    """The table and the sha256 of the uncompressed file."""
    layout = _layout(path, nameless)
    sha256, n_rows = _first_pass(path, layout)
    frame = Frame(path, layout.names, roles_of(layout.names), n_rows, layout.line, layout.separator)

    def parts_of(text: frozenset[str]) -> Iterator[Part]:
        return _columns(path, layout, frame.used, text)

    return in_one_block(frame, parts_of, layout.text, dtype), sha256


def _layout(path: Path, nameless: bool) -> _Layout:
    with opened(path) as stream:
        raw = stream.read(SAMPLE)
        if len(raw) == SAMPLE:
            raw = raw[: raw.rfind(b"\n") + 1]
    try:
        table = parse(raw, str(path), nameless)
    except DataError as error:
        raise NotPlain(str(error)) from None
    start = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
    while raw[start : start + 1] in (b"\n", b"\r"):
        start += 1
    end = raw.find(b"\n", start) + 1
    header = next(csv.reader([raw[start:end].decode()], delimiter=table.separator))
    if tuple(map(str.strip, header)) != table.names:
        raise NotPlain("a header of several lines")
    text = frozenset(name for name, cells in table.cells.items() if _has_text(cells))
    line = raw.count(b"\n", 0, end) + 1
    return _Layout(table.names, table.separator, end, line, text)


def _has_text(cells: tuple[str, ...]) -> bool:
    return any(np.isnan(number(cell)) and cell not in MISSING for cell in cells)


def _first_pass(path: Path, layout: _Layout) -> tuple[str, int]:
    """The checksum and how many rows there are, in little memory."""
    whole, n_bytes, n_lines, last = hashlib.sha256(), 0, 0, b""
    most = RATIO * path.stat().st_size
    with opened(path) as stream:
        while part := stream.read(PART):
            whole.update(part)
            n_lines += part.count(b"\n")
            n_bytes += len(part)
            last = part[-1:]
            if n_bytes > max(most, cells_table.LARGEST):
                raise DataError(
                    f"{path}: larger than {cells_table.LARGEST} bytes and {RATIO} times its packed "
                    "size. Unpack it if you trust it."
                )
    return whole.hexdigest(), n_lines + (last != b"\n") - layout.line + 1


def _columns(path: Path, layout: _Layout, used: list[str], text: frozenset[str]) -> Iterator[Part]:
    """The columns of the parts, in order; some are parsed while others are read."""
    import pandas as pd

    numeric = [name for name in used if name not in text]
    settings: dict[str, Any] = {
        "header": None,
        "names": list(layout.names),
        "usecols": used,
        "index_col": False,
        "sep": layout.separator,
        "dtype": {name: object if name in text else "float64" for name in used},
        "na_values": {name: sorted(MISSING) for name in numeric},
        "keep_default_na": False,
        "skip_blank_lines": False,
        "low_memory": False,
    } | _rounding(pd.__version__)

    def columns(part: bytes, line: int) -> Part:
        plain = _checked(part, line, layout)
        try:
            frame = pd.read_csv(io.BytesIO(plain), **settings)
        except ValueError as error:
            if not numeric:
                raise NotPlain(f"lines from {line}: {error}") from None
            raise FoundText(_not_numbers(plain, layout, numeric)) from None
        return {name: frame[name].to_numpy() for name in used}

    with ThreadPoolExecutor(THREADS) as threads:
        waiting: deque[Future] = deque()
        try:
            for part, line in _parts(path, layout):
                waiting.append(threads.submit(columns, part, line))
                if len(waiting) > THREADS:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _rounding(version: str) -> dict[str, str]:
    """What makes pandas round numbers as Python does; from 3.1 on it does so by itself.

    >>> _rounding("3.0.6"), _rounding("3.1.1")
    ({'float_precision': 'round_trip'}, {})
    """
    old = tuple(map(int, version.split(".")[:2])) < (3, 1)
    return {"float_precision": "round_trip"} if old else {}


def _parts(path: Path, layout: _Layout) -> Iterator[tuple[bytes, int]]:
    """Whole lines of the file after the header, and the number of the first one.

    Empty lines at the end of the file are left out.
    """
    line, is_over = layout.line, False
    for lines in _whole_lines(path, layout.end):
        content = lines.rstrip(b"\r\n")
        if content and is_over:
            raise NotPlain(f"line {line - 1}: an empty line")
        if content:
            yield content + b"\n", line
        is_over = lines[len(content) :].count(b"\n") > 1 or not content
        line += lines.count(b"\n")


def _whole_lines(path: Path, start: int) -> Iterator[bytes]:
    rest = b""
    with opened(path) as stream:
        stream.read(start)
        while read := stream.read(PART):
            whole, newline, rest = (rest + read).rpartition(b"\n")
            if len(rest) > PART:
                raise NotPlain(f"a line of more than {PART} bytes")
            if newline:
                yield whole + newline
    if rest:
        yield rest


def _checked(part: bytes, line: int, layout: _Layout) -> bytes:
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
    _check_cells(np.frombuffer(part, np.uint8), line, layout)
    return part


def _check_cells(part: np.ndarray, line: int, layout: _Layout) -> None:
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


def _not_numbers(part: bytes, layout: _Layout, numeric: list[str]) -> list[str]:
    """The columns of this part that have text: what pandas refuses, our reader may not."""
    rows = csv.reader(io.StringIO(part.decode(), newline=""), delimiter=layout.separator)
    columns = dict(zip(layout.names, zip(*rows, strict=True), strict=True))
    found = [name for name in numeric if not all(map(_is_plain, columns[name]))]
    return found or numeric


def _is_plain(cell: str) -> bool:
    return cell in MISSING or bool(PLAIN.fullmatch(cell))
