"""A Parquet file -> its table and checksum, by pyarrow: as if its cells were in a CSV.

Integers and floats are numbers. Every other type becomes the text that a CSV would have, and the
rules of a CSV say whether a column is nominal; what has no such text is refused, nested columns for
one. A null is an empty cell. The row numbers that pandas adds as a column are left out.

`read_parquet` keeps numbers as numbers; `parquet_cells` and `opened_cells` give text for all.
"""

import contextlib
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import DataError
from .block import Frame, Part, Roles, in_one_block
from .stream import checksum, opened
from .table import Table, check_names

INDEX = re.compile(r"__index_level_\d+__")
BATCH = 5000  # rows of text at a time


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


def parquet_cells(path: Path, drop: Collection[str]) -> tuple[Table, str]:
    """All cells as text, as `table.parse` gives those of a CSV; of dropped columns they are empty.

    A nested column may be dropped, but has no text.
    """

    def roles(names: tuple[str, ...]) -> Roles:
        return Roles((), frozenset(names) - {*drop}, frozenset(drop))

    table, sha256 = read_parquet(path, roles, nameless="" in drop)
    nothing = ("",) * len(table.lines)
    cells = {name: table.cells.get(name, nothing) for name in table.names}
    return replace(table, cells=cells, numbers=None), sha256


@dataclass(frozen=True)
class Cells:
    """The columns of an open file, and its rows as columns of text, some rows at a time.

    `nested` are the columns without text, and what they hold.
    """

    names: tuple[str, ...]
    nested: dict[str, str]
    parts: Iterator[list[np.ndarray]]


@contextlib.contextmanager
def opened_cells(path: Path) -> Iterator[Cells]:
    """The file for reading once, in little memory."""
    _need_pyarrow(path)
    from pyarrow import types
    from pyarrow.parquet import ParquetFile

    with opened(path):  # or a sentence
        pass
    with contextlib.ExitStack() as stack:
        with _sentences(path):
            file = stack.enter_context(ParquetFile(path))
            schema = file.schema_arrow
        names = [name for name in schema.names if not INDEX.fullmatch(name)]
        check_names(names, str(path), nameless=True)
        kinds = {name: schema.field(name).type for name in names}
        nested = {name: str(kind) for name, kind in kinds.items() if types.is_nested(kind)}
        plain = tuple(name for name in names if name not in nested)
        yield Cells(plain, nested, _text_parts(path, file, plain))


def _text_parts(path: Path, file, names: tuple[str, ...]) -> Iterator[list[np.ndarray]]:
    batches = file.iter_batches(BATCH, columns=list(names))
    while True:
        with _sentences(path):
            batch = next(batches, None)
            if batch is None:
                return
            columns = ((name, _plain(batch.column(name))) for name in names)
            part = [_texts(column, f"{path}: column '{name}'") for name, column in columns]
        yield part


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
    from pyarrow.parquet import ParquetFile

    with _sentences(path), ParquetFile(path) as file:
        yield file


@contextlib.contextmanager
def _sentences(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        why = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        raise DataError(
            f"{path}: cannot be read as Parquet ({why}). Get a new copy of it; if it is a CSV, "
            "give it a name that ends in .csv, or set format: csv in a config."
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
    """The cells as text, each distinct one made once; whole numbers have no decimal point.

    A narrow float is the number that it holds: 0.1 as float32 is 0.10000000149011612.
    """
    import pyarrow as pa
    from pyarrow import compute

    try:
        if pa.types.is_boolean(column.type):
            column = compute.if_else(column, "True", "False")
        if pa.types.is_floating(column.type):
            column = column.cast(pa.float64())
        coded = column.cast(pa.string()).dictionary_encode()
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise DataError(
            f"{where} holds {column.type}, which is neither numbers nor text. "
            "Leave it out by drop, or write it as columns of numbers or text."
        ) from None
    words = np.array([*coded.dictionary.to_pylist(), ""], dtype=object)
    return words[coded.indices.fill_null(len(words) - 1).to_numpy()]
