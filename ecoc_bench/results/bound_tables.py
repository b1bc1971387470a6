"""The tables of bounds.csv: training errors with the bounds of Section 4, and margins with theirs.

Both are of Allwein et al. 2000; a line is a data set, learner and code at the last stage, and its
numbers are means over folds and draws.
"""

import pandas as pd

from ..coding.boosting_margins import DELTA, THETA
from .significance.text import Block
from .summary import at_stage
from .tables import DASH

ROW = ["dataset", "learner", "code"]
HEAD = ["Problem", "Learner", "Code"]
TRAINING = {
    "loss_error": "Loss-based",
    "theorem1": "Theorem 1",
    "hamming_error": "Hamming",
    "equation10": "Eq. 10",
    "equation11": "Eq. 11",
    "q": "Zeros",
}
MARGINS = {
    "margin_50": "Median margin",
    "theta_share": "At most theta",
    "theorem6": "Theorem 6",
    "equation24": "Eq. 24",
    "theorem3": "Theorem 3",
}
BOUNDS = ["theorem1", "equation10", "equation11", "theorem6", "equation24", "theorem3"]
VOID = "void"


def bound_blocks(bounds: pd.DataFrame) -> list[Block]:
    """The tables that the rows of bounds.csv fill, in reading order."""
    rows = _lines(bounds)
    title = "Training error and its bounds (%): means over folds and draws, after the last round"
    found = [_block(title, rows, TRAINING)]
    boosted = rows.dropna(subset=["theta"])
    if len(boosted):
        title = (
            f"Margins of boosting and their bounds at theta = {THETA} (%): Section 5 of Allwein et "
            "al. 2000"
        )
        found.append(_block(title, boosted, MARGINS))
    return found


def _lines(bounds: pd.DataFrame) -> pd.DataFrame:
    numbers = [*TRAINING, *MARGINS, "theta"]
    return at_stage(bounds, None).groupby(ROW, sort=False)[numbers].mean().reset_index()


def _block(title: str, rows: pd.DataFrame, shown: dict[str, str]) -> Block:
    lines = rows[[*ROW, *shown]].itertuples(index=False, name=None)
    body = [
        [*line[:3], *(_shown(*pair) for pair in zip(shown, line[3:], strict=True))]
        for line in lines
    ]
    return Block(title, [*HEAD, *shown.values()], body)


def _shown(column: str, value: float) -> str:
    if pd.isna(value):
        return DASH
    return VOID if column in BOUNDS and value >= 1 else f"{100 * value:.1f}"


def bound_notes(bounds: pd.DataFrame) -> list[str]:
    """What the columns are, and how many bounds say nothing."""
    rows = _lines(bounds)
    boosted = rows.dropna(subset=["theta"])
    return [
        "Theorem 1 bounds the error of loss-based decoding, Eqs. 10 and 11 (Corollary 2) that of "
        "Hamming decoding; Zeros is the share of (example, column) pairs that the code ignores.",
        *(_margin_notes(boosted) if len(boosted) else []),
        *_void(rows, boosted),
        *_missing(rows, boosted),
    ]


def _margin_notes(rows: pd.DataFrame) -> list[str]:
    """On Section 5."""
    notes = [
        "At most theta: the share of the training examples with such a margin. Theorem 6 bounds it "
        "by the errors of the rounds, Eq. 24 by the mean exponential loss; for discrete outputs of "
        "one call they are equal. Theorem 3 bounds the error on new examples, with "
        f"{1 - DELTA:.0%} confidence, by this share and the epsilon of its proof."
    ]
    if rows["theorem3"].notna().any():
        notes.append(f"The lowest value of Theorem 3 is {100 * rows['theorem3'].min():.3g}%.")
    return notes


def _void(rows: pd.DataFrame, boosted: pd.DataFrame) -> list[str]:
    shown = TRAINING | MARGINS
    counts = {name: int((rows[name] >= 1).sum()) for name in BOUNDS}
    if not any(counts.values()):
        return []
    training = ", ".join(f"{shown[n]} in {counts[n]}" for n in BOUNDS if n in TRAINING)
    notes = f"{VOID}: 1 or more, which says nothing. Of {len(rows)} lines: {training}"
    if len(boosted):
        margins = ", ".join(f"{shown[n]} in {counts[n]}" for n in BOUNDS if n in MARGINS)
        notes += f"; of {len(boosted)} with margins: {margins}"
    return [f"{notes}."]


def _missing(rows: pd.DataFrame, boosted: pd.DataFrame) -> list[str]:
    notes = []
    if rows[[n for n in BOUNDS if n in TRAINING]].isna().any(axis=None):
        notes.append(
            f"{DASH}: the learner's loss does not satisfy Eq. 7, so there is no such bound."
        )
    if boosted[[n for n in BOUNDS if n in MARGINS]].isna().any(axis=None):
        notes.append(
            f"{DASH} among the bounds of margins: Theorem 6 is about discrete outputs of one call, "
            "it and Eq. 24 about codes without zeros, Theorem 3 about one call and at least "
            "d x columns training examples, d the VC-dimension of the tests of a round."
        )
    return notes
