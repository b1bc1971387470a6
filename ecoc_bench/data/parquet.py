"""A Parquet file -> its table and checksum, by pyarrow: as if its cells were in a CSV.

Integers and floats are numbers. Every other type becomes the text that a CSV would have, and the
rules of a CSV say whether a column is nominal; what has no such text is refused, nested columns for
one. A null is an empty cell. The row numbers that pandas adds as a column are left out.
"""

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ..errors import DataError
from .block import Frame, Part, Roles, in_one_block
from .stream import checksum
from .table import Table, check_names

INDEX = re.compile(r"__index_level_\d+__")


def read_parquet(
    path: Path,
    roles_of: Callable[[tuple[str, ...]], Roles],
    nameless: bool = False,
    dtype: str = "float64",
) -> tuple[Table, str]:
    """The table and the sha256 of the file; its rows are counted from 1."""
    _need_pyarrow(path)
    sha256 = checksum(path)
    with _readable(path) as file:
        names = tuple(n for n in file.schema_arrow.names if not INDEX.fullmatch(n))
        check_names(names, str(path), nameless)
        n_rows = file.metadata.num_rows
        if not n_rows:
            raise DataError(f"{path}: a header and no rows. Give a row for each example.")
        frame = Frame(path, names, roles_of(names), n_rows, first=1, unit="row")

        def parts_of(text: frozenset[str]) -> Iterator[Part]:
            return _parts(file, frame, text)

        return in_one_block(frame, parts_of, _columns_of_text(file, frame), dtype), sha256


def _need_pyarrow(path: Path) -> None:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise DataError(
            f"{path}: pyarrow, which reads Parquet, is not here. Install it: "
            "pip install 'ecoc-bench[parquet]'."
        ) from None


@contextlib.contextmanager
def _readable(path: Path) -> Iterator:
    """The open file; what pyarrow says of a damaged one is a sentence."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(path) as file:
            yield file
    except (pa.ArrowException, OSError, ValueError) as error:
        why = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        raise DataError(
            f"{path}: cannot be read as Parquet ({why}). Get a new copy of it, or set its format."
        ) from None


def _columns_of_text(file, frame: Frame) -> frozenset[str]:
    return frozenset(name for name in frame.used if not _is_number(file.schema_arrow, name))


def _is_number(schema, name: str) -> bool:
    from pyarrow import types

    kind = schema.field(name).type
    kind = kind.value_type if types.is_dictionary(kind) else kind
    return types.is_integer(kind) or types.is_floating(kind)


def _parts(file, frame: Frame, text: frozenset[str]) -> Iterator[Part]:
    """The used columns of the file, some rows at a time; no more rows than its footer counts."""
    row = 0
    for batch in file.iter_batches(columns=frame.used):
        row += len(batch)
        if row > frame.n_rows:
            raise ValueError(f"more than {frame.n_rows} rows")
        columns = ((name, _plain(batch.column(name))) for name in frame.used)
        yield {
            name: _texts(column, f"{frame.path}: column '{name}'")
            if name in text
            else column.to_numpy(zero_copy_only=False).astype(np.float64, copy=False)
            for name, column in columns
        }


def _plain(column):
    """The values of a column that lists them apart, as a categorical of pandas does."""
    from pyarrow import types

    return column.dictionary_decode() if types.is_dictionary(column.type) else column


def _texts(column, where: str) -> np.ndarray:
    """The cells as text, each distinct one made once; whole numbers have no decimal point."""
    import pyarrow as pa
    from pyarrow import compute

    try:
        if pa.types.is_boolean(column.type):
            column = compute.if_else(column, "True", "False")
        coded = column.cast(pa.string()).dictionary_encode()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise DataError(
            f"{where} holds {column.type}, which is neither numbers nor text. "
            "Leave it out by drop, or write it as columns of numbers or text."
        ) from None
    words = np.array([*coded.dictionary.to_pylist(), ""], dtype=object)
    return words[coded.indices.fill_null(len(words) - 1).to_numpy()]
