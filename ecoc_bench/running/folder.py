"""The folder of a run: lock it, empty it, and remove half-written files."""

import contextlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from ..errors import UserError
from ..results.catalogue import FILES, FOLDERS

UNFINISHED = re.compile(r"\..+\.[a-z0-9_]{8}")  # left by a killed write_atomically


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make the folder and lock it for one process; the system unlocks it if the process dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".lock", timeout=0)
        lock.acquire()
    except Timeout:
        raise UserError(
            f"{folder}: another run is using this folder. Wait until it has finished, or choose "
            "another folder with --out."
        ) from None
    except OSError as error:
        raise UserError(
            f"{folder}: cannot be written to ({error.strerror}). Choose another folder with --out."
        ) from None
    try:
        sweep(folder)
        yield
    finally:
        lock.release()


def sweep(folder: Path) -> int:
    """Remove the half-written files of a killed run; return the bytes freed."""
    places = [folder, *(folder / name for name in FOLDERS)]
    return sum(
        remove(path)
        for place in places
        if place.is_dir()
        for path in list(place.iterdir())
        if UNFINISHED.fullmatch(path.name)
    )


def empty(folder: Path) -> int:
    """Remove every file that runs leave there, and nothing else; return the bytes freed."""
    return sum(remove(folder / name) for name in (*FILES, *FOLDERS))


def size(path: Path) -> int:
    """Bytes of a file, or of all files under a folder."""
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def remove(path: Path) -> int:
    """Remove a file or a folder; return the bytes freed."""
    if not path.exists():
        return 0
    freed = size(path)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    return freed
