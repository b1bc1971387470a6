"""Child processes for the fits: one thread each, and killed when their time is up."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from typing import Any

from ..data.csvfile import Dataset
from ..running.workers.child import Child
from . import work

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
LEAST = 0.1  # seconds of a call
_starting = threading.Lock()  # the environment belongs to the process, not to a thread


class Worker:
    """A child process with a table; it is started again after a fit that had to be killed.

    It starts at once, before there is a table: it loads scikit-learn while the file is read.
    """

    def __init__(self) -> None:
        self._child = _started()
        self._data: Dataset | None = None  # the table that the child has

    def call(self, seconds: float, data: Dataset, function, *arguments) -> Any:
        """What the function returns; TimeoutError after `seconds`, the start included."""
        began = time.monotonic()
        if not self._child.alive:
            self._child, self._data = _started(), None
        if self._data is not data:
            self._child.call(max(seconds, LEAST), work.receive, data)
            self._data = data
            seconds -= time.monotonic() - began
        return self._child.call(max(seconds, LEAST), function, *arguments)

    def close(self) -> None:
        self._child.close()


@contextlib.contextmanager
def crew(jobs: int) -> Iterator[list[Worker]]:
    """So many workers, which end with the block."""
    workers: list[Worker] = []
    try:
        workers += [Worker() for _ in range(jobs)]
        yield workers
    finally:
        for worker in workers:
            worker.close()


def _started() -> Child:
    """Libraries read these variables when they are loaded, so they must be set before."""
    with _starting:
        before = {name: os.environ.get(name) for name in ONE_THREAD}
        os.environ.update(ONE_THREAD)
        try:
            return Child()
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
