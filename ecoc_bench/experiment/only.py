"""`--only axis=name`: which cells of an experiment are to be fitted."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import ConfigError, unknown
from ..results.catalogue import JOINT
from .config import Experiment
from .tasks import Cell

AXES = ("dataset", "learner", "code", "method")


@dataclass(frozen=True)
class Only:
    """The names chosen on each axis; an axis that is not named leaves all of it.

    Cells with a code are chosen by `learner` and `code`, methods by `method` (or `code`, in whose
    column of results.csv they are). Where only one of the two kinds is named, the other is left
    out.
    """

    names: dict[str, set[str]]

    def has(self, cell: Cell) -> bool:
        if cell.dataset not in self.names.get("dataset", {cell.dataset}):
            return False
        return self._method(cell.code) if cell.learner == JOINT else self._coded(cell)

    def draws(self, dataset: str, code: str) -> bool:
        """Whether the matrix of a code is needed for a data set."""
        chosen = self.names.get("dataset", {dataset}), self.names.get("code", {code})
        return dataset in chosen[0] and code in chosen[1] and not self._methods_alone

    @property
    def _methods_alone(self) -> bool:
        return "method" in self.names and not self.names.keys() & {"learner", "code"}

    def _coded(self, cell: Cell) -> bool:
        chosen = all(
            name in self.names.get(axis, {name})
            for axis, name in (("learner", cell.learner), ("code", cell.code))
        )
        return chosen and not self._methods_alone

    def _method(self, name: str) -> bool:
        if not self.names.keys() & {"learner", "code", "method"}:
            return True
        as_code = "learner" not in self.names and name in self.names.get("code", ())
        return as_code or name in self.names.get("method", ())


def parse_only(pairs: Iterable[str], experiment: Experiment) -> Only:
    """`dataset=glass` pairs; several of one axis are a union, a sweep stands for its members."""
    known = {
        "dataset": _members(experiment.datasets),
        "learner": _members(experiment.learners),
        "code": _members((*experiment.codes, *experiment.methods)),
        "method": _members(experiment.methods),
    }
    names: dict[str, set[str]] = {}
    for pair in pairs:
        axis, _, name = pair.partition("=")
        if axis not in AXES:
            raise ConfigError(f"--only {pair}: {unknown('axis', axis, AXES)} Write axis=name.")
        if axis == "method" and not experiment.methods:
            raise ConfigError(f"--only {pair}: the config has no methods. Use learner= or code=.")
        if name not in known[axis]:
            raise ConfigError(
                f"--only {pair}: {unknown(axis, name, known[axis])}{_elsewhere(name, known)}"
            )
        names.setdefault(axis, set()).update(known[axis][name])
    return Only(names)


def _members(specs) -> dict[str, set[str]]:
    """The names that each name stands for: its own, or those of a sweep or of noise levels."""
    members: dict[str, set[str]] = {}
    for spec in specs:
        for name in {spec.name, getattr(spec, "of", None) or spec.name}:
            members.setdefault(name, set()).add(spec.name)
    return members


def _elsewhere(name: str, known: dict[str, dict[str, set[str]]]) -> str:
    """Where a name is known that is not known on its own axis."""
    homes = [axis for axis in AXES if name in known[axis]]
    return f" There is a {homes[-1]} of this name: --only {homes[-1]}={name}." if homes else ""
