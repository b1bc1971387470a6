"""The stochastic multiclass SVM against plain loops, and against the exact machine."""

import numpy as np
import oracles_textbook as oracles
import pytest
from problems import draw, table
from sklearn.preprocessing import scale
from sklearn.utils import check_random_state
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench.joint.crammer_singer import MulticlassSVM
from ecoc_bench.joint.stochastic_svm import StochasticSVM


@parametrize_with_checks([StochasticSVM(epochs=5)])
def test_it_is_a_scikit_learn_classifier(estimator, check):
    check(estimator)


@pytest.mark.parametrize("averaged", [True, False])
def test_steps_and_means_are_those_of_the_twin(averaged):
    for seed in range(8):
        X, y, k = draw(seed)
        clf = StochasticSVM(C=0.7, epochs=3, averaged=averaged, random_state=seed).fit(X, y)
        rng = check_random_state(seed)
        orders = [rng.permutation(len(y)).tolist() for _ in range(3)]
        last, means = oracles.stochastic_svm(X.tolist(), y.tolist(), k, 0.7, orders)
        expected = means if averaged else last
        np.testing.assert_allclose(clf.staged_coef_, expected, rtol=1e-9, atol=1e-12)


def test_the_objective_approaches_that_of_the_exact_machine():
    X, y = table("glass")
    X = scale(X)
    for C in (0.1, 1.0):
        exact = MulticlassSVM(C, kernel="linear", tol=1e-4, random_state=0).fit(X, y)
        clf = StochasticSVM(C, epochs=400, record=[5, 50], random_state=0).fit(X, y)
        excess = clf.objectives_ / exact.primal_objective_ - 1
        assert (np.diff(excess) < 0).all()
        assert -1e-3 < excess[-1] < 0.02
        assert (clf.predict(X) == exact.predict(X)).mean() > 0.95


def test_the_weighted_mean_is_nearer_to_the_optimum_than_the_last_step():
    X, y = table("glass")
    both = [StochasticSVM(epochs=30, averaged=a, random_state=0).fit(scale(X), y) for a in (1, 0)]
    assert both[0].objectives_[-1] < both[1].objectives_[-1]


def test_seeds_decide_and_stages_are_those_of_shorter_trainings():
    X, y, _ = draw(2, k=4)
    clf = StochasticSVM(epochs=6, record=[2], random_state=1).fit(X, y)
    short = StochasticSVM(epochs=2, record=[2], random_state=1).fit(X, y)
    np.testing.assert_array_equal(clf.staged_coef_[0], short.coef_)
    assert not np.array_equal(short.coef_, StochasticSVM(epochs=2, random_state=2).fit(X, y).coef_)


@pytest.mark.parametrize("C", [0, -1, "1", True, np.inf])
def test_a_bad_price_is_named(C):
    with pytest.raises(ValueError, match=r"C must be a number above 0\. Got"):
        StochasticSVM(C).fit(*draw(0)[:2])
