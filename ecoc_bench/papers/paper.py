"""What a paper adds to the runs that repeat it: one `Paper` in the `__init__` of its folder."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..results.formats import TextTable
from ..results.run import Run
from .evidence import Claim, Scope

if TYPE_CHECKING:
    from ..plots.picture import Picture


@dataclass(frozen=True)
class Drawn:
    """What a paper's own figures show of a run, so that no common figure shows it again."""

    datasets: frozenset[str] = frozenset()  # all errors on these data sets
    sweeps: frozenset[tuple[str, str]] = frozenset()  # (sweep, data set)
    rounds: bool = False  # errors against boosting rounds


def nothing(run: Run) -> Iterator:
    return iter(())


def in_figures(paper: str, name: str) -> Callable[[Run], Any]:
    """A function of the paper's `figures`; matplotlib is imported when it is called."""
    return lambda run: getattr(import_module(".figures", paper), name)(run)


@dataclass(frozen=True)
class Paper:
    """The experiments of a paper and its claims about them; tables and figures of its runs.

    `tables` and `figures` yield nothing for a run of something else.
    """

    scopes: Mapping[str, Scope] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    tables: Callable[[Run], Iterator[TextTable]] = nothing
    figures: Callable[[Run], Iterator["Picture"]] = nothing
    drawn: Callable[[Run], Drawn] = lambda run: Drawn()
