"""The tables of a run's further measures: an overview next to the error, and one for each."""

from collections.abc import Iterator
from functools import partial
from math import isnan, nan

import pandas as pd

from ..coding.measures import named
from .formats import Style, TextTable, document, grid
from .measured import summary_of
from .run import Run
from .significance.text import Block
from .significance.units import as_methods
from .summary import summarize
from .tables import DASH, tidy_csv

NOTES = [
    "*: the best of the column. The order is that of the leaderboard, by the error.",
    "`ecoc-bench table RUN --measure NAME` has a measure for each data set, "
    "`ecoc-bench stats RUN --measure NAME` tests it.",
]


def tables(run: Run) -> Iterator[TextTable]:
    """The overview, if the run has measures."""
    if run.measures:
        yield TextTable("measures", partial(render, run))


def details(run: Run) -> Iterator[TextTable]:
    """A table for each measure of a run."""
    for name in run.measures:
        yield TextTable(f"table_{name}", partial(run.table, measure=name))


def overview(run: Run) -> pd.DataFrame:
    """Error and measures of everything that was compared, in the order of the leaderboard.

    Means over the data sets of the leaderboard, without those on which a measure is undefined.
    """
    board = run.leaderboard()
    columns = {"error": _wide(summarize(run.shown), "error")}
    for name in run.measures:
        columns[name] = _wide(summary_of(run.measured(name)), "value")
    names = [standing.name for standing in board.standings]
    return pd.DataFrame(
        {
            column: [_mean(wide, name, list(board.datasets)) for name in names]
            for column, wide in columns.items()
        },
        index=pd.Index(names, name="method"),
    )


def blocks(run: Run) -> list[Block]:
    """The tables of the page: the overview, and data set by data set for each measure."""
    found = overview(run)
    over = f"Mean over {', '.join(run.leaderboard().datasets)}"
    return [
        Block(over, *_cells(found)),
        *(_by_dataset(run, name, list(found.index)) for name in run.measures),
    ]


def _by_dataset(run: Run, name: str, methods: list[str]) -> Block:
    wide = _wide(summary_of(run.measured(name)), "value").reindex(columns=methods)
    columns = [_starred(wide.loc[dataset], name) for dataset in wide.index]
    rows = [list(row) for row in zip(methods, *columns, strict=True)]
    return Block(named(name).heading, ["Method", *map(str, wide.index)], rows)


def _wide(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Data set x method; NaN where a method is missing."""
    whole = table.assign(method=as_methods(table)["code"])
    wide = whole.set_index(["dataset", "method"])[column].unstack()  # noqa: PD010
    return wide.loc[table["dataset"].unique()]


def _mean(wide: pd.DataFrame, name: str, datasets: list[str]) -> float:
    return float(wide[name].reindex(datasets).mean()) if name in wide else nan


def render(run: Run, style: Style = "terminal") -> str:
    """The overview as text."""
    if style == "csv":
        return tidy_csv(overview(run).reset_index())
    over, head, rows = blocks(run)[0]
    block = grid(head, [[[text] for text in row] for row in rows], style)
    return document("Error and further measures", [(over, block)], NOTES, style)


def _cells(found: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of text, with a star at the best of each column."""
    columns = [_starred(found[name], str(name)) for name in found]
    head = ["Method", *("Test error (%)" if n == "error" else named(str(n)).heading for n in found)]
    return head, [list(row) for row in zip(found.index, *columns, strict=True)]


def _starred(values: pd.Series, name: str) -> list[str]:
    """By the printed digits: values that look the same are all the best."""
    texts = [DASH if isnan(value) else f"{value:.1f}" for value in values]
    lowest = name == "error" or named(name).lowest_wins
    best = f"{values.min() if lowest else values.max():.1f}"
    return [f"{text}*" if text == best else text for text in texts]
