"""What went wrong in a run: failures.csv, with a reason for everything that has no row."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Failure:
    """Columns that could not be fitted, or a code that a decoder could not decode.

    `context` is the store's key of the fit; empty for a decoder's failure.
    """

    dataset: str
    learner: str
    repeat: int
    fold: int
    reason: str
    details: str = ""
    columns: tuple[str, ...] = ()
    code: str = ""
    draw: int = 0
    decoder: str = ""
    context: str = ""

    @property
    def what(self) -> str:
        """In a few words, for a message."""
        return f"{self.decoder or self.learner} on {self.dataset}"


FORMULA = ("=", "+", "-", "@", "\t", "\r")
FAILURE_COLUMNS = tuple(field.name for field in fields(Failure))


def as_rows(failures: Iterable[Failure]) -> list[dict]:
    """For the CSV writer: columns by their names, a space between them, and no formulas."""
    rows = [{**vars(failure), "columns": " ".join(failure.columns)} for failure in failures]
    return [{name: _as_text(value) for name, value in row.items()} for row in rows]


def _as_text(value):
    """Text that a spreadsheet would run as a formula, with an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _as_written(value: str) -> str:
    return value[1:] if value.startswith("'") and value[1:].startswith(FORMULA) else value


def read_failures(path: Path) -> list[Failure]:
    """The failures of earlier runs; none if the file is missing or is not a failures.csv."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != FAILURE_COLUMNS:
                return []
            return [_failure(row) for row in reader]
    except (OSError, ValueError, TypeError, AttributeError, csv.Error):
        return []


def _failure(row: dict[str, str]) -> Failure:
    row = {name: _as_written(value) for name, value in row.items()}
    numbers = {name: int(row[name]) for name in ("repeat", "fold", "draw")}
    return Failure(**{**row, **numbers, "columns": tuple(row["columns"].split())})  # type: ignore[arg-type]
