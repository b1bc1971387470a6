"""Plan -> fits on joblib workers -> store -> what a run leaves behind."""

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from joblib import Parallel, cpu_count, delayed, parallel_config
from threadpoolctl import threadpool_limits

from .files import write_atomically
from .fit import Failure, fit_task
from .manifest import manifest
from .plan import Cell, Plan, Task
from .results import COLUMNS, TIMING_COLUMNS, rows, timings, to_csv
from .store import Store

FAILURE_COLUMNS = ("dataset", "learner", "repeat", "fold", "columns", "reason", "details")


@dataclass
class Outcome:
    """How a run went; the exit code of the command follows from it."""

    folder: Path
    fitted: int = 0
    damaged: int = 0
    failures: list[Failure] = field(default_factory=list)
    interrupted: bool = False
    n_rows: int = 0

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return 130
        if self.failures:
            return 1
        return 0 if self.n_rows else 4


def run(
    plan: Plan,
    cells: Iterable[Cell],
    folder: Path,
    jobs: int | None = None,
    on_start: Callable[[int], None] = lambda cost: None,
    on_done: Callable[[Task], None] = lambda task: None,
) -> Outcome:
    """Fit what is missing for these cells, then write results.csv and its companions.

    Ctrl-C keeps every finished task; the next run goes on from there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    plan.book.keep(plan.drawn)
    store = Store(folder / "store")
    jobs = jobs or cpu_count()
    tasks = plan.tasks(cells, store)
    outcome = Outcome(folder, damaged=len(store.damaged))
    on_start(sum(task.cost for task in tasks))
    try:
        for task, (record, failures) in _results(plan, tasks, jobs):
            outcome.failures += failures
            if record is not None:
                store.add(record)
                outcome.fitted += len(record.columns)
            on_done(task)
    except KeyboardInterrupt:
        outcome.interrupted = True
    write_results(plan, store, outcome, jobs)
    return outcome


def _results(plan: Plan, tasks: list[Task], jobs: int):
    """(task, (record, failures)) pairs as they finish, one BLAS thread per worker."""
    if not tasks:
        return
    calls = (delayed(_numbered)(i, *_arguments(plan, task)) for i, task in enumerate(tasks))
    with contextlib.ExitStack() as stack:
        if jobs == 1:
            stack.enter_context(threadpool_limits(1))
        else:
            stack.enter_context(parallel_config("loky", inner_max_num_threads=1))
        workers = Parallel(n_jobs=min(jobs, len(tasks)), return_as="generator_unordered")
        for i, result in workers(calls):
            yield tasks[i], result


def _arguments(plan: Plan, task: Task) -> tuple:
    name = task.context.learner
    learner, data = plan.parts.learners[name], plan.datasets[task.context.dataset]
    return task, data, learner, plan.inputs(name), plan.experiment.seed


def _numbered(i: int, *arguments):
    return i, fit_task(*arguments)


def write_results(plan: Plan, store: Store, outcome: Outcome, jobs: int) -> None:
    """results.csv, timings.csv, failures.csv and manifest.json of what the store holds."""
    with threadpool_limits(1):
        table = rows(plan, store, jobs)
    outcome.n_rows = len(table)
    folder = outcome.folder
    write_atomically(folder / "results.csv", to_csv(COLUMNS, table))
    write_atomically(folder / "timings.csv", to_csv(TIMING_COLUMNS, timings(plan, store)))
    failed = [{**vars(f), "columns": " ".join(f.columns)} for f in outcome.failures]
    if failed:
        write_atomically(folder / "failures.csv", to_csv(FAILURE_COLUMNS, failed))
    else:
        (folder / "failures.csv").unlink(missing_ok=True)
    write_atomically(folder / "manifest.json", manifest(plan, outcome.exit_code))
