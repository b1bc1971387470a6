"""A worker process: its settings, and how it ends when its parent has gone."""

import os
import signal
import threading
import time
import warnings

from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from ...learners.columns import WARNINGS

_settled: list[bool] = []


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
