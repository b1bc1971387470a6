"""Step 6: what a base learner is given: weights, samples, inputs prepared once for all rounds."""

import numpy as np
import oracles_joint as oracles
import pytest
from problems import Recorder, draw, methods
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from ecoc_bench.data import cards as data
from ecoc_bench.joint.base import add_losses
from ecoc_bench.joint.boosting import AdaBoostECC, AdaBoostSECC
from ecoc_bench.joint.loop import UPDATES
from ecoc_bench.joint.weights import drawn, first_weights, resample, reweight, separated
from ecoc_bench.learners.c45 import C45Classifier


def test_resampling_draws_as_many_cases_as_there_are():
    """The base learner sees N cases by d_t; eps_t is on all of them, with d_t."""
    X, y, k = draw(1, k=4)
    clf = AdaBoostECC(Recorder(), rounds=30, update="resampling", random_state=0).fit(X, y)
    D = first_weights(y, k, np.ones(len(y)))
    for t, (column, estimator) in enumerate(
        zip(clf.code_matrix_.T.copy(), clf.estimators_, strict=True)
    ):
        assert estimator.weights_.dtype == np.int64
        assert estimator.weights_.sum() == len(y)
        assert len(estimator.weights_) < len(y)
        h, d = estimator.predict(X), separated(D, y, column)
        np.testing.assert_allclose(clf.errors_[t], d[h != column[y]].sum() / d.sum(), rtol=1e-9)
        reweight(D, y, column, clf.alphas_[t] * h)


def test_a_base_learner_without_weights_is_resampled():
    X, y = load_iris(return_X_y=True)
    near = KNeighborsClassifier(1)
    clf = AdaBoostECC(near, rounds=3, update="resampling", random_state=0).fit(X, y)
    assert all(e.n_samples_fit_ == len(y) for e in clf.estimators_)
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample_weight"):
        AdaBoostECC(near, rounds=3).fit(X, y)


def test_a_sample_of_one_sign_gives_a_constant():
    """One class is a single example, which about 1/e of the samples miss."""
    X = np.arange(40.0)[:, None]
    y = (X[:, 0] == 39).astype(int)
    clf = AdaBoostECC(GaussianNB(), rounds=1, update="resampling")
    runs = [clone(clf).set_params(random_state=seed).fit(X, y) for seed in range(20)]
    assert {type(run.estimators_[0]) for run in runs} == {GaussianNB, DummyClassifier}


def test_weights_of_examples_are_copies():
    X, y, _ = draw(7, k=3)
    times = np.random.default_rng(0).integers(0, 4, len(y))
    times[:3] = 1
    clf = AdaBoostECC(GaussianNB(), rounds=5, random_state=0)
    weighted = clone(clf).fit(X, y, sample_weight=times)
    copied = clone(clf).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.alphas_, copied.alphas_, rtol=1e-9)


@methods
def test_c45_as_base_learner(method):
    """The paper's base learner: unpruned C4.5 on resampled cases, here of nominal attributes."""
    ds = data.load("car")
    nominal = np.ones(ds.X.shape[1], dtype=bool)
    base = C45Classifier(prune=False, nominal=nominal)
    clf = method(base, rounds=10, update="resampling", random_state=0).fit(ds.X, ds.y)
    first, *_, last = (np.mean(labels != ds.y) for labels in clf.staged_predict(ds.X))
    assert last < 0.03 < first


class Plain(C45Classifier):
    """C4.5 by `fit` and `predict` alone: checked and encoded anew in every round."""

    prepare = property()  # without a getter: hasattr says no


def reached(tree):
    """The nodes that training cases came to; a sample may lack values, and so their branches."""
    some = tree.weights.sum(axis=1) > 0
    return np.column_stack([tree.feature, tree.cut, tree.weights])[some]


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("name", ["car", "glass", "soybean"])
def test_cases_encoded_once_give_the_same_trees(name, update):
    """Nominal, numeric, and nominal with missing values."""
    ds = data.load(name)
    options = {"rounds": 8, "update": update, "random_state": 5, "record": 3}
    once = AdaBoostSECC(C45Classifier(prune=False, nominal=ds.nominal), **options)
    anew = AdaBoostSECC(Plain(prune=False, nominal=ds.nominal), **options)
    assert not hasattr(anew.estimator, "prepare")
    once.fit(ds.X, ds.y)
    anew.fit(ds.X, ds.y)
    for a, b in zip(once.estimators_, anew.estimators_, strict=True):
        np.testing.assert_array_equal(reached(a.tree_), reached(b.tree_))
    np.testing.assert_array_equal(once.alphas_, anew.alphas_)
    np.testing.assert_array_equal(once.margins(ds.X), anew.margins(ds.X))
    for a, b in zip(once.staged_predict(ds.X), anew.staged_predict(ds.X), strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_constant_among_prepared_hypotheses():
    """A sample of one label gives a DummyClassifier, which has no `predict_prepared`."""
    X, y = np.arange(40.0)[:, None], np.r_[np.zeros(39, dtype=int), 1]
    clf = AdaBoostECC(C45Classifier(min_cases=1), rounds=1, update="resampling")
    runs = [clone(clf).set_params(random_state=seed).fit(X, y) for seed in range(20)]
    kinds = {type(run.estimators_[0]) for run in runs}
    assert kinds == {C45Classifier, DummyClassifier}
    assert all(run.predict(X).shape == (40,) for run in runs)


def test_the_sum_of_losses_is_that_of_the_plain_loop():
    rng = np.random.default_rng(0)
    h, column = rng.choice([-1, 1], 30), rng.choice([-1, 1], 5)
    D = rng.random((30, 5))
    expected = [
        [D[n, c] + (0.25 if h[n] == column[c] else 3.0) for c in range(5)] for n in range(30)
    ]
    add_losses(D, h, column, 0.25, 3.0)
    np.testing.assert_array_equal(D, expected)


def test_draws_are_those_of_the_slow_twin_and_follow_the_weights():
    rng = np.random.default_rng(0)
    for _ in range(200):
        d = rng.exponential(size=rng.integers(1, 9)) * rng.integers(0, 2, 1)
        d = np.r_[d, rng.exponential(size=2), 0.0]
        gaps = rng.standard_exponential(len(d) + 1)
        assert drawn(d, gaps).tolist() == oracles.drawn(d.tolist(), gaps.tolist())
    d = np.array([0.0, 0.1, 0.4, 0.0, 0.5, 0.0])
    counts = np.array([resample(d, rng) for _ in range(4000)])
    assert (counts.sum(axis=1) == len(d)).all()
    assert (counts[:, d == 0] == 0).all()
    spread = np.sqrt(len(d) * d * (1 - d) / len(counts))  # of the mean of a multinomial draw
    assert (abs(counts.mean(axis=0) - len(d) * d) <= 4 * spread).all()
    np.testing.assert_allclose(counts.var(axis=0), len(d) * d * (1 - d), rtol=0.1)
