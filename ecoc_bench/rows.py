"""The CSV files of a run, read back."""

from pathlib import Path

import pandas as pd

TEXT = ("dataset", "learner", "code", "decoder", "examples", "mistakes")


def read_rows(path: Path) -> pd.DataFrame:
    """The rows of a file; names are text, also one such as `nan` or `2.1`."""
    return pd.read_csv(path, converters=dict.fromkeys(TEXT, str))
