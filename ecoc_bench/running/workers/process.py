"""A worker process: how it starts, its settings, and how it ends when its parent has gone."""

import contextlib
import multiprocessing.resource_tracker
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator

from joblib.externals.loky.backend import resource_tracker
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from ...learners.columns import WARNINGS

SILENT = "ignore:resource_tracker:UserWarning"  # an option -W of Python
_settled: list[bool] = []


def start_trackers() -> None:
    """Start the processes that clean up after us when we are killed, which they do in silence."""
    sys.warnoptions.append(SILENT)
    try:
        for tracker in (resource_tracker, multiprocessing.resource_tracker):
            tracker.ensure_running()
    finally:
        sys.warnoptions.remove(SILENT)


@contextlib.contextmanager
def starting_processes() -> Iterator[None]:
    """Processes that start here never hear Ctrl-C, not even while they import: we handle it.

    They inherit the mask of this thread, and so does the thread of joblib that replaces dead ones.
    The trackers of shared memory are started first, because their start would undo the mask. A
    signal to this process waits meanwhile: a process that is half started would print a traceback.
    """
    start_trackers()
    heard: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda number, _: heard.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
    for missed in heard:
        signal.raise_signal(missed)


def settle(parent: int | None = None) -> None:
    """Make this process a worker: one BLAS thread, no convergence warnings (they are counted)."""
    with WARNINGS:
        if _settled:
            return
        warnings.filterwarnings("ignore", category=ConvergenceWarning)
        threadpool_limits(1)
        if parent is not None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
            die_with(parent)
        _settled.append(True)


def die_with(parent: int) -> None:
    """End this process when its parent has gone, as soon as compiled code lets threads run."""
    threading.Thread(target=_watch, args=[parent], daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
