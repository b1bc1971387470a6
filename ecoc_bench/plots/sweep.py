"""Curves over a swept parameter: test errors by decoder, and a test error with its bound."""

from collections.abc import Iterable, Iterator, Mapping
from math import ceil, log2
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from ..results.catalogue import JOINT
from .looks import Look
from .style import BLUE, VERMILION, WIDTH, head, panels, plain_decades, styled

ACROSS = 3  # panels side by side if there is only one code
STEPS = (1, 2, 5, 10)
NARROW = 1.45  # least width of a panel in inches
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
NO_TITLES: Mapping[str, str] = {}

# As in Figure 4 of Passerini et al. 2004.
LOOKS: dict[str, dict[str, Any]] = {
    "error": {"color": BLUE, "linestyle": "--", "marker": "o", "markersize": 3},
    "bound": {"color": VERMILION, "linestyle": "-", "marker": "s", "markersize": 3},
}
RING: dict[str, Any] = {"linestyle": "none", "marker": "o", "fillstyle": "none", "markersize": 8}


@styled
def draw_sweep(
    curves: pd.DataFrame,
    parameter: str,
    looks: Mapping[str, Look],
    title: str,
    titles: Mapping[str, str] = NO_TITLES,
) -> Figure:
    """`curves`: dataset, code, decoder, value and error in percent, one row per point.

    A row of panels for each data set and a column for each code; with only one code, a panel for
    each data set. `looks` of decoders, and of a method that is swept; `titles` of data sets, codes
    and decoders, if they differ from the names.
    """
    figure, grid, places = _grid(curves, titles)
    for axes, part in places:
        for decoder, points in part.groupby("decoder", sort=False):
            name = points["code"].iloc[0] if decoder == JOINT else decoder
            look, label = looks[str(name)], titles.get(str(decoder), decoder)
            axes.plot(points["value"], points["error"], label=label, markersize=3, **look)
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=STEPS))
    _finish(figure, grid, curves["value"], parameter, title, "test error (%)")
    return figure


@styled
def draw_bound(
    curves: pd.DataFrame, parameter: str, title: str, titles: Mapping[str, str] = NO_TITLES
) -> Figure:
    """`curves`: dataset, code, value, error and bound in percent, one row per point.

    Panels are as in `draw_sweep`; the lowest point of each curve is ringed.
    """
    figure, grid, places = _grid(curves, titles)
    labels = {"bound": "leave-one-out bound", "error": "test error"}
    for axes, part in places:
        for side, label in labels.items():
            points = part.dropna(subset=[side])
            axes.plot(points["value"], points[side], label=label, **LOOKS[side])
            lowest = points[points[side] == points[side].min()].head(1)
            axes.plot(lowest["value"], lowest[side], color=LOOKS[side]["color"], **RING)
    for row in grid:
        # One scale for a row: its panels share an axis.
        if scale(row[0].yaxis, _heights(row)):
            row[0].set_ylabel("log scale", fontsize=7)
    _finish(figure, grid, curves["value"], parameter, title, "percent, lowest ringed")
    return figure


def _grid(
    curves: pd.DataFrame, titles: Mapping[str, str]
) -> tuple[Figure, np.ndarray, Iterator[tuple[Axes, pd.DataFrame]]]:
    """The figure, its axes, and pairs of axes and the curves to draw on them."""
    datasets, codes = (list(curves[axis].unique()) for axis in ("dataset", "code"))
    several = len(codes) > 1
    across = len(codes) if several else min(ACROSS, len(datasets))
    down = len(datasets) if several else ceil(len(datasets) / across)
    share: dict[str, Any] = {"sharex": True, "sharey": "row" if several else False}
    width = max(WIDTH, NARROW * across)
    figure, grid = panels(down, across, 1.1 + 1.5 * down, width=width, **share)
    return figure, grid, _places(curves, grid, titles, several)


def _places(
    curves: pd.DataFrame, grid: np.ndarray, titles: Mapping[str, str], several: bool
) -> Iterator[tuple[Axes, pd.DataFrame]]:
    axes_left = iter(grid.flat)
    for dataset in curves["dataset"].unique():
        for code in curves["code"].unique():
            axes = next(axes_left)
            part = curves[(curves["dataset"] == dataset) & (curves["code"] == code)]
            names = [titles.get(name, name) for name in ([dataset, code] if several else [dataset])]
            axes.set_title(", ".join(names), fontsize=8)
            axes.grid(axis="y")
            if part.empty:
                axes.set_visible(False)
            else:
                yield axes, part
    for axes in axes_left:
        axes.set_visible(False)


def _heights(row: np.ndarray) -> list[float]:
    return [float(y) for axes in row for line in axes.lines for y in line.get_ydata()]


def scale(axis: Axis, values: Iterable[float]) -> bool:
    """Make the axis logarithmic if the values are positive and span more than a decade."""
    seen = sorted(set(values))
    if not seen or seen[0] <= 0 or seen[-1] <= 10 * seen[0]:
        axis.set_major_locator(MaxNLocator(5, steps=STEPS))
        return False
    two = all(log2(value).is_integer() for value in seen)
    set_scale = axis.axes.set_xscale if isinstance(axis, XAxis) else axis.axes.set_yscale
    set_scale("log", base=2 if two else 10)
    if two:
        axis.set_major_locator(LogLocator(base=2, numticks=7))
        axis.set_major_formatter(FuncFormatter(lambda v, _: power_of_two(v)))
        axis.set_minor_locator(LogLocator(base=2, numticks=99))
        axis.set_minor_formatter(NullFormatter())
    else:
        plain_decades(axis, seen[0], seen[-1])
    return True


def power_of_two(value: float) -> str:
    """
    >>> power_of_two(0.25), power_of_two(8)
    ('2⁻²', '2³')
    """
    return f"2{str(round(log2(value))).translate(SUPERSCRIPTS)}"


def _finish(
    figure: Figure,
    grid: np.ndarray,
    values: pd.Series,
    parameter: str,
    title: str,
    quantity: str,
) -> None:
    is_log = [scale(axes.xaxis, values) for axes in grid.flat]
    label = f"{parameter} (log scale)" if any(is_log) else parameter
    for column in grid.T:
        lowest = [axes for axes in column if axes.get_visible()][-1:]
        for axes in lowest:
            axes.set_xlabel(label)
            axes.tick_params(labelbottom=True)
    head(figure, title)
    figure.supylabel(quantity, fontsize=8)
    handles = {
        label: handle
        for axes in grid.flat
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        list(handles.values()),
        list(handles),
        loc="outside lower center",
        ncols=min(5, len(handles)),
    )
