"""A coding matrix as a picture: rows are classes, columns are dichotomies, both counted from 0."""

from pathlib import Path

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ..coding.distances import rho
from ..errors import UserError
from ..files import write_atomically
from .style import BLACK, BLUE, ORANGE, WIDTH, head, panels, render, styled

ACROSS = 80  # columns side by side; longer codes continue below
# Dark, white and medium: distinct in grey, too.
COLOURS = {-1: BLUE, 0: "#FFFFFF", 1: ORANGE}
RULE = "#888888"


def plot_code(M: np.ndarray, name: str, path: Path) -> None:
    """Draw a code into a .png or .svg file."""
    if path.suffix not in (".png", ".svg"):
        raise UserError(f"{path}: a picture must end in .png or .svg.")
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}. Make it first.")
    figure = draw_code(M, Path(name).stem)
    write_atomically(path, render(figure, path.suffix[1:]))


@styled
def draw_code(M: np.ndarray, name: str) -> Figure:
    """The matrix as coloured squares; codes of more than 80 columns continue in further panels."""
    k, ell = M.shape
    across = min(ell, ACROSS)
    cell = min(0.25, (WIDTH - 0.6) / across)
    parts = [range(start, min(start + across, ell)) for start in range(0, ell, across)]
    height = 0.9 + len(parts) * (0.35 + k * cell)
    figure, grid = panels(len(parts), 1, height, width=max(4.0, 0.7 + across * cell))
    for axes, part in zip(grid[:, 0], parts, strict=True):
        _cells(axes, M, part)
    head(figure, f"{name}: {k} classes, {ell} columns, rho {rho(M):g}")
    figure.legend(
        [Patch(facecolor=colour, edgecolor=BLACK) for colour in COLOURS.values()],
        ["−1", "0", "+1"],
        loc="outside lower center",
        ncols=3,
    )
    return figure


def _cells(axes, M: np.ndarray, part: range) -> None:
    """Some columns of M, as an image instead of shapes: a thousand columns stay a small file."""
    k, ell = M.shape
    first, last = part.start - 0.5, part.stop - 0.5
    colours = ListedColormap(list(COLOURS.values()))
    place = (first, last, k - 0.5, -0.5)
    axes.imshow(
        M[:, part.start : part.stop],
        cmap=colours, vmin=-1, vmax=1, interpolation="none", extent=place,
    )  # fmt: skip
    rules = np.arange(first, last + 1) if ell <= ACROSS else np.array([first, last])
    axes.hlines(np.arange(k + 1) - 0.5, first, last, color=RULE, linewidth=0.3)
    axes.vlines(rules, -0.5, k - 0.5, color=RULE, linewidth=0.3)
    axes.set_xlim(first, first + min(ell, ACROSS))
    axes.set_xticks(_ticks(part))
    axes.set_yticks(_ticks(range(k)))
    axes.set_ylabel("class")
    axes.set_anchor("C" if len(part) == min(ell, ACROSS) else "W")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=6.5)


def _ticks(numbers: range) -> list[int]:
    """Every number if there are few, otherwise the multiples of 5."""
    return [n for n in numbers if n % 5 == 0 or numbers.stop <= 12]
