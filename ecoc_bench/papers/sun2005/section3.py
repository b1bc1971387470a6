"""Section 3 of Sun et al. 2005 over the rounds: the cost G falls, margins grow, errors follow."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...plots.picture import Picture
from ...plots.style import head, panels, plain_decades, styled
from ...results.run import Run
from .curves import LOOKS
from .experiment import NAMES, TITLES, with_choice

TYPICAL = "letter"
FALLING = "G (Eq. 7), log scale"
KEY = ["dataset", "code", "round"]


def argument(run: Run) -> Picture:
    """G, margins and training error on one database: Letters, or the first of the run."""
    rounds = with_choice(run, run.rows("rounds.csv")).dropna(subset=["cost"])
    databases = rounds["dataset"].str.partition("@")[0]
    shown = rounds[databases == (TYPICAL if TYPICAL in set(databases) else databases.iloc[0])]
    title = f"{run.name}: cost, margins and training error (Section 3 of Sun et al. 2005)"
    caption = (
        "On the training examples, after each round: the cost G of Eq. 7, the margins of Eqs. 2, "
        "3 and 5 (thick: their mean, thin: their minimum), and the training error, "
        "means over the runs. SECC has the eta* that validation chose. The argument of Section 3: "
        f"G falls, margins grow, the training error follows. {_falls(rounds)}"
    )
    return Picture("section3", title, caption, draw_argument(_means(shown), TITLES, title))


def _falls(rounds: pd.DataFrame) -> str:
    """In how many of all rounds after the first each method's G fell (Theorem 1), in words.

    >>> rounds = pd.DataFrame({"dataset": "a", "repeat": 0, "code": "adaboost_ecc",
    ...                        "round": [1, 2, 3], "cost": [9.0, 8.0, 8.5]})
    >>> _falls(rounds)
    'G fell in 1 of 2 rounds of ECC.'
    """
    steps = rounds.sort_values("round").groupby(["dataset", "repeat", "code"])["cost"].diff()
    fell = (steps[steps.notna()] < 0).groupby(rounds["code"]).agg(["sum", "size"])
    parts = [f"{n} of {all_} rounds of {TITLES[code]}" for code, n, all_ in fell.itertuples()]
    return f"G fell in {', '.join(parts)}."


def _means(rounds: pd.DataFrame) -> pd.DataFrame:
    """Means over the runs, one row per data set, method and round; of G the geometric mean."""
    named = rounds.assign(log_cost=np.log(rounds["cost"].where(rounds["cost"] > 0)))
    values = ["log_cost", "margin_min", "margin_mean", "train_error"]
    table = named.groupby(KEY, sort=False)[values].mean().reset_index()
    return table.assign(cost=np.exp(table["log_cost"]), error=100 * table["train_error"])


@styled
def draw_argument(means: pd.DataFrame, titles: Mapping[str, str], title: str) -> Figure:
    """`means`: dataset, code, round, cost, margin_min, margin_mean and error in percent.

    A row of panels for each data set: the cost, the margins, the training error.
    """
    datasets = list(means["dataset"].unique())
    figure, grid = panels(len(datasets), 3, 1.2 + 1.7 * len(datasets), sharex=True, sharey="col")
    for row, dataset in zip(grid, datasets, strict=True):
        for code, look in LOOKS.items():
            points = means[(means["dataset"] == dataset) & (means["code"] == code)]
            _plot(row, points.sort_values("round"), {**look, "label": titles[code]})
        row[0].set_ylabel(_label(dataset))
        for axes in row:
            axes.set_xscale("log")
            plain_decades(axes.xaxis, 1, max(means["round"].max(), 2))
            axes.grid(axis="y")
    for axes in grid[:, 0]:
        axes.set_yscale("log")
        plain_decades(axes.yaxis, means["cost"].min(), means["cost"].max())
    for axes, text in zip(grid[0], (FALLING, "margins (Eq. 3)", "training error (%)"), strict=True):
        axes.set_title(text)
    for axes in grid[-1]:
        axes.set_xlabel("round (log scale)")
    head(figure, title)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def _plot(row: np.ndarray, points: pd.DataFrame, look: dict) -> None:
    if points.empty:
        return
    thin = {**look, "linewidth": 0.7, "label": None}
    draw: list[tuple[Axes, str, dict]] = [
        (row[0], "cost", look),
        (row[1], "margin_mean", look),
        (row[1], "margin_min", thin),
        (row[2], "error", look),
    ]
    for axes, name, style in draw:
        axes.plot(points["round"], points[name], **style)


def _label(dataset: str) -> str:
    """
    >>> _label("letter@0.1"), _label("glass")
    ('Letters, 10%', 'glass')
    """
    database, _, noise = dataset.partition("@")
    name = NAMES.get(database, database)
    return f"{name}, {float(noise):.0%}" if noise else name
