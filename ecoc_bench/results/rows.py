"""The CSV files of a run, written and read back."""

import csv
import io
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path

import pandas as pd

TEXT = (
    "dataset", "learner", "code", "decoder", "examples", "mistakes", "chosen", "how", "measure",
    "feature",
)  # fmt: skip


def to_csv(columns: Sequence[str], rows: Iterable[dict]) -> str:
    """Rows as CSV text with these columns, in this order."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read_rows(file: Path | BytesIO) -> pd.DataFrame:
    """The rows of a file; names are text, even a name such as `nan` or `2.1`."""
    return pd.read_csv(file, converters=dict.fromkeys(TEXT, str))
