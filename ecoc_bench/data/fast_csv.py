"""A large plain CSV -> its table: numbers as numbers, in one block.

`read` gives the same data as `table.parse` does, or raises `NotPlain`. It reads the file twice, in
parts: for the checksum and the number of rows, then for the cells. Every part is checked by
`plain_csv` before a parser of `csv_parsers` sees it.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from ..errors import DataError
from . import table as cells_table
from .block import Frame, Part, Roles, in_one_block
from .csv_parsers import parser
from .plain_csv import Layout, NotPlain, checked, layout_of
from .stream import opened
from .table import Table

PART = 2**23  # bytes of text that are parsed together
THREADS = 2
RATIO = 100  # of a large gzip to its content: tables have 3 to 30, a bomb has 1,000


def read(
    path: Path,
    roles_of: Callable[[tuple[str, ...]], Roles],
    nameless: bool = False,
    dtype: str = "float64",
) -> tuple[Table, str]:
    """The table and the sha256 of the uncompressed file."""
    layout = layout_of(path, nameless)
    sha256, n_rows = _first_pass(path, layout)
    frame = Frame(path, layout.names, roles_of(layout.names), n_rows, layout.line, layout.separator)

    def parts_of(text: frozenset[str]) -> Iterator[Part]:
        return _columns(path, layout, frame.used, text)

    return in_one_block(frame, parts_of, layout.text, dtype), sha256


def _first_pass(path: Path, layout: Layout) -> tuple[str, int]:
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


def _columns(path: Path, layout: Layout, used: list[str], text: frozenset[str]) -> Iterator[Part]:
    """The columns of the parts, in order; some are parsed while others are read."""
    parse = parser(layout, used, text)

    def columns(part: bytes, line: int) -> Part:
        return parse(checked(part, line, layout), line)

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


def _parts(path: Path, layout: Layout) -> Iterator[tuple[bytes, int]]:
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
