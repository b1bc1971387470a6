"""A worker process: how it starts, and its settings."""

import contextlib
import multiprocessing.resource_tracker
import signal
import sys
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


def settle() -> None:
    """Make this process a worker: one BLAS thread, no convergence warnings (they are counted)."""
    with WARNINGS:
        if _settled:
            return
        warnings.filterwarnings("ignore", category=ConvergenceWarning)
        threadpool_limits(1)
        _settled.append(True)
