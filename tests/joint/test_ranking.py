"""AdaBoost.MR, the algorithm of exercise 9.3, and binary AdaBoost against their sources."""

import numba
import numpy as np
import oracles_textbook as oracles
import pytest
from problems import table
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench.joint.binary_adaboost import BinaryAdaBoost
from ecoc_bench.joint.ranking import AdaBoostMR, MeanMarginBoost
from ecoc_bench.learners.adaboost import AdaBoostMH

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="slow without compilation")
BOTH = pytest.mark.parametrize("method", [AdaBoostMR, MeanMarginBoost])


def draw(seed, k=3):
    """A few examples with ties in two features; every class occurs."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(k), rng.integers(0, k, int(rng.integers(3, 8)))]
    return rng.integers(0, 4, (len(y), 2)) + 0.5 * np.eye(k)[y][:, :2].round(), y


def picks(clf):
    """The stumps of a run as the twins have them, each as (question, answers -1 or +1)."""
    learner = clf.learner_
    for f, cut, c in zip(
        learner.features_[:, 0], learner.cuts_[:, 0], learner.outputs_, strict=True
    ):
        v = np.where(c > 0, 1, -1)
        yield (int(f), float(cut)), (tuple(v[0]), tuple(v[1]))


def test_mr_is_rankboost_on_the_pairs():
    """Exercise 9.4 (c): the steepest of all rankers, RankBoost's alpha halved, and its Z."""
    compared = 0
    for seed in range(25):
        X, y = draw(seed)
        clf = AdaBoostMR(rounds=4).fit(X, y)
        if clf.alphas_.min() < 1e-9:
            continue  # an optimum was reached: alpha = 0 hides the answers
        for t, twin in enumerate(oracles.rankboost(X.tolist(), y.tolist(), 3, picks(clf))):
            np.testing.assert_allclose(twin["slope"], twin["best"], rtol=0, atol=1e-12)
            np.testing.assert_allclose(2 * clf.alphas_[t], twin["alpha"], rtol=1e-9)
            np.testing.assert_allclose(clf.learner_.normalizers_[t, 0], twin["Z"], rtol=1e-9)
            compared += 1
    assert compared > 60


def test_exercise_9_3_in_plain_loops():
    """The stump of lowest eps_t of all, AdaBoost's step, and Z_t at most 2 sqrt(eps (1 - eps))."""
    compared = 0
    for seed in range(25):
        X, y = draw(seed)
        clf = MeanMarginBoost(rounds=4).fit(X, y)
        for t, twin in enumerate(oracles.mean_margin(X.tolist(), y.tolist(), 3, picks(clf))):
            eps = twin["eps"]
            np.testing.assert_allclose(eps, twin["lowest"], rtol=0, atol=1e-12)
            np.testing.assert_allclose(clf.alphas_[t], twin["alpha"], rtol=1e-9)
            np.testing.assert_allclose(clf.learner_.normalizers_[t, 0], twin["Z"], rtol=1e-9)
            assert twin["Z"] <= 2 * np.sqrt(eps * (1 - eps)) + 1e-12
            compared += 1
    assert compared == 100


@compiled
@pytest.mark.parametrize("name", ["glass", "vowel"])
def test_mr_descends_on_F(name):
    """F of Eq. 9.26 falls by Z_t, which no other step makes lower, and bounds the errors (b)."""
    X, y = table(name)
    clf = AdaBoostMR(rounds=40).fit(X, y)
    k = len(clf.classes_)
    before = len(y) * (k - 1)
    stages = zip(clf.staged_decision_function(X), clf.staged_predict(X), strict=True)
    steps = clf.learner_.staged_margins(X, range(1, 41))
    for (_, f), (scores, labels), Z in zip(steps, stages, clf.learner_.normalizers_, strict=True):
        F = oracles.F_pairs(y.tolist(), scores.tolist())
        np.testing.assert_allclose(F, before * Z[0], rtol=1e-8)
        assert before > F
        assert (labels != y).sum() <= F
        before, last = F, f
    c = clf.learner_.outputs_[-1] / clf.alphas_[-1]
    test = X[:, clf.learner_.features_[-1, 0]] > clf.learner_.cuts_[-1, 0]
    for shift in (-1e-3, 1e-3):
        assert oracles.F_pairs(y.tolist(), (last + shift * c[test.astype(int)]).tolist()) > F


