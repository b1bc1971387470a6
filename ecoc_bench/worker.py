"""A process that fits for another: how it settles in, and how it hands over what it did."""

import os
import pickle
import signal
import tempfile
import warnings
from typing import NamedTuple

from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from .fit import Fitted, Job, fit_task
from .learners.columns import WARNINGS
from .timelimit import die_with


class Home(NamedTuple):
    """The process that the workers of a pool work for, and a folder for what they bring it."""

    process: int
    folder: str


def fit_in_worker(number: int, task, data, job: Job, home: Home | None) -> tuple[int, Fitted | str]:
    """What a task gave; in a pool of processes the name of a file that holds it.

    A pool hangs when a worker dies with half its answer sent: a short answer is sent in one go.
    """
    settle(home and home.process)
    fitted = fit_task(task, data, job)
    return number, fitted if home is None else _leave(fitted, home.folder)


def _leave(fitted: Fitted, folder: str) -> str:
    handle, path = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as file:
        pickle.dump(fitted, file, protocol=pickle.HIGHEST_PROTOCOL)
    return path


def collect(fitted: Fitted | str) -> Fitted:
    """What a task gave, for the process that asked for it."""
    if isinstance(fitted, Fitted):
        return fitted
    with open(fitted, "rb") as file:
        content = pickle.load(file)
    os.unlink(fitted)
    return content


_settled: list[bool] = []


def settle(parent: int | None = None) -> None:
    """Make this process a worker: one BLAS thread, quiet about convergence, which is counted."""
    with WARNINGS:
        if _settled:
            return
        warnings.filterwarnings("ignore", category=ConvergenceWarning)
        threadpool_limits(1)
        if parent is not None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
            die_with(parent)
        _settled.append(True)
