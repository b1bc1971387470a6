"""The tables of a run, written into its folder: leaderboard, errors, and those of the papers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from ..papers.claims import Verdict, render
from ..papers.registry import PAPERS
from ..results import calibration, leaderboard, margin_bounds, measure_tables, peers
from ..results.formats import SUFFIXES, TextTable, for_terminal
from ..results.ownership import claim
from ..results.run import Run
from ..results.tables import layout_of
from ..results.tables import render as render_table
from .attempt import Attempt, call

Expected = Mapping[tuple[str, str, str], int]
Maker = Callable[[Run], Iterator[TextTable]]
# The notations of all tables except the leaderboard and the table of errors.
FURTHER: tuple[Literal["terminal", "markdown", "csv"], ...] = ("terminal", "markdown", "csv")


def write_leaderboard(run: Run, expected: Expected | None = None) -> str:
    """Write the leaderboard in every notation; return what the terminal shows first."""
    board = run.leaderboard(expected=expected)
    texts = {SUFFIXES[style]: leaderboard.render(board, style) for style in SUFFIXES}
    claim(run.folder).write({f"tables/leaderboard{suffix}": t for suffix, t in texts.items()})
    return leaderboard.opening(board)


def write_table(run: Run, expected: Expected | None = None) -> str:
    """Write the table of errors in every notation; return the terminal's text."""
    summary, layout = run.summary(expected=expected), layout_of(run.facts, run.paper)
    texts = {style: render_table(summary, style=style, layout=layout) for style in SUFFIXES}
    files = {f"tables/table{SUFFIXES[style]}": text for style, text in texts.items()}
    claim(run.folder).write(files)
    with for_terminal():
        return render_table(summary, layout=layout)


def write_further_tables(run: Run, attempt: Attempt = call) -> str:
    """Write the other tables that the run has; return the terminal's texts."""
    makers: dict[str, Maker] = {
        "measures": measure_tables.tables,
        "class probabilities": calibration.tables,
        "the default decoder": peers.tables,
        "margin bounds": margin_bounds.tables,
        **{name: paper.tables for name, paper in PAPERS.items()},
    }
    texts = [
        attempt(f"the tables of {name}", _write_tables, run, make) for name, make in makers.items()
    ]
    return "\n".join(text for text in texts if text)


def write_measures(run: Run) -> None:
    """Write a table for each measure; the terminal shows only their overview."""
    files = {
        f"tables/{name}{SUFFIXES[style]}": text(style)
        for name, text in measure_tables.details(run)
        for style in FURTHER
    }
    if files:
        claim(run.folder).write(files)


def _write_tables(run: Run, make: Maker) -> str:
    found = list(make(run))
    files = {
        f"tables/{name}{SUFFIXES[style]}": text(style) for name, text in found for style in FURTHER
    }
    if files:
        claim(run.folder).write(files)
    with for_terminal():
        return "\n".join(text("terminal") for _, text in found)


def write_claims(run: Run, verdicts: Sequence[Verdict]) -> None:
    """Write the verdicts on the claims, if there are any."""
    if verdicts:
        claim(run.folder).write(
            {f"tables/claims{SUFFIXES[style]}": render(verdicts, style) for style in FURTHER}
        )
