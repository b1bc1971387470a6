"""Bars of test errors with their 95% intervals, grouped by data set; for runs without a paper."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..results.tables import block_title
from .style import BLACK, grouped_bars, head, looks, panels, styled

ACROSS = 8  # data sets side by side


@styled
def draw_errors(summary: pd.DataFrame, title: str) -> Figure:
    """`summary` of one learner, as `summary.summarize` returns it: a row of panels per decoder."""
    datasets, codes = list(summary["dataset"].unique()), list(summary["code"].unique())
    chunks = [datasets[i : i + ACROSS] for i in range(0, len(datasets), ACROSS)]
    rows = [(decoder, chunk) for decoder in summary["decoder"].unique() for chunk in chunks]
    figure, grid = panels(len(rows), 1, 1.2 + 1.9 * len(rows))
    bars = looks(codes)
    for axes, (decoder, chunk) in zip(grid[:, 0], rows, strict=True):
        shown = summary[summary["decoder"] == decoder]
        wide = {
            value: shown.pivot_table(value, "dataset", "code").reindex(chunk, columns=codes)
            for value in ("error", "lo", "hi")
        }
        grouped_bars(axes, wide["error"], bars)
        _intervals(axes, **wide)
        axes.set_ylim(bottom=0)
        axes.set_title(block_title(decoder, None), loc="left")
        axes.set_xticks(range(len(chunk)), chunk)
        axes.grid(axis="y")
    head(figure, title)
    figure.supylabel("test error (%)", fontsize=8)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return figure


def _intervals(axes, error: pd.DataFrame, lo: pd.DataFrame, hi: pd.DataFrame) -> None:
    """Whiskers at the places where `grouped_bars` puts its bars."""
    width = 0.84 / error.shape[1]
    row, column = np.nonzero(error.notna().to_numpy())
    x = row + (column - (error.shape[1] - 1) / 2) * width
    low, high = lo.to_numpy()[row, column], hi.to_numpy()[row, column]
    axes.vlines(x, low, high, color=BLACK, linewidth=0.8)
