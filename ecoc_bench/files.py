"""Files: where the shipped ones are, how others are written (whole, or added to) and parsed."""

import json
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from .errors import StorageError

PACKAGE = Path(__file__).resolve().parent
TEMPORARY = ".ecoc-bench-"  # then the process, eight letters, .tmp
SCRATCH = "ecoc-bench-"  # of a folder of temporary files; its process follows


def shipped(kind: str) -> Path:
    """The folder of the shipped ``configs`` or ``datasets``: next to the package, or in a wheel."""
    inside = PACKAGE / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; one that is nested too deeply is a ValueError like other faults."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def write_atomically(path: Path, content: bytes | str) -> None:
    """Replace a file by new content in one step: the content is on disk before it gets its name.

    Its folder is made if it does not exist.
    """
    with atomically(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def atomically(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which gets its name when all is written; after an error it is removed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        prefix = f"{TEMPORARY}{os.getpid()}-"
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)  # after Ctrl-C it may already have its name
            raise
    except OSError as error:
        raise _not_written(path, error) from error


def append(path: Path, content: bytes, sync: bool) -> None:
    """Add content at the end of a file, which stays as it was if there is no room for it.

    A process that is killed may leave a part of the content, which the reader must notice. With
    `sync`, everything is on disk then. The folder is made if it does not exist.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "ab", buffering=0) as file:
            start, rest = file.tell(), memoryview(content)
            try:
                while rest:
                    rest = rest[file.write(rest) :]
            except BaseException:  # Ctrl-C, too
                file.truncate(start)
                raise
            if sync:
                os.fsync(file.fileno())
    except OSError as error:
        raise _not_written(path, error) from error


def _not_written(path: Path, error: OSError) -> StorageError:
    return StorageError(
        f"{path}: cannot be written ({error.strerror}). Free some space or choose another folder "
        "with --out, then run again: finished work is kept."
    )


@contextmanager
def scratch(inside: Path | None = None) -> Iterator[Path]:
    """A folder for temporary files, which goes with the block or, after a kill, with the next.

    It is `inside` a folder that other machines may use, too, or among the system's temporary files.
    """
    sweep_scratch(inside)
    prefix = f"{SCRATCH}{os.getpid()}-" + (f"{platform.node()}-" if inside else "")
    with tempfile.TemporaryDirectory(None, prefix, inside, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def sweep_scratch(inside: Path | None = None) -> None:
    """Remove the folders of temporary files whose processes, on this machine, were killed."""
    for path in Path(inside or tempfile.gettempdir()).glob(f"{SCRATCH}*-*"):
        owner, _, rest = path.name.removeprefix(SCRATCH).partition("-")
        if inside and rest.rpartition("-")[0] != platform.node():
            continue
        ours = path.is_dir() and not path.is_symlink() and path.stat().st_uid == os.getuid()
        if ours and owner.isdigit() and not _is_alive(int(owner)):
            shutil.rmtree(path, ignore_errors=True)


def _is_alive(process: int) -> bool:
    import psutil  # not for commands that leave no temporary files

    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
