"""The critical-difference diagram. Demsar 2006, Figure 1."""

import io
from math import ceil
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..errors import UserError
from ..files import write_atomically
from ..results.significance.comparison import Comparison, Joint

FORMATS = ("svg", "pdf", "png")
LINE, LETTER = 0.26, 0.095  # inches of a line of text, and of one of its letters
# No date and no random ids: the same comparison gives the same bytes.
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}


def draw_cd(comparison: Comparison, path: Path) -> None:
    """Draw average ranks on a line, with bars over ranks within the critical difference."""
    kind = path.suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise UserError(f"{path}: a diagram is written as .svg, .pdf or .png.")
    if comparison.joint is None:
        raise UserError(
            f"{path}: no diagram: a critical difference needs 3 or more {comparison.axis}s and 2 "
            "or more data sets that have all of them."
        )
    figure = _figure(comparison, comparison.joint)
    image = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "ecoc-bench", "svg.fonttype": "none"}):
        figure.savefig(image, format=kind, dpi=200, metadata=METADATA[kind])
    write_atomically(path, image.getvalue())


def _figure(c: Comparison, joint: Joint) -> Figure:
    """Ranks run along x; y counts lines of text downwards from the axis of ranks."""
    k = len(c.methods)
    span = min(max(4.0, k - 1.0), 7.0)
    unit = (k - 1) / span  # ranks per inch
    room = 0.9 + LETTER * max(map(len, c.methods))
    names = 1.3 + 0.6 * len(joint.groups)
    above, below = 3.2, names + ceil(k / 2) + 1.2
    # With few data sets the critical difference is longer than the axis.
    right = max(room, (joint.cd - (k - 1)) / unit + 0.3)
    figure = Figure(figsize=(room + span + right, LINE * (above + below)))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(1 - room * unit, k + right * unit), ylim=(below, -above))
    axes.set_axis_off()
    _ruler(axes, k, joint.cd)
    _bars(axes, c, joint)
    _names(axes, c, names, unit)
    caption = (
        f"Average rank over {len(c.datasets)} data sets, 1 is best. Bars: not different at "
        f"{c.alpha:g} (Nemenyi)."
    )
    axes.text((1 + k) / 2, below - 0.5, caption, ha="center", va="center", fontsize=8)
    return figure


def _ruler(axes: Axes, k: int, cd: float) -> None:
    """The axis of ranks, and the length of the critical difference above it."""
    axes.plot([1, k], [0, 0], color="black", lw=1)
    for rank in range(1, k + 1):
        axes.plot([rank, rank], [0, -0.35], color="black", lw=1)
        axes.text(rank, -0.5, str(rank), ha="center", va="bottom", fontsize=10)
    top = -1.9
    axes.plot([1, 1 + cd], [top, top], color="black", lw=1.5)
    for end in (1, 1 + cd):
        axes.plot([end, end], [top - 0.2, top + 0.2], color="black", lw=1.5)
    axes.text(1 + cd / 2, top - 0.3, f"CD = {cd:.2f}", ha="center", va="bottom", fontsize=10)


def _bars(axes: Axes, c: Comparison, joint: Joint) -> None:
    for i, group in enumerate(joint.groups):
        ranks = [c.ranks[name] for name in group]
        y = 0.7 + 0.6 * i
        # Groups of equal ranks would be bars without length: all bars reach a little past the ends.
        ends = [min(ranks) - 0.03, max(ranks) + 0.03]
        axes.plot(ends, [y, y], color="black", lw=4, solid_capstyle="butt")


def _names(axes: Axes, c: Comparison, top: float, unit: float) -> None:
    """The better half on the left, the best on top; the others on the right, the worst on top."""
    k = len(c.methods)
    left = c.methods[: ceil(k / 2)]
    right = c.methods[: len(left) - 1 : -1]
    for names, edge, side in ((left, 1 - 0.15 * unit, "right"), (right, k + 0.15 * unit, "left")):
        for line, name in enumerate(names):
            rank, y = c.ranks[name], top + line
            axes.plot([rank, rank, edge], [0, y, y], color="black", lw=0.8)
            gap = -0.05 * unit if side == "right" else 0.05 * unit
            label = f"{name}  {rank:.2f}" if side == "right" else f"{rank:.2f}  {name}"
            axes.text(edge + gap, y, label, ha=side, va="center", fontsize=10)
