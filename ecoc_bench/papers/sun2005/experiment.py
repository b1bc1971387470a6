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
from ..missing import Missing

PAPER = "sun2005.table3"
ECC, SECC, OC = METHODS = ("adaboost_ecc", "adaboost_secc", "adaboost_oc")
LEVELS: tuple[float, ...] = tuple(load_paper("sun2005")["noise"])
NOISY = LEVELS[1:]
TITLES: Mapping[str, str] = load_paper("sun2005")["codes"]
NAMES: Mapping[str, str] = load_paper("sun2005")["names"]
KEY = ["dataset", "code", "repeat"]
RUN = ["database", "noise", "repeat"]
VALUES = {"error": "test errors", "last": "last test errors", "train": "training errors"}


def named(database: str, noise: float) -> str:
    """The data set of a run.

    >>> named("letter", 0.1), named("letter", 0)
    ('letter@0.1', 'letter@0')
    """
    return f"{database}@{noise:g}"


def is_of(run: Run) -> bool:
    """Whether a run repeats Table 3."""
    return run.config["paper"] == PAPER


def has_rounds(run: Run) -> bool:
    """Whether a run tells what ECC and OC did in every round: Section 3, and Figure 4 in full."""
    rounds = run.rows("rounds.csv")
    return rounds is not None and {ECC, OC} <= set(rounds.dropna(subset=["cost"])["code"])


def is_of_figure4(run: Run) -> bool:
    """Whether a run has every round on databases of the paper, and does not repeat Table 3."""
    return has_rounds(run) and not is_of(run) and len(_due(run.config)) > 0


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


def with_choice(run: Run, rows: pd.DataFrame | None = None) -> pd.DataFrame:
    """The rows (results.csv's) of ECC, OC and, under SECC's name, of the method that it chose."""
    rows = run.results if rows is None else rows
    chosen = choices(run)["chosen"]
    of_secc = rows["code"] == rows["dataset"].map(chosen)
    plain = rows["code"].isin([ECC, OC])
    return pd.concat([rows[plain], rows[of_secc].assign(code=SECC)], ignore_index=True)


def training(run: Run) -> pd.DataFrame:
    """Training errors of the three methods: of every round if the run has them, or of stages."""
    if not has_rounds(run):
        return with_choice(run)
    names = {"round": "stage", "train_error": "train_error_rate"}
    return with_choice(run, run.rows("rounds.csv")).rename(columns=names)


def experiment(run: Run) -> pd.DataFrame:
    """One row per data set, method and run; errors in percent.

    `error` is the test error: SECC's after T* rounds, the others' after the last. `last` is the
    test error after the last round. `train` is the mean training error over the recorded rounds,
    the area under its curve, and `gap` is the most rounds between two of these. `shrunk`: eta* < 1,
    otherwise SECC is ECC. A run that the config has and the results lack is NaN; so are all runs of
    a method that lacks one that another method has.
    """
    stages, chosen, trained = with_choice(run), choices(run), training(run)
    last = stages.groupby(["dataset", "code"])["stage"].transform("max")
    steps = last.mask(stages["code"] == SECC, stages["dataset"].map(chosen["stage"]))
    table = pd.DataFrame(
        {
            "error": 100 * stages[stages["stage"] == steps].set_index(KEY)["error_rate"],
            "last": 100 * stages[stages["stage"] == last].set_index(KEY)["error_rate"],
            "train": 100 * trained.groupby(KEY)["train_error_rate"].mean(),
        }
    )
    table = table.reindex(_due(run.config)).reset_index()
    runs = table.groupby(["dataset", "code"])["error"].transform("count")
    short = runs < runs.groupby(table["dataset"]).transform("max")
    table[list(VALUES)] = table[list(VALUES)].mask(short)
    gap = int(np.diff([0, *np.unique(trained["stage"])]).max())
    return split(table.assign(shrunk=table["dataset"].map(chosen["eta"]) < 1, gap=gap))


def _due(config: dict) -> pd.MultiIndex:
    """Every run of every method, on the data sets of the paper that the config has."""
    of_paper = {named(database, noise) for database in NAMES for noise in LEVELS}
    keys = [
        (spec["name"], method, repeat)
        for spec in config["datasets"]
        if spec["name"] in of_paper
        for method in METHODS
        for repeat in range(spec["repeats"] or config["evaluation"]["repeats"])
    ]
    return pd.MultiIndex.from_tuples(sorted(keys), names=KEY)


def split(table: pd.DataFrame) -> pd.DataFrame:
    """`letter@0.1` as database `letter` and noise 0.1."""
    parts = table["dataset"].str.partition("@")
    return table.assign(database=parts[0], noise=pd.to_numeric(parts[2]))


def paired(
    rows: pd.DataFrame,
    missing: Missing,
    codes: Sequence[str],
    levels: Sequence[float],
    value: str = "error",
) -> pd.DataFrame:
    """Values side by side, if enough of the paper's databases have them at these noise levels."""
    due = [(database, noise) for database in NAMES for noise in levels]
    wide = side_by_side(rows, missing, codes, due, value)
    found = len(means(wide))
    if found < ENOUGH * len(due):
        *front, end = (TITLES[code] for code in codes)
        what = f"{VALUES[value]} of {', '.join(front)} and {end}"
        raise NotEnough(f"only {found} of the paper's {len(due)} entries have {what}")
    return wide


def side_by_side(
    rows: pd.DataFrame,
    missing: Missing,
    codes: Sequence[str],
    due: Sequence[tuple[str, float]],
    value: str = "error",
) -> pd.DataFrame:
    """Values of these methods side by side, by database, noise and run; only runs that all have."""
    part = rows[rows["code"].isin(codes)]
    in_order = pd.MultiIndex.from_frame(part[RUN].drop_duplicates())
    wide = part.pivot(index=RUN, columns="code", values=value)  # noqa: PD010 - it keeps NaN
    return whole_runs(wide.reindex(in_order, columns=list(codes)), due, missing)


def entry_title(entry: tuple[str, float]) -> str:
    """
    >>> entry_title(("letter", 0.1))
    'Letters at 10%'
    """
    return f"{NAMES[entry[0]]} at {entry[1]:.0%}"


def whole_runs(
    table: pd.DataFrame, due: Sequence[tuple[str, float]], missing: Missing
) -> pd.DataFrame:
    """The runs of the due (database, noise) that have all values; notes which have not."""
    entries = pd.MultiIndex.from_tuples(due, names=RUN[:2])
    table = table[
        pd.MultiIndex.from_arrays([table.index.get_level_values(level) for level in RUN[:2]]).isin(
            entries
        )
    ]
    whole = table.notna().all(axis=1)
    kept = whole.groupby(level=RUN[:2], sort=False).sum().reindex(entries, fill_value=0)
    of = whole.groupby(level=RUN[:2], sort=False).size().reindex(entries, fill_value=0)
    titles = [(NAMES[database], f"{noise:.0%}") for database, noise in due]
    index = pd.MultiIndex.from_tuples(titles)
    missing.note_parts(pd.Series((kept == 0).to_numpy(), index))
    for entry, n, all_ in zip(due, kept, of, strict=True):
        if 0 < n < all_:
            missing.note([f"{all_ - n} of {all_} on {entry_title(entry)}"], "runs left out")
    return table[whole]


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
