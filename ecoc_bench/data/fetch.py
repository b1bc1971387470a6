"""Download a data set from its public home, check it, and keep it in the cache."""

import bz2
import gzip
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from ..errors import DataError
from ..files import write_atomically
from .archives import CONVERTERS
from .cards import Card, cache_dir, card_names, locate, note_of, problem, read_card
from .table import read_bytes

TIMEOUT = 30  # seconds without a byte
LARGEST = 2**28  # bytes of a download and of what it unpacks to; isolet has 40 million


class Status(NamedTuple):
    """A line of ``ecoc-bench data status``."""

    name: str
    state: str  # bundled, fetched, in ECOC_BENCH_DATA, not fetched, damaged
    where: str


class _Refused(Exception):
    """An address that did not provide the file, and why."""


def fetch(
    name: str | Card, *, force: bool = False, progress: Callable[[str], None] | None = None
) -> Path:
    """The file of a data set, downloaded unless it is here; ``progress`` gets a line per step."""
    card = name if isinstance(name, Card) else read_card(name)
    found = locate(card)
    sound = found is not None and _sound(card, found)
    if found is not None and sound and not (force and card.sources):
        return found
    if not card.sources:
        raise DataError(f"data set {card.name} is damaged or missing: install ecoc-bench again.")
    target = cache_dir() / f"{card.name}{card.suffix}.gz"
    if found is not None and not sound and found.parent != target.parent:
        raise DataError(f"{found}: damaged, and it hides the cache. Remove the file first.")
    failures = []
    say = progress or (lambda message: None)
    for source in card.sources:
        try:
            raw = _from_source(card, source, say)
        except _Refused as refused:
            failures.append(f"  {refused}")
        else:
            _store(gzip.compress(raw, compresslevel=6, mtime=0), target)
            if card.is_counted:
                say(_noted(card, raw))
            return target
    raise DataError(
        f"data set {card.name} could not be fetched:\n" + "\n".join(failures) + "\n"
        "Try again later, or download these addresses by hand into a folder, set ECOC_BENCH_DATA "
        f"to it and run `ecoc-bench data fetch {card.name}` again. Home page: {card.home}"
    )


def _noted(card: Card, raw: bytes) -> str:
    """Keep the checksum of a set that has no published one, and say how far it was checked."""
    note, found = note_of(card), hashlib.sha256(raw).hexdigest()
    checked = "no checksum is published; the numbers of rows, attributes and classes are right"
    if note.is_file():
        return f"{card.name}: {checked}, and sha256 {found} is that of the first fetch"
    _store(f"{found}\n".encode(), note)
    return (
        f"{card.name}: {checked}. Later fetches are compared with sha256 {found}, noted in {note}"
    )


def status() -> list[Status]:
    """Where each data set is."""
    return [_status(read_card(name)) for name in card_names()]


def _status(card: Card) -> Status:
    path = locate(card)
    if path is None:
        return Status(card.name, "not fetched", card.home)
    if not _sound(card, path):
        state = "damaged"
    elif not card.sources:
        state = "bundled"
    else:
        state = "fetched" if path.parent == cache_dir() else "in ECOC_BENCH_DATA"
    return Status(card.name, state, str(path))


def _sound(card: Card, path: Path) -> bool:
    try:
        return problem(card, read_bytes(path)) is None
    except DataError:
        return False


def _from_source(card: Card, source: dict[str, str], progress: Callable[[str], None]) -> bytes:
    """The file made from those of one source."""
    downloads = {}
    for address in dict.fromkeys(source.values()):
        progress(f"{card.name}: downloading {address}")
        downloads[address] = _download(address)
    progress(f"{card.name}: converting and checking")
    try:
        files = [unpack(downloads[address], file) for file, address in source.items()]
        raw = CONVERTERS[card.name](*files).encode()
    except (ValueError, RuntimeError, OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise _Refused(f"{', '.join(downloads)}: not the expected files ({error})") from None
    why = problem(card, raw)
    if why is not None:
        raise _Refused(f"{', '.join(downloads)}: wrong content ({why})")
    return raw


def _download(address: str) -> bytes:
    """The bytes at an address, or of its file in $ECOC_BENCH_DATA if the user put it there."""
    import requests
    from pooch import HTTPDownloader

    own = os.environ.get("ECOC_BENCH_DATA")
    if own and (by_hand := Path(own).expanduser() / unquote(address.rsplit("/", 1)[-1])).is_file():
        return by_hand.read_bytes()
    body = Bounded()
    try:
        HTTPDownloader(timeout=TIMEOUT)(address, body, None)
    except requests.HTTPError as error:
        raise _Refused(f"{address}: {str(error).partition(' for url')[0]}") from None
    except requests.exceptions.ChunkedEncodingError:
        raise _Refused(f"{address}: the transfer was cut off") from None
    except requests.Timeout:
        raise _Refused(f"{address}: no answer in {TIMEOUT} seconds") from None
    except requests.ConnectionError:
        raise _Refused(f"{address}: no connection, is there a network?") from None
    except (requests.RequestException, ValueError) as error:
        raise _Refused(f"{address}: {error}") from None
    return body.getvalue()


def unpack(raw: bytes, file: str) -> bytes:
    """The plain bytes of ``file``, taken out of a zip if ``raw`` is one, uncompressed.

    The first bytes decide, not the address: a server may uncompress on the way.
    """
    if raw.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = {PurePosixPath(member).name: member for member in archive.namelist()}
            for name in (file, f"{file}.Z", f"{file}.gz"):
                if name in members:
                    with archive.open(members[name]) as member:
                        return unpack(_at_most(member), file)
        raise ValueError(f"no {file} in the archive")
    if raw.startswith(b"\x1f\x9d"):
        return _uncompressed(raw)
    if raw.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(raw)) as stream:
            return _at_most(stream)
    if raw.startswith(b"BZh"):
        with bz2.open(io.BytesIO(raw)) as stream:
            return _at_most(stream)
    return raw


def _uncompressed(raw: bytes) -> bytes:
    """What a .Z file holds. A process of its own unpacks it: ncompress cannot be stopped."""
    script = "import sys, ncompress as n; n.decompress(sys.stdin.buffer.read(), sys.stdout.buffer)"
    with tempfile.TemporaryFile() as packed:
        packed.write(raw)
        packed.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            stdin=packed,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with process:
            try:
                content = _at_most(process.stdout)
            except ValueError:
                process.kill()
                raise
    if process.returncode:
        raise ValueError("not a whole .Z file")
    return content


class Bounded(io.BytesIO):
    """Bytes in memory, but no more than a data set of ours can have."""

    def write(self, content) -> int:
        if self.tell() + len(content) > LARGEST:
            raise ValueError(f"more than {LARGEST:,} bytes")
        return super().write(content)


def _at_most(stream) -> bytes:
    """What a stream holds, unless a small file unpacks to more than any data set of ours."""
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError(f"more than {LARGEST:,} bytes when unpacked")
    return content


def _store(content: bytes, target: Path) -> None:
    """Write a file in one step; a killed process leaves no half-written file under its name."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, content)
    except OSError as error:
        raise DataError(
            f"{target}: cannot be written ({error}). Free some space or fix the permissions."
        ) from None
