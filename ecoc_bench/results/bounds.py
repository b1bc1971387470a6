"""The distribution of the training margins over the rounds, from bounds.csv."""

import numpy as np
import pandas as pd

from ..coding.boosting_margins import MARGINS, QUANTILES


def margin_distributions(bounds: pd.DataFrame) -> pd.DataFrame:
    """The cumulative margin distribution of each data set, learner, code and stage of a run.

    Columns `dataset, learner, code, stage, share, margin`: `share` of the training examples have a
    margin of at most `margin`. Quantiles are averaged over folds and draws.
    """
    table = bounds.dropna(subset=["eta"])
    key = ["dataset", "learner", "code", "stage"]
    means = table.groupby(key, sort=False)[list(MARGINS)].mean()
    long = means.index.repeat(len(QUANTILES)).to_frame(index=False)
    long["share"] = np.tile(QUANTILES, len(means)) / 100
    long["margin"] = means.to_numpy().ravel()
    return long
