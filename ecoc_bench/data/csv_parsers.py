"""Plain text of a CSV -> its columns: by pyarrow where it is installed, else by pandas.

Both round numbers correctly, as Python does. What pyarrow refuses, or takes for a number that is
none, is left to pandas. What pandas refuses is read as text, and `csvfile` judges its cells.
"""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .block import FoundText, Part
from .csvfile import MISSING
from .plain_csv import Layout, NotPlain

PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
BLOCK = 2**20  # bytes that pyarrow parses at a time; a part at once takes a fifth longer
Parse = Callable[[bytes, int], Part]  # of lines, the first of which has this number


class NotSure(Exception):
    """Another parser must read this part."""


def parser(layout: Layout, used: list[str], text: frozenset[str]) -> Parse:
    """What reads the used columns of plain lines; those of text as objects."""
    careful = _by_pandas(layout, used, text)
    fast = _by_pyarrow(layout, used, text)
    if fast is None:
        return careful

    def parse(part: bytes, line: int) -> Part:
        try:
            return fast(part, line)
        except NotSure:
            return careful(part, line)

    return parse


def _by_pyarrow(layout: Layout, used: list[str], text: frozenset[str]) -> Parse | None:
    """The parser of pyarrow, or None without it."""
    try:
        import pyarrow as pa
        import pyarrow.csv as arrow
    except ImportError:
        return None
    words = pa.dictionary(pa.int32(), pa.string())
    reading = arrow.ReadOptions(use_threads=False, block_size=BLOCK, column_names=layout.names)
    parsing = arrow.ParseOptions(delimiter=layout.separator, ignore_empty_lines=False)
    converting = arrow.ConvertOptions(
        check_utf8=False,
        column_types={name: words if name in text else pa.float64() for name in used},
        null_values=sorted(MISSING),
        include_columns=used,
    )

    def parse(part: bytes, line: int) -> Part:
        try:
            table = arrow.read_csv(pa.py_buffer(part), reading, parsing, converting)
        except pa.ArrowException as error:
            raise NotSure from error
        if len(table) != part.count(b"\n"):
            raise NotSure
        columns = ((name, table.column(name)) for name in used)
        return {name: _words(c) if name in text else _numbers(c) for name, c in columns}

    return parse


def _words(column) -> np.ndarray:
    """The cells, each distinct one made once."""
    return np.concatenate(
        [
            np.array(chunk.dictionary.to_pylist(), dtype=object)[chunk.indices.to_numpy()]
            for chunk in column.chunks
        ]
    )


def _numbers(column) -> np.ndarray:
    """NaN where a cell is missing; pyarrow knows more words for NaN than we do."""
    values = column.to_numpy()
    if np.isnan(values).sum() != column.null_count:
        raise NotSure
    return values


def _by_pandas(layout: Layout, used: list[str], text: frozenset[str]) -> Parse:
    numeric = [name for name in used if name not in text]
    settings: dict[str, Any] = {
        "header": None,
        "names": list(layout.names),
        "usecols": used,
        "index_col": False,
        "sep": layout.separator,
        "dtype": {name: object if name in text else "float64" for name in used},
        "na_values": {name: sorted(MISSING) for name in numeric},
        "keep_default_na": False,
        "skip_blank_lines": False,
        "low_memory": False,
    }

    def parse(part: bytes, line: int) -> Part:
        import pandas as pd  # takes half a second, and is not needed next to pyarrow

        every = settings | _rounding(pd.__version__)
        try:
            frame = pd.read_csv(io.BytesIO(part), **every)
        except ValueError as error:
            if not numeric:
                raise NotPlain(f"lines from {line}: {error}") from None
            raise FoundText(_not_numbers(part, layout, numeric)) from None
        return {name: frame[name].to_numpy() for name in used}

    return parse


def _rounding(version: str) -> dict[str, str]:
    """What makes pandas round numbers as Python does; from 3.1 on it does so by itself.

    >>> _rounding("3.0.6"), _rounding("3.1.1")
    ({'float_precision': 'round_trip'}, {})
    """
    old = tuple(map(int, version.split(".")[:2])) < (3, 1)
    return {"float_precision": "round_trip"} if old else {}


def _not_numbers(part: bytes, layout: Layout, numeric: list[str]) -> list[str]:
    """The columns of this part that have text: what pandas refuses, our reader may not."""
    rows = csv.reader(io.StringIO(part.decode(), newline=""), delimiter=layout.separator)
    columns = dict(zip(layout.names, zip(*rows, strict=True), strict=True))
    found = [name for name in numeric if not all(map(_is_plain, columns[name]))]
    return found or numeric


def _is_plain(cell: str) -> bool:
    return cell in MISSING or bool(PLAIN.fullmatch(cell))
