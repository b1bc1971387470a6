"""The labels of a CSV where a row may have several: cells such as ``red;round``, or 0/1 columns.

The distinct sets take the place of classes: y holds the set of each row, and row y of `sets` has +1
for its labels and -1 for the others, as a code has the codeword of a class.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..errors import DataError
from .table import Table

UNKNOWN = frozenset({"?", "NA", "NaN", "nan"})  # an empty cell is a row without any label


@dataclass(frozen=True)
class Labels:
    """Where the label sets are: in the cells of the target, or in a 0/1 column for each label."""

    separator: str | None = None
    columns: tuple[str, ...] = ()


def known_rows(table: Table, columns: tuple[str, ...], labels: Labels) -> np.ndarray:
    """Which rows say what their labels are."""
    unknown = UNKNOWN if labels.separator else UNKNOWN | {""}
    cells = zip(*(table.cells[column] for column in columns), strict=True)
    return np.array([unknown.isdisjoint(row) for row in cells], dtype=bool)


def membership(table: Table, target: str, labels: Labels) -> tuple[tuple[str, ...], np.ndarray]:
    """The labels, and which of them each row has: rows x labels."""
    if labels.separator is None:
        columns = [_ones(table, column) for column in labels.columns]
        return labels.columns, np.column_stack(columns)
    found = [
        _split(table, target, i, cell, labels.separator)
        for i, cell in enumerate(table.cells[target])
    ]
    names = _in_order({label for row in found for label in row})
    return names, np.array([[name in row for name in names] for row in found], dtype=bool)


def _ones(table: Table, column: str) -> np.ndarray:
    for i, cell in enumerate(table.cells[column]):
        if cell not in ("0", "1"):
            raise DataError(
                f"{table.at(i)}: column '{column}': a label's cell must be 0 or 1. "
                f"Got '{cell}'. Fix it, or remove the column from labels."
            )
    return np.array([cell == "1" for cell in table.cells[column]], dtype=bool)


def _split(table: Table, target: str, i: int, cell: str, separator: str) -> set[str]:
    """The labels of a cell; an empty cell has none."""
    if not cell:
        return set()
    parts = [part.strip() for part in cell.split(separator)]
    for label, count in Counter(parts).items():
        if not label or count > 1:
            what = f"the label '{label}' twice" if label else "an empty label"
            raise DataError(
                f"{table.at(i)}: column '{target}': '{cell}' holds {what}. Fix the "
                f"cell, or set another separator (it is '{separator}')."
            )
    return set(parts)


def _in_order(labels: set[str]) -> tuple[str, ...]:
    """By value if all are numbers, otherwise by alphabet."""
    try:
        return tuple(sorted(labels, key=lambda label: (float(label), label)))
    except ValueError:
        return tuple(sorted(labels))


def without_rare(
    table: Table,
    names: tuple[str, ...],
    has: np.ndarray,
    train: np.ndarray | None,
    rare_classes: str,
) -> tuple[tuple[str, ...], np.ndarray]:
    """Leave out or refuse labels that fewer than two rows to train on have."""
    counts = has[slice(None) if train is None else train].sum(axis=0)
    rare = counts < 2
    if rare.any() and rare_classes == "error":
        first = int(rare.argmax())
        of = "rows" if train is None else "training rows"
        raise DataError(
            f"{table.where}: label '{names[first]}' has {counts[first]} {of}, at least 2 are "
            "needed. Merge it with another label, or set rare_classes to keep or drop."
        )
    if rare_classes == "drop":
        names, has = tuple(np.array(names)[~rare].tolist()), has[:, ~rare]
    if len(names) < 2:
        raise DataError(
            f"{table.where}: {len(names)} labels to learn, at least 2 are needed. Check the "
            "separator or the columns of labels."
        )
    return names, has


def distinct_sets(has: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct sets, sets x labels in {-1, +1}, and the set of each row.

    >>> distinct_sets(np.array([[True, False], [False, False], [True, False]]))[1].tolist()
    [1, 0, 1]
    """
    sets, y = np.unique(has, axis=0, return_inverse=True)
    return np.where(sets, 1, -1).astype(np.int8), np.ravel(y).astype(np.int64)
