"""The bytes of a file as a stream, uncompressed if it is a gzip; what goes wrong is a sentence."""

import contextlib
import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from ..errors import DataError

GZIP = b"\x1f\x8b"  # how such a file begins
PART = 2**20


@contextlib.contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The file; reading from it may fail, too, and has the same sentences."""
    try:
        with _unpacked(path) as stream:
            yield stream
    except FileNotFoundError:
        raise DataError(f"{path}: no such file. Check the path.") from None
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"{path}: cannot be read ({why}). Get a new copy of it.") from None


def _unpacked(path: Path) -> IO[bytes]:
    try:
        if path.exists() and not path.is_file():
            raise DataError(f"{path}: cannot be read: it is not a file. Check the path.")
        with path.open("rb") as file:
            packed = file.read(len(GZIP)) == GZIP
    except ValueError as error:  # a NUL, or half a surrogate pair, in the path
        raise DataError(f"{str(path)!r}: not a path ({error}). Check it.") from None
    return cast(IO[bytes], gzip.open(path)) if packed else path.open("rb")


def checksum(path: Path) -> str:
    """The sha256 of the file, uncompressed if it is a gzip."""
    whole = hashlib.sha256()
    with opened(path) as stream:
        while part := stream.read(PART):
            whole.update(part)
    return whole.hexdigest()
