"""How far the class probabilities of a run can be trusted, by code and kind of estimate."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from ..coding.calibration import BINS
from .formats import Style, TextTable, document, grid
from .run import Run
from .tables import tidy_csv

SUMS = ("count", "confidence", "right")  # sums over the examples of each bin of confidence


def tables(run: Run) -> Iterator[TextTable]:
    """The table of a run that measured its probabilities."""
    rows = run.rows("calibration.csv")
    if rows is not None:
        yield TextTable("calibration", partial(render, means(rows)))


def means(rows: pd.DataFrame) -> pd.DataFrame:
    """Means per code and kind of estimate: over the cells of a data set, then over data sets."""
    scores = ["log_loss", "brier", "calibration_error"]
    by_set = rows.groupby(["code", "how", "dataset"], sort=False)[scores].mean()
    return by_set.groupby(["code", "how"], sort=False).mean().reset_index()


def render(table: pd.DataFrame, style: Style = "terminal") -> str:
    """The means as text."""
    if style == "csv":
        return tidy_csv(table)
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
