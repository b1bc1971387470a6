"""Baselines: scikit-learn's estimators, with stages and out-of-bag errors along the way."""

import numpy as np
import pytest
from problems import table
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

from ecoc_bench.joint.baselines import Bagging, GradientBoosting, RandomForest

BAGS = pytest.mark.parametrize("method", [RandomForest, Bagging])


@pytest.fixture(autouse=True)
def _one_thread():
    with threadpool_limits(1):
        yield


PAIRS = [
    (RandomForest(30, random_state=1), RandomForestClassifier(30, oob_score=True, random_state=1)),
    (
        RandomForest(30, None, 3, random_state=1),
        RandomForestClassifier(30, max_features=None, min_samples_leaf=3, random_state=1),
    ),
    (
        Bagging(n_estimators=30, random_state=1),
        BaggingClassifier(n_estimators=30, oob_score=True, random_state=1),
    ),
    (Bagging(GaussianNB(), 8, random_state=1), BaggingClassifier(GaussianNB(), 8, random_state=1)),
    (
        GradientBoosting(8, 0.3, 4, random_state=1),
        HistGradientBoostingClassifier(
            max_iter=8, learning_rate=0.3, max_leaf_nodes=4, early_stopping=False, random_state=1
        ),
    ),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_they_are_scikit_learns(ours, theirs):
    X, y = table("glass")
    ours, theirs = clone(ours).fit(X, y), clone(theirs).fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    *_, last = ours.staged_predict(X)
    np.testing.assert_array_equal(last, theirs.predict(X))
    if hasattr(theirs, "oob_score_"):
        np.testing.assert_allclose(1 - ours.oob_errors_[-1], theirs.oob_score_)


@BAGS
def test_stages_are_smaller_ensembles(method):
    """The first B trees of a large ensemble are those of a small one, and so are their errors."""
    X, y = table("glass")
    clf = method(n_estimators=12, record=[3, 7], random_state=0).fit(X, y)
    assert clf.stages_ == [3, 7, 12]
    for s, labels in enumerate(clf.staged_predict(X)):
        small = method(n_estimators=clf.stages_[s], random_state=0).fit(X, y)
        np.testing.assert_array_equal(labels, small.predict(X))
        assert clf.oob_errors_[s] == small.oob_errors_[-1]
    assert method(n_estimators=3, random_state=0).fit(X, y).stages_ == [1, 2, 3]


def test_gradient_boosting_stages_are_shorter_trainings():
    X, y = table("glass")
    clf = GradientBoosting(6, max_leaf_nodes=4, record=[2], random_state=0).fit(X, y)
    for T, labels in zip(clf.stages_, clf.staged_predict(X), strict=True):
        short = GradientBoosting(T, max_leaf_nodes=4, random_state=0).fit(X, y)
        np.testing.assert_array_equal(labels, short.predict(X))


@BAGS
def test_about_a_third_of_the_examples_are_out_of_a_bag(method):
    """Slide "Out-of-Bag Error Estimation": (1 - 1/m)^m, about 1/e."""
    X, y = table("glass")
    clf = method(n_estimators=60, random_state=0).fit(X, y)
    out = [1 - len(np.unique(bag)) / len(y) for bag in clf.estimators_samples_]
    np.testing.assert_allclose(np.mean(out), np.exp(-1), atol=0.02)


@BAGS
def test_the_out_of_bag_error_in_plain_loops(method):
    X, y = load_iris(return_X_y=True)
    clf = method(n_estimators=4, random_state=0).fit(X, y)
    bags = [set(bag) for bag in clf.estimators_samples_]
    for B, error in zip(clf.stages_, clf.oob_errors_, strict=True):
        wrong = asked = 0
        for i in range(len(y)):
            shares = sum(
                clf.estimators_[b].predict_proba(X[i : i + 1])[0]
                for b in range(B)
                if i not in bags[b]
            )
            if np.any(shares):
                asked += 1
                wrong += clf.classes_[np.argmax(shares)] != y[i]
        np.testing.assert_allclose(error, wrong / asked)


def test_the_out_of_bag_error_is_near_the_test_error():
    """And far from the training error, which is 0."""
    X, y = table("vowel")
    train = np.arange(len(y)) % 3 > 0
    clf = RandomForest(150, record=[5], random_state=0).fit(X[train], y[train])
    test_error, train_error = (1 - clf.score(X[part], y[part]) for part in (~train, train))
    assert train_error == 0
    assert clf.oob_errors_[-1] > 0.01
    assert abs(clf.oob_errors_[-1] - test_error) < 0.05
    assert clf.oob_errors_[0] > clf.oob_errors_[-1]


def test_an_example_in_every_bag_does_not_count():
    """Two examples and a tree: with both in the bag there is nothing to measure."""
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    errors = [Bagging(n_estimators=1, random_state=s).fit(X, y).oob_errors_[0] for s in range(20)]
    assert np.isnan(errors).any()
    assert set(np.array(errors)[~np.isnan(errors)]) == {1.0}  # a bag of one class says that class


@pytest.mark.parametrize(
    "method", [RandomForest(10), Bagging(n_estimators=10), GradientBoosting(10)]
)
@pytest.mark.parametrize("record", [[0], [11]])
def test_bad_stages_are_named(method, record):
    with pytest.raises(ValueError, match=r"record must .* instead\."):
        clone(method).set_params(record=record).fit(*load_iris(return_X_y=True))


@parametrize_with_checks([RandomForest(5), Bagging(n_estimators=5), GradientBoosting(3)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
