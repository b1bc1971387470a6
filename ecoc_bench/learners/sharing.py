"""Kernel matrices that the worker processes of a run fill together, in files that all of them map.

A row is filled by whoever needs it first. Its flag is set, under a lock, when the fit that filled
it has ended: a process that dies leaves no half-written row that anybody believes. Two processes
that fill the same row write the same bytes. Flags and matrix are one file: a file that another
process drops meanwhile is dropped with both, and nobody sees new flags beside an old matrix.
"""

import contextlib
import fcntl
import hashlib
import mmap
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_folders: list[Path] = []  # of this process's run; the last one counts


def share_in(folder: str) -> None:
    """From now on, keep matrices in files of this folder, which the run removes at its end."""
    _folders[:] = [Path(folder)]


@dataclass(frozen=True, eq=False)
class Store:
    """A matrix and the flags of its filled rows, with their file if it is shared."""

    K: np.ndarray
    have: np.ndarray
    path: Path | None = None

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Alone with the flags, among all processes."""
        if self.path is None:
            yield
            return
        try:
            file = self.path.open("rb")
        except FileNotFoundError:  # another process has dropped it: nobody else will look here
            yield
            return
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def drop(self) -> None:
        """Remove its file; processes that map it keep it."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def new_store(n: int, m: int, dtype, *content) -> Store:
    """An empty matrix of n x m; processes with the same content get the same one."""
    if not _folders:
        return Store(np.empty((n, m), dtype=dtype), np.zeros(n, dtype=bool))
    digest = hashlib.sha256(repr((n, m, np.dtype(dtype).str)).encode())
    for part in content:
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    path = _folders[0] / f"{digest.hexdigest()[:32]}.kernel"
    # Zeros, of which only what is written takes space, made by whoever comes first.
    start = -(-n // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        file.truncate(start + n * m * np.dtype(dtype).itemsize)
        have = np.memmap(file, dtype=bool, mode="r+", shape=(n,))
        K = np.memmap(file, dtype=dtype, mode="r+", offset=start, shape=(n, m))
    return Store(K, have, path)
