"""The paper's layout of the numbers: problems down, codes across, one grid per decoder."""

from typing import Any, NamedTuple

import pandas as pd

from ..papers import PaperTable
from ..tables import DASH, code_title, ordered, signed
from .cells import decoder_title


class Entry(NamedTuple):
    """A cell of the paper's layout."""

    order: float | str
    error: str
    interval: str = ""
    draws: str = ""
    paper: str = ""
    difference: str = ""
    best: bool = False
    notable: bool = False


class Grid(NamedTuple):
    """Problems down and codes across, for one learner and one decoder."""

    learner: str
    decoder: str
    codes: list[str]
    rows: list[tuple[str, list[Entry]]]


def grids(table: pd.DataFrame, facts: dict, paper: PaperTable | None) -> list[Grid]:
    """The paper's layout at each learner's last stage, one grid per learner and decoder."""
    found = []
    for learner, rows in table[table["last"]].groupby("learner", sort=False):
        axes = _axes(rows, facts, paper)
        for decoder in ordered(rows["decoder"], paper.block_titles if paper else ()):
            block = rows[rows["decoder"] == decoder]
            found.append(_grid(str(learner), decoder, block, axes, paper))
    return found


def _grid(learner: str, decoder: str, block: pd.DataFrame, axes, paper) -> Grid:
    datasets, codes = axes
    ours = {(row.dataset, row.code): row for row in block.itertuples(index=False)}
    # As printed: errors that look the same are all the lowest.
    lowest = block.groupby("dataset")["error"].min().map("{:.1f}".format)

    def entry(dataset: str, code: str) -> Entry:
        printed = paper.error(dataset, code, decoder) if paper else None
        return _entry(ours.get((dataset, code)), printed, lowest)

    body = [(name, [entry(name, code) for code in codes]) for name in datasets]
    titles = [code_title(code, paper) for code in codes]
    return Grid(learner, decoder_title(decoder, paper), titles, body)


def _axes(rows: pd.DataFrame, facts: dict, paper: PaperTable | None):
    """Problems and codes: the paper's order, then the config's."""
    config = facts["config"]
    datasets = [*rows["dataset"], *facts["absent"]]
    left_out = [item["code"] for item in facts["left_out"] if item["dataset"] in datasets]
    codes = [*rows["code"], *left_out]
    known = paper.datasets if paper else ()
    known_codes = (*config["codes"], *config.get("methods", ()))
    # A stand-in takes the place of the set it stands in for.
    places = [d for name in known for d in datasets if paper and paper.original(d) == name]
    return (
        ordered(datasets, places, [item["name"] for item in config["datasets"]]),
        ordered(codes, paper.code_titles if paper else (), [c["name"] for c in known_codes]),
    )


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
