"""Child processes for the fits: one thread each, and killed when their time is up."""

import os
import threading
from typing import Any

from ..data.csvfile import Dataset
from ..running.workers.child import Child
from ..running.workers.process import settle
from . import work

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_starting = threading.Lock()  # the environment belongs to the process, not to a thread


class Worker:
    """A child process with the table; it is started again after a fit that had to be killed."""

    def __init__(self, data: Dataset):
        self.data = data
        self._child: Child | None = None

    def call(self, seconds: float, function, *arguments) -> Any:
        """What the function returns; TimeoutError after `seconds`, the start included."""
        if self._child is None or not self._child.alive:
            self._child = _started()
            self._child.call(max(seconds, 0.1), _begin, self.data)
        return self._child.call(max(seconds, 0.1), function, *arguments)

    def close(self) -> None:
        if self._child is not None:
            self._child.close()


def _begin(data: Dataset) -> None:
    settle()
    work.receive(data)


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
