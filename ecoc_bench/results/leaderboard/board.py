"""Who is ranked, on which data sets, and how well."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pandas as pd

from ..costs import fit_seconds
from ..significance.procedures import average_ranks
from ..significance.units import DIGITS, METHOD, as_methods, units
from ..summary import at_stage, summarize
from .best import Judged, judged_by_folds, judged_by_rows, judged_over_datasets

ALPHA = 0.05
BEST, UNCLEAR, WORSE = "best", "unclear", "worse"  # unclear: cannot be told from the best
TICK = 1e-6  # seconds: the last digit of costs.csv, used for shorter times


@dataclass(frozen=True)
class Standing:
    """A line of the leaderboard; one that lacks data sets has no rank."""

    name: str
    rank: int | None  # 1 is best; equal average ranks share it
    average_rank: float | None
    error: float  # percent, the mean over its data sets
    lo: float
    hi: float
    against_best: str  # best, unclear or worse; empty without a rank
    seconds: float | None  # geometric mean over the data sets
    missing: tuple[str, ...] = ()  # data sets that keep it from being ranked


@dataclass(frozen=True)
class Leaderboard:
    """Everything that a run compares, the best first, then what could not be ranked."""

    standings: tuple[Standing, ...]
    datasets: tuple[str, ...]  # on which all that have a rank are compared
    sources: int  # how many they are if versions of one, such as levels of noise, count once
    left_out: dict[str, tuple[str, ...]]  # other data set: the ranked methods it lacks
    unfinished: tuple[str, ...]  # "ova loss (svm) on glass": folds or draws are missing
    alpha: float
    judged: Judged | None  # None for fewer than two methods

    @property
    def ranked(self) -> tuple[Standing, ...]:
        return tuple(standing for standing in self.standings if standing.rank is not None)


def leaderboard(
    shown: pd.DataFrame,
    costs: pd.DataFrame | None,
    config: dict,
    *,
    stage: int | None = None,
    expected: Mapping[tuple[str, str, str], int] | None = None,
    alpha: float = ALPHA,
) -> Leaderboard:
    """Rank every learner with every code and decoder, and every method, by its average rank.

    ``shown`` are the rows of a run with its choices made. Staged learners count after their last
    stage, or after ``stage`` rounds; ``expected`` is as in ``summarize``.
    """
    rows = at_stage(shown, stage)
    table = summarize(rows, stage, expected)
    table["method"] = as_methods(table)["code"]
    whole, broken = table[table["complete"]], table[~table["complete"]]
    pairs = zip(broken["method"], broken["dataset"], strict=True)
    unfinished = tuple(f"{method} on {dataset}" for method, dataset in pairs)
    if whole.empty:
        return Leaderboard((), (), 0, {}, unfinished, alpha, None)
    errors = _wide(whole, "error")
    block = largest_block(errors)
    wide = {"error": block, **{name: _wide(whole, name) for name in ("lo", "hi", "n_test")}}
    judged = _judged(rows, wide, alpha)
    seconds = fit_seconds(rows, costs, config) if costs is not None else pd.DataFrame()
    ranks = pd.Series(average_ranks(block.to_numpy()), block.columns).round(DIGITS)
    standings = [_standing(name, wide, ranks, judged, seconds) for name in _order(block, ranks)]
    rest = [name for name in errors.columns if name not in block]
    standings += [_unranked(name, errors, block, wide, seconds) for name in rest]
    others = errors.loc[[name for name in errors.index if name not in block.index], block.columns]
    return Leaderboard(
        standings=tuple(standings),
        datasets=tuple(map(str, block.index)),
        sources=len({_source(str(name), config) for name in block.index}),
        left_out={str(d): tuple(others.columns[gaps]) for d, gaps in others.isna().iterrows()},
        unfinished=unfinished,
        alpha=alpha,
        judged=judged,
    )


def _wide(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Data set x method, both in the order of the run; NaN where a method is missing."""
    wide = table.set_index(["dataset", "method"])[column].unstack()  # noqa: PD010
    # Means of the same numbers in another order differ in their last bits; ties must stay ties.
    return wide.loc[table["dataset"].unique(), table["method"].unique()].round(DIGITS)


