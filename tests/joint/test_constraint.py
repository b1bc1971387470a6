"""Constraint classification: the updates in n dimensions against Kesler's nk-dimensional space."""

from itertools import product

import numpy as np
import oracles_textbook as oracles
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import Perceptron
from sklearn.preprocessing import minmax_scale, scale
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench.data import cards as data
from ecoc_bench.joint.constraint import (
    UPDATES,
    BalancedWinnow,
    KeslerClassifier,
    MulticlassPerceptron,
    kesler,
)

updates = pytest.mark.parametrize("update", UPDATES)
ONLINE = pytest.mark.parametrize("method", [MulticlassPerceptron, BalancedWinnow])


def draw(seed):
    """Whole numbers, so that sums are exact and ties are ties."""
    rng = np.random.default_rng(seed)
    k, m, n = (int(v) for v in rng.integers((2, 8, 1), (6, 20, 4)))
    y = np.r_[np.arange(k), rng.integers(0, k, m)]
    return rng.integers(-3, 4, (len(y), n)).astype(float), y, k


def one_of(y, k):
    """The signs of single labels."""
    return 2 * np.eye(k, dtype=int)[y] - 1


def order_of(seed, m, epochs):
    """The examples in the order of a run with that random_state."""
    rng = np.random.RandomState(seed)
    return np.concatenate([rng.permutation(m) for _ in range(epochs)]).tolist()


def separable(seed, k=4, n=3, m=80):
    """Points labelled by argmax v_i . x, with a margin; and v of norm 1 in Kesler's space."""
    rng = np.random.default_rng(seed)
    v = rng.normal(size=(k, n + 1))
    v /= np.linalg.norm(v)
    X = rng.normal(size=(20 * m, n)) * 2
    scores = np.sort(X @ v[:, :-1].T + v[:, -1], axis=1)
    X = X[scores[:, -1] - scores[:, -2] > 0.3][:m]
    return X, (X @ v[:, :-1].T + v[:, -1]).argmax(axis=1), v


def test_kesler_examples_in_plain_loops():
    for seed in range(20):
        X, y, k = draw(seed)
        expected = [
            oracles.kesler_example(x, i, j, k)
            for x, i in zip(X.tolist(), y.tolist(), strict=True)
            for j in range(k)
            if j != i
        ]
        np.testing.assert_array_equal(kesler(X, one_of(y, k)).toarray(), expected)


def test_the_constraint_in_nk_dimensions_is_that_in_n():
    """w . x_ij = (w_i - w_j) . x, Slide "Learning via Kesler's Construction"."""
    X, y, k = draw(3)
    W = np.random.default_rng(0).normal(size=(k, X.shape[1]))
    scores = X @ W.T
    gaps = [s[i] - s[j] for s, i in zip(scores, y, strict=True) for j in range(k) if j != i]
    np.testing.assert_allclose(kesler(X, one_of(y, k)) @ W.ravel(), gaps, atol=1e-12)


@updates
def test_updates_in_n_dimensions_are_the_perceptron_in_kesler_space(update):
    """Exactly the same weights, sums of weights and updates, over many draws."""
    made = 0
    for seed, epochs in product(range(40), (1, 3)):
        X, y, k = draw(seed)
        clf = MulticlassPerceptron(update, False, epochs, random_state=seed).fit(X, y)
        with_one = np.column_stack([X, np.ones(len(X))]).tolist()
        order = order_of(seed, len(y), epochs)
        w, total, n = oracles.kesler_online(with_one, y.tolist(), k, order, update)
        np.testing.assert_array_equal(clf.coef_.ravel(), w)
        assert clf.updates_.sum() == n
        averaged = clone(clf).set_params(averaged=True).fit(X, y)
        np.testing.assert_allclose(averaged.coef_.ravel() * len(order), total, rtol=1e-12)
        made += n
    assert made > 1000


@updates
def test_multiplicative_updates_are_winnow_in_kesler_space(update):
    """r = 2 and whole numbers: powers of two, exact. The twin does not scale its weights."""
    for seed in range(40):
        X, y, k = draw(seed)
        clf = BalancedWinnow(2, update, False, 1, random_state=seed).fit(X, y)
        with_one = np.column_stack([X, np.ones(len(X))]).tolist()
        order = order_of(seed, len(y), 1)
        w, _, n = oracles.kesler_online(with_one, y.tolist(), k, order, update, r=2.0)
        np.testing.assert_allclose(clf.coef_.ravel(), np.array(w) / max(w), rtol=1e-9)
        assert clf.updates_.sum() == n


def test_two_classes_are_balanced_winnow():
    """w+ r^(y x) and w- r^(-y x) on a mistake, the decision by (w+ - w-) . x: theta = 0."""
    rng = np.random.default_rng(0)
    X = rng.random((60, 4))
    y = (X @ [1, -1, 0.5, -0.5] > 0).astype(int)
    clf = BalancedWinnow(1.3, averaged=False, epochs=1, random_state=2).fit(X, y)
    plus, minus = np.ones(5), np.ones(5)
    for i in order_of(2, 60, 1):
        x, sign = np.r_[X[i], 1], 2 * y[i] - 1
        if sign * ((plus - minus) @ x) <= 0:
            plus, minus = plus * 1.3 ** (sign * x), minus * 1.3 ** (-sign * x)
    top = max(plus.max(), minus.max())
    np.testing.assert_allclose(clf.coef_, np.array([minus, plus]) / top, rtol=1e-9)
    np.testing.assert_array_equal(clf.predict(X), (np.c_[X, np.ones(60)] @ (plus - minus)) > 0)


