"""From the rows of a run to one number per data set, learner, code and decoder."""

from collections.abc import Mapping
from math import nan, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..published import PaperTable

KEY = ["dataset", "learner", "code", "decoder"]
CELL = ["draw", "repeat", "fold"]
# Smaller differences are not worth an explanation, however narrow the interval.
NOTABLE = 2.0


def summarize(
    results: pd.DataFrame,
    stage: int | None = None,
    expected: Mapping[tuple[str, str, str], int] | None = None,
) -> pd.DataFrame:
    """One row per data set, learner, code and decoder; errors and shares in percent.

    The error is pooled over the folds of a repeat, then averaged over repeats and draws. Rows are
    taken at each learner's last stage, or at ``stage``. ``expected`` counts the cells that a
    finished run has for each (data set, learner, code); without it, the folds of a data set are
    those of any of its rows.
    """
    rows, keys = _numbered(at_stage(results, stage))
    groups = rows.groupby(KEYED)
    sums = groups[["errors", "n_test", "ties", "n_columns", "unconverged"]].sum()
    means = groups[["n_columns", "rho", "train_error_rate", "binary_error_rate"]].mean()
    pooled = rows.groupby([KEYED, "draw", "repeat"])[["errors", "n_test"]].sum()
    table = keys.join(_over_draws(pooled))
    table["n_test"] = pooled["n_test"].groupby(KEYED).max()
    bounds = [
        wilson(error / 100, n) for error, n in zip(table["error"], table["n_test"], strict=True)
    ]
    table["lo"] = [100 * lo for lo, _ in bounds]
    table["hi"] = [100 * hi for _, hi in bounds]
    table["n_columns"] = means["n_columns"]
    table["rho"] = means["rho"]
    table["ties"] = 100 * sums["ties"] / sums["n_test"]
    table["train_error"] = 100 * means["train_error_rate"]
    table["binary_error"] = 100 * means["binary_error_rate"]
    table["unconverged"] = sums["unconverged"].astype(int)
    table["columns_fitted"] = sums["n_columns"].astype(int)
    table["complete"] = _complete(rows, keys, expected)
    return table[COLUMNS]


KEYED = "key"  # a column with the number of a row's key


def _numbered(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows with the number of their key, and the keys, in the order of the run.

    To group by one number is several times as fast as by four names.
    """
    numbers = np.zeros(len(rows), dtype=np.int64)
    for name in KEY:
        codes, names = pd.factorize(rows[name])
        numbers, _ = pd.factorize(numbers * len(names) + codes)  # stay small
    keys = rows[KEY][~pd.Series(numbers).duplicated().to_numpy()]
    return rows.assign(**{KEYED: numbers}), keys.reset_index(drop=True)


COLUMNS = [
    *KEY,
    *["error", "lo", "hi", "draws", "sd_draws", "min_draw", "max_draw", "n_test", "n_columns"],
    *["rho", "ties", "train_error", "binary_error", "unconverged", "columns_fitted", "complete"],
]


def at_stage(results: pd.DataFrame, stage: int | None) -> pd.DataFrame:
    """The rows of one stage: the last of each learner and code, unless ``stage`` is given."""
    if stage is not None:
        return results[results["stage"] == stage]
    last = results.groupby(["learner", "code"])["stage"].transform("max")
    return results[results["stage"] == last]


def wilson(error_rate: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a rate seen on ``n`` test examples.

    Takes a rate, not a count: a mean over draws of a code is not a whole number of errors. What is
    above 1, such as a mean cost, is not a rate and has no interval.

    >>> [round(bound, 4) for bound in wilson(0.1, 10)]
    [0.0179, 0.4042]
    """
    if n == 0 or error_rate > 1:
        return nan, nan
    z = NormalDist().inv_cdf((1 + level) / 2)
    shrink = 1 + z * z / n
    centre = (error_rate + z * z / (2 * n)) / shrink
    half = z * sqrt(error_rate * (1 - error_rate) / n + z * z / (4 * n * n)) / shrink
    # At rates 0 and 1 rounding would leave a bound just off the end.
    return (
        0.0 if error_rate == 0 else max(0.0, centre - half),
        1.0 if error_rate == 1 else min(1.0, centre + half),
    )


def _over_draws(pooled: pd.DataFrame) -> pd.DataFrame:
    """Mean and spread of the error over the draws of the code."""
    rate = 100 * pooled["errors"] / pooled["n_test"]
    draws = rate.groupby([KEYED, "draw"]).mean().groupby(KEYED)
    return pd.DataFrame(
        {
            "error": draws.mean(),
            "draws": draws.size(),
            "sd_draws": draws.std(),
            "min_draw": draws.min(),
            "max_draw": draws.max(),
        }
    )


def _complete(rows: pd.DataFrame, keys: pd.DataFrame, expected) -> pd.Series:
    """Whether each row of the summary has all the folds it should have."""
    cells = rows.drop_duplicates([KEYED, *CELL]).groupby(KEYED).size()
    folds = rows.drop_duplicates(["dataset", "repeat", "fold"]).groupby("dataset").size()
    due = rows.groupby(KEYED)["draw"].nunique() * keys["dataset"].map(folds)
    if expected is not None:
        names = zip(*(keys[name] for name in KEY[:3]), strict=True)
        due = pd.Series([expected.get(name, n) for name, n in zip(names, due, strict=True)])
    return cells >= due


def compared(summary: pd.DataFrame, paper: PaperTable) -> pd.DataFrame:
    """Adds the paper's number, our difference from it, and whether our interval holds it."""
    keys = zip(summary["dataset"], summary["code"], summary["decoder"], strict=True)
    printed = [paper.error(*key) for key in keys]
    table = summary.assign(paper=pd.Series(printed, index=summary.index, dtype=float))
    table["difference"] = table["error"] - table["paper"]
    within = table["paper"].between(table["lo"], table["hi"]).astype("boolean")
    table["within"] = within.mask(table["paper"].isna())
    return table


class Agreement(NamedTuple):
    """How near a set of numbers is to the paper's."""

    entries: int
    mean: float  # mean |difference|, in points
    within: int  # how many of the paper's numbers are inside our interval


def agreement(compared: pd.DataFrame) -> Agreement:
    """Over the numbers that both we and the paper have."""
    both = compared.dropna(subset=["difference"])
    return Agreement(len(both), float(both["difference"].abs().mean()), int(both["within"].sum()))


def notable(compared: pd.DataFrame) -> pd.Series:
    """Which numbers need an explanation: more than 2 points off, and outside our interval."""
    outside = ~compared["within"].fillna(True).astype(bool)
    return outside & (compared["difference"].abs() > NOTABLE)