def largest_block(errors: pd.DataFrame) -> pd.DataFrame:
    """The data sets and methods to rank: no gap, two methods or more, and as many errors as can be.

    Methods leave in the order of how many data sets they lack; of equal blocks that with the most
    methods counts. If no two methods share a data set, one that has the most of them is left.

    >>> nan = float("nan")
    >>> table = pd.DataFrame({"a": [1.0, 2, 3], "b": [1.0, 2, 3], "c": [1.0, nan, nan]})
    >>> largest_block(table).shape
    (3, 2)
    """
    counts = errors.notna().sum()
    blocks = [errors.loc[:, counts >= least].dropna() for least in sorted(set(counts))]
    several = [block for block in blocks if block.shape[1] > 1 and len(block)]
    return max(several or [errors[[counts.idxmax()]].dropna()], key=lambda block: block.size)


def _source(dataset: str, config: dict) -> str:
    """The data set that this one is a version of, or itself."""
    specs = {spec["name"]: spec for spec in config.get("datasets", ())}
    return specs.get(dataset, {}).get("of") or dataset


def _judged(rows: pd.DataFrame, wide: Mapping[str, pd.DataFrame], alpha: float) -> Judged | None:
    """Over data sets if there are several; within the data set, by folds or rows, if not."""
    block = wide["error"]
    if block.shape[1] < 2:
        return None
    if len(block) > 1:
        return judged_over_datasets(block, alpha)
    [dataset] = block.index
    names = as_methods(rows)["code"]
    mine = rows[(rows["dataset"] == dataset) & names.isin(list(block.columns))]
    folds = units(mine, METHOD, {}).folds
    if folds:
        return judged_by_folds(block.loc[dataset], folds[str(dataset)], alpha)
    n_test = wide["n_test"].loc[dataset].reindex(block.columns).astype(int)
    return judged_by_rows(block.loc[dataset], n_test, alpha)


def _order(block: pd.DataFrame, ranks: pd.Series) -> list[str]:
    """By average rank, then by mean error, then as in the run."""
    keys = pd.DataFrame({"rank": ranks, "error": block.mean().round(DIGITS)})
    return list(keys.sort_values(["rank", "error"], kind="stable").index)


def _standing(
    name: str,
    wide: Mapping[str, pd.DataFrame],
    ranks: pd.Series,
    judged: Judged | None,
    seconds: pd.DataFrame,
) -> Standing:
    datasets = wide["error"].index
    is_worse = judged is not None and name in judged.worse
    is_best = ranks[name] == ranks.min()
    return Standing(
        name,
        1 + int((ranks < ranks[name]).sum()),
        float(ranks[name]),
        *_mean_error(name, wide["error"], datasets, wide),
        BEST if is_best else WORSE if is_worse else UNCLEAR,
        _seconds(name, seconds, datasets),
    )


def _unranked(
    name: str,
    errors: pd.DataFrame,
    block: pd.DataFrame,
    wide: Mapping[str, pd.DataFrame],
    seconds: pd.DataFrame,
) -> Standing:
    """With the error over the data sets that it has, which are not those of the others."""
    has = errors.index[errors[name].notna()]
    missing = tuple(str(d) for d in block.index if d not in has)
    numbers = _mean_error(name, errors, has, wide)
    return Standing(name, None, None, *numbers, "", _seconds(name, seconds, has), missing)


def _mean_error(
    name: str, errors: pd.DataFrame, datasets: pd.Index, wide: Mapping[str, pd.DataFrame]
) -> tuple[float, float, float]:
    """The mean over data sets and its 95% interval, for other test rows of the same data sets.

    The intervals of the data sets are combined by the squares of their arms (Zou and Donner 2008):
    for one data set that is Wilson's interval.
    """
    error = errors.loc[datasets, name]
    lower, upper = error - wide["lo"].loc[datasets, name], wide["hi"].loc[datasets, name] - error
    mean, n = float(error.mean()), len(error)
    return mean, mean - sqrt((lower**2).sum()) / n, mean + sqrt((upper**2).sum()) / n


def _seconds(name: str, seconds: pd.DataFrame, datasets: pd.Index) -> float | None:
    """None if the run did not note the time of all these data sets."""
    if name not in seconds:
        return None
    times = seconds[name].reindex(datasets).clip(lower=TICK)
    return None if times.isna().any() else float(np.exp(np.log(times).mean()))
