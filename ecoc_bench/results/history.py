"""What methods tell of their training next to what was measured, round by round."""

from typing import NamedTuple

import pandas as pd

from .catalogue import JOINT

KEY = ["dataset", "code", "round"]


class Told(NamedTuple):
    """A column of rounds.csv and the column of results.csv that belongs next to it."""

    column: str
    measured: str
    words: str
    words_measured: str


TOLD: dict[str, Told] = {
    "oob": Told("oob_error", "error_rate", "out-of-bag error", "test error"),
    "training_bound": Told(
        "bound", "train_error_rate", "bound on the training error", "training error"
    ),
}


def curves(rounds: pd.DataFrame, results: pd.DataFrame, told: Told) -> pd.DataFrame:
    """dataset, code, kind, round and value in percent: means over the cells.

    Methods that tell their cost have a figure of their own. A method without stages was measured
    after its last round.
    """
    rows = rounds[rounds["cost"].isna()].dropna(subset=[told.column])
    last = rows.groupby("code")["round"].max()
    mine = results[(results["learner"] == JOINT) & results["code"].isin(last.index)]
    stages = mine["stage"].where(mine["stage"] > 0, mine["code"].map(last))
    parts = {
        told.words: rows.groupby(KEY, sort=False)[told.column].mean(),
        told.words_measured: mine.assign(round=stages)
        .groupby(KEY, sort=False)[told.measured]
        .mean(),
    }
    return pd.concat(
        part.mul(100).rename("value").reset_index().assign(kind=kind)
        for kind, part in parts.items()
    )
