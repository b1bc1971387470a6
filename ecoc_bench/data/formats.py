"""Which reader a user's file has, by the config or by its suffix."""

import hashlib
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from ..errors import DataError
from .cards import load_csv
from .csvfile import Dataset
from .parquet import parquet_cells, read_parquet
from .svmlight import load_svmlight
from .table import Table, parse, read_bytes

SUFFIXES = {
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def format_of(path: Path, given: str | None = None) -> str:
    """
    >>> format_of(Path("a.svm.gz")), format_of(Path("a.csv")), format_of(Path("a"), "svmlight")
    ('svmlight', 'csv', 'svmlight')
    """
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    return given or SUFFIXES.get(suffixes[-1] if suffixes else "", "csv")


def load_file(path: Path, given: str | None = None, **options) -> Dataset:
    """The data of a file; what is not None or empty among the options must suit its format."""
    path = Path(path).expanduser()
    kind = format_of(path, given)
    if kind in TABLES:
        return TABLES[kind](path, **options)
    options = {key: value for key, value in options.items() if value not in (None, (), "error")}
    target = options.pop("target", "class")
    wrong = sorted(options.keys() - {"name", "rare_classes", "dtype"})
    if wrong or target != "class":
        raise DataError(
            f"{path}: '{(*wrong, 'target')[0]}' goes with a table of named columns. Remove it."
        )
    return MATRICES[kind](path, **options)


def load_cells(path: Path, drop: Collection[str] = ()) -> tuple[Table, str]:
    """All cells of a table as text, and its sha256."""
    kind = format_of(path)
    if kind not in CELLS:
        raise DataError(
            f"{path}: {kind} has no names of columns, which are needed here. Write the table as a "
            "CSV, or name this file as the path of a data set in a config: `ecoc-bench run` reads "
            "it."
        )
    return CELLS[kind](path, drop)


def _csv_cells(path: Path, drop: Collection[str]) -> tuple[Table, str]:
    raw = read_bytes(path)
    return parse(raw, str(path), nameless="" in drop), hashlib.sha256(raw).hexdigest()


TABLES: dict[str, Callable[..., Dataset]] = {
    "csv": load_csv,
    "parquet": partial(load_csv, read=read_parquet),
}
MATRICES: dict[str, Callable[..., Dataset]] = {"svmlight": load_svmlight}
CELLS: dict[str, Callable[[Path, Collection[str]], tuple[Table, str]]] = {
    "csv": _csv_cells,
    "parquet": parquet_cells,
}
