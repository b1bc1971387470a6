"""The sweeps of a run: learners or methods that differ in one number, and their errors."""

from typing import NamedTuple

import pandas as pd

from .catalogue import JOINT
from .summary import summarize


class Sweep(NamedTuple):
    """A learner or method at several values of one numeric parameter."""

    name: str  # as in the config, such as `gaussian_svm`
    type: str
    axis: str  # column of results.csv that names the members: `learner` or `code`
    parameter: str
    members: dict[str, float]  # such as `gaussian_svm@0.5`, and its value


def sweeps(config: dict) -> list[Sweep]:
    """The sweeps of a manifest's config over one numeric parameter, in its order.

    >>> svm = {"type": "svm", "of": "svm"}
    >>> specs = [{"name": f"svm@{C}", "swept": {"C": C}, **svm} for C in (1, 2)]
    >>> sweeps({"learners": specs})[0].members
    {'svm@1': 1, 'svm@2': 2}
    """
    found: dict[tuple[str, str], list[dict]] = {}
    for axis, key in (("learner", "learners"), ("code", "methods")):
        for spec in config.get(key, ()):
            if spec.get("of"):
                found.setdefault((axis, spec["of"]), []).append(spec)
    return [
        Sweep(name, specs[0]["type"], axis, parameter, values)
        for (axis, name), specs in found.items()
        for parameter, values in _values(specs)
        if len(values) > 1
    ]


def _values(specs: list[dict]) -> list[tuple[str, dict[str, float]]]:
    """The parameter and its values; nothing if there are several parameters or values are words."""
    parameters = list(specs[0]["swept"])
    values = {spec["name"]: value for spec in specs for value in spec["swept"].values()}
    plain = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values.values())
    return [(parameters[0], values)] if len(parameters) == 1 and plain else []


def curves(results: pd.DataFrame, sweep: Sweep) -> pd.DataFrame:
    """One row per data set, code, decoder and `value` of the parameter: a summary's numbers.

    Values with missing folds are left out. A method has no code: the column `code` names it.
    """
    part = results[results[sweep.axis].isin(list(sweep.members))]
    if sweep.axis == "code":
        part = part[part["learner"] == JOINT]
    table = summarize(part) if len(part) else pd.DataFrame(columns=[*KEPT, sweep.axis, "complete"])
    table = table[table["complete"].astype(bool)]
    value = table[sweep.axis].map(sweep.members).astype(float)
    table = table.assign(value=value, code=sweep.name if sweep.axis == "code" else table["code"])
    places = {name: i for i, name in enumerate(dict.fromkeys(results["dataset"]))}
    order = table["dataset"].map(places)
    return table.assign(order=order).sort_values(["order", "value"], kind="stable")[KEPT]


KEPT = ["dataset", "code", "decoder", "value", "error", "n_test", "ties"]
