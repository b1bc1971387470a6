"""A run of Table 3 of Sun et al. 2005, read for its claims, tables and figures.

All methods share the parts and the noise of each of the paper's runs (our repeats), so they are
compared by their differences, repeat by repeat.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t

from ...published import load_paper
from ...results.run import Run
from ..evidence import ENOUGH, NotEnough, lower

PAPER = "sun2005.table3"
ECC, SECC, OC = METHODS = ("adaboost_ecc", "adaboost_secc", "adaboost_oc")
LEVELS: tuple[float, ...] = tuple(load_paper("sun2005")["noise"])
NOISY = LEVELS[1:]
TITLES: Mapping[str, str] = load_paper("sun2005")["codes"]
NAMES: Mapping[str, str] = load_paper("sun2005")["names"]
KEY = ["dataset", "code", "repeat"]


def named(database: str, noise: float) -> str:
    """The data set of a run.

    >>> named("letter", 0.1), named("letter", 0)
    ('letter@0.1', 'letter@0')
    """
    return f"{database}@{noise:g}"


def is_of(run: Run) -> bool:
    """Whether a run repeats Table 3."""
    return run.config["paper"] == PAPER


def etas(config: dict) -> dict[str, float]:
    """The shrinkage of each method that SECC chooses among; ECC is SECC with eta = 1."""
    methods = config["methods"]
    return {ECC: 1.0} | {m["name"]: m["swept"]["eta"] for m in methods if "eta" in m["swept"]}


def choices(run: Run) -> pd.DataFrame:
    """What SECC chose, by the name of the data set: `chosen`, `eta`, `stage` (T*)."""
    rows = run.rows("selected.csv")
    if rows is None:
        return pd.DataFrame(columns=["chosen", "eta", "stage"])
    first = rows[rows["code"] == SECC].drop_duplicates("dataset").set_index("dataset")
    return first.assign(eta=first["chosen"].map(etas(run.config)))[["chosen", "eta", "stage"]]


def with_choice(run: Run) -> pd.DataFrame:
    """All stages of ECC, OC and, under SECC's name, of the method that SECC chose."""
    chosen = choices(run)["chosen"]
    of_secc = run.results["code"] == run.results["dataset"].map(chosen)
    plain = run.results["code"].isin([ECC, OC])
    return pd.concat([run.results[plain], run.results[of_secc].assign(code=SECC)])


def experiment(run: Run) -> pd.DataFrame:
    """One row per data set, method and run; errors in percent.

    `error` is the test error: SECC's after T* rounds, the others' after the last. `last` is the
    test error after the last round. `train` is the mean training error over the stages, the area
    under its curve. `shrunk`: eta* < 1, otherwise SECC is ECC. If a method lacks a run on a data
    set that another method has, it is left out of this data set.
    """
    stages, chosen = with_choice(run), choices(run)
    last = stages.groupby(["dataset", "code"])["stage"].transform("max")
    steps = last.mask(stages["code"] == SECC, stages["dataset"].map(chosen["stage"]))
    table = pd.DataFrame(
        {
            "error": 100 * stages[stages["stage"] == steps].set_index(KEY)["error_rate"],
            "last": 100 * stages[stages["stage"] == last].set_index(KEY)["error_rate"],
            "train": 100 * stages.groupby(KEY)["train_error_rate"].mean(),
        }
    ).reset_index()
    runs = table.groupby(["dataset", "code"])["repeat"].transform("size")
    table = table[runs == runs.groupby(table["dataset"]).transform("max")]
    return split(table.assign(shrunk=table["dataset"].map(chosen["eta"]) < 1))


def split(table: pd.DataFrame) -> pd.DataFrame:
    """`letter@0.1` as database `letter` and noise 0.1."""
    parts = table["dataset"].str.partition("@")
    return table.assign(database=parts[0], noise=pd.to_numeric(parts[2]))


def paired(
    rows: pd.DataFrame, codes: Sequence[str], levels: Sequence[float], value: str = "error"
) -> pd.DataFrame:
    """Values of these methods side by side, by database, noise and run; only runs that all have."""
    part = rows[rows["code"].isin(codes) & rows["noise"].isin(levels)]
    wide = part.pivot_table(value, ["database", "noise", "repeat"], "code", sort=False)
    wide = wide.reindex(columns=list(codes)).dropna()
    found, due = len(means(wide)), len(NAMES) * len(levels)
    if found < ENOUGH * due:
        *front, end = (TITLES[code] for code in codes)
        what = f"{VALUES[value]} of {', '.join(front)} and {end}"
        raise NotEnough(f"only {found} of the paper's {due} entries have {what}")
    return wide


VALUES = {"error": "test errors", "train": "training errors"}


def means(values):
    """Means over the runs of each database and noise level."""
    return values.groupby(level=["database", "noise"], sort=False).mean()


class Average(NamedTuple):
    """A mean with its 95% interval, which is unknown (NaN) if there is only one run."""

    mean: float
    lo: float
    hi: float

    def is_below(self, bound: float = 0.0) -> bool:
        """Whether the mean is below by more than the spread over the runs, if this is known."""
        return bool(lower(self.mean if np.isnan(self.hi) else self.hi, bound))

    def __str__(self) -> str:
        interval = "" if np.isnan(self.lo) else f" [{self.lo:.1f}, {self.hi:.1f}]"
        return f"{self.mean:.1f}{interval}"


def average(values: pd.Series) -> Average:
    """The mean over databases of equal weight, with Welch's interval from the spread over runs.

    The noise levels of a run may share its parts, so they are averaged before the spread is taken.
    """
    by_run = values.groupby(level=["database", "repeat"]).mean().groupby(level="database")
    mean, n = float(by_run.mean().mean()), by_run.size()
    variances = by_run.var() / n
    if (n < 2).any() or n.empty:
        return Average(mean, np.nan, np.nan)
    if not variances.any():
        return Average(mean, mean, mean)
    freedom = variances.sum() ** 2 / (variances**2 / (n - 1)).sum()
    margin = float(t.ppf(0.975, freedom) * np.sqrt(variances.sum()) / len(n))
    return Average(mean, mean - margin, mean + margin)
