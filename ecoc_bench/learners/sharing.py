"""Kernel matrices that the worker processes of a run fill together, in files that all of them map.

A row is filled by whoever needs it first. Its flag is set, under a lock, when the fit that filled
it has ended: a process that dies leaves no half-written row that anybody believes. Two processes
that fill the same row write the same bytes.
"""

import contextlib
import fcntl
import hashlib
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
    """A matrix and the flags of its filled rows, with the file of the flags if it is shared."""

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
        """Remove its files; processes that map them keep them."""
        if self.path is not None:
            for path in (self.path, self.path.with_suffix(".kernel")):
                path.unlink(missing_ok=True)


def new_store(n: int, m: int, dtype, *content) -> Store:
    """An empty matrix of n x m; processes with the same content get the same one."""
    if not _folders:
        return Store(np.empty((n, m), dtype=dtype), np.zeros(n, dtype=bool))
    digest = hashlib.sha256(repr((n, m, np.dtype(dtype).str)).encode())
    for part in content:
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    path = _folders[0] / f"{digest.hexdigest()[:32]}.rows"
    K = _mapped(path.with_suffix(".kernel"), (n, m), np.dtype(dtype))
    return Store(K, _mapped(path, (n,), np.dtype(bool)), path)


def _mapped(path: Path, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A file of zeros, of which only what is written takes space, made by whoever comes first."""
    size = int(np.prod(shape)) * dtype.itemsize
    with path.open("ab") as file:  # creates it if need be, and never cuts what another has written
        file.truncate(size)
    return np.memmap(path, dtype=dtype, mode="r+", shape=shape)