@updates
def test_the_mistake_bound_of_the_perceptron_holds_in_kesler_space(update):
    """Separable: at most R^2/gamma^2 updates in all, R^2 = 2 max |x|^2, gamma for |w| = 1."""
    for seed in range(5):
        X, y, v = separable(seed)
        _, y = np.unique(y, return_inverse=True)
        v = v[np.unique(separable(seed)[1])]
        v = v / np.linalg.norm(v)
        clf = MulticlassPerceptron(update, False, epochs=300, random_state=0).fit(X, y)
        with_one = np.column_stack([X, np.ones(len(X))])
        gamma = (kesler(with_one, one_of(y, len(v))) @ v.ravel()).min()
        assert gamma > 0
        assert clf.updates_.sum() <= 2 * (with_one**2).sum(axis=1).max() / gamma**2
        assert clf.updates_[-1] == 0
        assert clf.score(X, y) == 1


def test_more_expressive_than_one_against_all():
    """Three classes on a line: no threshold tells the middle one from the rest, argmax does."""
    X, y = np.array([-3.0, -2.5, -0.4, 0, 0.3, 2.5, 3])[:, None], np.array([0, 0, 1, 1, 1, 2, 2])
    for update in UPDATES:
        clf = MulticlassPerceptron(update, False, epochs=100, random_state=0).fit(X, y)
        assert clf.score(X, y) == 1
    assert KeslerClassifier().fit(X, y).score(X, y) == 1


def test_any_linear_learner_in_kesler_space():
    X, y, _ = separable(1)
    base = Perceptron(fit_intercept=False, tol=None, max_iter=300)
    clf = KeslerClassifier(base, random_state=0).fit(X, y)
    assert clf.score(X, y) == 1
    assert clf.coef_.shape == (len(clf.classes_), X.shape[1] + 1)
    y = np.unique(y, return_inverse=True)[1]
    positive = kesler(np.column_stack([X, np.ones(len(X))]), one_of(y, 4))
    assert ((positive @ clf.coef_.ravel()) > 0).all()


def test_averaging_steadies_the_perceptron():
    """Overlapping classes: over seeds, the mean of the weights errs less than the last of them."""
    ds = data.load("glass")
    X, train = scale(ds.X), np.arange(len(ds.y)) % 2 == 0
    errors = {True: [], False: []}
    for averaged, seed in product(errors, range(10)):
        clf = MulticlassPerceptron(averaged=averaged, random_state=seed).fit(X[train], ds.y[train])
        errors[averaged].append(1 - clf.score(X[~train], ds.y[~train]))
    assert np.mean(errors[True]) < np.mean(errors[False])
    assert np.std(errors[True]) < np.std(errors[False])


@ONLINE
def test_the_updates_differ(method):
    X, y = load_iris(return_X_y=True)
    one, all_of_them = (method(update=u, random_state=0).fit(X, y) for u in UPDATES)
    assert not np.allclose(one.coef_, all_of_them.coef_)


def test_r_changes_winnow():
    X, y = load_iris(return_X_y=True)
    a, b = (BalancedWinnow(r, random_state=0).fit(minmax_scale(X), y) for r in (1.1, 1.5))
    assert (a.predict(minmax_scale(X)) != b.predict(minmax_scale(X))).any()


def test_winnow_neither_overflows_nor_depends_on_the_scale_of_its_weights():
    X = np.array([[1e4, 0], [0, 1e4], [1e4, 1e4]])
    clf = BalancedWinnow(2, epochs=50, random_state=0).fit(X, [0, 1, 2])
    assert np.isfinite(clf.coef_).all()
    assert clf.coef_.max() <= 1


@ONLINE
@updates
@pytest.mark.parametrize("averaged", [True, False])
def test_stages_are_shorter_trainings(method, update, averaged):
    X, y = load_iris(return_X_y=True)
    options = {"update": update, "averaged": averaged, "random_state": 4}
    clf = method(epochs=9, record=[2, 5], **options).fit(X, y)
    assert clf.stages_ == [2, 5, 9]
    stages = zip(clf.staged_decision_function(X), clf.staged_predict(X), strict=True)
    for epochs, (scores, labels) in zip(clf.stages_, stages, strict=True):
        short = method(epochs=epochs, **options).fit(X, y)
        np.testing.assert_array_equal(short.decision_function(X), scores)
        np.testing.assert_array_equal(short.predict(X), labels)
    assert method(epochs=4).fit(X, y).stages_ == [1, 2, 3, 4]


@ONLINE
def test_the_seed_determines_the_run(method):
    X, y = load_iris(return_X_y=True)
    first, again, other = (method(random_state=seed).fit(X, y) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.coef_, again.coef_)
    assert not np.array_equal(first.coef_, other.coef_)


BAD = {
    "update": ("all", None),
    "epochs": (0, 2.5),
    "record": ([0], [11]),
    "r": (1, 0.5, "2", True, np.nan, np.inf),
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in BAD.items() for v in values])
def test_bad_parameters_are_named(name, value):
    clf = BalancedWinnow().set_params(**{name: value})
    with pytest.raises(ValueError, match=rf"{name} must .* instead\."):
        clf.fit(*load_iris(return_X_y=True))


@parametrize_with_checks(
    [
        KeslerClassifier(),
        MulticlassPerceptron(),
        MulticlassPerceptron("full", False),
        BalancedWinnow(),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
