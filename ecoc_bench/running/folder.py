"""The folder of a run: lock it, empty it, and remove half-written files."""

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from ..errors import StorageError, UserError
from ..files import TEMPORARY
from ..results.catalogue import FOLDERS, LOCK
from ..results.ownership import Ownership, claim, remove_file

UNFINISHED = re.compile(re.escape(TEMPORARY) + r"(\d+)-[a-z0-9_]{8}\.tmp")
# What runs write without noting it: a record for each task, a file for each drawn code.
UNNOTED = {
    "store": re.compile(r"[0-9a-f]{20}-[0-9a-f]{20}\.(record|damaged)"),
    "codes": re.compile(r".+\.\d+\.[0-9a-f]{12}(\.[0-9a-f]{16})?\.(csv|damaged)"),
}


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make the folder ours and lock it for one process; the system unlocks it if that dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        claim(folder)
        lock = FileLock(folder / LOCK, timeout=0)
        lock.acquire()
    except Timeout:
        raise UserError(
            f"{folder}: another run is using this folder. Wait until it has finished, or choose "
            "another folder with --out."
        ) from None
    except (OSError, StorageError) as error:
        why = error.__cause__ if isinstance(error, StorageError) else error
        raise UserError(
            f"{folder}: cannot be written to ({getattr(why, 'strerror', why)}). Choose another "
            "folder with --out."
        ) from None
    try:
        sweep(folder)
        yield
    finally:
        lock.release()


def sweep(folder: Path) -> int:
    """Remove the half-written files of killed processes; return the bytes freed."""
    freed = 0
    for place in (folder, *_real_folders(folder)):
        for path in _files(place):
            writer = UNFINISHED.fullmatch(path.name)
            if writer and not psutil.pid_exists(int(writer[1])):
                freed += remove_file(place, path.name)
    return freed


def empty(folder: Path) -> int:
    """Remove every file that runs left there, and nothing else; return the bytes freed."""
    freed = Ownership(folder).remove_all()
    return freed + remove_stored(folder, stored(folder))


def remove_stored(folder: Path, paths: Iterable[Path]) -> int:
    """Remove records and drawn codes, and folders that are empty then; return the bytes freed."""
    freed = sum(remove_file(path.parent, path.name) for path in paths)
    for place in _real_folders(folder):
        with contextlib.suppress(OSError):  # somebody's files keep it
            place.rmdir()
    return freed


def stored(folder: Path) -> list[Path]:
    """The records and drawn codes of a run; what else lies next to them is somebody else's."""
    return [
        path
        for name, pattern in UNNOTED.items()
        if not (folder / name).is_symlink()
        for path in _files(folder / name)
        if pattern.fullmatch(path.name)
    ]


def _real_folders(folder: Path) -> list[Path]:
    """The folders of the catalogue that are no links to other places."""
    places = [folder / name for name in FOLDERS]
    return [place for place in places if place.is_dir() and not place.is_symlink()]


def _files(place: Path) -> list[Path]:
    return [path for path in place.iterdir() if path.is_file()] if place.is_dir() else []
