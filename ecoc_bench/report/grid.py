"""The paper's layout of the numbers: problems down, codes across, one grid per decoder.

Without a paper, what is longer goes down: twenty methods across do not fit on a screen.
"""

from typing import Any, NamedTuple

import pandas as pd

from ..published import PaperTable
from ..results.catalogue import JOINT
from ..results.tables import DASH, Layout, axes, code_title, ordered, signed
from .entries import decoder_title


class Entry(NamedTuple):
    """An entry of the paper's layout."""

    order: float | str
    error: str
    interval: str = ""
    draws: str = ""
    paper: str = ""
    difference: str = ""
    best: bool = False
    notable: bool = False


class Grid(NamedTuple):
    """Problems and codes or methods, for one learner and one decoder."""

    learner: str  # empty for methods
    decoder: str
    corner: str  # what the names of the rows are
    columns: list[str]
    rows: list[tuple[str, list[Entry]]]


def grids(table: pd.DataFrame, layout: Layout) -> list[Grid]:
    """The paper's layout at the last stage: a grid per learner and decoder, methods last."""
    paper, found = layout.paper, []
    last = table[table["last"]]
    for learner in sorted(last["learner"].unique(), key=lambda name: name == JOINT):
        rows = last[last["learner"] == learner]
        places = axes(rows, layout)
        name = "" if learner == JOINT else learner
        for decoder in ordered(rows["decoder"], paper.block_titles if paper else ()):
            block = rows[rows["decoder"] == decoder]
            found.append(_grid(name, decoder, block, places, paper))
    return found


def _grid(
    learner: str, decoder: str, block: pd.DataFrame, places, paper: PaperTable | None
) -> Grid:
    datasets, codes = places
    ours = {(row.dataset, row.code): row for row in block.itertuples(index=False)}
    # By the printed digits: errors that look the same are all the lowest.
    lowest = block.groupby("dataset")["error"].min().map("{:.1f}".format)

    def entry(dataset: str, code: str) -> Entry:
        printed = paper.error(dataset, code, decoder) if paper else None
        return _entry(ours.get((dataset, code)), printed, lowest)

    titles = [code_title(code, paper) for code in codes]
    title = decoder_title(decoder, paper)
    if paper is None and len(codes) > len(datasets):
        body = [
            (shown, [entry(name, code) for name in datasets])
            for shown, code in zip(titles, codes, strict=True)
        ]
        return Grid(learner, title, "Code" if learner else "Method", datasets, body)
    body = [(name, [entry(name, code) for code in codes]) for name in datasets]
    return Grid(learner, title, "Problem", titles, body)


def _entry(row: Any, printed: float | None, lowest: pd.Series) -> Entry:
    text = "" if printed is None else f"{printed:.1f}"
    if row is None:
        return Entry("", DASH, paper=text)
    error = f"{row.error:.1f}"
    return Entry(
        order=row.error,
        error=error if row.complete else f"{error}*",
        interval=f"{row.lo:.1f} to {row.hi:.1f}",
        draws=f"{row.min_draw:.1f} to {row.max_draw:.1f}" if row.draws > 1 else "",
        paper=text,
        difference="" if printed is None else signed(row.difference),
        best=error == lowest[row.dataset],
        notable=row.notable,
    )
