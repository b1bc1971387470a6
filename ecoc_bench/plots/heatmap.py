"""A heat map of our errors minus the paper's, data sets by codes, a panel for each decoder."""

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from ..published import PaperTable
from ..results.tables import DASH, block_title, code_title, ordered, signed
from .compared import OURS, PAPER, at
from .style import BLACK, head, panels, styled

LARGEST = 10.0  # points: the colour stays the same beyond, the number is printed
COLOURS = "PuOr_r"  # diverging, safe for the colour-blind
EMPTY = "#EEEEEE"


@styled
def draw_differences(errors: pd.DataFrame, paper: PaperTable, title: str) -> Figure:
    """`errors` as `compared.beside` returns them; a dash if we or the paper have no number."""
    points = pd.DataFrame({"points": errors[OURS] - errors[PAPER]})
    present = set(points.dropna().index.get_level_values("decoder"))
    decoders = [decoder for decoder in paper.block_titles if decoder in present]
    datasets = list(errors.index.get_level_values("dataset").unique())
    codes = ordered(errors.index.get_level_values("code"), paper.code_titles)
    norm = Normalize(*(np.array([-1, 1]) * min(LARGEST, max(1.0, points.abs().max().item()))))
    figure, grid = panels(1, len(decoders), 1.6 + 0.24 * len(datasets), sharey=True)
    for axes, decoder in zip(grid[0], decoders, strict=True):
        shown = at(points, decoder=decoder).pivot_table("points", "dataset", "code")
        table = shown.reindex(datasets, columns=codes).to_numpy()
        axes.set_facecolor(EMPTY)
        mesh = axes.pcolormesh(table, norm=norm, cmap=COLOURS, edgecolors="white", linewidth=0.5)
        _print_values(axes, table, norm)
        titles = [code_title(code, paper) for code in codes]
        axes.set_xticks(np.arange(len(codes)) + 0.5, titles, rotation=35, ha="right")
        axes.set_yticks(np.arange(len(datasets)) + 0.5, datasets)
        axes.set_title(block_title(decoder, paper))
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    grid[0, 0].invert_yaxis()
    head(figure, title)
    bar = figure.colorbar(mesh, ax=grid[0].tolist(), extend="both", aspect=30, pad=0.02)
    bar.set_label("ours minus the paper's (points)")
    bar.outline.set_visible(False)
    return figure


def _print_values(axes, table: np.ndarray, norm: Normalize) -> None:
    """The number of each entry, white where the colour is dark."""
    for (row, column), value in np.ndenumerate(table):
        text = DASH if np.isnan(value) else signed(value)
        red, green, blue, _ = colormaps[COLOURS](norm(value))
        dark = not np.isnan(value) and 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
        colour = "white" if dark else BLACK
        axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=colour, size=6.5)
