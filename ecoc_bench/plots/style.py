"""One look for all figures: readable in print, in grey and for the colour-blind.

Colours are Okabe and Ito's, with brown for their yellow, which is too pale for a line on white;
things that must be distinct also differ in lightness, hatch, dash or marker. Figures are made
without pyplot, so no display and no global state is needed.
"""

import io
import re
from collections.abc import Sequence
from itertools import cycle, islice
from textwrap import fill
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

BLUE, SKY, ORANGE, VERMILION = "#0072B2", "#56B4E9", "#E69F00", "#D55E00"
GREEN, PINK, BROWN, BLACK = "#009E73", "#CC79A7", "#6B4C2A", "#000000"
GREY = "#767676"
CYCLE = (BLUE, ORANGE, GREEN, PINK, SKY, VERMILION, BROWN, BLACK)
# No dots or circles: their outlines would make an SVG ten times as long.
HATCHES = ("", "//////", r"\\\\\\", "xxxxxx", "------", "||||||", "++++++", "///---")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":")

WIDTH = 7.2  # inches: the width of a page's text
DPI = 150
RC: dict[Any, Any] = {
    "font.family": "sans-serif",
    # Matplotlib ships DejaVu Sans; the others are for SVG viewers without it.
    "font.sans-serif": ["DejaVu Sans", "Arial", "Helvetica"],
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.titlesize": 9.5,
    "figure.constrained_layout.use": True,
    "figure.dpi": DPI,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.5,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "patch.linewidth": 0.4,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "text.parse_math": False,  # a name with two $ is not a formula
    "svg.fonttype": "none",  # text stays text: small files that can be searched
    "svg.hashsalt": "ecoc-bench",  # without it, ids inside an SVG are random
}
styled = mpl.rc_context(RC)  # a decorator: artists get their looks when they are made


def panels(
    rows: int, columns: int, height: float, *, width: float = WIDTH, **options: Any
) -> tuple[Figure, np.ndarray]:
    """A figure of this size in inches with a grid of axes, always a 2-d array."""
    figure = Figure(figsize=(width, height))
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def looks(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A colour and a hatch for the bars of each name, distinct for the first 64."""
    colours = islice(cycle(CYCLE), len(names))
    return {
        name: {"color": colour, "hatch": HATCHES[(i + i // len(CYCLE)) % len(HATCHES)]}
        for i, (name, colour) in enumerate(zip(names, colours, strict=True))
    }


def lines(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A colour, a marker and a dash for the line of each name; the first 64 are distinct."""
    return {
        name: {
            "color": CYCLE[i % len(CYCLE)],
            "marker": MARKERS[(i + i // len(CYCLE)) % len(MARKERS)],
            "linestyle": DASHES[(i + i // len(CYCLE)) % len(DASHES)],
        }
        for i, name in enumerate(names)
    }


def grouped_bars(
    axes: Axes, heights: pd.DataFrame, bars: dict[str, dict[str, Any]], crosses: bool = True
) -> None:
    """A group of bars at 0, 1, ... for each row, a bar for each column; a cross for no number.

    Without crosses, a difference of zero would look like no number.
    """
    width = 0.84 / len(bars)
    for i, (name, look) in enumerate(bars.items()):
        x = np.arange(len(heights)) + (i - (len(bars) - 1) / 2) * width
        there = heights[name].notna().to_numpy()
        values = heights[name].to_numpy()[there]
        axes.bar(x[there], values, width, label=name, edgecolor=BLACK, clip_on=False, **look)
        if crosses:
            axes.plot(x[~there], np.zeros((~there).sum()), "x", color=GREY, markersize=3)
    axes.use_sticky_edges = False  # room above and below the bars
    axes.set_xlim(-0.6, len(heights) - 0.4)


def head(figure: Figure, title: str) -> None:
    """The title of a figure, in two lines if the run's name is long."""
    figure.suptitle(fill(title, int(13 * figure.get_figwidth())))


def both_kinds(figure: Figure) -> dict[str, bytes]:
    """The figure as .svg and .png: the same bytes each time."""
    png = render(figure, "png")
    return {".svg": _without_layout(figure), ".png": png}  # laid out once, for both


@styled
def quick_svg(figure: Figure) -> bytes:
    """The figure as .svg, laid out once and drawn once: a page of a trial is paid for in time."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    return _without_layout(figure)


def _without_layout(figure: Figure) -> bytes:
    """The figure as .svg in the layout that it has."""
    # "none" would put an engine that does nothing in its place, for which Matplotlib draws the
    # whole figure once more before it writes it.
    with mpl.rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)
    return render(figure, "svg")


@styled
def render(figure: Figure, kind: str) -> bytes:
    """The figure as SVG or PNG, without date or version, so that equal pictures are equal files."""
    content = io.BytesIO()
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    figure.savefig(content, format=kind, dpi=DPI, metadata=metadata)
    return _shorten(content.getvalue()) if kind == "svg" else content.getvalue()


def _shorten(svg: bytes) -> bytes:
    """Round coordinates to a hundredth of a point, which no eye can see; drop the indentation."""
    rounded = re.sub(rb"(?<=[\s\"(,-])(\d+\.\d\d)\d+", rb"\1", svg)
    return re.sub(rb"\s*\n\s*", rb"\n", rounded)


def plain_decades(axis: Axis, lowest: float, highest: float) -> None:
    """Ticks of a logarithmic axis as plain numbers: 1, 2, 5, 10, ..., or powers of ten if many.

    Small ticks at 1, 2, 3, ..., 10, 20, ... crowd towards each power of ten: a log axis looks so.
    """
    few = np.log10(highest / lowest) < 2.5
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,), numticks=7))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_locator(LogLocator(subs=tuple(range(1, 10)), numticks=99))
    axis.set_minor_formatter(NullFormatter())
