"""Colours and markers of a run: a name has the same look in all figures of the run."""

from typing import Any, NamedTuple

from ..results.catalogue import JOINT
from ..results.run import Run
from ..results.tables import ordered
from .style import lines

Look = dict[str, Any]


class Looks(NamedTuple):
    """The look of each code or method, and of each decoder; no two are the same up to 64."""

    codes: dict[str, Look]
    decoders: dict[str, Look]


def run_looks(run: Run) -> Looks:
    """By the order of the config, so that a figure of a few names keeps those of the others."""
    config = run.config
    members = {spec["name"]: spec.get("of") or spec["name"] for spec in config["methods"]}
    given = [*(spec["name"] for spec in config["codes"]), *members.values()]
    codes = ordered([*given, *(members.get(name, name) for name in run.shown["code"].unique())])
    used = [*(spec["name"] for spec in config["decoders"]), *run.shown["decoder"].unique()]
    decoders = [name for name in ordered(used) if name != JOINT]
    # Two lists, because a decoder may have the name of a code.
    every = list(lines([str(place) for place in range(len(codes) + len(decoders))]).values())
    looks = dict(zip(codes, every, strict=False))
    looks |= {member: looks[of] for member, of in members.items()}
    found = dict(zip(decoders, every[len(codes) :], strict=True))
    return Looks(looks, found)
