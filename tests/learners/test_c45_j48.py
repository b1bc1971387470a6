"""C4.5: the trees against Weka's J48."""

import j48
import numba
import numpy as np
import pytest

from ecoc_bench.learners.c45 import C45Classifier

PARAMS = {"pruned": {}, "unpruned": {"prune": False}, "not_raised": {"subtree_raising": False}}
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="slow without compilation")


def check_verdict(name, weights, option, verdict):
    """Leaves and training error equal, 99.9% of the test predictions too."""
    p = j48.problem(name, weights)
    clf = C45Classifier(nominal=p.nominal, **PARAMS[option]).fit(p.X, p.y, p.weight)
    assert clf.n_leaves_ == verdict.n_leaves
    wrong = p.weight[clf.predict(p.X) != p.y].sum()
    assert wrong == pytest.approx(verdict.train_errors, abs=6e-5)  # printed with four decimals
    assert (clf.predict(p.X_test) == verdict.predictions).mean() >= 0.999


@compiled
@pytest.mark.parametrize(("name", "weights", "option"), j48.CASES)
def test_trees_are_those_of_j48(name, weights, option):
    check_verdict(name, weights, option, j48.stored(name, weights, option))


@compiled
@pytest.mark.skipif(not j48.available(), reason="Weka is not installed")
@pytest.mark.parametrize(
    ("name", "weights", "option"),
    [
        ("glass", "random", "not_raised"),
        ("soybean", "unit", "unpruned"),
        ("mixed", "random", "pruned"),
    ],
)
def test_j48_says_what_is_stored(name, weights, option):
    verdict = j48.ask(j48.problem(name, weights), j48.OPTIONS[option])
    stored = j48.stored(name, weights, option)
    assert verdict[:2] == stored[:2]
    np.testing.assert_array_equal(verdict.predictions, stored.predictions)
    check_verdict(name, weights, option, verdict)
