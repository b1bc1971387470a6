"""How much memory and disk a plan will need, compared with what is free before it starts."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil

from ..coding.column_sums import is_wide, losses_of
from ..coding.labels import ENTRIES
from ..data.sparse import is_sparse, n_bytes
from ..errors import UserError
from .kept import keeps_rows
from .plan import Plan
from .tasks import CellTask, SlabTask, Task

WORKER = 250e6  # bytes of a worker process before it has seen any data, as measured on Linux
COPIES = 3.0  # arrays of the size of the margins that a fit holds at once
BLOCKS = 6.0 * 8 * ENTRIES  # bytes that decoding holds besides margins, block by block
DECODING = 6.0  # ... and that decoding holds in each of its threads
WIDE_ONES = 1.2  # matrices of many columns, with what is made of them
SIGNS = 6.0  # bytes of the signs of a training row in columns that are fitted together
ROW = 2000.0  # bytes of the rows of a cell, stage and decoder, as text
SLACK = 1.2  # size of a record on disk, compared with its bare margins


@dataclass(frozen=True)
class Need:
    """Bytes that a plan needs: for the parent, each worker, each decoding thread, and on disk."""

    parent: float
    per_worker: float
    per_thread: float
    disk: float

    def memory(self, jobs: int) -> float:
        """With this many worker processes; with none, the parent does the fits."""
        workers = max(jobs * self.per_worker, self.per_worker - WORKER)
        return self.parent + max(jobs, 1) * self.per_thread + workers


def need(plan: Plan, tasks: Iterable[Task]) -> Need:
    """An estimate from the shapes alone: inputs twice, margins at every stage."""
    fits, records, loaded = [0.0], [0.0], [0.0]
    for task in tasks:
        data = plan.datasets[task.context.dataset]
        learner = plan.fitters[task.context.learner]
        rows = len(task.context.train) + len(task.context.test)
        together = len(task.columns) if learner.single_call else learner.columns_at_once
        itemsize = learner.itemsize if data.sets is None else 8  # a method's scores, not labels
        margins = itemsize * rows * len(task.columns) * learner.n_stages
        seen = rows_of(task) if isinstance(task, SlabTask) else rows
        work = 8.0 * seen * together * COPIES
        work += learner.room(len(task.context.train), len(task.context.test))
        if isinstance(task, SlabTask):
            held = sums_room(task, learner.n_stages) + work + SIGNS * rows * together
            records.append(8.0 * seen * learner.n_stages * (3 + 2 * len(task.decoders)))
        elif isinstance(task, CellTask):
            held = margins * (1 + len(task.inner)) + max(work, BLOCKS)
            records.append(rows_room(task, learner.n_stages))
        else:
            held = 2 * margins + work
            records.append(margins)
            loaded.append(margins)
        inputs = n_bytes(data.X) / len(data.y) if is_sparse(data.X) else 8.0 * data.X.shape[1]
        fits.append(2 * rows * inputs + held)
    cells = [
        8.0 * len(plan.datasets[cell.dataset].y) * plan.matrices[at].shape[1]
        for at, cell in {(c.dataset, c.code, c.draw): c for c in plan.cells}.items()
        if not keeps_rows(plan, cell)
    ]
    tables = float(sum(n_bytes(data.X) for data in plan.datasets.values()))
    tables += sum(WIDE_ONES * M.nbytes for M in plan.matrices.values() if is_wide(M))
    thread = DECODING * max([*cells, *loaded])
    return Need(WORKER + tables, WORKER + max(fits), thread, SLACK * sum(records))


def sums_room(task: SlabTask, n_stages: int) -> float:
    """Bytes of the sums of a slab, for each of its rows and classes."""
    n_sums = len(losses_of(task.decoders, task.loss)) * n_stages
    return 8.0 * rows_of(task) * task.block.shape[0] * n_sums


def rows_of(task: SlabTask) -> int:
    """How many rows a slab has."""
    return task.rows.stop - task.rows.start


def rows_room(task: CellTask, n_stages: int) -> float:
    """Bytes of the rows of a cell: a few numbers, and a bit for each test row at the last stage."""
    assert task.decoding is not None
    return len(task.decoding.decoders) * (ROW * n_stages + len(task.context.test) / 4)


def check_room(asked: Need, jobs: int, folder: Path) -> None:
    """Refuse a plan that needs more than is free, and say what would fit."""
    free = psutil.virtual_memory().available
    if asked.memory(jobs) > free:
        fitting = int((free - asked.parent) // (asked.per_worker + asked.per_thread))
        advice = (
            f"Use --jobs {fitting}"
            if fitting >= 1
            else "Use a larger machine, fewer columns or smaller data"
        )
        raise UserError(
            f"the run would need about {gigabytes(asked.memory(jobs))} of memory with {jobs} "
            f"workers, {gigabytes(free)} are free. {advice}, or --no-room-check to try it."
        )
    disk = shutil.disk_usage(_existing(folder)).free
    if asked.disk > disk:
        raise UserError(
            f"{folder}: the margins may need up to {gigabytes(asked.disk)} of disk, "
            f"{gigabytes(disk)} are free. Free some (`ecoc-bench clean`), choose another folder "
            "with --out, or --no-room-check to try it."
        )


def gigabytes(n: float) -> str:
    """
    >>> gigabytes(2_340_000_000), gigabytes(5_000_000), gigabytes(1_200)
    ('2.3 GB', '5 MB', '1.2 kB')
    """
    if n >= 1e9:
        return f"{n / 1e9:.1f} GB"
    return f"{n / 1e6:.0f} MB" if n >= 1e6 else f"{n / 1e3:.1f} kB"


def _existing(folder: Path) -> Path:
    return next(p for p in (folder, *folder.absolute().parents) if p.exists())
