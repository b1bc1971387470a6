"""Learners whose faults a file turns on and off, for the tests of the runner."""

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.linear_model import RidgeClassifier

from ecoc_bench.learners.columns import MultiCall


class Faulty(MultiCall):
    """Ridge regression that takes longer where FAULTY_PAUSE, seconds per column, is set.

    While the file `switch` is there it also has the fault whose name is in it, on columns with at
    most 11 training examples: in two folds of glass just one, the two smallest classes of
    all-pairs.
    """

    loss = "linear"

    def __init__(self, switch=""):
        self.switch = switch

    def binary_estimator(self, n_features):
        return RidgeClassifier()

    def fit(self, X, Y, sample_weight=None):
        time.sleep(float(os.environ.get("FAULTY_PAUSE", 0)) * Y.shape[1])
        self.fault_ = None
        if len(Y) > 12 and (Y != 0).sum() <= 11 and self.switch and os.path.exists(self.switch):
            self.fault_ = Path(self.switch).read_text()
        if self.fault_ in FAULTS:
            FAULTS[self.fault_]()
        return super().fit(X, Y)

    def staged_margins(self, X):
        """One stage, or one more on the column with the fault."""
        stages = (0, 1) if self.fault_ == "uneven" else (0,)
        return [(stage, self.margins(X)) for stage in stages]

    def margins(self, X):
        return AFTER.get(self.fault_, lambda F: F)(super().margins(X))


def _raise():
    raise RuntimeError("not today")


def _loop():
    """Compiled code that never ends, which no signal stops."""
    from numba import njit  # only here: every process of these runs would import it

    @njit
    def for_ever(n):
        while n:
            n = n % 7 + 1
        return n

    for_ever(1)


FAULTS = {
    "raise": _raise,
    "exit": lambda: sys.exit(3),
    "die": lambda: os._exit(7),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "sleep": lambda: time.sleep(10_000),
    "loop": _loop,
}
AFTER = {
    "nan": lambda F: np.full_like(F, np.nan),
    "shape": lambda F: F[:-1],
}
