"""Plan -> fits on workers -> store -> what a run leaves behind."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from threadpoolctl import threadpool_limits

from . import bounds, reliability
from .errors import StorageError
from .failures import COLUMNS as FAILURE_COLUMNS
from .failures import Failure, as_rows, read_failures
from .files import write_atomically
from .fit import Fitted
from .manifest import manifest
from .memory import check_room, need
from .plan import Plan
from .results import (
    COLUMNS,
    COST_COLUMNS,
    CRITERIA_COLUMNS,
    MISTAKE_COLUMNS,
    TIMING_COLUMNS,
    VALIDATION_COLUMNS,
    costs,
    decode,
    timings,
    to_csv,
    validation_rows,
)
from .selection import SELECTED_COLUMNS, select
from .store import Store
from .tasks import Cell, Task
from .workers import Workers


@dataclass
class Outcome:
    """How a run went; the exit code of the command follows from it."""

    folder: Path
    fitted: int = 0
    damaged: int = 0
    failures: list[Failure] = field(default_factory=list)
    interrupted: bool = False
    full: str = ""  # why nothing more could be written
    n_rows: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    peaks: dict[str, int] = field(default_factory=dict)  # bytes by worker

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return 130
        if self.failures or self.full:
            return 1
        return 0 if self.n_rows else 4


def run(
    plan: Plan,
    cells: Iterable[Cell],
    folder: Path,
    workers: Workers,
    room_check: bool = True,
    on_start: Callable[[int], None] = lambda cost: None,
    on_done: Callable[[Task], None] = lambda task: None,
) -> Outcome:
    """Fit what is missing for these cells, then write results.csv and its companions.

    The caller holds the lock of the folder. Ctrl-C and a full disk keep every finished task; the
    next run goes on from there.
    """
    store = Store(folder / "store")
    earlier = read_failures(folder / "failures.csv")
    tasks = plan.tasks(cells, store)
    if room_check:
        check_room(need(plan, tasks), workers.here, folder)
    outcome = Outcome(folder, damaged=len(store.damaged))
    on_start(sum(task.cost for task in tasks))
    start = time.perf_counter()
    try:
        plan.book.keep(plan.drawn)
        for task, fitted in workers.results(tasks, plan.datasets, plan.jobs()):
            _keep(fitted, store, outcome)
            on_done(task)
    except KeyboardInterrupt:
        outcome.interrupted = True
    except StorageError as error:
        outcome.full = str(error)
    outcome.seconds["fitting"] = time.perf_counter() - start
    outcome.failures += _standing(earlier, plan, store, outcome.failures)
    _write(plan, store, outcome, workers)
    return outcome


def _keep(fitted: Fitted, store: Store, outcome: Outcome) -> None:
    outcome.failures += fitted.failures
    outcome.seconds["work"] += fitted.seconds
    if fitted.worker:
        outcome.peaks[fitted.worker] = max(outcome.peaks.get(fitted.worker, 0), fitted.peak)
    if fitted.record is not None:
        store.add(fitted.record)
        outcome.fitted += len(fitted.record.columns)


def _standing(earlier, plan: Plan, store: Store, now: list[Failure]) -> list[Failure]:
    """Earlier failures of fits that the plan still wants and that have not been tried again."""
    wanted = {context.key for cell in plan.cells for context in plan.contexts(cell)}
    tried = {(f.context, column) for f in now for column in f.columns}
    return [
        f
        for f in earlier
        if f.context in wanted
        and not any((f.context, c) in store or (f.context, c) in tried for c in f.columns)
    ]


def _write(plan: Plan, store: Store, outcome: Outcome, workers: Workers) -> None:
    """results.csv and its companions of what the store holds; nothing on a disk that is full."""
    start = time.perf_counter()
    with threadpool_limits(1):
        decoded = decode(plan, store, workers.jobs)
    outcome.seconds["decoding"] = time.perf_counter() - start
    outcome.n_rows = len(decoded.rows)
    outcome.failures += decoded.failures
    folder = outcome.folder
    texts = {
        "results.csv": to_csv(COLUMNS, decoded.rows),
        "mistakes.csv": to_csv(MISTAKE_COLUMNS, [r for r in decoded.rows if "mistakes" in r]),
        "validation.csv": to_csv(VALIDATION_COLUMNS, validation_rows(decoded.rows)),
        "criteria.csv": to_csv(CRITERIA_COLUMNS, decoded.rows),
        "selected.csv": to_csv(SELECTED_COLUMNS, select(plan.experiment, decoded.rows)),
        "calibration.csv": to_csv(reliability.COLUMNS, decoded.calibration),
        "bounds.csv": to_csv(bounds.COLUMNS, decoded.bounds),
        "costs.csv": to_csv(COST_COLUMNS, costs(plan, store)),
        "timings.csv": to_csv(TIMING_COLUMNS, timings(plan, store)),
        "failures.csv": to_csv(FAILURE_COLUMNS, as_rows(outcome.failures)),
    }
    needed = {
        "failures.csv": bool(outcome.failures),
        "calibration.csv": bool(decoded.calibration),
        "validation.csv": any("validation" in row for row in decoded.rows),
        "criteria.csv": any(name in row for row in decoded.rows for name in ("cv", "loo_bound")),
        "selected.csv": bool(plan.experiment.select),
    }
    for name in (name for name, is_needed in needed.items() if not is_needed):
        del texts[name]
        (folder / name).unlink(missing_ok=True)
    try:
        for name, text in texts.items():
            write_atomically(folder / name, text)
        write_atomically(folder / "manifest.json", manifest(plan, outcome, workers))
    except StorageError as error:
        outcome.full = str(error)
