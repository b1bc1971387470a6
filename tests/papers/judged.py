"""What the tests of the papers share: the verdicts by name, and a run's further tables as text."""

from ecoc_bench.papers.claims import OUTCOMES
from ecoc_bench.papers.registry import PAPERS
from ecoc_bench.results.run import Run

REPRODUCED, PARTLY, NOT, NOT_ENOUGH = OUTCOMES


def text_of(folder):
    """The tables that the papers add to a run."""
    run = Run(folder)
    return "\n".join(table.text("terminal") for p in PAPERS.values() for table in p.tables(run))
