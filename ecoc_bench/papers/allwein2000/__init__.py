"""Allwein, Schapire & Singer 2000: Tables 1 to 3, Figures 1 to 7, and 18 claims."""

from collections.abc import Iterator

from ...results.formats import TextTable
from ...results.run import Run
from ..paper import Paper, in_figures
from .claims import CLAIMS, SCOPES
from .learners import tables as learner_tables
from .table1 import tables as size_tables


def tables(run: Run) -> Iterator[TextTable]:
    """Table 1 of a run of Tables 2 and 3, and the learners of Section 2."""
    yield from size_tables(run)
    yield from learner_tables(run)


ALLWEIN_2000 = Paper(
    SCOPES, CLAIMS, tables, in_figures(__name__, "pictures"), in_figures(__name__, "drawn")
)
