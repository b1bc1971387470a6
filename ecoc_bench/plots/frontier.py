"""Test error against cost, a line for each contender through its numbers of classes."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..files import write_atomically
from .style import GREY, both_kinds, head, lines, panels, plain_decades, styled

COSTS = {
    "fit_seconds": "seconds of training (log scale)",
    "models": "columns, binary models or trees (log scale)",
}
FEW = 7  # points: size of the number of classes where a line ends before the others

SHOWN = (
    "ova least squares", "dense least squares", "ova stumps", "dense stumps", "ova tree",
    "dense tree", "dense lightgbm", "hadamard lightgbm", "lightgbm", "xgboost", "random forest",
    "multinomial logistic", "lda", "vw recall tree", "napkinxc plt",
)  # fmt: skip


def write_frontier(path: Path) -> None:
    """The figure of a table, next to its CSV; none if no data have several numbers of classes."""
    table = pd.read_csv(path)
    if len(table[["data", "classes"]].drop_duplicates()) > table["data"].nunique():
        for suffix, content in both_kinds(draw_frontier(table, SHOWN)).items():
            write_atomically(path.with_suffix(suffix), content)


@styled
def draw_frontier(table: pd.DataFrame, shown: Sequence[str]) -> Figure:
    """A row of panels for each data set with several numbers of classes, a panel for each cost."""
    table = table[table["errors"].notna() & table["contender"].isin(shown)]
    counts = table.groupby("data", sort=False)["classes"].nunique()
    names = list(counts[counts > 1].index)
    figure, grid = panels(len(names), len(COSTS), 2.5 * len(names) + 0.7, sharey="row")
    looks = lines(shown)
    for axes, name in zip(grid, names, strict=True):
        rows = table[table["data"] == name]
        for place, (cost, label) in zip(axes, COSTS.items(), strict=True):
            _panel(place, rows, cost, looks)
            place.set(xlabel=label, title=_title(name, rows["classes"]))
        axes[0].set_ylabel("test error (%)")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    head(figure, "Error against cost as the number of classes grows")
    return figure


def _title(name: str, classes: pd.Series) -> str:
    """The data and, in the order of a line's points, the numbers of classes."""
    return f"{name}: {', '.join(f'{k:,}' for k in sorted(classes.unique()))} classes"


def _panel(axes: Axes, rows: pd.DataFrame, cost: str, looks: dict) -> None:
    rows = rows[rows[cost] > 0]
    axes.set_xscale("log")
    plain_decades(axes.xaxis, rows[cost].min(), rows[cost].max())
    for name, look in looks.items():
        mine = rows[rows["contender"] == name].sort_values("classes")
        axes.plot(mine[cost], mine["error"], label=name, linewidth=0.9, **look)
        for last in mine.tail(1).itertuples():
            if last.classes < rows["classes"].max():
                at = (getattr(last, cost), last.error)
                axes.annotate(f"{last.classes}", at, (4, 2), textcoords="offset points",
                              fontsize=FEW, color=GREY)  # fmt: skip
    axes.grid()