def test_k_G_is_at_most_F_of_adaboost_mh():
    """exp is convex, so the exponential of a mean is at most the mean of the exponentials."""
    X, y = table("glass")
    _, y = np.unique(y, return_inverse=True)
    for clf in (MeanMarginBoost(rounds=15), AdaBoostMH(rounds=15, outputs="discrete")):
        learner = clf.fit(X, y).learner_
        for _, f in learner.staged_margins(X, range(1, 16)):
            G, F = oracles.G_means(y.tolist(), f.tolist()), oracles.F_signs(y.tolist(), f.tolist())
            assert f.shape[1] * G <= F * (1 + 1e-12)


def test_G_falls_although_nothing_is_learned():
    """Why neither the exact step is taken nor the exercise's bound claimed: along h = -1 the
    objective G goes to 0 for k > 2, while one label of every example stays wrong.
    """
    y = np.arange(5)
    for scale in (1, 10, 100):
        f = np.full((5, 5), -float(scale))
        G = oracles.G_means(y.tolist(), f.tolist())
        np.testing.assert_allclose(G, 5 * np.exp(-scale * 3 / 5), rtol=1e-9)
        wrong_labels = (np.sign(f) != np.where(np.eye(5), 1, -1)).mean(axis=1)
        assert (wrong_labels == 1 / 5).all()
    assert wrong_labels.sum() > G


@compiled
def test_G_bounds_the_examples_of_negative_mean_margin():
    X, y = table("vowel")
    clf = MeanMarginBoost(rounds=30).fit(X, y)
    _, y = np.unique(y, return_inverse=True)
    f = clf.learner_.margins(X)
    signs = np.where(y[:, None] == np.arange(f.shape[1]), 1, -1)
    G = oracles.G_means(y.tolist(), f.tolist())
    assert ((signs * f).sum(axis=1) <= 0).sum() <= G
    np.testing.assert_allclose(G, len(y) * np.prod(clf.learner_.normalizers_), rtol=1e-8)


@compiled
def test_two_classes_are_binary_adaboost_in_mr():
    """The pair of an example has the gap 2 h: F is AdaBoost's objective at half the step."""
    X, y = load_breast_cancer(return_X_y=True)
    mr, binary = AdaBoostMR(rounds=15).fit(X, y), BinaryAdaBoost(rounds=15).fit(X, y)
    np.testing.assert_array_equal(mr.learner_.cuts_, binary.learner_.cuts_)
    np.testing.assert_allclose(2 * mr.alphas_, binary.alphas_, rtol=1e-9)
    np.testing.assert_allclose(mr.decision_function(X), binary.decision_function(X), atol=1e-9)


@compiled
def test_mr_learns_what_mh_learns():
    X, y = table("vowel")
    train = np.arange(len(y)) % 2 == 0
    clf = AdaBoostMR(rounds=100).fit(X[train], y[train])
    assert clf.score(X[train], y[train]) > 0.97
    assert clf.score(X[~train], y[~train]) > 0.6


