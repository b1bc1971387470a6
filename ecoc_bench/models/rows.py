"""New rows of a CSV file, by chunks, against the columns that a model knows."""

import csv
import gzip
import io
import itertools
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import numpy as np

from ..data.table import SEPARATORS, separator_of
from ..errors import DataError
from .schema import Schema, coded_names, coded_numbers

CHUNK = 5000  # rows
UNSEEN = ("missing", "error")


class Chunk(NamedTuple):
    """Some rows as they stand in the file, and the lines where they end."""

    records: list[list[str]]
    lines: list[int]


class Rows:
    """The rows of an open file, whose header has the columns of a model and perhaps others."""

    def __init__(self, file: io.TextIOBase, where: str, schema: Schema) -> None:
        self.where, self.schema = where, schema
        lines, head = _decoded(file, where), list[str]()
        for line in lines:
            head.append(line)
            if line.strip():
                break
        self.separator = separator_of("".join(head))
        whole = itertools.chain(head, lines)
        self._reader = csv.reader(whole, strict=True, delimiter=self.separator)
        self.header = [name.strip() for name in next(self._records(), [])]
        if not self.header:
            raise DataError(f"{where}: empty. Give a header line and a line for each row.")
        self.places = [self._place(name) for name in schema.columns]
        self.unseen: dict[str, Counter[str]] = {}

    @property
    def target(self) -> int | None:
        """The place of the label, if it is there."""
        known = self.header.count(self.schema.target) == 1
        return self.header.index(self.schema.target) if known else None

    def notes(self) -> Iterator[str]:
        """What is unlike the training data in the header."""
        known = {*self.schema.columns, self.schema.target}
        others = [name for name in self.header if name not in known]
        if others:
            names = ", ".join(map(repr, others[:5])) + (", ..." if others[5:] else "")
            yield f"{len(others)} columns that the model does not use are kept: {names}"
        if self.places != sorted(self.places):
            yield "the columns have another order than in training: they are found by their names"

    def chunks(self) -> Iterator[Chunk]:
        """The rows, some at a time."""
        while True:
            chunk = Chunk([], [])
            for record in itertools.islice(self._records(), CHUNK):
                chunk.records.append(record)
                chunk.lines.append(self._reader.line_num)
            if not chunk.records:
                return
            yield chunk

    def coded(self, chunk: Chunk, unseen: str) -> np.ndarray:
        """The rows as `Dataset.X` has them; `unseen`: what becomes of unseen categories."""
        X = np.empty((len(chunk.records), len(self.places)))
        for j, place in enumerate(self.places):
            cells = [record[place].strip() for record in chunk.records]
            categories = self.schema.categories[j]
            if categories is None:
                found = coded_numbers(cells, self.separator != ",")
            else:
                found = coded_names(cells, categories)
            if len(found.wrong):
                advice = "The column held numbers in training: fix it, or leave it empty"
                raise self._fault(chunk, j, found.wrong[0], "is not a finite number", advice)
            if len(found.unseen):
                if unseen == "error":
                    what = "was not in the training data"
                    raise self._fault(chunk, j, found.unseen[0], what, "Use --unseen missing")
                counter = self.unseen.setdefault(self.schema.columns[j], Counter())
                counter.update(cells[i] for i in found.unseen)
            X[:, j] = found.values
        return X

    def _fault(self, chunk: Chunk, j: int, row: int, what: str, advice: str) -> DataError:
        cell = chunk.records[row][self.places[j]].strip()
        return DataError(
            f"{self.where}: line {chunk.lines[row]}: column '{self.schema.columns[j]}': "
            f"'{cell[:100]}' {what}. {advice}."
        )

    def _place(self, name: str) -> int:
        if self.header.count(name) == 1:
            return self.header.index(name)
        if name in self.header:
            what, hint = "has two columns", "Give each its own name."
        else:
            near = get_close_matches(name, self.header, n=1)
            what = "has no column"
            hint = f"Did you mean '{near[0]}'?" if near else f"It has: {', '.join(self.header)}."
        raise DataError(f"{self.where}: line 1: {what} '{name}', which the model needs. {hint}")

    def _records(self) -> Iterator[list[str]]:
        """Records that are not empty, each as long as the header."""
        width: int | None = len(self.header) if hasattr(self, "header") else None
        try:
            for record in self._reader:
                if not record:
                    continue
                if width is not None and len(record) != width:
                    what = SEPARATORS[self.separator].removesuffix("s")
                    raise DataError(
                        f"{self.where}: line {self._reader.line_num}: {len(record)} cells, the "
                        f"header has {width}. Quote cells that hold a {what}, or fix the line."
                    )
                yield record
        except csv.Error as error:
            line = self._reader.line_num
            raise DataError(f"{self.where}: line {line}: {error}. Fix the line.") from None


@contextmanager
def opened(path: Path, schema: Schema) -> Iterator[Rows]:
    """The rows of a CSV or CSV.GZ file."""
    where = str(path)
    try:
        if path.is_dir():
            raise DataError(f"{where}: a folder. Give a CSV file.")
        with open(path, "rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            plain = cast(BinaryIO, gzip.GzipFile(fileobj=raw) if packed else raw)
            with io.TextIOWrapper(plain, "utf-8-sig", newline="") as text:
                yield Rows(text, where, schema)
    except FileNotFoundError:
        raise DataError(f"{where}: no such file. Check the path.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{where}: cannot be read ({error}). Get a new copy of it.") from None


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
