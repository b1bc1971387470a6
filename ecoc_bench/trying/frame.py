"""A table in memory as the cells of a file, so that both are read in one way."""

import hashlib
from typing import Any

import numpy as np

from ..data.table import Table
from ..errors import DataError

WHERE = "the table"
LABEL = "label"  # the name of labels that have none


def to_table(X: Any, y: Any = None) -> tuple[Table, str, tuple, str]:
    """The cells, the name of the labels, the classes as the user writes them, and a sha256.

    X is a DataFrame or a matrix, y its labels.
    """
    columns = _columns(X)
    labels = np.asarray(y)
    n = len(next(iter(columns.values()))) if columns else 0
    if labels.ndim != 1 or len(labels) != n:
        raise DataError(
            f"y must have one label for each of the {n} rows. Got the shape {labels.shape} instead."
        )
    target = str(getattr(y, "name", None) or LABEL)
    while target in columns:
        target += "_"
    cells = {name: _cells(values) for name, values in columns.items()}
    cells[target] = _cells(labels)
    classes = dict(zip(cells[target], labels.tolist(), strict=True))
    table = Table(WHERE, cells, tuple(range(1, n + 1)))
    text = "\n".join("\t".join(column) for column in cells.values())
    return table, target, tuple(classes.items()), hashlib.sha256(text.encode()).hexdigest()


def _columns(X: Any) -> dict[str, np.ndarray]:
    if hasattr(X, "columns"):
        names = [str(name) for name in X.columns]
        if len(set(names)) < len(names):
            raise DataError("two columns of X have one name. Give each column its own name.")
        return {name: X.iloc[:, j].to_numpy() for j, name in enumerate(names)}
    X = np.asarray(X)
    if X.ndim != 2:
        raise DataError(f"X must have rows and columns. Got the shape {X.shape} instead.")
    return {f"x{j}": X[:, j] for j in range(X.shape[1])}


def _cells(values: np.ndarray) -> tuple[str, ...]:
    """As a file would have them: a missing value is empty.

    >>> _cells(np.array([1.5, np.nan])), _cells(np.array(["a", None], dtype=object))
    (('1.5', ''), ('a', ''))
    """
    return tuple("" if _is_missing(value) else str(value).strip() for value in values.tolist())


def _is_missing(value: Any) -> bool:
    return value is None or value != value or str(value) in ("<NA>", "NaT")
