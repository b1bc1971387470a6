"""A file of new rows -> its header and, one after the other, its rows as text."""

import csv
import gzip
import io
import itertools
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast

from ..data.formats import format_of
from ..data.parquet import opened_cells
from ..data.table import SEPARATORS, refuse_parquet, separator_of
from ..errors import DataError

Record = tuple[list[str], int]  # the cells of a row, and the line where it ends


@dataclass
class Source:
    """An open file. `nested` are the columns without text, and what they hold."""

    where: str
    header: list[str]
    records: Iterator[Record]
    separator: str = ","
    unit: str = "line"
    nested: Mapping[str, str] = field(default_factory=dict)


def opened(path: Path) -> AbstractContextManager[Source]:
    """The rows of a file, by its suffix."""
    kind = format_of(path)
    if kind not in SOURCES:
        raise DataError(
            f"{path}: {kind} has no names of columns, and a model finds its columns by name. "
            "Write the rows as a CSV with the names of the training data."
        )
    return SOURCES[kind](path)


@contextmanager
def _csv(path: Path) -> Iterator[Source]:
    """A CSV or CSV.GZ file."""
    where = str(path)
    try:
        if path.is_dir():
            raise DataError(f"{where}: a folder. Give a CSV file.")
        with open(path, "rb") as raw:
            start = raw.read(4)
            raw.seek(max(0, raw.seek(0, io.SEEK_END) - 8))
            refuse_parquet(start, raw.read(), where)
            raw.seek(0)
            packed = start.startswith(b"\x1f\x8b")
            plain = cast(BinaryIO, gzip.GzipFile(fileobj=raw) if packed else raw)
            with io.TextIOWrapper(plain, "utf-8-sig", newline="") as text:
                yield csv_source(text, where)
    except FileNotFoundError:
        raise DataError(f"{where}: no such file. Check the path.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{where}: cannot be read ({error}). Get a new copy of it.") from None


def csv_source(file: io.TextIOBase, where: str) -> Source:
    """The text of a CSV."""
    lines, head = _decoded(file, where), list[str]()
    for line in lines:
        head.append(line)
        if line.strip():
            break
    separator = separator_of("".join(head))
    records = _records(itertools.chain(head, lines), separator, where)
    header = [name.strip() for name in next(records, ([], 0))[0]]
    if not header:
        raise DataError(f"{where}: empty. Give a header line and a line for each row.")
    return Source(where, header, records, separator)


def _records(lines: Iterator[str], separator: str, where: str) -> Iterator[Record]:
    """Records that are not empty, each as long as the first, the header."""
    reader = csv.reader(lines, strict=True, delimiter=separator)
    width: int | None = None
    try:
        for record in reader:
            if not record:
                continue
            width = width or len(record)
            if len(record) != width:
                what = SEPARATORS[separator].removesuffix("s")
                raise DataError(
                    f"{where}: line {reader.line_num}: {len(record)} cells, the "
                    f"header has {width}. Quote cells that hold a {what}, or fix the line."
                )
            yield record, reader.line_num
    except csv.Error as error:
        raise DataError(f"{where}: line {reader.line_num}: {error}. Fix the line.") from None


def _decoded(file: io.TextIOBase, where: str) -> Iterator[str]:
    """The lines of the text, or an error that names the one that is none."""
    number = 0
    try:
        for line in file:
            number += 1
            if "\0" in line:
                raise DataError(f"{where}: line {number}: a NUL byte. Save the file as UTF-8.")
            yield line
    except UnicodeDecodeError:
        raise DataError(
            f"{where}: line {number + 1} or later: not UTF-8. Save the file as UTF-8."
        ) from None


@contextmanager
def _parquet(path: Path) -> Iterator[Source]:
    with opened_cells(path) as found:
        rows = (list(row) for part in found.parts for row in zip(*part, strict=True))
        records = ((row, i) for i, row in enumerate(rows, 1))
        yield Source(str(path), [*found.names], records, unit="row", nested=found.nested)


SOURCES: dict[str, Callable[[Path], AbstractContextManager[Source]]] = {
    "csv": _csv,
    "parquet": _parquet,
}
