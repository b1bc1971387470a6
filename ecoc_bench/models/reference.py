"""What the training data looked like, column by column: do new rows look alike?"""

from dataclasses import dataclass

import numpy as np

from ..errors import ModelError

MOST_POINTS = 200  # of a column of numbers


@dataclass(frozen=True, eq=False)
class Reference:
    """How many training rows lie in each bin of each column, and how many have no value there.

    The bins of column j are starts[j] to starts[j + 1]. Of a number, bin i holds what is at most
    points[i] and above the point before; of a nominal column there is a bin for each category.
    """

    points: np.ndarray
    counts: np.ndarray
    starts: np.ndarray
    missing: np.ndarray

    def __post_init__(self) -> None:
        bins, columns = len(self.points), len(self.missing)
        fits = self.points.ndim == self.starts.ndim == self.missing.ndim == 1
        fits = fits and self.counts.shape == (bins,) and len(self.starts) == columns + 1
        if not fits or self.starts[0] != 0 or self.starts[-1] != bins:
            raise ModelError("reference: arrays that do not fit together.")
        if (np.diff(self.starts) < 0).any() or not np.isfinite(self.points).all():
            raise ModelError("reference: bins out of order, or points that are not finite.")
        if (self.counts < 0).any() or (self.missing < 0).any():
            raise ModelError("reference: negative counts.")

    @classmethod
    def of(cls, X: np.ndarray, n_categories: list[int | None]) -> "Reference":
        """Of coded rows; the number of categories of each column, None for numbers."""
        columns = [_bins(x[~np.isnan(x)], k) for x, k in zip(X.T, n_categories, strict=True)]
        points, counts = (np.concatenate(parts) for parts in zip(*columns, strict=True))
        starts = np.cumsum([0, *(len(p) for p, _ in columns)])
        return cls(
            points.astype("<f8"),
            counts.astype("<i8"),
            starts.astype("<i8"),
            np.isnan(X).sum(axis=0).astype("<i8"),
        )

    def column(self, j: int) -> tuple[np.ndarray, np.ndarray, int]:
        """Points, counts and the number of missing values of a column."""
        bins = slice(int(self.starts[j]), int(self.starts[j + 1]))
        return self.points[bins], self.counts[bins], int(self.missing[j])


def _bins(x: np.ndarray, n_categories: int | None) -> tuple[np.ndarray, np.ndarray]:
    if n_categories is not None:
        return np.arange(float(n_categories)), np.bincount(x.astype(int), minlength=n_categories)
    values, counts = np.unique(x, return_counts=True)
    if len(values) <= MOST_POINTS:
        return values, counts
    below = np.cumsum(counts)
    wanted = np.linspace(0, len(x), MOST_POINTS + 1)[1:]
    chosen = np.unique(np.searchsorted(below, wanted))
    return values[chosen], np.diff(below[chosen], prepend=0)
