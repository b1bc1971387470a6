"""Figures 4 to 7 of Allwein et al. 2000: differences of test errors, ours next to the paper's."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import ceil

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ...plots.compared import OURS, PAPER, at
from ...plots.style import BLACK, BLUE, ORANGE, SKY, VERMILION, grouped_bars, head, panels, styled
from ...published import PaperTable

# The order of the rows and columns of Figures 6 and 7: Section 6 of the paper.
MATRIX_ORDER = ("ova", "all_pairs", "complete", "dense", "sparse")
PAIR = {PAPER: {"color": ORANGE, "hatch": "//////"}, OURS: {"color": BLUE}}
LIGHT = {PAPER: {"color": ORANGE, "hatch": "//////"}, OURS: {"color": SKY}}
DARK = {PAPER: {"color": VERMILION, "hatch": "//////"}, OURS: {"color": BLUE}}


def decoder_differences(errors: pd.DataFrame, decoder: str, code: str) -> pd.DataFrame:
    """The error of a code with `decoder` minus its error with Hamming decoding, by data set."""
    of_code = at(errors, code=code)
    return at(of_code, decoder=decoder).sub(at(of_code, decoder="hamming"))


def code_differences(errors: pd.DataFrame, decoder: str, i: str, j: str) -> pd.DataFrame:
    """The error of code i minus the error of code j, both with `decoder`, by data set."""
    decoded = at(errors, decoder=decoder)
    return at(decoded, code=i).sub(at(decoded, code=j))


@styled
def draw_decoders(
    errors: pd.DataFrame, paper: PaperTable, losses: Mapping[str, str], title: str
) -> Figure:
    """Loss-based minus Hamming decoding, a panel for each code; `losses`: decoder and its label."""
    datasets = numbered(errors)
    bars = {
        f"{label}, {side}": look
        for label, looks in zip(losses.values(), (LIGHT, DARK)[-len(losses) :], strict=True)
        for side, look in looks.items()
    }
    figure, grid = panels(len(paper.code_titles), 1, 8.2, sharex=True, sharey=True)
    for axes, (code, name) in zip(grid[:, 0], paper.code_titles.items(), strict=True):
        heights = pd.concat(
            [
                decoder_differences(errors, decoder, code).add_prefix(f"{label}, ")
                for decoder, label in losses.items()
            ],
            axis=1,
        )
        grouped_bars(axes, heights.reindex(list(datasets)), bars)
        axes.axhline(0, color=BLACK, linewidth=0.6)
        axes.set_title(name, loc="left")
        axes.margins(y=0.08)
        axes.grid(axis="y")
    axes.set_xticks(range(len(datasets)), list(datasets.values()), rotation=30, ha="right")
    head(figure, title)
    figure.supylabel("test error, loss-based minus Hamming (points)", fontsize=8)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


@styled
def draw_codes(errors: pd.DataFrame, paper: PaperTable, decoder: str, title: str) -> Figure:
    """A matrix of panels: the error of the row's code minus the error of the column's code."""
    datasets = numbered(errors)
    size = len(MATRIX_ORDER)
    figure, grid = panels(size, size, 7.4, width=9.0, sharex=True, sharey=True)
    heights = {
        (i, j): code_differences(errors, decoder, i, j).reindex(list(datasets))
        for i, j in permutations(MATRIX_ORDER, 2)
    }
    limit = max(1.0, *(1.08 * table.abs().max().max() for table in heights.values()))
    for row, i in zip(grid, MATRIX_ORDER, strict=True):
        for axes, j in zip(row, MATRIX_ORDER, strict=True):
            if i == j:
                _name_panel(axes, paper.code_titles[i])
            else:
                _difference_panel(axes, heights[i, j], limit)
            axes.tick_params(labelsize=6, length=2, pad=1.5, bottom=False)
    for axes, j in zip(grid[0], MATRIX_ORDER, strict=True):
        axes.set_title(f"… minus {paper.code_titles[j]}", fontsize=7.5)
    for axes, i in zip(grid[:, 0], MATRIX_ORDER, strict=True):
        axes.set_ylabel(f"{paper.code_titles[i]} minus …", fontsize=7.5)
    head(figure, title)
    step = 1 if len(datasets) < 10 else 2
    shown = range(0, len(datasets), step)
    grid[-1, 0].set_xticks(shown, [str(n + 1) for n in shown])
    handles, labels = grid[0, 1].get_legend_handles_labels()
    key = _key(list(datasets.values()))
    figure.legend(
        handles, labels, title=key, title_fontsize=7.5, loc="outside lower center", ncols=2
    )
    return figure


def numbered(errors: pd.DataFrame) -> dict[str, str]:
    """The data sets with their number: the paper's in its order, then others."""
    names = errors.index.get_level_values("dataset").unique()
    return {name: f"{n} {name}" for n, name in enumerate(names, start=1)}


def _name_panel(axes, name: str) -> None:
    axes.text(0.5, 0.5, name, transform=axes.transAxes, ha="center", va="center", weight="bold")
    axes.tick_params(labelleft=False, left=False)
    axes.spines[:].set_visible(False)


def _difference_panel(axes, heights: pd.DataFrame, limit: float) -> None:
    """Bars on a scale symmetric about 0 that all share: panel (i, j) mirrors panel (j, i)."""
    grouped_bars(axes, heights, PAIR, crosses=False)
    axes.axhline(0, color=BLACK, linewidth=0.5)
    axes.set_ylim(-limit, limit)
    axes.yaxis.set_major_locator(MaxNLocator(4, symmetric=True))
    axes.grid(axis="y")


def _key(names: Sequence[str]) -> str:
    """The numbers of the data sets, in lines of about the same length."""
    across = ceil(len(names) / ceil(len(names) / 8))
    gap = "\u2003"  # an em space: SVG viewers merge ordinary ones
    return "\n".join(gap.join(names[i : i + across]) for i in range(0, len(names), across))
