"""The class probabilities of a run's cells, three ways, and how far they can be trusted.

`likelihood` is Eqs. 2 to 4 of Passerini et al. 2004, `softmax` the plain softmax of the learner's
loss-based distances, `coupling` (all-pairs only) that of the pairs' sigmoids.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from . import decoders
from .calibration import (
    BINS,
    brier_score,
    expected_calibration_error,
    log_loss,
    reliability_table,
    softmax_of_distances,
)
from .codes import pair_columns
from .coupling import couple, pair_probabilities
from .errors import ConfigError
from .files import write_atomically
from .formats import Style, document, grid
from .plots.picture import Picture
from .rows import read_rows
from .tables import to_csv

SUFFIXES: dict[str, Style] = {".txt": "terminal", ".md": "markdown", ".csv": "csv"}
CELL = ("dataset", "learner", "code", "draw", "stage", "repeat", "fold")
SUMS = ("count", "confidence", "right")  # of the examples of each bin of confidence
COLUMNS = (
    *CELL, "how", "n_test", "log_loss", "brier", "calibration_error",
    *(f"{name}_{b}" for name in SUMS for b in range(BINS)),
)  # fmt: skip


def cell_calibration(M, F, y, A, B, loss: str) -> Iterator[dict]:
    """A row for each way to probabilities, on the test examples of one cell at one stage."""
    for how, P in _ways(M, F, A, B, loss):
        table = reliability_table(y, P).fillna(0.0)
        sums = {
            "count": table["count"],
            "confidence": table["confidence"] * table["count"],
            "right": table["accuracy"] * table["count"],
        }
        bins = {f"{n}_{b}": f"{v:.6g}" for n, vs in sums.items() for b, v in enumerate(vs)}
        yield {
            "how": how,
            "n_test": len(y),
            "log_loss": f"{log_loss(y, P):.6f}",
            "brier": f"{brier_score(y, P):.6f}",
            "calibration_error": f"{expected_calibration_error(y, P):.6f}",
            **bins,
        }


def _ways(M, F, A, B, loss: str) -> Iterator[tuple[str, np.ndarray]]:
    from .likelihood import probabilities

    yield "likelihood", probabilities(M, F, A, B)
    yield "softmax", softmax_of_distances(decoders.resolve("loss", loss)(M, F))
    try:
        pair_columns(M)
    except ConfigError:
        return
    yield "coupling", couple(pair_probabilities(M, F, A, B))


def pictures(folder: Path, label: str) -> Iterator[Picture]:
    """One figure per code: reliability over all data sets and learners of the run."""
    from .plots.reliability import draw_reliability

    if not (folder / "calibration.csv").exists():
        return
    rows = read_rows(folder / "calibration.csv")
    for code, mine in rows.groupby("code", sort=False):
        tables = {str(how): pooled(part) for how, part in mine.groupby("how", sort=False)}
        title = f"{label}: reliability of class probabilities, {code}"
        caption = (
            "How often the most probable class is right, against its probability, over all test "
            "examples of the run's data sets and learners; below, how many examples there are. On "
            "the diagonal a probability can be taken at its word."
        )
        yield Picture(f"reliability_{code}", title, caption, draw_reliability(tables, title))


def pooled(rows: pd.DataFrame) -> pd.DataFrame:
    """The reliability table of many cells together."""
    count, confidence, right = (
        rows[[f"{name}_{b}" for b in range(BINS)]].sum().to_numpy(dtype=float) for name in SUMS
    )
    some = np.where(count > 0, count, np.nan)
    edges = np.linspace(0, 1, BINS + 1)
    return pd.DataFrame(
        {
            "low": edges[:-1],
            "high": edges[1:],
            "confidence": confidence / some,
            "accuracy": right / some,
            "count": count,
        }
    )


def render(folder: Path, style: Style = "terminal") -> str:
    """Means over data sets, each of which counts once, of the run's calibration by code and way."""
    table = means(read_rows(folder / "calibration.csv"))
    if style == "csv":
        return to_csv(table)
    head = ["Code", "Probabilities by", "Log loss", "Brier score", "Calibration error"]
    body = [
        [[str(row.code)], [str(row.how)], *([f"{value:.3f}"] for value in row[3:])]
        for row in table.itertuples()
    ]
    notes = [
        "Likelihood: Eqs. 2 to 4 of Passerini et al. 2004, sigmoids of inner folds; softmax: of "
        "the loss-based distances; coupling: of the pairs' sigmoids (Wu, Lin & Weng 2004).",
        "Brier score: 0 to 2. Calibration error: mean |accuracy - confidence| over ten bins.",
    ]
    grids = [("Means over data sets, learners of a sweep included", grid(head, body, style))]
    return document("Class probabilities on the test parts", grids, notes, style)


def means(rows: pd.DataFrame) -> pd.DataFrame:
    """Per code and way: the mean over the cells of each data set, then over data sets."""
    scores = ["log_loss", "brier", "calibration_error"]
    by_set = rows.groupby(["code", "how", "dataset"], sort=False)[scores].mean()
    return by_set.groupby(["code", "how"], sort=False).mean().reset_index()


def write(folder: Path) -> None:
    """Write the table in every style into the run's folder `tables`."""
    for suffix, style in SUFFIXES.items():
        write_atomically(folder / "tables" / f"calibration{suffix}", render(folder, style))
