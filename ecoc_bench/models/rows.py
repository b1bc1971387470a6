"""New rows of a file, by chunks, against the columns that a model knows."""

import itertools
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from ..errors import DataError
from .schema import Schema, coded_names, coded_numbers
from .sources import Source

CHUNK = 5000  # rows
UNSEEN = ("missing", "error")


class Chunk(NamedTuple):
    """Some rows as they stand in the file, and the lines where they end."""

    records: list[list[str]]
    lines: list[int]


class Rows:
    """The rows of an open file, whose header has the columns of a model and perhaps others."""

    def __init__(self, source: Source, schema: Schema) -> None:
        self.source, self.schema, self.header = source, schema, source.header
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
            yield f"kept, although the model does not use them ({len(others)}): {names}"
        if self.places != sorted(self.places):
            yield "the columns have another order than in training: they are found by their names"
        for name, kind in self.source.nested.items():
            yield f"column '{name}' holds {kind}, which has no text: it is left out"

    def chunks(self) -> Iterator[Chunk]:
        """The rows, some at a time."""
        while some := list(itertools.islice(self.source.records, CHUNK)):
            yield Chunk([record for record, _ in some], [line for _, line in some])

    def at(self, chunk: Chunk, row: int) -> str:
        """Where a row of a chunk is, for messages."""
        return f"{self.source.where}: {self.source.unit} {chunk.lines[row]}"

    def coded(self, chunk: Chunk, unseen: str) -> np.ndarray:
        """The rows as `Dataset.X` has them; `unseen`: what becomes of unseen categories."""
        X = np.empty((len(chunk.records), len(self.places)))
        for j, place in enumerate(self.places):
            cells = [record[place].strip() for record in chunk.records]
            categories = self.schema.categories[j]
            if categories is None:
                found = coded_numbers(cells, self.source.separator != ",")
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
            f"{self.at(chunk, row)}: column '{self.schema.columns[j]}': "
            f"'{cell[:100]}' {what}. {advice}."
        )

    def _place(self, name: str) -> int:
        if self.header.count(name) == 1:
            return self.header.index(name)
        if name in self.header:
            what, hint = "has two columns", "Give each its own name."
        elif name in self.source.nested:
            kind = self.source.nested[name]
            what, hint = f"{kind} in the column", "Write it as numbers or text."
        else:
            near = get_close_matches(name, self.header, n=1)
            what = "has no column"
            hint = f"Did you mean '{near[0]}'?" if near else f"It has: {', '.join(self.header)}."
        place = f"{self.source.where}: " + ("line 1: " if self.source.unit == "line" else "")
        raise DataError(f"{place}{what} '{name}', which the model needs. {hint}")
