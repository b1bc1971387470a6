"""Small problems and base learners that the tests of the joint methods share."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from ecoc_bench.data import cards as data
from ecoc_bench.joint.boosting import AdaBoostECC, AdaBoostOC, AdaBoostSECC
from ecoc_bench.joint.columns import COLUMNS
from ecoc_bench.joint.weights import first_weights, reweight

STUMP = DecisionTreeClassifier(max_depth=1)
TREE = DecisionTreeClassifier(max_depth=3)
METHODS = [AdaBoostECC, AdaBoostSECC, AdaBoostOC]
methods = pytest.mark.parametrize("method", METHODS)


class Recorder(GaussianNB):
    """Keeps what it was fitted on. Its output has no ties, so that rounding cannot change it."""

    def fit(self, X, y, sample_weight=None):
        self.labels_, self.weights_ = y, sample_weight
        return super().fit(X, y, sample_weight)


def draw(seed, k=None):
    """k overlapping classes of random sizes in the plane."""
    rng = np.random.default_rng(seed)
    k = k or int(rng.integers(2, 6))
    y = np.r_[np.arange(k), np.arange(k), rng.integers(0, k, int(rng.integers(5, 25)))]
    return rng.normal(size=(k, 2))[y] + rng.normal(size=(len(y), 2)), y, k


def table(name):
    """The training part of a shipped data set, or all of it."""
    ds = data.load(name)
    train = slice(None) if ds.train is None else ds.train
    return ds.X[train], ds.y[train]


def random_weights(seed):
    """D_t, y, a column and outputs h after a few random rounds, where h is right more often."""
    rng = np.random.default_rng(seed)
    _, y, k = draw(seed)
    D = first_weights(y, k, np.ones(len(y)))
    for _ in range(3):
        column = COLUMNS["bits"](D, y, rng)
        h = column[y] * rng.choice([-1, 1, 1], len(y))
        before = D.copy()
        reweight(D, y, column, rng.random() * h)
    return before, y, column, h
