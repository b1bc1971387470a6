"""Classifiers fitted in a process apart: seconds, memory, bytes of the model, mistakes.

Seconds are the processor's, in one thread. A fit that takes longer than the limit, or more memory,
is ended.
"""

import pickle
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from ..running.workers.child import Child
from .contenders import CONTENDERS, fitted_models
from .scaling import ENOUGH, mean_seconds

MEGABYTE, GIGABYTE = 1e6, 1e9
REFUSED = ("MemoryError", "bad_alloc")  # in the words of Python and of libraries
SPARE = 2  # times the limit: the process may also load data and predict


class Problem(NamedTuple):
    """Standardised training and test rows, and classes from 0 to k - 1."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray

    @property
    def n_classes(self) -> int:
        return int(self.y.max()) + 1


class Fit(NamedTuple):
    """What a fit cost, and the test rows that it gets wrong."""

    models: int
    fit_seconds: float
    microseconds: float  # to predict a row
    megabytes: float  # of the model, pickled or as its library writes it
    peak_megabytes: float  # of memory in the fit beyond what there was before
    wrong: np.ndarray


class Limits(NamedTuple):
    """What a fit may take."""

    seconds: float  # of the processor
    gigabytes: float  # beyond what the process had before


class Fits:
    """Fits one after the other in a process, which is replaced when a fit has ended it."""

    def __init__(self) -> None:
        self.child = Child()

    def fit(self, name: str, problem: Problem, limits: Limits) -> Fit | str:
        """The fit of a contender, or why there is none."""
        try:
            return self.child.call(None, measured, name, problem, limits)
        except RuntimeError as error:
            code = self.child.process.poll()
            if code is None and any(word in str(error) for word in REFUSED):
                return f"not finished in {limits.gigabytes:g} GB"
            if code is None or code > 0:
                raise
            self.child.close()
            self.child = Child()
            if code == -signal.SIGPROF:
                return f"not finished after {limits.seconds:g} s"
            return f"its process died of signal {-code}, as without memory: {limits.gigabytes:g} GB"

    def close(self) -> None:
        self.child.close()


def measured(name: str, problem: Problem, limits: Limits) -> Fit:
    """Fit after a small fit that loads and compiles what is needed; short fits are repeated."""
    contender, k = CONTENDERS[name], problem.n_classes
    with threadpool_limits(1):
        rows = np.arange(60)
        contender.make(6).fit(np.resize(problem.X, (60, problem.X.shape[1])), rows % 6)
        model = contender.make(k)
        before = _reset_peak()
        with _at_most(limits.gigabytes):
            signal.setitimer(signal.ITIMER_PROF, limits.seconds)
            start = time.process_time()
            model.fit(problem.X, problem.y)
            seconds = time.process_time() - start
            signal.setitimer(signal.ITIMER_PROF, SPARE * limits.seconds)
            peak = _memory("VmHWM") - before
            predicted = np.asarray(model.predict(problem.X_test))
            signal.setitimer(signal.ITIMER_PROF, 0)
        if seconds < ENOUGH:
            seconds = mean_seconds(lambda: contender.make(k).fit(problem.X, problem.y), ENOUGH)
        spent = mean_seconds(lambda: model.predict(problem.X_test), ENOUGH)
        nbytes = model.nbytes if hasattr(model, "nbytes") else len(pickle.dumps(model))
    return Fit(
        fitted_models(contender, model, k),
        seconds,
        1e6 * spent / len(predicted),
        nbytes / MEGABYTE,
        peak / MEGABYTE,
        predicted != problem.y_test,
    )


@contextmanager
def _at_most(gigabytes: float) -> Iterator[None]:
    """So much more memory than there is now, and no more, is granted where Linux counts it."""
    now, (soft, hard) = _memory("VmData"), resource.getrlimit(resource.RLIMIT_DATA)
    if np.isnan(now):
        yield
        return
    resource.setrlimit(resource.RLIMIT_DATA, (int(now + gigabytes * GIGABYTE), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _reset_peak() -> float:
    """Bytes in memory now; from here on Linux counts the peak anew."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return np.nan
    return _memory("VmRSS")


def _memory(field: str) -> float:
    """A number of bytes in /proc/self/status; nan where there is no such file."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return np.nan
    return next(1024.0 * int(line.split()[1]) for line in lines if line.startswith(field))
