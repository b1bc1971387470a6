"""Learning from label sets, in an indicator matrix, against plain loops and brute force."""

import numpy as np
import oracles_sets as oracles
import pytest
from oracles_textbook import stumps
from sklearn.base import clone
from sklearn.utils import get_tags

from ecoc_bench import AdaBoostMH
from ecoc_bench.joint.binary_adaboost import BinaryAdaBoost
from ecoc_bench.joint.constraint import (
    BalancedWinnow,
    KeslerClassifier,
    MulticlassPerceptron,
    kesler,
)
from ecoc_bench.joint.ranking import AdaBoostMR, MeanMarginBoost
from ecoc_bench.learners.label_sets import threshold

METHODS = [
    AdaBoostMH(rounds=8),
    AdaBoostMR(rounds=8),
    MeanMarginBoost(rounds=8),
    KeslerClassifier(random_state=0),
    MulticlassPerceptron(epochs=4, random_state=0),
    BalancedWinnow(epochs=4, random_state=0),
]
EVERY = pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
RANKING = pytest.mark.parametrize(
    "method", [METHODS[1], *METHODS[3:]], ids=lambda m: type(m).__name__
)


def draw(seed, k=3):
    """A few examples with ties; one has no label, one has all of them."""
    rng = np.random.default_rng(seed)
    Y = np.r_[np.zeros((1, k)), np.ones((1, k)), np.eye(k), rng.integers(0, 2, (6, k))].astype(int)
    X = rng.integers(0, 4, (len(Y), 2)) + 0.5 * Y[:, :2]
    return X, Y, [set(np.flatnonzero(row).tolist()) for row in Y]


def picks(learner):
    """The stumps of a run as the twins have them, each as (question, answers -1 or +1)."""
    tests = zip(learner.features_[:, 0], learner.cuts_[:, 0], learner.outputs_, strict=True)
    for f, cut, c in tests:
        v = np.where(c > 0, 1, -1)
        yield (int(f), float(cut)), (tuple(v[0]), tuple(v[1]))


def test_mh_is_figure_9_1():
    compared = 0
    for seed in range(15):
        X, Y, sets = draw(seed)
        clf = AdaBoostMH(rounds=5, outputs="discrete").fit(X, Y)
        found = clf.learner_
        alphas = np.abs(found.outputs_).max(axis=(1, 2))
        for t, twin in enumerate(oracles.mh(X.tolist(), sets, 3, picks(found))):
            if 0 < twin["eps"] < 0.5 - 1e-9:
                np.testing.assert_allclose(alphas[t], twin["alpha"], rtol=1e-9)
                np.testing.assert_allclose(found.normalizers_[t, 0], twin["Z"], rtol=1e-9)
                compared += 1
        np.testing.assert_array_equal(clf.predict(X), clf.margins(X) > 0)
    assert compared > 50


def test_mr_descends_steepest_over_all_triples():
    compared = 0
    for seed in range(6):
        X, Y, sets = draw(seed)
        clf = AdaBoostMR(rounds=3).fit(X, Y)
        if clf.alphas_.min() < 1e-9:
            continue  # an optimum was reached: alpha = 0 hides the answers
        every = list(stumps(X.tolist(), 3))
        for t, twin in enumerate(oracles.mr(X.tolist(), sets, 3, picks(clf.learner_), every)):
            np.testing.assert_allclose(twin["slope"], twin["best"], rtol=0, atol=1e-12)
            np.testing.assert_allclose(clf.alphas_[t], twin["alpha"], rtol=1e-9)
            np.testing.assert_allclose(clf.learner_.normalizers_[t, 0], twin["Z"], rtol=1e-9)
            compared += 1
    assert compared > 10


def test_every_constraint_is_a_row_in_kesler_space():
    X, Y, sets = draw(1)
    expected = [oracles.kesler_example(X[i], a, b, 3) for i, a, b in oracles.triples(sets, 3)]
    np.testing.assert_array_equal(kesler(X, 2 * Y - 1).toarray(), expected)