@BOTH
def test_stages_are_shorter_trainings(method):
    X, y = table("glass")
    clf = method(rounds=12, record=[3, 7]).fit(X, y)
    assert clf.stages_ == [3, 7, 12]
    stages = zip(clf.staged_decision_function(X), clf.staged_predict(X), strict=True)
    for T, (scores, labels) in zip(clf.stages_, stages, strict=True):
        short = method(rounds=T).fit(X, y)
        np.testing.assert_allclose(short.decision_function(X), scores, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(short.predict(X), labels)
    assert len(list(clone(clf).set_params(record=None).fit(X, y).staged_predict(X))) == 12


@BOTH
def test_nominal_features_and_missing_values(method):
    """A class told by one value in the middle: one test "x = 1" finds it, no single cut does."""
    X = np.array([0.0, 1, 2, 1, np.nan, 0, 2, 1])[:, None]
    y = (X[:, 0] == 1).astype(int)
    assert method(rounds=1, nominal=[True]).fit(X, y).score(X, y) == 1
    assert method(rounds=1).fit(X, y).score(X, y) < 1


@BOTH
def test_bins_limit_the_cuts(method):
    X, y = load_iris(return_X_y=True)
    cuts = [np.unique(method(rounds=20, bins=b).fit(X, y).learner_.cuts_) for b in (2, None)]
    assert len(cuts[0]) <= 4 < len(cuts[1])


# The slides draw the toy example; only eps and alpha are in their text. Ten points that give them,
# as in the picture two + at the left, two - at the right, and in the middle + above -.
TOY_PLUS = [(1, 6), (2, 1), (4, 5), (6, 8), (8, 7)]
TOY_MINUS = [(3, 2), (5, 4), (7, 3), (9, 9), (10, 10)]


def toy():
    return np.array(TOY_PLUS + TOY_MINUS, dtype=float), np.repeat([1, -1], 5)


def test_the_toy_example_of_the_slides():
    X, y = toy()
    clf = BinaryAdaBoost(rounds=3).fit(X, y)
    np.testing.assert_array_equal(clf.alphas_.round(2), [0.42, 0.65, 0.92])
    np.testing.assert_array_equal(clf.errors_.round(2), [0.30, 0.21, 0.14])
    np.testing.assert_array_equal(clf.predict(X), y)
    np.testing.assert_array_equal(clf.learner_.features_[:, 0], [0, 0, 1])


def test_binary_adaboost_in_plain_loops():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 6, (14, 2)).astype(float), rng.permutation(np.repeat([-1, 1], 7))
        twin = oracles.adaboost(X.tolist(), y.tolist(), 3)
        clf = BinaryAdaBoost(rounds=3).fit(X, y)
        errors = [(labels != y).mean() for labels in clf.staged_predict(X)]
        np.testing.assert_allclose(clf.errors_, [eps for eps, _, _ in twin], rtol=1e-9)
        np.testing.assert_allclose(clf.alphas_, [alpha for _, alpha, _ in twin], rtol=1e-9)
        np.testing.assert_allclose(errors, [error for *_, error in twin], atol=1e-12)


@compiled
def test_the_training_error_is_under_the_bound_at_every_round():
    """Slide "Analyzing Adaboost": error <= prod 2 sqrt(eps (1 - eps)) <= exp(-2 sum gamma^2)."""
    glass, labels = table("glass")
    for X, y in (load_breast_cancer(return_X_y=True), (glass, labels == labels[0])):
        clf = BinaryAdaBoost(rounds=120).fit(X, y)
        errors = np.array([(labels != y).mean() for labels in clf.staged_predict(X)])
        bounds = clf.history_["bound"]
        eps = clf.history_["round_error"]
        np.testing.assert_allclose(bounds, np.cumprod(2 * np.sqrt(eps * (1 - eps))), rtol=1e-6)
        assert (errors <= bounds + 1e-12).all()
        assert (bounds <= np.exp(-2 * np.cumsum((0.5 - clf.errors_) ** 2)) + 1e-12).all()
        assert bounds[-1] < 0.2 < bounds[0]


@compiled
@pytest.mark.parametrize("method", [AdaBoostMR, AdaBoostMH])
def test_the_training_errors_of_mr_and_mh_are_under_their_bounds(method):
    """Every misclassified example adds at least 1 to F (Eqs. 9.13 and 9.26): error <= F/m."""
    X, y = table("glass")
    clf = method(rounds=30).fit(X, y)
    errors = [(labels != y).mean() for labels in clf.staged_predict(X)]
    bounds, f = clf.history_["bound"], clf.learner_.margins(X)
    own = f[np.arange(len(y)), y, None]
    signs = np.where(np.arange(f.shape[1]) == y[:, None], 1, -1)
    terms = np.exp(f - own).sum() - len(y) if method is AdaBoostMR else np.exp(-signs * f).sum()
    np.testing.assert_allclose(bounds[-1], terms / len(y), rtol=1e-8)
    assert (errors <= bounds).all()
    assert "bound" not in MeanMarginBoost(rounds=2).fit(X, y).history_


def test_binary_adaboost_refuses_more_classes():
    with pytest.raises(ValueError, match=r"y must hold 2 classes. Got 3 instead\."):
        BinaryAdaBoost().fit(*load_iris(return_X_y=True))


@pytest.mark.parametrize(("name", "value"), [("rounds", 0), ("record", [11]), ("bins", 1)])
def test_bad_parameters_are_named(name, value):
    clf = AdaBoostMR(rounds=10).set_params(**{name: value})
    with pytest.raises(ValueError, match=rf"{name} must .* instead\."):
        clf.fit(*load_iris(return_X_y=True))


@parametrize_with_checks(
    [AdaBoostMR(rounds=5), MeanMarginBoost(rounds=5), BinaryAdaBoost(rounds=5)]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
