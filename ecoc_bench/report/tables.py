"""The tables of a run, written into its folder: the table of errors, and those of the papers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from ..files import write_atomically
from ..papers.claims import Verdict, render
from ..papers.registry import PAPERS
from ..results import calibration
from ..results.formats import SUFFIXES, TextTable
from ..results.run import Run

# The notations of all tables except the table of errors.
FURTHER: tuple[Literal["terminal", "markdown", "csv"], ...] = ("terminal", "markdown", "csv")


def write_table(run: Run, expected: Mapping[tuple[str, str, str], int] | None = None) -> str:
    """Write the table of errors in every notation; return the text for the terminal."""
    texts = {style: run.table(style, expected=expected) for style in SUFFIXES}
    for style, text in texts.items():
        write_atomically(run.folder / "tables" / f"table{SUFFIXES[style]}", text)
    return texts["terminal"]


def write_further_tables(run: Run) -> str:
    """Write the other tables that the run has; return their texts for the terminal."""
    found = list(further_tables(run))
    for name, text in found:
        for style in FURTHER:
            write_atomically(run.folder / "tables" / f"{name}{SUFFIXES[style]}", text(style))
    return "\n".join(text("terminal") for _, text in found)


def further_tables(run: Run) -> Iterator[TextTable]:
    """The table of its class probabilities, and the tables of the papers that it repeats."""
    yield from calibration.tables(run)
    for paper in PAPERS.values():
        yield from paper.tables(run)


def write_claims(run: Run, verdicts: Sequence[Verdict]) -> None:
    """Write the verdicts on the claims, if there are any."""
    for style in FURTHER if verdicts else ():
        path = run.folder / "tables" / f"claims{SUFFIXES[style]}"
        write_atomically(path, render(verdicts, style))
