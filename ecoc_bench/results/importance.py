"""The importance of attributes, averaged over the cells of a run."""

from math import isnan

import pandas as pd

KEY = ["dataset", "learner", "code", "decoder"]
MOST = 10  # attributes shown of each


def ranked(rows: pd.DataFrame) -> pd.DataFrame:
    """Means over folds, repeats and draws, in points and percent; the most important first.

    Of each data set, learner, code and decoder the first ten attributes are kept.
    """
    means = rows.groupby([*KEY, "feature"], sort=False)[["increase", "split_gain"]].mean()
    table = means.mul(100).reset_index()
    order = table.groupby(KEY, sort=False).ngroup()
    table = table.assign(order=order).sort_values(
        ["order", "increase", "split_gain"], ascending=[True, False, False], kind="stable"
    )
    return table.groupby("order").head(MOST).drop(columns="order").reset_index(drop=True)


def text(rows: pd.DataFrame) -> str:
    """A line for each of the first attributes."""
    lines = []
    for (dataset, learner, code, decoder), part in ranked(rows).groupby(KEY, sort=False):
        what = code if learner == decoder else f"{learner} {code} {decoder}"
        lines.append(f"{dataset}, {what}: points of test error when permuted, share of split gain")
        shown = zip(part["feature"], part["increase"], part["split_gain"], strict=True)
        for feature, increase, split_gain in shown:
            gain = "" if isnan(split_gain) else f"{split_gain:6.1f}%"
            lines.append(f"  {feature:30.30} {increase:6.1f} {gain}".rstrip())
    return "\n".join(lines)
