"""The store of a run: the records of finished tasks, one after the other in a few files.

Records are only added at the end. A process that is killed while it adds one leaves an unfinished
record, which the next run cuts off; what else does not have its checksum is set aside.
"""

import os
import re
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..errors import UserError
from ..files import append, write_atomically
from .record import Record, decode, encode, pieces

FULL = 64 * 2**20  # bytes of a file after which the next one is begun
SYNC = 1.0  # seconds: what was added in the last one may be lost with the machine's power
# Files of ours; those with letters are of an earlier version, and are set aside.
NAMES = re.compile(r"(\d{5,}|[0-9a-f]{20}-[0-9a-f]{20})\.record")


class Place(NamedTuple):
    """Where a record is."""

    path: Path
    start: int
    end: int


class Store:
    """Records by (context, column). Only the parent process of a run adds to it.

    With `repair`, damaged records are moved out of the way, and an unfinished one is cut off;
    otherwise they are only skipped.
    """

    def __init__(self, folder: Path, repair: bool = True):
        self.folder = folder
        self.damaged: list[Path] = []
        self._columns: dict[str, dict[str, tuple[Place, float]]] = {}  # by context, by name
        self._synced = 0.0
        for path in self._files():
            self._read(path, repair)
        numbered = [path for path in self._files() if path.stem.isdecimal()]
        self._last = numbered[-1] if numbered else self._free()

    def _files(self) -> list[Path]:
        """Our files, those with numbers last."""
        found = [
            path
            for path in self.folder.glob("*.record")
            if NAMES.fullmatch(path.name) and path.is_file() and not path.is_symlink()
        ]
        return sorted(found, key=lambda path: (path.stem.isdecimal(), len(path.stem), path.stem))

    def _free(self) -> Path:
        """A new file; whatever else has such a name, a folder or a link, is left alone."""
        taken = [int(path.stem) for path in self.folder.glob("*.record") if path.stem.isdecimal()]
        return self.folder / f"{max(taken, default=0) + 1:05}.record"

    def _read(self, path: Path, repair: bool) -> None:
        """Note the records of a file; repaired, it holds nothing else."""
        raw = _content(path)
        good, damaged, end, lost = [], [], 0, 0
        for start, end, record in pieces(raw):
            if record is None:
                damaged.append((start, end))
                lost += end - start if repair else 0
            else:
                good.append((start, end))
                self._note(record, Place(path, start - lost, end - lost))
        if damaged:
            self.damaged.append(path.with_suffix(".damaged") if repair else path)
        if damaged and repair:
            _set_aside(path, _joined(raw, damaged), _joined(raw, good))
        elif end < len(raw) and repair:
            os.truncate(path, end)

    def __contains__(self, place: tuple[str, str]) -> bool:
        context, column = place
        return column in self._columns.get(context, ())

    def seconds(self, context: str, column: str) -> float:
        """How long the fit of a column took."""
        return self._columns[context][column][1]

    def add(self, record: Record) -> None:
        """Add a record at the end of the last file, or begin the next one."""
        start = self._last.stat().st_size if self._last.exists() else 0
        if start >= FULL:
            self._last, start = self._free(), 0
        content, now = encode(record), time.monotonic()
        append(self._last, content, sync=now > self._synced + SYNC)
        self._synced = now if now > self._synced + SYNC else self._synced
        self._note(record, Place(self._last, start, start + len(content)))

    def load(self, context: str, columns: Iterable[str]) -> dict[str, tuple[Record, int]]:
        """Each column's record and its place in it; every record is read once."""
        wanted = list(columns)
        found = {}
        for place in dict.fromkeys(self._columns[context][column][0] for column in wanted):
            record = _read_record(place)
            found.update({c: (record, j) for j, c in enumerate(record.columns)})
        return {column: found[column] for column in wanted}

    def _note(self, record: Record, place: Place) -> None:
        columns = self._columns.setdefault(record.context, {})
        for column, seconds in zip(record.columns, record.seconds, strict=True):
            columns[sys.intern(column)] = place, seconds

    def shrink(self, wanted: set[tuple[str, str]], dry_run: bool) -> int:
        """Remove the records that hold none of these columns; return the bytes freed."""
        used = {
            place
            for context, columns in self._columns.items()
            for column, (place, _) in columns.items()
            if (context, column) in wanted
        }
        freed = 0
        for path in self._files():
            kept = sorted(place for place in used if place.path == path)
            size, rest = path.stat().st_size, sum(place.end - place.start for place in kept)
            freed += size - rest
            if dry_run or rest == size:
                continue
            if kept:
                places = [(place.start, place.end) for place in kept]
                write_atomically(path, _joined(path.read_bytes(), places))
            else:
                path.unlink()
        return freed


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}).") from None


def _joined(raw: bytes, places: Iterable[tuple[int, int]]) -> bytes:
    return b"".join(raw[start:end] for start, end in places)


def _set_aside(path: Path, damaged: bytes, good: bytes) -> None:
    """Move what is damaged in a file to one of its own; only then is it taken out of the file."""
    if good:
        write_atomically(path.with_suffix(".damaged"), damaged)
        write_atomically(path, good)
    else:
        os.replace(path, path.with_suffix(".damaged"))


def _read_record(place: Place) -> Record:
    with open(place.path, "rb") as file:
        file.seek(place.start)
        record = decode(file.read(place.end - place.start))
    if record is None:
        raise UserError(
            f"{place.path}: was changed while a run read it. Run again: what is damaged is set "
            "aside and fitted again."
        )
    return record