@pytest.mark.parametrize("update", ["full", "conservative"])
def test_the_perceptron_visits_the_constraints_of_each_set(update):
    """Weights agree up to the threshold, which is taken off those of the constant 1."""
    for seed in range(20):
        X, Y, sets = draw(seed)
        clf = MulticlassPerceptron(update, False, 2, random_state=seed).fit(X, Y)
        rng = np.random.RandomState(seed)
        order = np.concatenate([rng.permutation(len(X)) for _ in range(2)])
        with_one = np.column_stack([X, np.ones(len(X))])
        w, total, n = oracles.online(with_one.tolist(), sets, 3, order, update)
        assert clf.updates_.sum() == n > 0
        W = np.reshape(w, (3, -1))
        W[:, -1] -= threshold(with_one @ W.T, 2 * Y - 1, np.ones(len(X)))
        np.testing.assert_allclose(clf.coef_, W, atol=1e-9)
        mean = clone(clf).set_params(averaged=True).fit(X, Y).coef_ * len(order)
        np.testing.assert_allclose(mean[:, :-1], np.reshape(total, (3, -1))[:, :-1], atol=1e-9)


def test_no_threshold_has_fewer_wrong_labels():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        F, Y = rng.integers(0, 5, (6, 3)).astype(float), rng.choice([-1, 1], (6, 3))
        t = threshold(F, Y, np.ones(6))
        tried = [oracles.hamming(F, Y, other) for other in np.arange(-1, 6, 0.5)]
        assert oracles.hamming(F, Y, t) == min(tried)


@RANKING
def test_the_sets_of_a_ranking_have_the_fewest_wrong_labels_of_all_thresholds(method):
    X, Y, _ = draw(5)
    clf = clone(method).fit(X, Y)
    F = clf.decision_function(X)
    tried = [((F + shift > 0) != Y).sum() for shift in np.r_[-F.ravel(), 1e-9 - F.ravel()]]
    assert (clf.predict(X) != Y).sum() <= min(tried)


@EVERY
def test_sets_of_one_label_are_ranked_as_classes_are(method):
    rng = np.random.default_rng(2)
    y = np.r_[np.arange(4), rng.integers(0, 4, 30)]
    X = rng.random((len(y), 3)) + np.eye(4)[y][:, :3]
    by_class = clone(method).fit(X, y).decision_function(X)
    by_set = clone(method).fit(X, np.eye(4, dtype=int)[y]).decision_function(X)
    if isinstance(method, AdaBoostMH):  # its decoder's distances are not its scores
        np.testing.assert_array_equal(by_set.argmax(axis=1), by_class.argmax(axis=1))
    else:
        gap = by_set - by_class
        np.testing.assert_allclose(gap, np.full_like(gap, gap[0, 0]), atol=1e-9)


@EVERY
def test_two_labels_keep_their_two_columns(method):
    X, Y, _ = draw(3, k=2)
    clf = clone(method).fit(X, Y)
    assert clf.decision_function(X).shape == clf.predict(X).shape == (len(X), 2)
    for scores in getattr(clf, "staged_decision_function", lambda X: [])(X):
        assert scores.shape == (len(X), 2)
    again = clf.fit(X, Y[:, 0])  # and one label is one label again
    assert again.predict(X).shape == again.decision_function(X).shape == (len(X),)


@EVERY
def test_estimators_say_that_they_take_sets_and_refuse_other_tables(method):
    assert get_tags(method).classifier_tags.multi_label
    X, Y, _ = draw(3)
    with pytest.raises(ValueError, match=r"a 0 or 1 for each example and label|multioutput"):
        clone(method).fit(X, Y + np.arange(3))


def test_binary_adaboost_takes_no_sets():
    assert not get_tags(BinaryAdaBoost()).classifier_tags.multi_label
    X, Y, _ = draw(3)
    with pytest.raises(ValueError, match="1d array"):
        BinaryAdaBoost().fit(X, Y)


@RANKING
def test_without_a_constraint_nothing_can_be_ranked(method):
    X, _, _ = draw(3)
    Y = np.repeat([[0], [1]], [5, len(X) - 5], axis=0) * np.ones(3, dtype=int)
    with pytest.raises(ValueError, match="no example has one label and lacks another"):
        clone(method).fit(X, Y)


def test_likelihood_decoding_is_for_one_label():
    X, Y, _ = draw(3)
    with pytest.raises(ValueError, match="'likelihood' is for one label"):
        AdaBoostMH(rounds=2, decoder="likelihood").fit(X, Y)
