"""A coding matrix under the held-out error of each of its dichotomies."""

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from .code import COLOURS, RULE
from .style import BLACK, GREY, WIDTH, panels, styled

MOST_NAMED = 40  # classes with a name at their row
CELL, LOWEST, HIGHEST = 0.18, 0.9, 6.5  # inches: a class at most; the matrix at least and at most


@styled
def draw_dichotomies(M: np.ndarray, errors: np.ndarray, names: Sequence[str]) -> Figure:
    """`errors`: of each column of M, in percent; NaN where there is none."""
    k, ell = M.shape
    below = float(np.clip(CELL * k, LOWEST, HIGHEST))
    figure, grid = panels(2, 1, 2.2 + below, sharex=True, height_ratios=[1.2, below])
    upper, lower = grid[:, 0]
    upper.bar(np.arange(ell), np.nan_to_num(errors), 0.8, color=GREY)
    upper.set_ylabel("error (%)")
    upper.grid(axis="y")
    lower.imshow(
        M, cmap=ListedColormap(list(COLOURS.values())), vmin=-1, vmax=1, interpolation="none",
        aspect="auto", extent=(-0.5, ell - 0.5, k - 0.5, -0.5),
    )  # fmt: skip
    lower.hlines(np.arange(k + 1) - 0.5, -0.5, ell - 0.5, color=RULE, linewidth=0.3)
    lower.vlines(np.arange(ell + 1) - 0.5, -0.5, k - 0.5, color=RULE, linewidth=0.3)
    lower.set_xlim(-0.5, ell - 0.5)
    lower.set_xticks([])
    lower.set_xlabel("dichotomies")
    if k <= MOST_NAMED:
        lower.set_yticks(range(k), names)
    else:
        lower.set_yticks([])
        lower.set_ylabel("classes")
    for axes in (upper, lower):
        axes.tick_params(length=0)
    lower.spines[:].set_visible(False)
    swatches = [Patch(facecolor=colour, edgecolor=BLACK) for colour in COLOURS.values()]
    legend = ["−1", "0 (left out)", "+1"]
    figure.legend(swatches, legend, loc="outside lower center", ncols=3)
    figure.set_figwidth(min(WIDTH, max(4.5, 2 + 0.25 * ell)))
    return figure
