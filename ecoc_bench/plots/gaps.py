"""How far candidates are behind the best, over the critical difference of each."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from .style import BLUE, GREY, SKY, WIDTH, styled

LINE = 0.21  # inches of a candidate


@styled
def draw_gaps(
    names: Sequence[str], worse: ArrayLike, critical: ArrayLike, end: float, label: str
) -> Figure:
    """The best stands at 0; a dot inside its band cannot be told from it.

    What is farther than `end` stands at the right edge with its number.
    """
    worse, critical = np.asarray(worse, dtype=float), np.asarray(critical, dtype=float)
    figure = Figure(figsize=(WIDTH, 0.75 + LINE * len(names)))
    axes = figure.subplots()
    y = np.arange(len(names))
    inside = worse <= critical
    axes.barh(y, critical, 0.62, color=SKY, alpha=0.4)
    axes.axvline(0, color=GREY, linewidth=0.8)
    near = worse <= end
    for chosen, face in ((inside & near, BLUE), (~inside & near, "white")):
        axes.plot(worse[chosen], y[chosen], "o", markerfacecolor=face, color=BLUE, markersize=5)
    for i in np.flatnonzero(~near).tolist():
        axes.text(end, i, f"{worse[i]:.3g} →", ha="right", va="center", color=GREY)
    axes.set_yticks(y, names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(min(-0.05 * end, 1.15 * min(0.0, worse.min())), 1.03 * end)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.set_xlabel(label)
    return figure
