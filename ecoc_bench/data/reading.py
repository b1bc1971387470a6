"""A CSV file -> its table and checksum: a large plain one in the fast way, another cell by cell.

Both ways give the same data.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from ..errors import DataError
from . import table as cells_table
from .block import Roles
from .fast_csv import read
from .plain_csv import NotPlain
from .table import Table, parse, read_bytes

SMALL = 2**20  # bytes on disk: the import of pandas takes longer than to read such a file by cells


def read_table(
    path: Path,
    roles_of: Callable[[tuple[str, ...]], Roles],
    nameless: bool = False,
    dtype: str = "float64",
    raw: bytes | None = None,
) -> tuple[Table, str]:
    """The table and the sha256 of the uncompressed file; `raw`: its content, if it is known."""
    if os.path.isfile(path) and os.path.getsize(path) > SMALL:
        try:
            return read(path, roles_of, nameless, dtype)
        except NotPlain as why:
            _refuse_large(path, why)
    raw = read_bytes(path) if raw is None else raw
    return parse(raw, str(path), nameless), hashlib.sha256(raw).hexdigest()


def _refuse_large(path: Path, why: NotPlain) -> None:
    """Text of this size does not fit into memory as Python strings."""
    if os.path.getsize(path) > cells_table.LARGEST:
        raise DataError(
            f"{path}: {why}. A file of more than {cells_table.LARGEST} bytes must be plain: see "
            "datasets/README.md. Fix it, or use a part of it."
        ) from None
