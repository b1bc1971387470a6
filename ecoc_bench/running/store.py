"""The store of a run: one file per finished task, written whole or not at all, checked on reading.

A record is `ECOCBENCH1 <sha256 of the rest>`, a line of JSON (context, columns, how their fits
went), then the margins on the training and the test part as .npy arrays of shape (stages, rows,
columns). A method's labels are whole numbers instead. A kernel machine's shifts (`loo`) follow, or
the eta of boosting; the JSON says which. Nothing is ever unpickled.
"""

import hashlib
import io
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..files import write_atomically
from ..seeds import digest

MAGIC = b"ECOCBENCH1 "
OPTIONAL = ("shift", "eta")  # arrays that some records have


@dataclass(frozen=True, eq=False)
class Record:
    """The margins of some columns in one context."""

    context: str
    columns: tuple[str, ...]
    stages: tuple[int, ...]
    converged: tuple[bool, ...]
    seconds: tuple[float, ...]
    train: np.ndarray = field(repr=False)
    test: np.ndarray = field(repr=False)
    shift: np.ndarray | None = field(default=None, repr=False)  # rows x columns: see `loo`
    eta: np.ndarray | None = field(default=None, repr=False)  # stages x columns: see `bounds`


class Damaged(Exception):
    """A file that is not a complete record."""


class Store:
    """Records by (context, column). Only the parent process of a run writes here.

    With `repair`, damaged records are moved out of the way; otherwise they are only skipped.
    """

    def __init__(self, folder: Path, repair: bool = True):
        self.folder = folder
        self.damaged: list[Path] = []
        self.seconds: dict[tuple[str, str], float] = {}
        self._places: dict[tuple[str, str], Path] = {}
        for path in sorted(path for path in folder.glob("*.record") if path.is_file()):
            try:
                record = read_record(path)
            except Damaged:
                self.damaged.append(_set_aside(path) if repair else path)
                continue
            self._note(record, path)

    def __contains__(self, place: tuple[str, str]) -> bool:
        return place in self._places

    def add(self, record: Record) -> None:
        """Write a record under its name, whole or not at all."""
        name = f"{record.context[:20]}-{digest(record.columns)[:20]}.record"
        write_atomically(self.folder / name, encode(record))
        self._note(record, self.folder / name)

    def load(self, context: str, columns: Iterable[str]) -> dict[str, tuple[Record, int]]:
        """Each column's record and its place in it; every file is read once."""
        wanted = list(columns)
        found = {}
        for path in dict.fromkeys(self._places[context, column] for column in wanted):
            record = read_record(path)
            found.update({c: (record, j) for j, c in enumerate(record.columns)})
        return {column: found[column] for column in wanted}

    def _note(self, record: Record, path: Path) -> None:
        for column, seconds in zip(record.columns, record.seconds, strict=True):
            self._places[record.context, column] = path
            self.seconds[record.context, column] = seconds

    def unused(self, wanted: set[tuple[str, str]]) -> list[Path]:
        """The files that hold none of these columns."""
        used = {path for place, path in self._places.items() if place in wanted}
        return sorted(set(self._places.values()) - used)


def _set_aside(path: Path) -> Path:
    aside = path.with_suffix(".damaged")
    os.replace(path, aside)
    return aside


def encode(record: Record) -> bytes:
    """The bytes of a record, checksum first."""
    arrays = {name: getattr(record, name) for name in ("train", "test", *OPTIONAL)}
    header = {k: v for k, v in asdict(record).items() if k not in arrays}
    header["also"] = [name for name in OPTIONAL if arrays[name] is not None]
    body = io.BytesIO()
    body.write(json.dumps(header).encode() + b"\n")
    for array in arrays.values():
        if array is None:
            continue
        dtype = np.int16 if array.dtype.kind == "i" else np.float64
        np.save(body, np.ascontiguousarray(array, dtype=dtype), allow_pickle=False)
    content = body.getvalue()
    return MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def read_record(path: Path) -> Record:
    """The record in a file; raises Damaged if it is cut off, altered or not a record."""
    try:
        first, _, content = path.read_bytes().partition(b"\n")
        if first != MAGIC + hashlib.sha256(content).hexdigest().encode():
            raise Damaged(path)
        return _decoded(content)
    except (OSError, EOFError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise Damaged(path) from error


def _decoded(content: bytes) -> Record:
    line, _, arrays = content.partition(b"\n")
    stream = io.BytesIO(arrays)
    header: dict[str, Any] = json.loads(line)
    also = header.pop("also", ["shift"])  # earlier records do not say, and could have no other
    lists = {key: tuple(value) for key, value in header.items() if isinstance(value, list)}
    train, test = (np.load(stream, allow_pickle=False) for _ in range(2))
    found = {n: np.load(stream, allow_pickle=False) for n in also if stream.tell() < len(arrays)}
    record = Record(**{**header, **lists}, train=train, test=test, **found)
    n = len(record.columns)
    if not (train.ndim == test.ndim == 3 and train.shape[::2] == test.shape[::2]):
        raise ValueError("margins must be stages x rows x columns")
    if train.shape[::2] != (len(record.stages), n) or len(record.converged) != n:
        raise ValueError("the arrays do not fit the header")
    if len(record.seconds) != n or not isinstance(record.context, str):
        raise ValueError("the header is not that of a record")
    return record
