"""Choices: which learner of a sweep, at which stage."""

from collections import defaultdict
from collections.abc import Iterable

from ..experiment.config import Experiment, SelectSpec


def select(experiment: Experiment, rows: Iterable[dict]) -> list[dict]:
    """The rows of the chosen learners or methods, under the name of the choice.

    For each data set, code and decoder, the learner and stage of the lowest criterion are chosen.
    Validation errors are averaged over draws and repeats; other criteria are of one training part.
    Among equals, the first learner and then the lowest stage is chosen.
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
