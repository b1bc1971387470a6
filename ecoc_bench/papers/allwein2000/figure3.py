"""Figure 3 of Allwein et al. 2000: errors on synthetic data against the number of classes."""

import pandas as pd
from matplotlib.figure import Figure

from ...plots.style import head, lines, panels, styled

TITLES = {"complete": "Complete code", "ova": "One-against-all code"}


def errors_by_classes(rows: pd.DataFrame) -> pd.DataFrame:
    """Errors of one learner and code: columns (line, "mean") and (line, "sem") over the sets.

    A row per number of classes k, in percent. The binary error is the same for every decoder.
    """
    first = rows["decoder"] == rows["decoder"].iloc[0]
    series = {"average binary error": rows.loc[first, ["n_classes", "binary_error_rate"]]}
    for decoder, name in {"hamming": "Hamming decoding", "loss": "loss-based decoding"}.items():
        series[name] = rows.loc[rows["decoder"] == decoder, ["n_classes", "error_rate"]]
    grouped = {
        name: (100 * part.set_index("n_classes").iloc[:, 0]).groupby("n_classes")
        for name, part in series.items()
    }
    return pd.concat({name: group.agg(["mean", "sem"]) for name, group in grouped.items()}, axis=1)


@styled
def draw_synthetic(results: pd.DataFrame, title: str) -> Figure:
    """The complete code on the left, one-against-all on the right, a row for each learner.

    Whiskers are one standard error in each direction.
    """
    learners = list(results["learner"].unique())
    codes = [code for code in TITLES if code in set(results["code"])]
    height = 1.0 + 2.3 * len(learners)
    figure, grid = panels(len(learners), len(codes), height, sharex=True, sharey="row")
    for row, learner in zip(grid, learners, strict=True):
        for axes, code in zip(row, codes, strict=True):
            rows = results[(results["learner"] == learner) & (results["code"] == code)]
            if not rows.empty:
                _curves(axes, errors_by_classes(rows))
            axes.set_title(f"{TITLES[code]}, {learner}")
            axes.grid(axis="y")
        # Only after all panels: earlier, it would keep the scale of the first panel of the row.
        row[0].set_ylim(bottom=0)
        row[0].set_ylabel("test error (%)")
    for axes in grid[-1]:
        axes.set_xlabel("number of classes k")
        axes.set_xticks(sorted(results["n_classes"].unique()))
    head(figure, title)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _curves(axes, table: pd.DataFrame) -> None:
    for name, look in lines(list(table.columns.unique(0))).items():
        mean, sem = table[name, "mean"], table[name, "sem"]
        axes.errorbar(mean.index, mean, yerr=sem, capsize=2, elinewidth=0.8, label=name, **look)
