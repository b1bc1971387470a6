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


FAILURE_COLUMNS = tuple(field.name for field in fields(Failure))


def as_rows(failures: Iterable[Failure]) -> list[dict]:
    """For the CSV writer: columns by their names, a space between them."""
    return [{**vars(failure), "columns": " ".join(failure.columns)} for failure in failures]


def read_failures(path: Path) -> list[Failure]:
    """The failures of earlier runs; none if the file is missing or is not a failures.csv."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != FAILURE_COLUMNS:
                return []
            return [_failure(row) for row in reader]
    except (OSError, ValueError, csv.Error):
        return []


def _failure(row: dict[str, str]) -> Failure:
    numbers = {name: int(row[name]) for name in ("repeat", "fold", "draw")}
    return Failure(**{**row, **numbers, "columns": tuple(row["columns"].split())})  # type: ignore[arg-type]
