"""The columns that a model knows, and how new values of them are coded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.csvfile import DECIMAL, MISSING, Dataset, number
from ..errors import DataError, ModelError

Label = str | int | float | bool


@dataclass(frozen=True)
class Schema:
    """Names and kinds of the columns of a table; the categories of a number are None."""

    target: str
    columns: tuple[str, ...]
    categories: tuple[tuple[str, ...] | None, ...]
    classes: tuple[str, ...]  # as a table has them
    labels: tuple[Label, ...]  # as a Python program has them

    def __post_init__(self) -> None:
        for what, names in (
            ("columns", self.columns),
            ("classes", self.classes),
            ("labels", self.labels),
            *(("categories", values) for values in self.categories if values is not None),
        ):
            if len(set(names)) < len(names):
                raise ModelError(f"schema: two {what} have one name.")
        if len(self.categories) != len(self.columns) or not self.columns:
            raise ModelError("schema: not the kind of each column.")
        if len(self.labels) != len(self.classes) or len(self.classes) < 2:
            raise ModelError("schema: not a label for each of two or more classes.")
        if len({type(label) for label in self.labels}) > 1:
            raise ModelError("schema: labels of several types.")

    @classmethod
    def of(cls, data: Dataset, target: str, known: Sequence[int], labels: Any) -> "Schema":
        """Of a table; `known` are the classes that the classifier was trained on."""
        classes = tuple(data.classes[c] for c in known)
        chosen = classes if labels is None else tuple(plain(labels[c]) for c in known)
        return cls(target, data.columns, data.categories, classes, chosen)

    @property
    def nominal(self) -> np.ndarray:
        """Which columns are nominal, as a mask."""
        return np.array([values is not None for values in self.categories], dtype=bool)


@dataclass(frozen=True)
class Coded:
    """Values of one column: as `Dataset.X` has them, and which of them were not understood.

    A category that the training rows did not have is coded as missing.
    """

    values: np.ndarray
    unseen: np.ndarray  # positions
    wrong: np.ndarray  # positions of text, or of what is not finite, in the place of a number


def coded_numbers(cells: Sequence[str], decimal_commas: bool) -> Coded:
    """Numbers of a table's cells."""
    if decimal_commas:
        cells = [cell.replace(",", ".") if DECIMAL.fullmatch(cell) else cell for cell in cells]
    values = np.array([number(cell) for cell in cells], dtype=np.float64)
    odd = np.flatnonzero(~np.isfinite(values))
    wrong = [i for i in odd.tolist() if cells[i] not in MISSING]
    return Coded(values, np.empty(0, dtype=int), np.array(wrong, dtype=int))


def coded_names(cells: Sequence[str], categories: tuple[str, ...]) -> Coded:
    """Indices into the categories.

    >>> coded_names(["b", "?", "new"], ("a", "b"))
    Coded(values=array([ 1., nan, nan]), unseen=array([2]), wrong=array([], dtype=int64))
    """
    index = {name: float(i) for i, name in enumerate(categories)}
    values = np.array([index.get(cell, np.nan) for cell in cells], dtype=np.float64)
    odd = np.flatnonzero(np.isnan(values)).tolist()
    unseen = [i for i in odd if cells[i] not in MISSING]
    return Coded(values, np.array(unseen, dtype=int), np.empty(0, dtype=int))


def coded_frame(schema: Schema, X: Any) -> np.ndarray:
    """Rows of a data frame, by its names, or of an array in the order of the columns."""
    rows = [_coded_values(schema, j, column) for j, column in enumerate(_columns(schema, X))]
    return np.column_stack(rows)


def _columns(schema: Schema, X: Any) -> Iterator[np.ndarray]:
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        missing = [name for name in schema.columns if name not in X.columns]
        if missing:
            raise DataError(f"X: no column '{missing[0]}'. Give all columns of the training data.")
        return (np.asarray(X[name], dtype=object) for name in schema.columns)
    X = np.asarray(X)
    if X.ndim != 2 or X.shape[1] != len(schema.columns):
        raise DataError(
            f"X must have {len(schema.columns)} columns, as the training data. Got shape "
            f"{X.shape} instead."
        )
    return (X[:, j] for j in range(len(schema.columns)))


def _coded_values(schema: Schema, j: int, values: np.ndarray) -> np.ndarray:
    categories = schema.categories[j]
    if categories is not None:
        return coded_names([_name(value, categories) for value in values], categories).values
    if values.dtype.kind in "biuf":
        coded, cells = values.astype(np.float64), values
        wrong = np.flatnonzero(np.isinf(coded))
    else:
        cells = np.array([_text(value) for value in values], dtype=object)
        coded, _, wrong = vars(coded_numbers(cells.tolist(), False)).values()
    if len(wrong):
        raise DataError(
            f"X: row {wrong[0]}: column '{schema.columns[j]}': '{cells[wrong[0]]}' is no finite "
            "number. Fix it, or leave it empty."
        )
    return coded


def _text(value: Any) -> str:
    """A value as a cell of a table has it: missing ones of pandas are empty."""
    missing = value is None or value != value or type(value).__name__ in ("NAType", "NaTType")
    return "" if missing else str(value).strip()


def _name(value: Any, categories: tuple[str, ...]) -> str:
    """The name of a category; 3.0 may stand for 3, because pandas makes it of 3 next to a gap."""
    if type(value).__name__ == "NAType" or _text(value) in categories:
        return _text(value)
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return _text(value)


def plain(label: Any) -> Label:
    """A label as a value of JSON."""
    value = label.item() if isinstance(label, np.generic) else label
    if not isinstance(value, str | int | float | bool) or value != value:
        raise ModelError(f"a label of type {type(label).__name__} cannot be kept in a model.")
    return value
