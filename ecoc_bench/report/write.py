"""Everything written after the fits: tables, claims, figures, page. Each piece may fail alone."""

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import UserError, reason
from ..files import PACKAGE, write_atomically
from ..papers.claims import judge
from ..results.run import Run
from .figures import write_figures
from .page import render_page
from .tables import write_claims, write_further_tables, write_table


class Written(NamedTuple):
    """The tables for the terminal, and a sentence about each piece that could not be made."""

    text: str
    troubles: list[str]


def write_all(
    folder: Path, expected: Mapping[tuple[str, str, str], int], with_page: bool
) -> Written:
    """Write everything that follows from a run's rows; the rows are safe if anything fails here."""
    troubles: list[str] = []

    def attempt(what: str, make: Callable, *arguments) -> Any:
        try:
            return make(*arguments)
        except Exception as error:
            troubles.append(f"{what} could not be made: {_explained(error)}")

    run = attempt("tables and figures", Run, folder)
    if run is None:
        return Written("", troubles)
    texts = [
        attempt("the papers' tables", write_further_tables, run),
        attempt("the table of errors", write_table, run, expected),
    ]
    if with_page:
        verdicts = attempt("the claims", judge, run) or []
        attempt("the table of claims", write_claims, run, verdicts)
        figures = attempt("the figures", write_figures, run) or []
        attempt("the page", _write_page, run, figures, verdicts, folder / "report.html")
    return Written("\n".join(text for text in texts if text), troubles)


def _explained(error: Exception) -> str:
    """The message of an error; if it was not written for users, also where it was raised."""
    if isinstance(error, UserError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if Path(f.filename).is_relative_to(PACKAGE)]
    place = f" ({Path(ours[-1].filename).name}, line {ours[-1].lineno})" if ours else ""
    return f"{reason(error)}{place}. This is a fault of ecoc-bench; the rows are not affected."


def write_page(run: Run, out: Path | None = None) -> Path:
    """Write the page of a run (report.html in its folder, or `out`) and return its path.

    The figures of the run are drawn again into its folder.
    """
    path = out or run.folder / "report.html"
    _write_page(run, write_figures(run), judge(run), path)
    return path


def _write_page(run: Run, figures, verdicts, path: Path) -> None:
    write_atomically(path, render_page(run, figures, verdicts))
