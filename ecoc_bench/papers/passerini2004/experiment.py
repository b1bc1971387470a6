"""A run of the experiments of Passerini, Pontil & Frasconi 2004, read for claims, tables, figures.

Such a run sweeps the gamma of Gaussian SVMs and decodes, among others, by likelihood; the paper
prints no table that its config could name.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import pandas as pd

from ...published import load_paper
from ...results.run import Run
from ...results.summary import summarize
from ...results.sweeps import Sweep, curves, sweeps
from ..evidence import ENOUGH, NotEnough
from ..missing import ABSENT, Missing

NAMES: Mapping[str, str] = load_paper("passerini2004")["names"]
CODES: Mapping[str, str] = load_paper("passerini2004")["codes"]
DECODERS: Mapping[str, str] = load_paper("passerini2004")["decoders"]
FIGURES: Mapping[str, list[str]] = load_paper("passerini2004")["figures"]
TITLES = {**NAMES, **CODES, **DECODERS}
OVA, PAIRS = "ova", "all_pairs"
HAMMING, LINEAR, SOFT_MARGIN, LIKELIHOOD = DECODERS
OTHERS = (HAMMING, LINEAR, SOFT_MARGIN)
ENTRY = ["dataset", "code", "decoder"]
CURVE = ["dataset", "code"]
CRITERIA = {"loo_bound": "bound", "cv": "cv"}  # name in a config, and name in a table


def is_of(config: dict, sweep: Sweep) -> bool:
    """Whether a sweep of a run repeats the experiments of Section V."""
    likelihood = any(d["name"] == LIKELIHOOD for d in config.get("decoders", ()))
    return likelihood and sweep.type == "gaussian_svm" and sweep.parameter == "gamma"


def own_sweeps(run: Run) -> Iterator[Sweep]:
    """The sweeps of a run that repeat the experiments."""
    return (sweep for sweep in sweeps(run.config) if is_of(run.config, sweep))


def experiment(run: Run, sweep: Sweep) -> pd.DataFrame:
    """One row per data set, code, decoder and gamma: a summary's numbers, `cv` and `bound`.

    All are in percent; criteria are means over the folds, and NaN if a fold has none.
    """
    points = curves(run.results, sweep).rename(columns={"value": "gamma"})
    rows = run.rows("criteria.csv")
    if rows is None:
        return points.assign(cv=float("nan"), bound=float("nan"))
    rows = rows[rows["learner"].isin(list(sweep.members))]
    groups = rows.assign(gamma=rows["learner"].map(sweep.members)).groupby([*ENTRY, "gamma"])
    values = groups[["cv", "loo_bound"]]
    means = 100 * values.mean().where(values.count().eq(groups.size(), axis=0))
    means = means.rename(columns={"loo_bound": "bound"}).reset_index()
    return points.merge(means, "left", [*ENTRY, "gamma"])


def chosen(run: Run, sweep: Sweep) -> pd.DataFrame:
    """What each criterion of the config chose: a row per data set, code, decoder and criterion.

    `error` is in percent; `gamma` is the value chosen most often, the lowest among equals, and
    `share` is the share of the folds that chose it.
    """
    columns = [*ENTRY, "by", "error", "gamma", "share"]
    tables = [pd.DataFrame(columns=columns)]
    rows = run.rows("selected.csv")
    for name, choice in run.config["select"].items():
        if rows is None or choice["by"] not in CRITERIA:
            continue
        part = rows[(rows["learner"] == name) & rows["chosen"].isin(list(sweep.members))]
        if len(part):
            tables.append(_choice(part, sweep).assign(by=choice["by"])[columns])
    return pd.concat([t for t in tables if len(t)] or tables, ignore_index=True)


def _choice(rows: pd.DataFrame, sweep: Sweep) -> pd.DataFrame:
    gammas = rows.assign(gamma=rows["chosen"].map(sweep.members)).groupby(ENTRY)["gamma"]
    counts = gammas.value_counts(normalize=True).rename("share").reset_index()
    ordered = counts.sort_values(["share", "gamma"], ascending=[False, True])
    summary = summarize(rows)
    return summary[summary["complete"]].merge(ordered.drop_duplicates(ENTRY), "left", ENTRY)


def in_full(points: pd.DataFrame, sweep: Sweep, datasets: Sequence[str]) -> pd.DataFrame:
    """The points of a figure's data sets, the paper's codes and decoders; NaN for missing ones."""
    axes = datasets, CODES, DECODERS, sorted(sweep.members.values())
    full = pd.DataFrame(product(*axes), columns=[*ENTRY, "gamma"])
    return full.merge(points, "left", [*ENTRY, "gamma"])


def whole_curves(
    rows: pd.DataFrame,
    missing: Missing,
    decoders: Sequence[str],
    codes: Sequence[str] = tuple(CODES),
) -> pd.DataFrame:
    """Errors, (data set, code, gamma) down and decoders across: whole curves of all decoders.

    Raises NotEnough if a code lacks curves on too many data sets.
    """
    part = rows[rows["decoder"].isin(decoders) & rows["code"].isin(codes)]
    note_gaps(part, "error", missing)
    part = part[part.groupby(CURVE)["error"].transform("count").eq(_due(part))]
    found, due = part.groupby("code")["dataset"].nunique(), rows["dataset"].nunique()
    for code in codes:
        if found.get(code, 0) < ENOUGH * due:
            what = f"{CODES[code]} on {found.get(code, 0)} of the figure's {due} data sets"
            raise NotEnough(f"curves of {_listed(decoders)} only with {what}")
    wide = part.pivot_table("error", ["dataset", "code", "gamma"], "decoder", sort=False)
    return wide[list(decoders)]


def note_gaps(rows: pd.DataFrame, value: str, missing: Missing) -> None:
    """Note which curves lack the value, wholly or at some gammas."""
    titled = rows.replace({"dataset": dict(NAMES), "code": dict(CODES)})
    why = titled.groupby(CURVE, sort=False)[[value, "gamma"]].apply(_gap, value)
    for reason in dict.fromkeys(why[why != ""]):
        missing.note_parts(why == reason, reason)


def _gap(curve: pd.DataFrame, value: str) -> str:
    lacks = curve[value].isna()
    if lacks.all():
        return ABSENT if value == "error" else f"no {value}"
    at = ", ".join(f"{gamma:g}" for gamma in sorted(set(curve.loc[lacks, "gamma"])))
    return f"no {value} at gamma {at}" if at else ""


def _due(part: pd.DataFrame) -> pd.Series:
    return part.groupby(CURVE)["error"].transform("size")


def _listed(decoders: Sequence[str]) -> str:
    return ", ".join(DECODERS[decoder] for decoder in decoders)
