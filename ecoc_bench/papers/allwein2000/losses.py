"""Figure 1 of Allwein et al. 2000: margin losses, and the property that Theorem 1 requires."""

import numpy as np
from matplotlib.figure import Figure

from ...coding.losses import LOSSES
from ...plots.style import BLUE, GREY, VERMILION, head, panels, styled

# In the order of the caption: top left, top right, bottom left, bottom right.
PANELS = {
    "exponential": "Exponential loss, AdaBoost",
    "square": "Square loss, least-squares regression",
    "hinge": "Hinge loss, support-vector machines",
    "logistic": "Logistic loss, logistic regression",
}


@styled
def draw_losses(title: str) -> Figure:
    """L(z), and (L(z) + L(-z))/2, which is never below L(0) (Eq. 7)."""
    figure, grid = panels(2, 2, 5.0, sharex=True)
    z = np.linspace(-2.5, 2.5, 101)
    for axes, (name, heading) in zip(grid.flat, PANELS.items(), strict=True):
        L = LOSSES[name]
        axes.axhline(L(np.zeros(1))[0], color=GREY, linewidth=0.8, linestyle=":", label="L(0)")
        axes.plot(z, L(z), color=BLUE, label="L(z)")
        axes.plot(z, (L(z) + L(-z)) / 2, color=VERMILION, linestyle="--", label="(L(z) + L(−z))/2")
        axes.set_title(heading)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y")
    for axes in grid[1]:
        axes.set_xlabel("margin z")
    head(figure, title)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
