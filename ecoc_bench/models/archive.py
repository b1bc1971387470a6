"""Zip archives that nobody vouches for: how they are written, and read within limits."""

import io
import zipfile
import zlib
from collections.abc import Mapping

import numpy as np

from ..errors import ModelError, shown

LARGEST = 2**31  # bytes of all members together, uncompressed: a small zip can hold far more
MOST_MEMBERS = 1000
LONGEST_HEADER = 1000  # characters of a .npy file's header
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DTYPES = frozenset({"<f8", "<i8", "<i4", "|i1", "|u1", "|b1"})
EPOCH = (1980, 1, 1, 0, 0, 0)  # the first day that a zip knows


def packed(members: Mapping[str, bytes]) -> bytes:
    """A zip of these members; the same members give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(members):
            archive.writestr(_entry(name), members[name])
    return out.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0
    return entry


def unpacked(raw: bytes) -> dict[str, bytes]:
    """The members of a zip, or a ModelError: more than the limits is not even uncompressed."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            entries = archive.infolist()
            _check_entries(entries)
            return {entry.filename: archive.read(entry) for entry in entries}
    except (
        zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError,
        ValueError, OverflowError,
    ) as error:  # fmt: skip
        raise ModelError(f"not a whole zip archive ({' '.join(str(error).split())}).") from None


def _check_entries(entries: list[zipfile.ZipInfo]) -> None:
    """zipfile uncompresses no more of a member than its entry declares."""
    if len(entries) > MOST_MEMBERS:
        raise ModelError(f"holds {len(entries)} members, at most {MOST_MEMBERS} are allowed.")
    size = sum(entry.file_size for entry in entries)
    if size > LARGEST:
        raise ModelError(f"holds {size} bytes uncompressed, at most {LARGEST} are allowed.")
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise ModelError("holds two members of one name.")
    for entry in entries:
        if entry.compress_type not in METHODS or entry.flag_bits & 1:
            raise ModelError(f"member {shown(entry.filename)} is encrypted or not deflated.")


def to_npy(array: np.ndarray) -> bytes:
    """An array as the bytes of a .npy file."""
    out = io.BytesIO()
    np.lib.format.write_array(out, np.ascontiguousarray(array), (1, 0), allow_pickle=False)
    return out.getvalue()


def from_npy(raw: bytes, what: str) -> np.ndarray:
    """The array of a .npy file of a known type, whose size is what its header says."""
    file = io.BytesIO(raw)
    try:
        version = np.lib.format.read_magic(file)
        if version != (1, 0):
            raise ValueError(f"version {version} of the format")
        shape, by_columns, dtype = np.lib.format.read_array_header_1_0(file, LONGEST_HEADER)
        if dtype.str not in DTYPES or by_columns:
            raise ValueError(f"an array of type {shown(dtype.str)}, or stored by columns")
        body = memoryview(raw)[file.tell() :]
        size = dtype.itemsize
        for length in shape:
            size *= int(length)
        if size != len(body) or min(shape, default=0) < 0:
            raise ValueError(f"{len(body)} bytes for shape {shape}")
        # A copy is aligned and may be written to, as what is fitted: no kernel is compiled twice.
        array = np.frombuffer(body, dtype).reshape(shape).copy()
        if dtype.kind == "b" and (array.view(np.uint8) > 1).any():
            raise ValueError("true and false that are neither")
        return array
    except Exception as error:  # numpy's parser of headers raises many kinds
        why = shown(" ".join(str(error).split()))
        raise ModelError(f"{what} is not an array that a model has: {why}.") from None
