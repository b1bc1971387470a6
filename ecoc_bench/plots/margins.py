"""Cumulative distributions of training margins over the rounds; after Schapire et al. 1998."""

import pandas as pd
from matplotlib.figure import Figure

from .style import BLACK, head, lines, panels, styled


@styled
def draw_margins(distributions: pd.DataFrame, title: str) -> Figure:
    """A panel for each data set and code, a line for each recorded round.

    `distributions`: dataset, code, stage, share and margin; `share` of the training examples have
    a margin of at most `margin`.
    """
    datasets = list(distributions["dataset"].unique())
    codes = list(distributions["code"].unique())
    figure, grid = panels(len(datasets), len(codes), 1.2 + 1.9 * len(datasets), sharex="row")
    styles = lines([str(stage) for stage in sorted(distributions["stage"].unique())])
    for (dataset, code), rows in distributions.groupby(["dataset", "code"], sort=False):
        axes = grid[datasets.index(dataset), codes.index(code)]
        for stage, points in rows.groupby("stage"):
            look = {**styles[str(stage)], "marker": ""}
            axes.plot(points["margin"], points["share"], label=f"{stage} rounds", **look)
        axes.set_title(f"{dataset}, {code}")
        axes.axvline(0, color=BLACK, linewidth=0.6)
        axes.set_ylim(0, 1)
        axes.grid(axis="y")
    head(figure, title)
    for axes in grid[-1]:
        axes.set_xlabel("margin θ, scaled by η = Σ α (Eq. 16)")
    figure.supylabel("share of training examples with margin ≤ θ", fontsize=8)
    handles, labels = max((axes.get_legend_handles_labels() for axes in grid.flat), key=len)
    figure.legend(handles, labels, loc="outside lower center", ncols=6)
    return figure
