"""Short forms of a config -> the mappings they stand for, before these are validated.

`noise: [0, 0.1]` stands for a data set at each level, `sweep: {gamma: [1, 2]}` for a learner at
each value, `copies: 3` for three drawn data sets. A manifest holds the expanded forms.
"""

import re
from itertools import product
from math import prod

from ..errors import shown
from ..plugins import is_import_path

MOST = 1000  # data sets or learners that one entry may stand for


def listed(value):
    if not isinstance(value, list | tuple):
        raise ValueError(f"must be a list. Got {shown(value)} instead")
    return value


def datasets(value) -> list:
    """`glass`, or a mapping; `copies: 3` and `noise: [0, 0.1]` stand for several data sets."""
    if isinstance(value, str):
        value = {"name": value}
    if not isinstance(value, dict):
        return [value]
    _refuse_file(value)
    if value.get("nominal") == "all":
        value = {**value, "nominal": ["*"]}
    return [level for copy in _copies(value) for level in _levels(copy)]


def _refuse_file(value: dict) -> None:
    """The name of a file is not that of a data set: say how a file is given."""
    name = value.get("name")
    ends = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt")
    if isinstance(name, str) and name.lower().endswith(ends) and not {"path", "make"} & set(value):
        label = re.sub(r"\W+", "_", name.replace("\\", "/").rpartition("/")[2].partition(".")[0])
        raise ValueError(
            f"'{name}' is a file. Write {{name: {label or 'mine'}, path: {name}, target: ...}}, "
            "where target is the column of the labels"
        )


def _copies(value: dict) -> list[dict]:
    """`copies: 3`: name.1 to name.3."""
    copies = value.get("copies")
    if copies is None:
        return [value]
    if type(copies) is not int or not 1 <= copies <= MOST:
        raise ValueError(f"copies must be a whole number, 1 to {MOST}. Got {shown(copies)} instead")
    if "make" not in value:
        raise ValueError("'copies' goes with a 'make'")
    rest = {key: v for key, v in value.items() if key != "copies"}
    if not isinstance(rest.get("name"), str):
        return [rest]
    return [{**rest, "name": f"{rest['name']}.{i + 1}"} for i in range(copies)]


def _levels(value: dict) -> list[dict]:
    """`noise: [0, 0.1]`: name@0 and name@0.1."""
    noise, name = value.get("noise"), value.get("name")
    if not isinstance(noise, list | tuple) or not isinstance(name, str):
        return [value]
    for level in noise:
        if isinstance(level, bool) or not isinstance(level, int | float):
            raise ValueError(f"noise must hold numbers from 0 to below 1. Got {shown(level)}")
    return [{**value, "name": f"{name}@{v:g}", "of": name, "noise": v} for v in noise]


def with_noise(value, noise):
    """A data set's entry with the noise of the evaluation, unless it sets `noise` itself."""
    if isinstance(value, str) and noise is not None:
        value = {"name": value}
    return {"noise": noise, **value} if isinstance(value, dict) and noise is not None else value


def code(value, own: set[str]):
    """`dense`, `module:function`, or a mapping whose further keys are the family's parameters."""
    if isinstance(value, str):
        return {"name": last_name(value), "family": value}
    if isinstance(value, dict) and not value.get("matrix"):
        value = {"family": value.get("name"), **{k: v for k, v in value.items() if v is not None}}
    return _with_params(value, own) if isinstance(value, dict) else value


def learners(value, own: set[str]) -> list:
    """`svm: {...}` or a list of names: keys other than `own` are the learner's parameters."""
    if isinstance(value, dict):
        return [one for name, rest in value.items() for one in _learner(name, rest, own)]
    return [
        one for v in listed(value) for one in (_learner(v, None, own) if type(v) is str else [v])
    ]


def _learner(name, settings, own: set[str]) -> list[dict]:
    settings = {} if settings is None else settings
    if not isinstance(settings, dict):
        raise ValueError(f"{name}: must be a mapping of parameters. Got {shown(settings)} instead")
    if "name" in settings:
        raise ValueError(f"{name}: a learner's name is its key; remove 'name'")
    rest = {key: v for key, v in settings.items() if key != "sweep"}
    label = last_name(name) if isinstance(name, str) else name
    one = {"type": name, **_with_params(rest, own), "name": label}
    if "sweep" not in settings:
        return [one]
    return [
        {
            **one,
            "name": f"{label}@{'_'.join(map(_short, swept.values()))}",
            "of": label,
            "swept": swept,
            "params": {**one["params"], **swept},
        }
        for swept in _grid(name, settings["sweep"])
    ]


def _grid(name, sweep) -> list[dict]:
    """Every combination of the values of the parameters."""
    if not isinstance(sweep, dict) or not sweep:
        raise ValueError(
            f"{name}: sweep must be a mapping, parameter: [values]. Got {shown(sweep)} instead"
        )
    for parameter, values in sweep.items():
        plain = isinstance(values, list | tuple) and all(
            isinstance(v, int | float | str) for v in values
        )
        if not plain or not values:
            raise ValueError(
                f"{name}: sweep.{parameter} must be a list of numbers or words. "
                f"Got {shown(values)} instead"
            )
    size = prod(len(values) for values in sweep.values())
    if size > MOST:
        raise ValueError(f"{name}: sweep has {size} combinations; at most {MOST} are allowed")
    return [dict(zip(sweep, values, strict=True)) for values in product(*sweep.values())]


def _short(value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def decoder(value):
    """`hamming`, or `module:function`."""
    return {"name": last_name(value), "call": value} if isinstance(value, str) else value


def _with_params(value: dict, own: set[str]) -> dict:
    kept = {key: value[key] for key in value if key in own and key != "params"}
    rest = {key: value[key] for key in value if key not in own}
    params = value.get("params") or {}
    if not isinstance(params, dict):
        raise ValueError(f"'params' must be a mapping. Got {shown(params)} instead")
    return {**kept, "params": {**rest, **params}}


def last_name(value: str) -> str:
    return value.partition(":")[2] or value if is_import_path(value) else value
