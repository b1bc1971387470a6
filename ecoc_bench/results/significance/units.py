"""Rows of a run -> one error per data set and method: a data set never counts twice."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import pandas as pd

from ...errors import UserError, unknown
from ..catalogue import JOINT
from ..summary import at_stage, summarize

AXES = ("learner", "code", "decoder")
METHOD = "method"  # the axis of all combinations of the three, and of all methods
# Means of the same numbers in another order differ in their last bits; ties must stay ties.
DIGITS = 9


class NotEnoughData(UserError):
    """A run with nothing to compare."""

    exit_code = 4


@dataclass(frozen=True)
class Folds:
    """The errors of one cross-validated data set, fold by fold."""

    errors: pd.DataFrame  # (repeat, fold) x method, in percent
    ratio: float  # n_test / n_train


@dataclass(frozen=True)
class Units:
    """What is compared: errors in percent, NaN where a method is missing."""

    errors: pd.DataFrame  # data set x method
    averaged: dict[str, tuple[str, ...]]  # other axis: its names, over which errors are averaged
    incomplete: tuple[str, ...]  # "ova on glass": some folds are missing, so it is left out
    folds: dict[str, Folds] = field(repr=False)


def units(
    results: pd.DataFrame,
    axis: str,
    keep: Mapping[str, Collection[str]],
    stage: int | None = None,
) -> Units:
    """The errors of the methods of ``axis``, averaged over the two other axes.

    ``keep`` restricts an axis to some of its names. In a data set the mean is over the settings of
    the other axes that all its methods have, so that all are judged on the same settings; random
    codes are averaged over their draws first.
    """
    _check(results, axis, keep, stage)
    if axis == METHOD:
        for name, names in keep.items():
            results = results[results[name].isin(names)]
        return replace(units(as_methods(results), "code", {}, stage), averaged={})
    results = results[results["learner"] != JOINT]  # methods have no code, learner or decoder
    if results.empty:
        raise NotEnoughData(f"the run has methods only, no {axis}s. Compare them with method.")
    rows = at_stage(results, stage).assign(error=100 * results["errors"] / results["n_test"])
    summary = summarize(results, stage)
    for name, names in keep.items():
        rows, summary = rows[rows[name].isin(names)], summary[summary[name].isin(names)]
    others = [name for name in AXES if name != axis]
    whole = summary[summary["complete"]]
    errors, folds = {}, {}
    for dataset, part in whole.groupby("dataset", sort=False):
        shared = part.set_index([*others, axis])["error"].unstack().dropna()  # noqa: PD010
        errors[dataset] = shared.mean().round(DIGITS)
        mine = rows[rows["dataset"] == dataset].set_index(others)
        mine = mine[mine.index.isin(shared.index) & mine[axis].isin(shared.columns)]
        if len(set(mine["fold"])) > 1:
            folds[str(dataset)] = _folds(mine, axis, others)
    broken = summary[~summary["complete"]]
    return Units(
        errors=pd.DataFrame(errors, index=list(dict.fromkeys(summary[axis]))).T,
        averaged={name: tuple(dict.fromkeys(whole[name])) for name in others},
        incomplete=tuple(
            dict.fromkeys(
                f"{m} on {d}" for m, d in zip(broken[axis], broken["dataset"], strict=True)
            )
        ),
        folds=folds,
    )


def as_methods(results: pd.DataFrame) -> pd.DataFrame:
    """Rows whose `code` names a whole combination, `ova loss (svm)`, or a method."""
    parts = results["code"], results["decoder"], results["learner"]
    names = [
        code if learner == JOINT else f"{code} {decoder} ({learner})"
        for code, decoder, learner in zip(*parts, strict=True)
    ]
    return results.assign(code=names, decoder="all", learner="all")


def _folds(rows: pd.DataFrame, axis: str, others: list[str]) -> Folds:
    """Draws are averaged within a setting, then settings within a fold."""
    place = ["repeat", "fold", axis]
    settings = rows.reset_index().groupby([*place, *others])["error"].mean()
    errors = settings.groupby(place).mean().unstack()  # noqa: PD010
    errors = errors.dropna()  # a measure may be undefined on a fold
    return Folds(errors.round(DIGITS), float(rows["n_test"].mean() / rows["n_train"].mean()))


def _check(
    results: pd.DataFrame, axis: str, keep: Mapping[str, Collection[str]], stage: int | None
) -> None:
    if axis not in (*AXES, METHOD):
        raise UserError(unknown("axis", axis, (*AXES, METHOD)))
    for name, names in keep.items():
        known = set(results[name])
        for wrong in [given for given in names if given not in known]:
            raise UserError(unknown(f"{name} of the run", wrong, known))
    if stage is not None and stage not in set(results["stage"]):
        stages = ", ".join(map(str, sorted(set(results["stage"]))))
        raise UserError(f"the run has no rows of stage {stage}. It has: {stages}.")
