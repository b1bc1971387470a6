"""Plan -> fits on workers -> store -> the files of a run."""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from threadpoolctl import threadpool_limits

from ..errors import StorageError
from ..experiment.plan import Plan
from ..experiment.room import check_room, need
from ..experiment.tasks import Cell, Task
from ..results.catalogue import ALWAYS, FILES
from ..results.failures import Failure, as_rows, read_failures
from ..results.ownership import Ownership, claim
from ..results.rows import to_csv
from .decode import Decoded, costs, decode, measure_rows, timings, validation_rows
from .fit import Fitted
from .forecast import scouts_first
from .manifest import manifest
from .select import select
from .store import Store
from .workers.pool import Workers


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
    on_start: Callable[[list[Task]], None] = lambda tasks: None,
    on_done: Callable[[Task, float, str], None] = lambda task, seconds, worker: None,
) -> Outcome:
    """Fit what is missing for these cells, then write results.csv and the other files.

    The caller holds the lock of the folder. After Ctrl-C or on a full disk every finished task is
    kept, and the next run continues from there.
    """
    owned, store = claim(folder), Store(folder / "store")
    earlier, aside = _earlier_failures(owned)
    tasks = scouts_first(plan.tasks(cells, store))
    if room_check:
        check_room(need(plan, tasks), workers.here, folder)
    damaged = len(store.damaged) + len(plan.book.damaged) + aside
    outcome = Outcome(folder, damaged=damaged)
    on_start(tasks)
    start = time.perf_counter()
    try:
        plan.book.keep(plan.drawn, owned.write)
        for task, fitted in workers.results(tasks, plan.datasets, plan.recipes()):
            _keep(task, fitted, store, outcome)
            on_done(task, fitted.seconds, fitted.worker)
    except KeyboardInterrupt:
        outcome.interrupted = True
    except StorageError as error:
        outcome.full = str(error)
    outcome.seconds["fitting"] = time.perf_counter() - start
    outcome.failures += _standing(earlier, plan, store, outcome.failures)
    _write(plan, store, owned, outcome, workers)
    return outcome


def _earlier_failures(owned: Ownership) -> tuple[list[Failure], int]:
    """The failures of the last run, and whether their file was damaged and set aside."""
    path = owned.folder / "failures.csv"
    if path.is_file() and owned.is_damaged(path.name, path.read_bytes()):
        os.replace(path, path.with_suffix(".damaged"))
        return [], 1
    return read_failures(path), 0


def _keep(task: Task, fitted: Fitted, store: Store, outcome: Outcome) -> None:
    outcome.failures += fitted.failures
    outcome.seconds["work"] += fitted.seconds
    if fitted.worker:
        outcome.peaks[fitted.worker] = max(outcome.peaks.get(fitted.worker, 0), fitted.peak)
    if fitted.record is not None:
        store.add(fitted.record)
        whole = bool(fitted.record.decoded)  # a cell, all of whose columns are fitted
        outcome.fitted += len(task.columns if whole else fitted.record.columns)


def _standing(earlier, plan: Plan, store: Store, now: list[Failure]) -> list[Failure]:
    """Earlier failures of fits that the plan still needs and that this run has not tried again."""
    wanted = {key for cell in plan.cells for key in plan.keys(cell)}
    tried = {(f.context, column) for f in now for column in f.columns}
    return [
        f
        for f in earlier
        if f.context in wanted
        and not any((f.context, c) in store or (f.context, c) in tried for c in f.columns)
    ]


def _write(plan: Plan, store: Store, owned: Ownership, outcome: Outcome, workers: Workers) -> None:
    """Write results.csv and the other files from the store; a full disk is noted, not raised."""
    start = time.perf_counter()
    with threadpool_limits(1):
        decoded = decode(plan, store, workers.jobs)
    outcome.seconds["decoding"] = time.perf_counter() - start
    outcome.n_rows = len(decoded.rows)
    outcome.failures += decoded.failures
    try:
        texts = _texts(_rows(plan, store, decoded, outcome), owned)
        owned.write({**texts, "manifest.json": manifest(plan, outcome, workers)})
    except StorageError as error:
        outcome.full = str(error)


def _texts(tables: dict[str, list[dict]], owned: Ownership) -> dict[str, str]:
    """The CSV files to write; one without rows is removed unless it is always there."""
    texts = {}
    for name, rows in tables.items():
        if rows or FILES[name].when == ALWAYS:
            texts[name] = to_csv(FILES[name].columns, rows)
        else:
            owned.remove(name)
    return texts


def _rows(plan: Plan, store: Store, decoded: Decoded, outcome: Outcome) -> dict[str, list[dict]]:
    """The rows of every CSV of the catalogue."""
    has_criteria = any("cv" in row or "loo_bound" in row for row in decoded.rows)
    selected = select(plan.experiment, decoded.rows)
    return {
        "results.csv": decoded.rows,
        "mistakes.csv": [row for row in decoded.rows if "mistakes" in row],
        "validation.csv": validation_rows(decoded.rows),
        "criteria.csv": decoded.rows if has_criteria else [],
        "selected.csv": selected,
        "calibration.csv": decoded.calibration,
        "measures.csv": measure_rows(decoded.rows, selected),
        "rounds.csv": decoded.rounds,
        "bounds.csv": decoded.bounds,
        "margin_bounds.csv": decoded.margin_bounds,
        "costs.csv": list(costs(plan, store)),
        "timings.csv": list(timings(plan, store)),
        "failures.csv": as_rows(outcome.failures),
    }
