"""Test error against the boosting round: a panel for each data set, a line for each code."""

from collections.abc import Mapping
from math import ceil

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .looks import Look
from .style import head, panels, styled

ACROSS = 3
MARKS = 8  # markers on a line: hundreds of rounds would make it a caterpillar


@styled
def draw_stages(errors: pd.DataFrame, looks: Mapping[str, Look], title: str) -> Figure:
    """`errors`: dataset, code, stage and error in percent, one row per point; looks of codes."""
    datasets = list(errors["dataset"].unique())
    down = ceil(len(datasets) / ACROSS)
    across = ceil(len(datasets) / down)
    figure, grid = panels(down, across, 1.2 + 1.9 * down, sharex=True)
    for axes, dataset in zip(grid.flat, datasets, strict=False):
        codes = errors[errors["dataset"] == dataset].groupby("code", sort=False)
        for code, points in codes:
            points = points.sort_values("stage")
            look = {**looks[str(code)], "markevery": max(1, len(points) // MARKS)}
            axes.plot(points["stage"], points["error"], label=code, clip_on=False, **look)
        axes.set_title(dataset)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        axes.grid(axis="y")
    for axes in grid.flat[len(datasets) :]:
        axes.set_visible(False)
    for column in grid.T:
        lowest = [axes for axes in column if axes.get_visible()][-1]
        lowest.set_xlabel("round")
        lowest.tick_params(labelbottom=True)
    head(figure, title)
    figure.supylabel("test error (%)", fontsize=8)
    handles = {
        label: handle
        for axes in grid.flat
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(list(handles.values()), list(handles), loc="outside lower center", ncols=5)
    return figure
