"""Choices: which learner of a sweep, at which stage; and the rows that people see."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from .config import JOINT, Experiment, SelectSpec
from .results import COLUMNS
from .rows import read_rows

SELECTED_COLUMNS = (*COLUMNS, "chosen", "criterion")


def select(experiment: Experiment, rows: Iterable[dict]) -> list[dict]:
    """The rows of what each choice of the config comes to, in the choice's name.

    The learner and stage are those of the lowest criterion, for each data set, code and decoder;
    validation errors are averaged over draws and repeats, other criteria are of one training part.
    Of equal ones it is the first learner, then the lowest stage.
    """
    rows = list(rows)
    return [
        row
        for name, choice in experiment.select.items()
        for row in _chosen(name, choice, *choice.members(experiment), rows)
    ]


def _chosen(
    name: str, choice: SelectSpec, axis: str, members: list[str], rows: list[dict]
) -> list[dict]:
    one_part = () if choice.by == "validation" else ("draw", "repeat", "fold")
    place = ("dataset", "learner" if axis == "code" else "code", "decoder", *one_part)
    candidates: dict[tuple, dict[tuple, list[dict]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row[axis] in members and row.get(choice.by, "") != "":
            member = members.index(row[axis]), row["stage"]
            candidates[tuple(row[key] for key in place)][member].append(row)
    found = []
    for groups in candidates.values():
        most = max(len(group) for group in groups.values())
        complete = {key: group for key, group in groups.items() if len(group) == most}
        criterion, best = min((_mean(choice.by, group), key) for key, group in complete.items())
        found += [
            {**row, axis: name, "chosen": members[best[0]], "criterion": f"{criterion:.6f}"}
            for row in complete[best]
        ]
    return found


def _mean(criterion: str, group: list[dict]) -> float:
    values = [row[criterion] for row in group]
    if criterion == "validation":
        values = [value["errors"] / value["n_validation"] for value in values]
    return sum(float(value) for value in values) / len(values)


def shown_rows(folder: Path, results: pd.DataFrame, config: dict) -> pd.DataFrame:
    """The rows for tables: what was chosen takes the place of what it was chosen from.

    Chosen rows have stage 0, for their stages differ; a learner or method that the choice shares
    with others, such as one outside the sweep, stays.
    """
    choices = config.get("select") or {}
    if not choices or not (folder / "selected.csv").exists():
        return results
    swept = {
        axis: [s["name"] for s in config.get(key, ()) if s.get("of") in _among(choices)]
        for axis, key in (("learner", "learners"), ("code", "methods"))
    }
    hidden = results["learner"].isin(swept["learner"]) | (
        results["code"].isin(swept["code"]) & (results["learner"] == JOINT)
    )
    selected = read_rows(folder / "selected.csv").assign(stage=0)
    return pd.concat([results[~hidden], selected[results.columns]], ignore_index=True)


def _among(choices: dict) -> set[str]:
    return {name for choice in choices.values() for name in choice["among"]}
