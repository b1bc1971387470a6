"""Seconds of fitting of everything that a run compares, from its costs.csv."""

from collections.abc import Iterator

import pandas as pd

from .catalogue import JOINT
from .significance.units import as_methods

CELL = ["dataset", "learner", "code"]


def fit_seconds(shown: pd.DataFrame, costs: pd.DataFrame, config: dict) -> pd.DataFrame:
    """Data set x method: seconds of all the fits of one training part, the mean over its cells.

    Decoders share their fits; a choice costs the fits of all that it is made among.
    """
    every = pd.concat([costs, *_chosen(costs, config)])
    mean = every.groupby(CELL, as_index=False)["seconds"].mean()
    rows = shown[[*CELL, "decoder"]].drop_duplicates().merge(mean)
    return rows.assign(method=as_methods(rows)["code"]).pivot_table("seconds", "dataset", "method")


def _chosen(costs: pd.DataFrame, config: dict) -> Iterator[pd.DataFrame]:
    """The cost of each choice: the fits of all its members together."""
    for name, choice in (config.get("select") or {}).items():
        for axis, key in (("learner", "learners"), ("code", "methods")):
            specs = config.get(key, ())
            among = [s["name"] for s in specs if {s["name"], s.get("of")} & set(choice["among"])]
            joint = costs["learner"] == JOINT
            mine = costs[costs[axis].isin(among) & (joint if axis == "code" else ~joint)]
            others = [c for c in costs.columns if c not in (axis, "seconds")]
            yield mine.groupby(others, as_index=False)["seconds"].sum().assign(**{axis: name})
