"""The CSV files of a run, written and read back."""

import csv
import io
from collections.abc import Iterable, Sequence
from io import BytesIO

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


def read_rows(content: bytes) -> pd.DataFrame:
    """The rows of a file; names are text, even a name such as `nan` or `2.1`.

    >>> read_rows(b"dataset,errors\\nnan,nan\\n2.1,7\\n").to_numpy().tolist()
    [['nan', nan], ['2.1', 7.0]]
    """
    header = pd.read_csv(BytesIO(content), nrows=0).columns
    return pd.read_csv(
        BytesIO(content),
        dtype=dict.fromkeys(TEXT, str),
        keep_default_na=False,
        na_values={name: ["", "nan"] for name in header if name not in TEXT},
    )


def short_line(content: bytes) -> int | None:
    """The number of the first line with fewer cells than the header, which pandas fills with NaN.

    >>> short_line(b"a,b\\n1,\\n2\\n"), short_line(b"a,b\\n1,\\n")
    (3, None)
    """
    lines = csv.reader(io.StringIO(content.decode(errors="replace"), newline=""))
    try:
        width = len(next(lines))
        return next((lines.line_num for cells in lines if 0 < len(cells) < width), None)
    except csv.Error:  # a cell that is longer than the module takes
        return None
