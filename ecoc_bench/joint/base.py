"""How the loop trains a base learner and asks it for its labels.

A base learner may have `prepare(X)`, `fit_prepared(prepared, y, sample_weight)` and
`predict_prepared(prepared)`. Then it checks, encodes and sorts only once instead of in every round;
the hypotheses are the same as by `fit(X, y, sample_weight)`.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.utils.validation import has_fit_parameter


class Inputs(NamedTuple):
    """The inputs of all rounds, and the result of `prepare`, if a base learner has it."""

    X: Any
    prepared: Any = None


def prepared(X, estimators) -> Inputs:
    """X, prepared by the first base learner that has `prepare`."""
    for estimator in estimators:
        if hasattr(estimator, "prepare"):
            return Inputs(X, estimator.prepare(X))
    return Inputs(X)


class Trainer:
    """Step 6: the base learner on the labels M(y_n, t) of the examples, each with a weight."""

    def __init__(self, base, X):
        self.base = base
        self.inputs = prepared(X, [base])
        self.seeded = "random_state" in base.get_params(deep=False)
        self.weighted = has_fit_parameter(base, "sample_weight")

    def fit(self, labels, weight, rng):
        """The hypothesis; a constant if the examples of positive weight have one label."""
        estimator = clone(self.base)
        if self.seeded:
            estimator.set_params(random_state=int(rng.integers(2**31 - 1)))
        rows = np.flatnonzero(weight)
        X, y = self.inputs.X, labels[rows]
        if (y == y[0]).all():
            return DummyClassifier(strategy="most_frequent").fit(X[rows], y)
        if self.inputs.prepared is not None:
            return estimator.fit_prepared(self.inputs.prepared, labels, weight)
        if self.weighted:
            return estimator.fit(X[rows], y, sample_weight=weight[rows])
        rows = np.repeat(rows, weight[rows])
        return estimator.fit(X[rows], labels[rows])


def outputs(estimator, inputs: Inputs) -> np.ndarray:
    """h_t(x), -1 or +1."""
    if inputs.prepared is not None and hasattr(estimator, "predict_prepared"):
        return estimator.predict_prepared(inputs.prepared)
    return estimator.predict(inputs.X)


def add_losses(D, h, column, agree, differ) -> None:
    """Add to D(n, c) `agree` where h(n) is M(c, t), and `differ` elsewhere."""
    add_sides(D, h > 0, np.where([column < 0, column > 0], agree, differ))


@njit(cache=True)
def add_sides(D, positive, sides):
    """Add to each row of D the second row of `sides` where `positive`, the first elsewhere."""
    for n in range(len(D)):
        side = sides[int(positive[n])]
        for c in range(len(side)):
            D[n, c] += side[c]
