"""What methods tell of their training, next to a measured error: a panel for each data set."""

from collections.abc import Mapping
from math import ceil
from typing import Literal

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from .looks import Look
from .style import BLACK, head, panels, plain_decades, styled

ACROSS = 3
MARKS = 6
DASHES: tuple[Literal["-", ":"], ...] = ("-", ":")  # what is told, what is measured


@styled
def draw_told(
    curves: pd.DataFrame, looks: Mapping[str, Look], title: str, log: bool = False
) -> Figure:
    """`curves`: dataset, code, kind, round and value in percent; a line for each code and kind.

    On a logarithmic scale a curve ends where it reaches 0.
    """
    datasets, kinds = list(curves["dataset"].unique()), list(curves["kind"].unique())
    down = ceil(len(datasets) / ACROSS)
    across = ceil(len(datasets) / down)
    figure, grid = panels(down, across, 1.5 + 1.9 * down, sharex=True)
    for axes, dataset in zip(grid.flat, datasets, strict=False):
        part = curves[curves["dataset"] == dataset]
        for (code, kind), points in part.groupby(["code", "kind"], sort=False):
            points = points.sort_values("round")
            look = {**looks[str(code)], "linestyle": DASHES[kinds.index(kind)]}
            look["markevery"] = max(1, len(points) // MARKS)
            values = points["value"].where(points["value"] > 0) if log else points["value"]
            axes.plot(points["round"], values, **look)
        axes.set_title(dataset)
        axes.grid(axis="y")
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        if log:
            above = part["value"][part["value"] > 0]
            axes.set_yscale("log")
            plain_decades(axes.yaxis, above.min(), above.max())
        else:
            axes.set_ylim(bottom=0)
    for axes in grid.flat[len(datasets) :]:
        axes.set_visible(False)
    figure.supxlabel("round, or number of trees", fontsize=8)
    figure.supylabel("percent, log scale" if log else "percent", fontsize=8)
    head(figure, title)
    handles = [Line2D([], [], label=code, **looks[code]) for code in curves["code"].unique()]
    handles += [
        Line2D([], [], color=BLACK, linestyle=dash, label=kind)
        for kind, dash in zip(kinds, DASHES, strict=True)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure
