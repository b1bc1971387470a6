"""The figures of a run as matplotlib has them, the lines and bars in them, and what they show."""

from functools import cache

import pandas as pd
from runs import REFERENCE

from ecoc_bench.report.figures import pictures
from ecoc_bench.results.run import Run
from ecoc_bench.results.summary import summarize


def drawn(run):
    """The figures of a run by their names, not yet written: putting them on paper takes time."""
    return {picture.name: picture.figure for picture in pictures(run)}


def points(axes):
    """The points of each line by its label."""
    return {line.get_label(): line.get_xydata() for line in axes.lines}


def bars(axes):
    """The heights of the bars of each label, from left to right."""
    found = axes.containers
    return {c.get_label(): [patch.get_height() for patch in c.patches] for c in found}


@cache
def summary_of(name):
    """The summary of a committed run."""
    return summarize(Run(REFERENCE / name).results)


def pivoted(summary, decoder):
    """Errors of a run by plain pandas: data sets down, codes across."""
    return summary[summary["decoder"] == decoder].pivot_table("error", "dataset", "code")


def printed(paper, decoder):
    """Errors of a paper's table, laid out alike."""
    return pd.DataFrame(
        {c: {d: paper.error(d, c, decoder) for d in paper.datasets} for c in paper.code_titles},
        dtype=float,
    )
