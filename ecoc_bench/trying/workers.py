"""Child processes for the fits: one thread each, and killed when their time is up."""

import contextlib
import importlib
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


class Prepared:
    """A child process that loads a module while other work goes on; its functions are called later.

    Functions go by their names: this process need not load the module.
    """

    def __init__(self, module: str, seconds: float):
        self.module, self._child = module, _started()
        self._loading = threading.Thread(target=self._load, args=[seconds], daemon=True)
        self._loading.start()

    def _load(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError, RuntimeError, OSError):  # the call will tell
            self._child.call(seconds, _loaded, self.module)

    def call(self, seconds: float, name: str, *arguments) -> Any:
        """What the function returns; TimeoutError after `seconds`."""
        began = time.monotonic()
        self._loading.join(max(seconds, LEAST))
        left = seconds - (time.monotonic() - began)
        if left <= 0 or self._loading.is_alive():
            raise TimeoutError(f"{self.module} was not loaded in time")
        return self._child.call(left, _called, self.module, name, arguments)

    def close(self) -> None:
        self._child.close()


def _loaded(module: str) -> None:
    importlib.import_module(module)


def _called(module: str, name: str, arguments: tuple) -> Any:
    return getattr(importlib.import_module(module), name)(*arguments)


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
