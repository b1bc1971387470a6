"""The margin bounds of a run as a table: Theorem 9.2 and Corollary 9.4 of Mohri et al."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import pandas as pd

from .formats import Style, TextTable, document, grid
from .run import Run
from .tables import tidy_csv

TITLE = "Margin losses and bounds of the test error (%)"
KEY = ["dataset", "code"]
NUMBERS = ["norm", "radius", "margin_loss", "theorem92", "corollary94"]
VOID = "void"


class Sheet(NamedTuple):
    """The table as text: a line for each data set and method, an entry for each rho, and notes."""

    head: list[str]
    lines: list[list[list[str]]]
    notes: list[str]


def tables(run: Run) -> Iterator[TextTable]:
    """The table of a run whose config asks for margin bounds."""
    rows = run.rows("margin_bounds.csv")
    if rows is not None:
        yield TextTable("margin_bounds", partial(render, means(rows)))


def means(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over the cells of each data set, method and rho, and the error of their test rows."""
    cells = rows.groupby([*KEY, "delta", "rho"], sort=False)
    tested = cells[["errors", "n_test"]].sum()
    error = (tested["errors"] / tested["n_test"]).rename("error_rate")
    return pd.concat([error, cells[NUMBERS].mean()], axis=1).reset_index()


def sheet(table: pd.DataFrame) -> Sheet:
    """Margin loss, Theorem 9.2 and Corollary 9.4 at each rho, next to test error, norm and radius.

    Means of bounds are bounds of means, so a mean above 1 says as little as a bound above 1.
    """
    rhos = list(dict.fromkeys(table["rho"]))
    lines = []
    for (dataset, code), part in table.groupby(KEY, sort=False):
        at = part.set_index("rho").to_dict("index")
        first = at[rhos[0]]
        shown = [f"{100 * first['error_rate']:.1f}", f"{first['norm']:.3g}"]
        fixed = [str(dataset), str(code), *shown, f"{first['radius']:.3g}"]
        lines.append([[text] for text in fixed] + [_entry(at[rho]) for rho in rhos])
    head = ["Problem", "Method", "Test error", "|W|", "r", *(f"rho = {rho:g}" for rho in rhos)]
    return Sheet(head, lines, _notes(table))


def _entry(numbers: dict) -> list[str]:
    return [_percent(numbers[name]) for name in ("margin_loss", "theorem92", "corollary94")]


def _percent(value: float) -> str:
    return VOID if value > 1 else f"{100 * value:.1f}"


def _notes(table: pd.DataFrame) -> list[str]:
    columns = {"Theorem 9.2": "theorem92", "Corollary 9.4": "corollary94"}
    void = ", ".join(f"{name} in {(table[at] > 1).sum()}" for name, at in columns.items())
    deltas = ", ".join(f"{delta:g}" for delta in dict.fromkeys(table["delta"]))
    return [
        "Of each rho: the empirical margin loss (Eq. 9.5), then the bound of Theorem 9.2 with the "
        "mean of K(x, x) over the training part, then that of Corollary 9.4 with its maximum, r^2; "
        f"each with probability 1 - delta, delta = {deltas}. Means over folds and repeats.",
        f"{VOID}: above 1, which says nothing. Of {len(table)} entries: {void}.",
        "Both fix rho, |W| and r before the sample is seen. Here |W| and r are those of the fitted "
        "machine and its training part, and the lowest bound of a line is one of several: the "
        "numbers show the size of the terms and are no guarantee.",
    ]


def render(table: pd.DataFrame, style: Style = "terminal") -> str:
    """The means as text."""
    if style == "csv":
        return tidy_csv(table)
    found = sheet(table)
    block = ("Means over folds and repeats", grid(found.head, found.lines, style))
    return document(TITLE, [block], found.notes, style)
