"""Child processes for the fits and for the page: killed when their time is up."""

import contextlib
import importlib
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..data.csvfile import Dataset
from ..files import scratch
from . import work
from .nursery import Nursery

LEAST = 0.1  # seconds of a call


class Worker:
    """A child process with a table; there is a new one after a fit that had to be killed."""

    def __init__(self, nursery: Nursery) -> None:
        self._nursery, self._child = nursery, nursery.child()
        self._data: Dataset | None = None  # the table that the child has

    def call(self, seconds: float, data: Dataset, function, *arguments) -> Any:
        """What the function returns; TimeoutError after `seconds`, the start included."""
        until = time.monotonic() + seconds
        if not self._child.alive:
            self._child, self._data = self._nursery.child(), None
        if self._data is not data:
            self._child.call(_rest(until), work.receive, data, sys.path)
            self._data = data
        return self._child.call(_rest(until), function, *arguments)


class Prepared:
    """A child process that loads a module while other work goes on; its functions are called later.

    Functions go by their names: this process need not load the module.
    """

    def __init__(self, nursery: Nursery, module: str, seconds: float):
        self.module, self._nursery, self._child = module, nursery, nursery.child()
        self._loading = threading.Thread(target=self._load, args=[seconds], daemon=True)
        self._loading.start()

    def _load(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError, RuntimeError):  # the call will tell
            self._child.call(seconds, _loaded, self.module)

    def call(self, seconds: float, name: str, *arguments) -> Any:
        """What the function returns; TimeoutError after `seconds`."""
        until = time.monotonic() + seconds
        self._loading.join(max(seconds, LEAST))
        if self._loading.is_alive():
            raise TimeoutError(f"{self.module} was not loaded in time")
        if not self._child.alive:  # it was killed: another loads the module now
            self._child = self._nursery.child()
        return self._child.call(_rest(until), _called, self.module, name, arguments)


def _rest(until: float) -> float:
    return max(until - time.monotonic(), LEAST)


def _loaded(module: str) -> None:
    importlib.import_module(module)


def _called(module: str, name: str, arguments: tuple) -> Any:
    return getattr(importlib.import_module(module), name)(*arguments)


class Crew:
    """The workers of a trial, the process that they come from, and a folder for their files."""

    def __init__(self, jobs: int, folder: Path):
        self.nursery, self.folder = Nursery(), folder
        self.workers = [Worker(self.nursery) for _ in range(jobs)]


@contextlib.contextmanager
def crew(jobs: int) -> Iterator[Crew]:
    """So many workers, which end with the block."""
    with scratch() as folder:  # it goes last: nobody is left to write into it
        hired = Crew(jobs, folder)
        try:
            yield hired
        finally:
            hired.nursery.close()
