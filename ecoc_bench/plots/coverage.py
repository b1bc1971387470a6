"""The error of the answers against the share of rows that are answered."""

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from .style import BLUE, panels, styled


@styled
def draw_coverage(share: ArrayLike, error: ArrayLike, low: ArrayLike, high: ArrayLike) -> Figure:
    """All in percent, one point after another, from few answers to all of them."""
    figure, grid = panels(1, 1, 2.9, width=5.6)
    axes = grid[0, 0]
    axes.fill_between(np.asarray(share), low, high, color=BLUE, alpha=0.2, linewidth=0)
    axes.plot(share, error, color=BLUE)
    axes.set_xlim(0, 100)
    # The interval of a few answers is wide: it would press the curve to the floor.
    axes.set_ylim(0, 1.15 * max(np.max(error), np.asarray(high)[-1]))
    axes.set_xlabel("rows that are answered, the most confident first (%)")
    axes.set_ylabel("error of the answers (%)")
    axes.grid()
    return figure
