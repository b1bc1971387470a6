"""A confusion matrix: the rows of each true class in percent, what is right in another colour."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, PowerNorm
from matplotlib.figure import Figure

from .style import BLACK, BLUE, VERMILION, WIDTH, styled

MOST_NAMED = 30  # classes: more are a picture without names and numbers
CELL, LETTER = 0.3, 0.062  # inches: side of a square at most, a letter of a name
RULE = "#DDDDDD"
# A few percent of confusions must be seen next to the diagonal.
NORM = PowerNorm(0.5, 0, 100)
RIGHT = LinearSegmentedColormap.from_list("right", ["white", BLUE])
WRONG = LinearSegmentedColormap.from_list("wrong", ["white", VERMILION])


@styled
def draw_confusion(percent: np.ndarray, names: Sequence[str]) -> Figure:
    """`percent[a, b]`: the share of the rows of class a that are predicted as class b."""
    k = len(percent)
    named = k <= MOST_NAMED
    room = 0.5 + (LETTER * max(map(len, names)) if named else 0.3)
    side = k * min(CELL, (WIDTH - room) / k) if named else WIDTH - 2
    side = max(side, 1.2)
    figure = Figure(figsize=(side + room, side + room))
    axes = figure.subplots()
    off = np.eye(k, dtype=bool)
    for hidden, colours in ((~off, RIGHT), (off, WRONG)):
        image = np.ma.masked_array(percent, hidden)
        axes.imshow(image, cmap=colours, norm=NORM, interpolation="none")
    if named:
        _numbers(axes, percent)
        axes.set_xticks(range(k), names, rotation=90)
        axes.set_yticks(range(k), names)
        edges = np.arange(k + 1) - 0.5
        axes.hlines(edges, -0.5, k - 0.5, color=RULE, linewidth=0.3)
        axes.vlines(edges, -0.5, k - 0.5, color=RULE, linewidth=0.3)
    else:
        axes.set_xticks([])
        axes.set_yticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(not named)
    axes.set_xlabel("predicted class")
    axes.set_ylabel("true class")
    return figure


def _numbers(axes: Axes, percent: np.ndarray) -> None:
    """The number of each entry, white where the colour is dark; a dot for less than a half."""
    b, a = np.nonzero((percent > 0) & (percent < 0.5))[::-1]
    axes.scatter(b, a, 0.8, BLACK, linewidths=0)
    for a, b in np.argwhere(percent >= 0.5):
        value = percent[a, b]
        colour = "white" if _dark(RIGHT if a == b else WRONG, value) else BLACK
        # Hundreds of numbers inside their squares: the layout need not measure them.
        axes.text(
            b, a, f"{value:.0f}", ha="center", va="center_baseline", size=6.5, color=colour,
            in_layout=False,
        )  # fmt: skip


def _dark(colours: Colormap, value: float) -> bool:
    red, green, blue, _ = colours(float(NORM(value)))
    return 0.3 * red + 0.59 * green + 0.11 * blue < 0.55
