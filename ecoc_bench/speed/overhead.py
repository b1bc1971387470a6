"""What the runner costs compared with the bare fits: both in one process, in turn, several times.

Also what the command line costs: `ecoc-bench --help` compared with a Python that only imports
click.

The bare fits are a loop over the plan's tasks, which prepares inputs, fits columns and computes
margins. A run adds the store, decoding, and the files of the run; planning (reading data, drawing
codes) is shown separately. `configs/load.yaml` has 20,000 cells and a learner that costs next to
nothing: what a run of it takes is the runner's own.
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

COLUMNS = (
    "repeat", "planning_seconds", "bare_seconds", "run_seconds", "overhead", "cells", "ms_per_cell",
)  # fmt: skip


class ClassMeans:
    """A learner that costs next to nothing: the mean of each column's sign times the inputs."""

    loss = "linear"
    inputs = "raw"

    def fit(self, X, Y):
        self.w_ = X.T @ Y / len(X)

    def margins(self, X):
        return X @ self.w_


class Round(NamedTuple):
    """Seconds of one turn of each."""

    planning: float
    bare: float
    run: float
    cells: int

    @property
    def overhead(self) -> float:
        return self.run / self.bare - 1

    @property
    def ms_per_cell(self) -> float:
        """Planning and running, without the fits."""
        return 1000 * (self.planning + self.run - self.bare) / self.cells


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
            rounds.append(Round(planning, bare, whole, len(plan.chosen)))
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
        out.write_text(to_csv(COLUMNS, [_row(i, r) for i, r in enumerate(rounds)]))
    lines = [
        f"planning {r.planning:6.2f} s   bare fits {r.bare:7.2f} s   run {r.run:7.2f} s   "
        f"overhead {r.overhead:6.1%}"
        for r in rounds
    ]
    middle, each = median(r.overhead for r in rounds), median(r.ms_per_cell for r in rounds)
    return "\n".join(
        [
            *lines,
            f"the run takes {middle:.1%} more than its fits (median)",
            f"planning and running take {each:.1f} ms a cell on top of the fits "
            f"({rounds[0].cells} cells, median)",
            f"`ecoc-bench --help` takes {startup():.2f} times as long as `import click`",
        ]
    )


def _row(repeat: int, r: Round) -> dict:
    seconds = map("{:.3f}".format, (r.planning, r.bare, r.run, r.overhead))
    return dict(zip(COLUMNS, (repeat, *seconds, r.cells, f"{r.ms_per_cell:.3f}"), strict=True))
