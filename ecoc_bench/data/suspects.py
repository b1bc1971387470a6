"""Columns that a learner should perhaps not see: identifiers, dates, and what gives the label away.

They make an error look small that will not be small on new data.
"""

import re
from collections.abc import Iterator

import numpy as np

from .csvfile import Dataset

FIRST = 10_000  # rows that are looked at before all of them: most columns are cleared by these
SAMPLES = (FIRST, 20 * FIRST)  # numbers of eight digits need the larger one
FEWEST = 20  # rows; among fewer, many a column has as many values as rows
ALMOST_ALL = 0.95  # of the rows have text of their own: names of people, say
NAMES = re.compile(
    r"(^|[_. ])(id|identifier|uuid|guid|key|index|row|rows|rownames?|row_names?|nr)$"
)
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
DATES = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    rf"|\d{{1,2}}[- ]({MONTHS})[a-z]*[- ,]+\d{{2,4}}|({MONTHS})[a-z]* \d{{1,2}},? \d{{4}})"
    r"([T ]\d{1,2}:\d{2}.*)?",
    re.IGNORECASE,
)


def suspects(data: Dataset) -> Iterator[str]:
    """A sentence on each column that looks like an identifier or a date, or gives the label."""
    if len(data.y) < FEWEST or hasattr(data.X, "indptr"):
        return
    for j, name in enumerate(data.columns):
        values = data.X[:, j]
        found = [
            what
            for what, applies in (
                ("looks like a date", _is_date(values, data.categories[j])),
                ("looks like an identifier", _is_identifier(name, values, data.categories[j])),
                ("determines the label alone", determines(values, data.y, data.categories[j])),
            )
            if applies
        ]
        if found:
            yield f"column '{name}' {' and '.join(found)}; drop: [{name}] leaves it out"


def _is_date(values: np.ndarray, categories: tuple[str, ...] | None) -> bool:
    if categories is not None:
        return bool(categories) and all(map(DATES.fullmatch, categories))
    return _are_days(values[:FIRST]) and _are_days(values)


def _are_days(values: np.ndarray) -> bool:
    """Whether all are whole numbers such as 20261119."""
    if np.isnan(values).any() or _has_fractions(values):
        return False
    month, day = values // 100 % 100, values % 100
    plausible = (values > 1.9e7) & (values < 2.1e7) & (month >= 1) & (month <= 12) & (day >= 1)
    return bool((plausible & (day <= 31)).all())


def _is_identifier(name: str, values: np.ndarray, categories: tuple[str, ...] | None) -> bool:
    """A number for each row in turn, text that hardly two rows share, or a name that says so."""
    named = NAMES.search(name.lower()) or re.search(r"[a-z](Id|ID)$", name)
    if categories is None and not named:
        return _in_turn(values[:FIRST]) and _in_turn(values)
    if categories is None and _has_fractions(values):
        return False
    n_values = len(np.unique(values[~np.isnan(values)]))
    return n_values > (FEWEST if named else ALMOST_ALL * len(values))


def _in_turn(values: np.ndarray) -> bool:
    """Whether each is a whole number, one more or less than the one before, and new."""
    steps = np.abs(np.diff(values)) == 1
    return (
        bool(steps.all()) and not _has_fractions(values) and len(np.unique(values)) == len(values)
    )


def _has_fractions(values: np.ndarray) -> bool:
    known = values[~np.isnan(values)]
    return bool((known != np.round(known)).any())


def determines(values: np.ndarray, y: np.ndarray, categories: tuple[str, ...] | None) -> bool:
    """Whether the class follows from this column, by its value or by thresholds.

    There are one fewer thresholds than classes. Values that hardly two rows share say nothing.
    """
    n_classes = np.count_nonzero(np.bincount(y))
    for n in SAMPLES:
        if n < len(y):
            _, _, same, changes = _sorted(values[:n], y[:n])
            if (same & changes).any():
                return False
            if n == SAMPLES[-1] and changes.sum() >= n_classes and _are_rare(values):
                return False
    values, y, same, changes = _sorted(values, y)
    if (same & changes).any():
        return False
    pieces = changes if categories is None and changes.sum() < n_classes else ~same
    return 2 * (1 + pieces.sum()) <= len(y)


def _are_rare(values: np.ndarray) -> bool:
    """Whether hardly two rows share a value."""
    return 2 * len(np.unique(values)) > len(values)


def _sorted(values: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, ...]:
    """Values and classes in order, NaN last; which neighbours share a value or not a class."""
    order = np.lexsort((y, values))
    values, y = values[order], y[order]
    same = (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
    return values, y, same, y[1:] != y[:-1]
