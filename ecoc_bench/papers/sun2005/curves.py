"""Figures 3 and 4 of Sun et al. 2005: test and training error against the boosting round."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ...plots.style import BLACK, BLUE, GREEN, ORANGE, head, panels, plain_decades, styled

# SECC is drawn last and dashed: with eta* = 1 it covers ECC, which stays visible below.
LOOKS: dict[str, dict[str, Any]] = {
    "adaboost_ecc": {"color": BLUE, "linestyle": "-", "linewidth": 2.4},
    "adaboost_oc": {"color": ORANGE, "linestyle": "-."},
    "adaboost_secc": {"color": GREEN, "linestyle": (0, (3, 1.2))},
}
MARK: dict[str, Any] = {
    "color": BLACK,
    "marker": "o",
    "linestyle": "none",
    "fillstyle": "none",
    "markersize": 5,
}

STEPS = (1, 2, 5, 10)


@styled
def draw_test_errors(
    curves: pd.DataFrame,
    steps: Mapping[str, tuple[float, int]],
    titles: Mapping[str, str],
    names: Mapping[str, str],
    title: str,
) -> Figure:
    """`curves`: dataset, database, noise, code, stage and error in percent, one row per point.

    A row of panels for each database and a column for each noise level that has curves. `steps`:
    eta* and T* of SECC by data set, marked on its curve; `titles` of the methods, `names` of the
    databases.
    """
    databases, levels = list(curves["database"].unique()), sorted(curves["noise"].unique())
    share: dict[str, Any] = {"sharex": True, "sharey": "row"}
    figure, grid = panels(len(databases), len(levels), 1.1 + 1.55 * len(databases), **share)
    for row, database in zip(grid, databases, strict=True):
        for axes, noise in zip(row, levels, strict=True):
            part = curves[(curves["database"] == database) & (curves["noise"] == noise)]
            if part.empty:
                axes.set_visible(False)
                continue
            _curves(axes, part, titles)
            choice = _mark(axes, part, steps)
            axes.set_title(f"{names[database]}, {noise:.0%}{choice}", fontsize=8)
    _finish(figure, grid, title, "test error (%)", marked=True)
    return figure


@styled
def draw_training_errors(curves: pd.DataFrame, titles: Mapping[str, str], title: str) -> Figure:
    """`curves` of one database, as for `draw_test_errors`: a panel for each noise level."""
    levels = sorted(curves["noise"].unique())
    figure, grid = panels(1, len(levels), 2.6, sharex=True, sharey=True)
    for axes, noise in zip(grid[0], levels, strict=True):
        _curves(axes, curves[curves["noise"] == noise], titles)
        axes.set_xscale("log")  # trees learn the training set in a few dozen rounds of hundreds
        plain_decades(axes.xaxis, curves["stage"].min(), curves["stage"].max())
        axes.set_title(f"{noise:.0%} noise")
    _finish(figure, grid, title, "training error (%)", marked=False)
    return figure


def _curves(axes: Axes, part: pd.DataFrame, titles: Mapping[str, str]) -> None:
    for code, look in LOOKS.items():
        points = part[part["code"] == code].sort_values("stage")
        if len(points):
            axes.plot(points["stage"], points["error"], label=titles[code], clip_on=False, **look)
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=STEPS, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=STEPS))
    axes.grid(axis="y")


def _mark(axes: Axes, part: pd.DataFrame, steps: Mapping[str, tuple[float, int]]) -> str:
    """Draw a ring at T* on SECC's curve; return its text for the panel's title, clear of curves."""
    dataset = part["dataset"].iloc[0]
    if dataset not in steps:
        return ""
    eta, stop = steps[dataset]
    at = part[(part["code"] == "adaboost_secc") & (part["stage"] == stop)]
    axes.plot(at["stage"], at["error"], clip_on=False, zorder=5, **MARK)
    return f" (η* {eta:g}, T* {stop})"


def _finish(figure: Figure, grid: np.ndarray, title: str, quantity: str, marked: bool) -> None:
    for axes in grid[-1]:
        axes.set_xlabel("round (log scale)" if axes.get_xscale() == "log" else "round")
    head(figure, title)
    figure.supylabel(quantity, fontsize=8)
    handles = {
        label: handle
        for axes in grid.flat
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if marked:
        handles["T* of SECC"] = Line2D([], [], **MARK)
    figure.legend(
        list(handles.values()), list(handles), loc="outside lower center", ncols=len(handles)
    )
