"""A run's errors and those of the table that it repeats: the input of the papers' figures."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from ..published import PaperTable
from ..results.run import Run
from ..results.summary import summarize
from ..results.tables import learner_title

OURS, PAPER = "this run", "paper"


class Sheet(NamedTuple):
    """One learner of a run that repeats a paper's table."""

    run: Run
    paper: PaperTable
    learner: str
    errors: pd.DataFrame  # as `beside` returns them
    label: str  # name of the run in titles
    suffix: str  # added to file names if the run has several learners


def sheets(run: Run) -> Iterator[Sheet]:
    """The learners of a run that have any number in the table that its config names."""
    if run.paper is None:
        return
    for learner, rows in run.shown.groupby("learner", sort=False):
        errors = beside(summarize(rows), run.paper)
        if errors.notna().all(axis=1).any():
            yield Sheet(run, run.paper, str(learner), errors, *named(run, str(learner)))


def named(run: Run, learner: str) -> tuple[str, str]:
    """A learner's name in titles, and the suffix of its files: empty if it is the only one."""
    if len(set(run.shown["learner"])) == 1:
        return run.name, ""
    title = learner_title(learner)
    return f"{run.name} {title}", f"_{title}"


def beside(summary: pd.DataFrame, paper: PaperTable) -> pd.DataFrame:
    """Errors in percent of this run and of the paper, by (data set, code, decoder).

    The index holds all entries of the paper, dashes as NaN, and all of the run. If the run has both
    the paper's data set and its stand-in, the paper's counts.
    """
    keys = ["dataset", "code", "decoder"]
    rows = summary.assign(
        is_stand_in=summary["dataset"].isin(list(paper.stand_ins)),
        dataset=summary["dataset"].map(paper.original),
    )
    rows = rows.sort_values("is_stand_in", kind="stable").drop_duplicates(keys)
    ours = rows.set_index(keys)["error"]
    printed = pd.Series(dict(paper.entries), dtype=float).rename_axis(keys)
    return pd.DataFrame({OURS: ours, PAPER: printed}).reindex(
        printed.index.append(ours.index.difference(printed.index, sort=False))
    )


def at(errors: pd.DataFrame, **level: str) -> pd.DataFrame:
    """The rows with one value of a level of the index, without this level; maybe none."""
    [(name, value)] = level.items()
    return errors[errors.index.get_level_values(name) == value].droplevel(name)
