"""A measure against the number of training rows, with intervals."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator
from numpy.typing import ArrayLike

from .style import BLUE, panels, styled


@styled
def draw_learning_curve(
    rows: ArrayLike, value: ArrayLike, low: ArrayLike, high: ArrayLike, label: str
) -> Figure:
    """Rows are on a logarithmic scale: each doubling is as wide as the one before it."""
    rows, value = np.asarray(rows), np.asarray(value)
    figure, grid = panels(1, 1, 2.9, width=5.6)
    axes = grid[0, 0]
    axes.set_xscale("log")
    span = np.clip([value - low, high - value], 0, None)
    axes.errorbar(rows, value, span, color=BLUE, marker="o", elinewidth=1, capsize=2)
    axes.xaxis.set_major_locator(FixedLocator(rows.tolist()))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels([f"{n:,}" for n in rows])
    axes.set_xlabel("training rows (log scale)")
    axes.set_ylabel(label)
    axes.grid()
    return figure
