"""compare(): every test that a run's rows allow, as one structured result.

In these tests a "method" is whatever is compared: a code, a decoder, a learner or a combination.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...errors import UserError
from .procedures import (
    Bayes,
    CorrectedT,
    Friedman,
    SignedRank,
    average_ranks,
    bayesian_signed_rank,
    corrected_t,
    critical_difference,
    friedman,
    holm,
    nemenyi,
    wilcoxon,
)
from .units import NotEnoughData, Units, units


@dataclass(frozen=True)
class Pair:
    """Two methods over the data sets that both have; the first has the better average rank."""

    first: str
    second: str
    datasets: tuple[str, ...]
    wins: int  # data sets on which the first has the lower error
    ties: int
    losses: int
    difference: float  # mean of first - second, in points
    wilcoxon: SignedRank
    p_holm: float  # Wilcoxon's p, corrected for the number of pairs
    bayes: Bayes


@dataclass(frozen=True)
class WithinDataset:
    """Two methods over the folds of one data set."""

    first: str
    second: str
    dataset: str
    folds: int  # times repeats
    difference: float  # mean of first - second, in points
    test: CorrectedT


@dataclass(frozen=True)
class Joint:
    """All methods together: at least 3, over at least 2 data sets that all of them have."""

    friedman: Friedman
    nemenyi: pd.DataFrame  # method x method, p-values
    cd: float  # the critical difference of two average ranks at alpha
    groups: tuple[tuple[str, ...], ...]  # methods whose average ranks are within cd


class Quantity(NamedTuple):
    """What is compared, per 100 test rows, the lowest is best: its name in CSV, and its title."""

    name: str
    title: str


ERROR = Quantity("error", "Test error (%)")


@dataclass(frozen=True)
class Comparison:
    """What a run says about the methods of one axis."""

    of: Quantity
    axis: str
    methods: tuple[str, ...]  # by average rank, the best first
    datasets: tuple[str, ...]  # those that all methods have
    left_out: dict[str, tuple[str, ...]]  # other data set: the methods it lacks
    incomplete: tuple[str, ...]  # what was left out because folds are missing
    averaged: dict[str, tuple[str, ...]]  # other axis: the names over which errors are averaged
    alpha: float
    rope: float  # points
    errors: pd.DataFrame  # data set x method, percent, NaN where missing
    ranks: dict[str, float]  # average over ``datasets``; empty if there are none
    joint: Joint | None  # None for two methods, where Wilcoxon's test is enough
    pairs: tuple[Pair, ...]
    within: tuple[WithinDataset, ...]


def compare(
    results: pd.DataFrame,
    axis: str,
    *,
    keep: Mapping[str, Collection[str]] | None = None,
    stage: int | None = None,
    rope: float = 1.0,
    alpha: float = 0.05,
    of: Quantity = ERROR,
) -> Comparison:
    """Compare the codes, decoders or learners (``axis``) of the rows of results.csv.

    ``keep={"decoder": ["loss"]}`` restricts an axis; errors are averaged over the other axes within
    each data set (see ``units``). ``stage``: take staged learners after this many rounds. ``of``
    says what the rows count, if not errors.
    """
    if rope <= 0 or not 0 < alpha < 1:
        raise UserError(f"rope must be above 0 and alpha inside (0, 1). Got {rope:g}, {alpha:g}.")
    data = units(results, axis, keep or {}, stage)
    _check(axis, data)
    shared = data.errors.dropna()
    order = data.errors.columns  # the run's order, if no data set has all methods
    ranks: dict[str, float] = {}
    if len(shared):
        average = pd.Series(average_ranks(shared.to_numpy()), order).sort_values(kind="stable")
        order = average.index
        ranks = {str(method): float(rank) for method, rank in average.items()}
    errors = data.errors[order]
    pairs, within = _pairs(errors, rope), _within(data, tuple(order))
    if not pairs and not within:
        raise NotEnoughData(
            "not enough data: one data set with one split allows no test. Run more data sets, or "
            "cross-validate (evaluation: {folds: 10, original_split: false})."
        )
    several = len(shared) > 1 and len(order) > 2
    return Comparison(
        of=of,
        axis=axis,
        methods=tuple(order),
        datasets=tuple(shared.index),
        left_out=_left_out(errors),
        incomplete=data.incomplete,
        averaged=data.averaged,
        alpha=alpha,
        rope=rope,
        errors=errors,
        ranks=ranks,
        joint=_joint(shared[order], ranks, alpha) if several else None,
        pairs=pairs,
        within=within,
    )


def _check(axis: str, data: Units) -> None:
    methods, both = data.errors.shape[1], data.errors.notna().sum(axis=1)
    if methods < 2:
        raise NotEnoughData(
            f"not enough data: the run has {methods} {axis}, and two are needed to compare. "
            "Compare another axis, or run a config with more."
        )
    if (both < 2).all():
        raise NotEnoughData(
            f"not enough data: no data set has results of two {axis}s with all their folds. "
            "Finish the run first, or narrow it less."
        )


def _left_out(errors: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    gaps = errors[errors.isna().any(axis=1)].isna()
    return {str(dataset): tuple(gaps.columns[row]) for dataset, row in gaps.iterrows()}


def _joint(errors: pd.DataFrame, ranks: Mapping[str, float], alpha: float) -> Joint:
    N, k = errors.shape
    cd = critical_difference(k, N, alpha)
    p = pd.DataFrame(nemenyi(errors.to_numpy()), errors.columns, errors.columns)
    return Joint(friedman(errors.to_numpy()), p, cd, rank_groups(ranks, cd))


def rank_groups(ranks: Mapping[str, float], cd: float) -> tuple[tuple[str, ...], ...]:
    """The largest groups of neighbouring ranks, two or more, whose ends are within ``cd``.

    >>> rank_groups({"a": 1.2, "b": 2.0, "c": 2.9}, cd=1.0)
    (('a', 'b'), ('b', 'c'))
    """
    names = sorted(ranks, key=lambda name: ranks[name])
    groups: list[tuple[str, ...]] = []
    for i, first in enumerate(names):
        group = tuple(name for name in names[i:] if ranks[name] - ranks[first] <= cd)
        if len(group) > 1 and not (groups and group[-1] in groups[-1]):
            groups.append(group)
    return tuple(groups)


def _pairs(errors: pd.DataFrame, rope: float) -> tuple[Pair, ...]:
    """Each pair over the data sets that both have, which may be more than all methods share."""
    found = []
    for first, second in combinations(errors.columns, 2):
        both = errors[[first, second]].dropna()
        if len(both) > 1:
            found.append((first, second, both, wilcoxon(*both.to_numpy().T)))
    adjusted = holm(np.array([test.p for *_, test in found]))
    return tuple(
        _pair(first, second, both, test, float(p), rope)
        for (first, second, both, test), p in zip(found, adjusted, strict=True)
    )


def _pair(
    first: str, second: str, both: pd.DataFrame, test: SignedRank, p_holm: float, rope: float
) -> Pair:
    a, b = both.to_numpy().T
    return Pair(
        first=first,
        second=second,
        datasets=tuple(both.index),
        wins=int((a < b).sum()),
        ties=int((a == b).sum()),
        losses=int((a > b).sum()),
        difference=float((a - b).mean()),
        wilcoxon=test,
        p_holm=p_holm,
        bayes=bayesian_signed_rank(a, b, rope),
    )


def _within(data: Units, methods: tuple[str, ...]) -> tuple[WithinDataset, ...]:
    """Every pair on every cross-validated data set with both; original splits have no folds."""
    found = []
    for dataset, folds in data.folds.items():
        present = [method for method in methods if method in folds.errors]
        for first, second in combinations(present, 2):
            a, b = folds.errors[first].to_numpy(), folds.errors[second].to_numpy()
            test = corrected_t(a, b, folds.ratio)
            difference = float((a - b).mean())
            found.append(WithinDataset(first, second, dataset, len(a), difference, test))
    return tuple(found)
