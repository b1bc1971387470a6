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
from .store import NAMES as RECORDS

UNFINISHED = re.compile(re.escape(TEMPORARY) + r"(\d+)-[a-z0-9_]{8}\.tmp")
# Drawn codes were once one to a file; these names tell that they are ours.
SINGLE_CODE = re.compile(r".+\.\d+\.[0-9a-f]{12}(\.[0-9a-f]{16})?\.csv")


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
    noted = Ownership(folder)
    places = [folder / name for name in ("store", "codes")]
    paths = [path for place in places if not place.is_symlink() for path in _files(place)]
    return [path for path in paths if _is_stored(path, noted)]


def _is_stored(path: Path, noted: Ownership) -> bool:
    """Whether a file is ours: as it was written, or set aside because it is damaged."""
    kind = ".csv" if path.parent.name == "codes" else ".record"
    name = path.with_suffix(kind).name if path.suffix == ".damaged" else path.name
    if kind == ".record":
        return RECORDS.fullmatch(name) is not None
    return f"codes/{name}" in noted or SINGLE_CODE.fullmatch(name) is not None


def _real_folders(folder: Path) -> list[Path]:
    """The folders of the catalogue that are no links to other places."""
    places = [folder / name for name in FOLDERS]
    return [place for place in places if place.is_dir() and not place.is_symlink()]


def _files(place: Path) -> list[Path]:
    return [path for path in place.iterdir() if path.is_file()] if place.is_dir() else []
