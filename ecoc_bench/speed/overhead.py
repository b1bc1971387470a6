"""What the runner costs compared with the bare fits: both in one process, in turn, several times.

Also what the command line costs: `ecoc-bench --help` compared with a Python that only imports
click.

The bare fits are a loop over the plan's tasks, which prepares inputs, fits columns and computes
margins. A run adds the store, decoding, and the files of the run; planning (reading data, drawing
codes) is shown separately.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from ..experiment.codebook import CodeBook
from ..experiment.config import find_config
from ..experiment.plan import Plan
from ..results.rows import to_csv
from ..running.fit import fit_task
from ..running.replay import read_source
from ..running.run import run
from ..running.workers.pool import Workers

COLUMNS = ("repeat", "planning_seconds", "bare_seconds", "run_seconds", "overhead")


class Round(NamedTuple):
    """Seconds of one turn of each."""

    planning: float
    bare: float
    run: float

    @property
    def overhead(self) -> float:
        return self.run / self.bare - 1


def measure(config: str, only: Sequence[str], repeats: int) -> list[Round]:
    """Alternate bare fits and whole runs of the chosen cells, on one core."""
    path = find_config(config)
    experiment = read_source(path).experiment
    rounds = []
    with threadpool_limits(1), tempfile.TemporaryDirectory() as scratch:
        book = CodeBook(Path(scratch) / "codes")
        fit_all(Plan(experiment, str(path), book, only))  # compiles, and warms the caches
        for repeat in range(repeats):
            book = CodeBook(Path(scratch) / f"codes{repeat}")
            plan, planning = _timed(Plan, experiment, str(path), book, only)
            _, bare = _timed(fit_all, plan)
            folder = Path(scratch) / str(repeat)
            _, whole = _timed(run, plan, plan.chosen, folder, Workers(1))
            rounds.append(Round(planning, bare, whole))
    return rounds


def fit_all(plan: Plan) -> None:
    """The bare fits of the chosen cells."""
    recipes = plan.recipes()
    for task in plan.tasks(plan.chosen, ()):
        fit_task(task, plan.datasets[task.context.dataset], recipes[task.context.learner])


def startup(repeats: int = 9) -> float:
    """The time of `ecoc-bench --help` over that of `import click`, separate processes in turn."""
    calls = (["-m", "ecoc_bench", "--help"], ["-c", "import click"])
    pairs = [[_timed(_call, call)[1] for call in calls] for _ in range(repeats)]
    return median(ours / bare for ours, bare in pairs)


def _call(arguments: list[str]) -> None:
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)


def _timed(call, *arguments):
    start = time.perf_counter()
    result = call(*arguments)
    return result, time.perf_counter() - start


def report(config: str, only: Sequence[str], repeats: int, out: Path | None) -> str:
    """What `ecoc-bench overhead` prints; the single timings go to the CSV `out`."""
    rounds = measure(config, only, repeats)
    if out is not None:
        rows = [(i, *map("{:.3f}".format, (*r, r.overhead))) for i, r in enumerate(rounds)]
        out.write_text(to_csv(COLUMNS, [dict(zip(COLUMNS, row, strict=True)) for row in rows]))
    lines = [
        f"planning {r.planning:6.2f} s   bare fits {r.bare:7.2f} s   run {r.run:7.2f} s   "
        f"overhead {r.overhead:6.1%}"
        for r in rounds
    ]
    middle = median(r.overhead for r in rounds)
    return "\n".join(
        [
            *lines,
            f"the run takes {middle:.1%} more than its fits (median)",
            f"`ecoc-bench --help` takes {startup():.2f} times as long as `import click`",
        ]
    )
