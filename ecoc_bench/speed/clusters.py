"""What the data cost on Dask clusters of this machine: sent to the workers, or read in a folder.

Workers have one thread each. Dask gives no task to one that holds more than 80% of its limit and
ends one above 95%. Bytes are what the loopback interface carried during the run, so nothing else
may use it meanwhile; what goes through the scheduler is carried twice.
"""

import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil

from ..errors import UserError
from ..experiment.codebook import CodeBook
from ..experiment.config import find_config
from ..experiment.plan import Plan
from ..files import scratch
from ..results.rows import to_csv
from ..running.replay import read_source
from ..running.run import run
from ..running.workers.pool import Workers

PAUSE = 0.02  # seconds between two looks at the workers
SEARCH = 25  # looks between two searches for new ones
CLASSES = 3
MB = 1_000_000


class Row(NamedTuple):
    """One run; memory in MB, a limit of 0 is none. Where nothing is fitted the run gave up."""

    repeat: int
    workers: int
    data: str  # read or sent
    limit: int
    data_mb: int
    columns: int
    fitted: int
    seconds: float
    carried_mb: float
    peak_mb: float  # of the worker that held most


def table(rng: np.random.Generator, rows: int, columns: int):
    """Normal numbers around a mean for each class; a fifth are test rows."""
    y = np.arange(rows) % CLASSES
    X = rng.standard_normal((rows, columns))
    X[np.arange(rows), y] += 2
    return X, y, np.arange(rows) % 5 > 0


class Watch(threading.Thread):
    """Looks at the processes under this one until it is stopped: workers, and small helpers."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peaks: dict[int, int] = {}
        self.carried = 0
        self.done = threading.Event()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.join()

    def run(self):
        looks = 0
        while not self.done.wait(PAUSE):
            if looks % SEARCH == 0:  # to go through all processes takes time
                family = psutil.Process().children(recursive=True)
            looks += 1
            for process in family:
                self._look(process)

    def _look(self, process: psutil.Process) -> None:
        with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            held = process.memory_info().rss
            self.peaks[process.pid] = max(held, self.peaks.get(process.pid, 0))


def _carried() -> int:
    """Bytes that this machine has sent to itself."""
    counters = psutil.net_io_counters(pernic=True)
    return sum(count.bytes_sent for name, count in counters.items() if name in ("lo", "lo0"))


def measure(
    config: str, only: Sequence[str], workers: Sequence[int], limit: int, repeats: int
) -> list[Row]:
    """Run the config on clusters of so many workers: read and sent with the limit, sent without."""
    path = find_config(config)
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(read_source(path).experiment, str(path), CodeBook(Path(folder) / "codes"), only)
        return [
            _row(plan, repeat, n, data, most)
            for repeat in range(repeats)
            for n in workers
            for data, most in (("read", limit), ("sent", 0), ("sent", limit))
        ]


def _row(plan: Plan, repeat: int, n: int, data: str, limit: int) -> Row:
    tables = sum(data.X.nbytes for data in plan.datasets.values())
    columns = sum(len(task.columns) for task in plan.tasks(plan.chosen, ()))
    with scratch() as folder, Watch() as watch:
        seconds, fitted = _run(plan, folder, n, folder if data == "read" else None, limit, watch)
    measured = seconds, watch.carried / MB, max(watch.peaks.values()) / MB
    return Row(repeat, n, data, limit, tables // MB, columns, fitted, *measured)


def _run(
    plan: Plan, folder: Path, n: int, shared: Path | None, limit: int, watch: Watch
) -> tuple[float, int]:
    """Seconds until all is fitted or the run gives up, and how many columns are fitted."""
    from ..running.workers.dask import local_cluster

    with local_cluster(n, limit * MB, folder) as cluster:
        at = cluster.scheduler_address
        workers = Workers(n, "dask", at, lambda text: None, shared=shared)
        before, start = _carried(), time.perf_counter()
        try:
            outcome = run(plan, plan.chosen, folder / "out", workers, room_check=False)
        except UserError:  # the data do not fit into the workers
            return time.perf_counter() - start, 0
        finally:
            watch.carried = _carried() - before
        return outcome.seconds["fitting"], outcome.fitted


def report(
    config: str, only: Sequence[str], workers: Sequence[int], limit: int, repeats: int,
    out: Path | None,
) -> str:  # fmt: skip
    """What `ecoc-bench overhead --dask` prints; the single runs go to the CSV `out`."""
    rows = measure(config, only, workers, limit, repeats)
    if out is not None:
        out.write_text(to_csv(Row._fields, [_texts(row) for row in rows]))
    return "\n".join(map(_line, rows))


def _texts(row: Row) -> dict:
    return {k: f"{v:.1f}" if isinstance(v, float) else v for k, v in row._asdict().items()}


def _line(row: Row) -> str:
    most = f"of {row.limit} MB" if row.limit else "without a limit"
    return (
        f"{row.data_mb} MB {row.data}, {row.workers} workers {most}: {row.seconds:.1f} s, "
        f"{row.carried_mb:.0f} MB carried, at most {row.peak_mb:.0f} MB in a worker; "
        f"{row.fitted} of {row.columns} columns fitted"
    )
