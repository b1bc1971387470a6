"""Bars of the importance of attributes: permuted on held-out rows, and by split gains."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .style import BLACK, BLUE, ORANGE, head, panels, styled

ACROSS = 2
PERMUTED: dict[str, Any] = {"color": BLUE, "label": "points of test error when permuted"}
GAINED: dict[str, Any] = {
    "color": ORANGE,
    "hatch": "//////",
    "label": "share of the split gain (%)",
}


@styled
def draw_importance(ranked: pd.DataFrame, title: str) -> Figure:
    """`ranked`: panel, feature, increase and split_gain, the most important first.

    A panel for each data set and method; attributes from the top down. A column sd, if it is
    there, is drawn as an error bar of the increase.
    """
    names = list(ranked["panel"].unique())
    down = -(-len(names) // ACROSS)
    figure, grid = panels(down, min(ACROSS, len(names)), 1.0 + 2.4 * down)
    for axes, name in zip(grid.flat, names, strict=False):
        _bars(axes, ranked[ranked["panel"] == name])
        axes.set_title(name)
    for axes in grid.flat[len(names) :]:
        axes.set_visible(False)
    head(figure, title)
    found = {
        label: handle
        for axes in grid.flat
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=2)
    return figure


def _bars(axes: Axes, part: pd.DataFrame) -> None:
    y = np.arange(len(part))
    gains = part["split_gain"].notna().any()
    spread: dict[str, Any] = (
        {"xerr": part["sd"], "error_kw": {"elinewidth": 0.8}} if "sd" in part else {}
    )
    shift = 0.2 if gains else 0
    axes.barh(y - shift, part["increase"], 0.4, edgecolor=BLACK, **PERMUTED, **spread)
    if gains:
        axes.barh(y + shift, part["split_gain"], 0.4, edgecolor=BLACK, **GAINED)
    axes.set_yticks(y, part["feature"])
    axes.invert_yaxis()
    axes.grid(axis="x")
