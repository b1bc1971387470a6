"""Do new rows look like the training data? Each column is tested, and Holm corrects for all."""

from typing import NamedTuple

import numpy as np
from scipy.special import kolmogorov
from scipy.stats import chi2

from ..results.significance.procedures import holm
from .reference import Reference
from .schema import Schema

ALPHA = 0.01
NOTABLE = 0.1  # effects below this are said to be small
FEWEST = 5  # rows to expect in a bin of the chi-square test


class Shift(NamedTuple):
    """How far a column of the new rows is from the training data.

    `effect` is the largest difference of the distribution functions (Kolmogorov-Smirnov), or
    Cramér's V of the categories; missing values count as one more value.
    """

    column: str
    test: str
    effect: float
    p: float  # by Holm
    missing: tuple[float, float]  # shares in training and now

    @property
    def unlike(self) -> bool:
        return self.p < ALPHA


class Drift:
    """Counts the new rows in the bins of the training data, chunk by chunk."""

    def __init__(self, schema: Schema, reference: Reference) -> None:
        self.schema, self.reference, self.n = schema, reference, 0
        widths = np.diff(reference.starts)
        self._counts = [np.zeros(width + 1, dtype=np.int64) for width in widths]
        self._missing = np.zeros(len(widths), dtype=np.int64)

    def add(self, coded: np.ndarray) -> None:
        """Count coded rows; the last bin of a column is beyond all its points."""
        self.n += len(coded)
        self._missing += np.isnan(coded).sum(axis=0)
        for j, x in enumerate(coded.T):
            points, _, _ = self.reference.column(j)
            bins = np.searchsorted(points, x[~np.isnan(x)])
            self._counts[j] += np.bincount(bins, minlength=len(points) + 1)

    def shifts(self) -> list[Shift]:
        """Of every column, the largest effect first."""
        found = [self._shift(j) for j in range(len(self._counts))]
        adjusted = holm(np.array([shift.p for shift in found]))
        corrected = [s._replace(p=float(p)) for s, p in zip(found, adjusted, strict=True)]
        return sorted(corrected, key=lambda shift: (-shift.unlike, -shift.effect))

    def _shift(self, j: int) -> Shift:
        _, counts, missing = self.reference.column(j)
        before = np.array([missing, *counts, 0], dtype=float)
        now = np.array([self._missing[j], *self._counts[j]], dtype=float)
        shares = tuple(float(c[0] / max(c.sum(), 1)) for c in (before, now))
        numeric = self.schema.categories[j] is None
        test, compared = ("KS", _kolmogorov) if numeric else ("chi2", _chi_square)
        effect, p = compared(before, now) if before.sum() and now.sum() else (0.0, 1.0)
        return Shift(self.schema.columns[j], test, effect, p, (shares[0], shares[1]))


def _kolmogorov(before: np.ndarray, now: np.ndarray) -> tuple[float, float]:
    """D at the points that are known, which is at most D at all points: the test is careful."""
    n, m = before.sum(), now.sum()
    D = float(np.abs(np.cumsum(before) / n - np.cumsum(now) / m).max())
    return D, float(kolmogorov(np.sqrt(n * m / (n + m)) * D))


def _chi_square(before: np.ndarray, now: np.ndarray) -> tuple[float, float]:
    """Cramér's V of two rows of counts; rare categories are put together."""
    table = np.array([before, now])
    shares = table.sum(axis=1, keepdims=True) / table.sum()
    rare = (shares * table.sum(axis=0)).min(axis=0) < FEWEST
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    table = table[:, table.sum(axis=0) > 0]
    if table.shape[1] < 2:
        return 0.0, 1.0
    expected = shares * table.sum(axis=0)
    statistic = float(((table - expected) ** 2 / expected).sum())
    return (statistic / table.sum()) ** 0.5, float(chi2.sf(statistic, table.shape[1] - 1))
