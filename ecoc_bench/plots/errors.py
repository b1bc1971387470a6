"""Dots of test errors with their 95% intervals: methods down, a panel for each data set."""

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..results.catalogue import JOINT
from .looks import Look, Looks
from .style import GREY, WIDTH, head, styled

ACROSS = 5  # data sets side by side
LINE, LABEL, PANEL = 0.16, 0.062, 1.15  # inches: a dot's line, a letter of a name, a panel
FAR = 4  # times the spread of the better three quarters: farther errors are printed, not drawn
BAND = "#F4F4F4"
STEPS = (1, 2, 5, 10)


@styled
def draw_errors(summary: pd.DataFrame, looks: Looks, title: str) -> Figure:
    """`summary` as `summary.summarize` returns it: a line for each code or method, best on top.

    Decoders share a line if there are several; each panel has its own scale.
    """
    table = summary.assign(line=line_names(summary))
    names, datasets = _best_first(table), list(table["dataset"].unique())
    coded = table[table["decoder"] != JOINT]
    decoders = list(coded["decoder"].unique())
    across = min(ACROSS, len(datasets))
    down = ceil(len(datasets) / across)
    thick = LINE * max(1.0, 0.6 * len(decoders))
    width = max(WIDTH, LABEL * max(map(len, names)) + PANEL * across)
    figure = Figure(figsize=(width, 0.9 + down * (0.5 + thick * len(names))))
    grid = figure.subplots(down, across, squeeze=False, sharey=True)
    for axes, dataset in zip(grid.flat, datasets, strict=False):
        _panel(axes, table[table["dataset"] == dataset], names, decoders, looks)
        axes.set_title(dataset)
    for axes in grid.flat[len(datasets) :]:
        axes.set_visible(False)
    for axes in grid.flat[max(0, len(datasets) - across) : len(datasets)]:
        axes.set_xlabel("test error (%)")
    head(figure, title)
    if len(decoders) > 1:
        handles = [_dot(grid[0, 0], [], [], looks.decoders[name]) for name in decoders]
        figure.legend(handles, decoders, loc="outside lower center", ncols=5)
    return figure


def line_names(summary: pd.DataFrame) -> list[str]:
    """The code and, if there are several, its learner; or the method."""
    several = len(set(summary["learner"])) > 1
    return [
        f"{code} ({learner})" if several and learner != JOINT else str(code)
        for code, learner in zip(summary["code"], summary["learner"], strict=True)
    ]


def _best_first(table: pd.DataFrame) -> list[str]:
    """By the average rank of the lowest error of each line."""
    lowest = table.pivot_table("error", "line", "dataset", aggfunc="min", sort=False)
    return list(lowest.rank().mean(axis=1).sort_values(kind="stable").index)


def _panel(
    axes: Axes, rows: pd.DataFrame, names: Sequence[str], decoders: Sequence[str], looks: Looks
) -> None:
    for place in range(0, len(names), 2):  # bands lead the eye from a name to its dots
        axes.axhspan(place - 0.5, place + 0.5, color=BAND, linewidth=0)
    several = len(decoders) > 1
    shift = dict(zip(decoders, np.linspace(-0.28, 0.28, len(decoders)), strict=True))
    end, where = far_end(rows), axes.get_yaxis_transform()
    text: dict[str, Any] = {"ha": "right", "va": "center", "fontsize": 6.5, "transform": where}
    for row in rows.to_dict("records"):
        decoder, error = row["decoder"], row["error"]
        by_decoder = several and decoder != JOINT
        look = looks.decoders[decoder] if by_decoder else looks.codes[row["code"]]
        y = names.index(row["line"]) + (shift[decoder] if by_decoder else 0)
        if error <= end:
            axes.hlines(y, row["lo"], min(row["hi"], end), color=look["color"], linewidth=1)
            _dot(axes, [error], [y], look)
        else:
            axes.text(1, y, f"{error:.0f} →", color=look["color"], **text)
    missing = [place for place, name in enumerate(names) if name not in set(rows["line"])]
    axes.plot([0.03] * len(missing), missing, "x", color=GREY, markersize=3, transform=where)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(3, steps=STEPS))
    axes.grid(axis="x")


def far_end(rows: pd.DataFrame) -> float:
    """Where a panel ends on the right: errors beyond it would press all others into a corner.

    >>> far_end(pd.DataFrame({"error": [1.0, 2, 3, 4, 5, 90], "hi": [2.0, 3, 4, 5, 6, 91]}))
    6.0
    """
    low, high = rows["error"].min(), rows["error"].quantile(0.75)
    near = rows[rows["error"] <= high + FAR * max(1.0, high - low)]
    return float(near["hi"].max())


def _dot(axes: Axes, x: Sequence[float], y: Sequence[float], look: Look) -> Any:
    shape = {"color": look["color"], "marker": look["marker"]}
    return axes.plot(x, y, linestyle="", markersize=4, **shape)[0]
