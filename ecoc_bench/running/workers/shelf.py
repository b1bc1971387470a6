"""Arrays in files of one folder: workers on any machine that sees it read them there.

A data set or a task goes over the network without its arrays, and a worker holds only the rows
that it fits. `worker.py` opens what `Shelf` has put away.
"""

import hashlib
import platform
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...data.csvfile import Dataset
from ...data.sparse import is_sparse
from ...errors import UserError, reason
from ...experiment.tasks import Context, Task

LARGE = 100_000  # bytes: smaller arrays of a task go along with it
SLAB = 4_000_000  # bytes of a file that are mapped at a time
Thing = TypeVar("Thing", Dataset, Context)


class Shelf:
    """Puts arrays into a folder, each content once; the file's name is made of the content."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._contexts: dict[str, Context] = {}

    def data(self, data: Dataset) -> Dataset:
        """The data set with its rows in files."""
        filed: dict[str, Any] = {"X": self._matrix(data.X), "y": Vector(self._put(data.y))}
        if data.sequences is not None:
            filed["sequences"] = Vector(self._put(data.sequences))
        return replace(data, **filed)

    def task(self, task: Task) -> Task:
        """The task with its large arrays in files, which all tasks on the same rows share."""
        at = task.context
        if at.key not in self._contexts:
            filed: dict[str, Any] = {
                name: Vector(self._put(array))
                for name, array in _values(at).items()
                if getattr(array, "nbytes", 0) >= LARGE
            }
            self._contexts[at.key] = replace(at, **filed)
        return replace(task, context=self._contexts[at.key])

    def _matrix(self, X) -> Any:
        if not is_sparse(X):
            return Matrix(self._put(X))
        parts = (self._put(getattr(X, part)) for part in ("data", "indices", "indptr"))
        return Sparse(type(X), tuple(map(Vector, parts)), X.shape)

    def _put(self, array: np.ndarray) -> str:
        array = np.ascontiguousarray(array)
        digest = hashlib.sha256(repr((array.dtype.str, array.shape)).encode())
        digest.update(array.data)
        path = self.folder / f"{digest.hexdigest()[:32]}.npy"
        if not path.exists():
            try:
                np.save(path, array, allow_pickle=False)
            except OSError as error:
                raise UserError(
                    f"{self.folder}: the data cannot be written ({error.strerror}). Free some "
                    "space, or name another folder with --shared."
                ) from error
        return str(path)


@dataclass(frozen=True)
class Vector:
    """An array in a file."""

    path: str

    def opened(self) -> np.ndarray:
        return np.asarray(_mapped(self.path))


@dataclass(frozen=True)
class Matrix:
    """A matrix in a file, whose rows are taken as an array's are, by their numbers."""

    path: str

    def opened(self) -> "Matrix":
        return self

    def __getitem__(self, rows: np.ndarray) -> np.ndarray:
        """Copies of the rows. Pages of the file leave memory when their slab is done."""
        whole = _mapped(self.path)
        order = np.argsort(rows, kind="stable")
        ordered = rows[order]
        step = max(SLAB // max(whole[:1].nbytes, 1), 1)
        edges = np.searchsorted(ordered, np.arange(0, len(whole) + step, step))
        taken = np.empty((len(rows), *whole.shape[1:]), whole.dtype)
        for start, end in pairwise(edges.tolist()):
            if start < end:
                taken[order[start:end]] = _mapped(self.path)[ordered[start:end]]
        return taken


@dataclass(frozen=True)
class Sparse:
    """A sparse matrix whose arrays are in files."""

    kind: type
    parts: tuple[Vector, ...]
    shape: tuple[int, int]

    def opened(self):
        return self.kind(tuple(part.opened() for part in self.parts), shape=self.shape, copy=False)


def opened(thing: Thing) -> Thing:
    """A data set or context with arrays to read where `Shelf` has put them into files."""
    read: dict[str, Any] = {
        name: value.opened()
        for name, value in _values(thing).items()
        if isinstance(value, Vector | Matrix | Sparse)
    }
    return replace(thing, **read) if read else thing


def _values(thing: Dataset | Context) -> dict[str, Any]:
    return {field.name: getattr(thing, field.name) for field in fields(thing)}


def opened_task(task: Task) -> Task:
    at = opened(task.context)
    return task if at is task.context else replace(task, context=at)


def _mapped(path: str) -> np.ndarray:
    try:
        return np.load(path, mmap_mode="r")
    except (OSError, ValueError) as error:
        raise unseen(str(Path(path).parent), f"a worker on {platform.node()}", error) from None


def unseen(folder: str, worker: str, error: Exception) -> UserError:
    return UserError(
        f"{folder}: {worker} cannot read the data there ({reason(error)}). Name a folder with "
        "--shared that it sees under the same path and as the same user, or leave out --shared to "
        "send the data. Finished work is kept: run again to continue."
    )
