"""What is made of a run after its fits: tables, claims, figures, page. Each piece fails alone."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ..files import write_atomically
from ..papers.claims import judge
from ..results.ownership import claim
from ..results.run import Run
from .attempt import Guard
from .tables import (
    write_claims,
    write_further_tables,
    write_leaderboard,
    write_measures,
    write_table,
)


class Written(NamedTuple):
    """The tables for the terminal, and a sentence on each piece that could not be made."""

    text: str
    troubles: list[str]


def write_all(
    folder: Path, expected: Mapping[tuple[str, str, str], int], with_page: bool
) -> Written:
    """Write all that can be made of a run's folder; rows are safe whatever happens here."""
    attempt = Guard()
    run = attempt("tables and figures", Run, folder)
    if run is None:
        return Written("", attempt.troubles)
    texts = [
        attempt("the leaderboard", write_leaderboard, run, expected),
        write_further_tables(run, attempt),
        attempt("the table of errors", write_table, run, expected),
    ]
    attempt("the tables of measures", write_measures, run)
    verdicts = attempt("the claims", judge, run) or []
    attempt("the table of claims", write_claims, run, verdicts)
    if with_page:  # matplotlib is imported for it alone
        from .figures import write_figures

        figures = write_figures(run, attempt)
        attempt("the page", _write_page, run, figures, verdicts)
    return Written("\n".join(text for text in texts if text), attempt.troubles)


def _write_page(run: Run, figures, verdicts) -> None:
    from .page import render_page

    claim(run.folder).write({"report.html": render_page(run, figures, verdicts)})


def write_page(run: Run, out: Path | None = None) -> Path:
    """Write the page of a run (report.html in its folder, or `out`) and give its path.

    The leaderboard and the figures of the run are made anew in its folder.
    """
    from .figures import write_figures
    from .page import render_page

    write_leaderboard(run)
    figures, verdicts = write_figures(run), judge(run)
    if out is None:
        _write_page(run, figures, verdicts)
    else:
        write_atomically(out, render_page(run, figures, verdicts))
    return out or run.folder / "report.html"
