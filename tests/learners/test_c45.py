"""C4.5: the kernels against their slow twin, trees by hand."""

import math
from functools import cache

import j48
import numba
import numpy as np
import oracles_c45 as slow
import pytest
from parts import called
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench.learners import _c45, _c45_encode, _c45_prune, learner_class
from ecoc_bench.learners._c45 import pack
from ecoc_bench.learners._c45_grow import Tree
from ecoc_bench.learners.c45 import C45, C45Classifier, encode, fit_tree
from ecoc_bench.learners.classifier import ECOCClassifier

log2, entropy = called(_c45.log2), called(_c45.entropy)
best_cut, best_cut_of_two = called(_c45.best_cut), called(_c45.best_cut_of_two)
added_errors, largest_child = called(_c45_prune.added_errors), called(_c45_prune.largest_child)

JIT = not numba.config.DISABLE_JIT
compiled = pytest.mark.skipif(not JIT, reason="slow without compilation")


def problem(seed, most=40):
    """A small draw: few and many values, nominal and missing ones; unit, whole or real weights."""
    rng = np.random.default_rng(seed)
    n, d, k = rng.integers((most // 10, 1, 1), (most, 5, 5))
    X = rng.integers(0, rng.integers(2, 8), (n, d)).astype(float)
    nominal = rng.random(d) < 0.4
    sorted_too = rng.random(d) < 0.5
    X[:, sorted_too & ~nominal] += rng.normal(size=(n, (sorted_too & ~nominal).sum()))
    y = (X @ rng.normal(size=(d, k)) + rng.normal(size=(n, k))).argmax(axis=1)
    X[rng.random((n, d)) < rng.choice([0, 0.15])] = np.nan
    kind = seed % 3
    weight = [np.ones(n), rng.integers(0, 3, n), rng.exponential(size=n)][kind].astype(float)
    weight[0] += weight[0] == 0
    return X, np.unique(y, return_inverse=True)[1], nominal, weight


def twin(X, y, nominal, weight, confidence=0.25):
    """The same problem for the slow twin."""
    whole = (weight == np.floor(weight)).all()
    copies = weight if whole else weight > 0
    k = y.max() + 1
    return slow.Task(X.tolist(), y, nominal, copies.astype(int).tolist(), k, confidence=confidence)


def assert_same(tree, root, at=0):
    """Our node `at` and all below it are those of the slow twin."""
    np.testing.assert_allclose(tree.weights[at], root.weights, atol=1e-9)
    assert tree.n_children[at] == len(root.children)
    if root.test is not None:
        assert tree.feature[at] == root.test[0]
        assert tree.cut[at] == root.test[1]
    for j, child in enumerate(root.children):
        assert_same(tree, child, tree.first_child[at] + j)


def test_logarithms_are_those_of_the_library():
    for x in np.r_[np.geomspace(1e-6, 1e9, 2000), 1 - 2.0**-53, 1.0, 1 + 2.0**-52]:
        assert log2(x) == pytest.approx(math.log2(x), rel=1e-14, abs=1e-14)


@cache
def first_test(seed):
    """A problem, and the first test of the slow twin, for both ways to find it."""
    X, y, nominal, weight = problem(seed)
    task = twin(X, y, nominal, weight)
    test = slow.best_test(task, [(i, w) for i, w in enumerate(weight) if w > 0])
    return X, y, nominal, weight, task, test


@pytest.mark.parametrize("few", [0, 32])
def test_the_slow_twin_picks_the_same_first_split(few, monkeypatch):
    monkeypatch.setattr(_c45_encode, "FEW", few)  # numbers by sorting, or by counting values
    splits = 0
    for seed in range(400):
        X, y, nominal, weight, task, test = first_test(seed)
        tree = fit_tree(encode(X, nominal), y, weight, task.n_classes, confidence=None)
        if test is None or tree.n_children[0] == 0:  # none found, or collapsed
            assert tree.n_children[0] == 0
            continue
        splits += 1
        assert (tree.feature[0], tree.cut[0]) == slow.moved(task, weight, test), seed
    assert splits > 100


def test_packed_counts_give_the_cuts_of_plain_ones():
    cuts = set()
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 60))
        x = np.round(rng.normal(size=n), int(rng.integers(1, 7)))
        y = (x + rng.normal(size=n) > 0).astype(np.uint16)
        w = rng.integers(1, 4, n)
        table = np.array([slow.log_sum([i]) for i in range(w.sum() + 1)])
        order = np.argsort(x).astype(np.uint32)
        right = np.bincount(y, w, minlength=2).astype(np.int64)
        whole, W = entropy(right, right.sum(), table), float(w.sum())
        two = best_cut_of_two(x, order, pack(y, w), whole, W, 2.0, table, right)
        plain = best_cut(x, order, y, w, whole, W, 2.0, table, right * 0, right.copy())
        assert two == pytest.approx(plain, abs=1e-12)
        cuts.add(two[2])
    assert len(cuts) > 20


def trees(seed):
    """(ours, the slow twin's) unpruned, pruned, and pruned with branches raised."""
    X, y, nominal, weight = problem(seed, most=120)
    task = twin(X, y, nominal, weight)
    grown = slow.grown(task, weight)
    for pruned, raising in ((False, False), (True, False), (True, True)):
        confidence = 0.25 if pruned else None
        ours = fit_tree(encode(X, nominal), y, weight, task.n_classes, 2, confidence, raising)
        root = slow.regrown(task, grown, grown.cases)  # a copy: to prune is to change
        yield ours, slow.finished(task, weight, root, pruned, raising)


def test_the_slow_twin_grows_and_prunes_the_same_trees():
    smaller, raised = 0, 0
    for seed in range(1000, 1200):
        pairs = list(trees(seed))
        for ours, root in pairs:
            assert_same(ours, root)
        unpruned, pruned, moved = (ours for ours, _ in pairs)
        smaller += len(pruned.cut) < len(unpruned.cut)
        raised += moved.feature.tolist() != pruned.feature.tolist()
    assert smaller > 20
    assert raised > 3


@cache
def few_values(seed):
    """Numbers of few values, two classes, and the slow twin's tree for all ways to count them."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers((60, 1), (150, 5))
    X, nominal = rng.integers(0, rng.integers(4, 9, d), (n, d)) / 7, np.zeros(d, dtype=bool)
    y, weight = rng.integers(0, 2, n), rng.integers(0, 4, n).astype(float)
    return X, y, nominal, weight, slow.tree(twin(X, y, nominal, weight), weight, False, False)


@pytest.mark.parametrize("few", [0, 4, 32])
def test_trees_grown_from_counts_are_those_of_the_slow_twin(few, monkeypatch):
    monkeypatch.setattr(_c45_encode, "FEW", few)  # all sorted, some, or all counted by value
    for seed in range(60):
        X, y, nominal, weight, root = few_values(seed)
        tree = fit_tree(encode(X, nominal), y, weight, 2, 2, None)
        assert_same(tree, root)


def test_probabilities_are_those_of_the_slow_twin():
    for seed in range(100):
        X, y, nominal, weight = problem(seed)
        if seed % 3 == 2:
            weight *= (weight > 0).sum() / weight.sum()
        keep = weight > 0
        X, weight, y = X[keep], weight[keep], np.unique(y[keep], return_inverse=True)[1]
        task = twin(X, y, nominal, weight)
        root = slow.tree(task, weight)
        clf = C45Classifier(nominal=nominal).fit(X, y, weight)
        other = np.vstack([problem(seed, most=40)[0], np.full(X.shape[1], 9.0), X[:1] * np.nan])
        expected = [slow.probabilities(task, root, row) for row in other.tolist()]
        np.testing.assert_allclose(clf.predict_proba(other), expected, atol=1e-9)


SUNNY, OVERCAST, RAIN = 0, 1, 2
GOLF = [  # Quinlan 1993, Table 2.1: outlook, temperature, humidity, windy, play
    (SUNNY, 75, 70, 1, 1),
    (SUNNY, 80, 90, 1, 0),
    (SUNNY, 85, 85, 0, 0),
    (SUNNY, 72, 95, 0, 0),
    (SUNNY, 69, 70, 0, 1),
    (OVERCAST, 72, 90, 1, 1),
    (OVERCAST, 83, 78, 0, 1),
    (OVERCAST, 64, 65, 1, 1),
    (OVERCAST, 81, 75, 0, 1),
    (RAIN, 71, 80, 1, 0),
    (RAIN, 65, 70, 1, 0),
    (RAIN, 75, 80, 0, 1),
    (RAIN, 68, 80, 0, 1),
    (RAIN, 70, 96, 0, 1),
]


def golf():
    table = np.array(GOLF, dtype=float)
    clf = C45Classifier(nominal=[True, False, False, True])
    return clf.fit(table[:, :4], table[:, 4].astype(int)), table


def test_the_golf_tree_of_quinlan_1993():
    clf, table = golf()
    tree = clf.tree_
    assert (tree.feature[0], tree.n_children[0], clf.n_leaves_) == (0, 3, 5)
    sunny, overcast, rain = tree.first_child[0] + np.arange(3)
    assert (tree.feature[sunny], tree.cut[sunny]) == (2, 75)  # humidity <= 75
    assert tree.n_children[overcast] == 0
    assert tree.feature[rain] == 3  # windy
    np.testing.assert_array_equal(clf.predict(table[:, :4]), table[:, 4])


def test_a_missing_outlook_takes_all_branches_by_their_weight():
    clf, _ = golf()
    p = clf.predict_proba([[np.nan, 70, 80, 0], [7, 70, 80, 0], [SUNNY, 70, np.nan, 0]])
    # humid: no if sunny (5 of 14); calm: yes in the rain; an unknown outlook: the root's 9 of 14
    np.testing.assert_allclose(p[:, 1], [9 / 14, 9 / 14, 2 / 5])


@pytest.mark.parametrize(
    ("leaves", "sunny", "any_outlook"),
    [("share", 2 / 2, 9 / 14), ("laplace", 3 / 4, 10 / 16), (3, (2 + 27 / 14) / 5, 9 / 14)],
)
def test_leaves_are_as_sure_as_their_cases_are_many(leaves, sunny, any_outlook):
    clf, table = golf()
    new = np.array([[SUNNY, 70, 70, 0], [7, 70, 80, 0]])  # a leaf of 2 cases; all 14 (9 play)
    p = clf.estimated_proba(new, leaves)
    np.testing.assert_allclose(p[:, 1], [sunny, any_outlook])
    learner = C45(nominal=[True, False, False, True], leaves=leaves)
    F = learner.fit(table[:, :4], 2 * table[:, 4:].astype(int) - 1).margins(new)
    p = np.clip(p, 1e-12, 1 - 1e-12)
    np.testing.assert_allclose(F[:, 0], np.log(p[:, 1] / p[:, 0]) / 2, rtol=1e-4)


@pytest.mark.parametrize("leaves", ["shares", 0, True, float("nan")])
def test_unknown_leaves_are_named(leaves):
    with pytest.raises(ValueError, match=r"leaves must be share, laplace or a number.*Got"):
        C45(leaves=leaves).fit(np.eye(4), np.array([[1], [1], [-1], [-1]]))


@pytest.mark.parametrize(("N", "rate"), [(6, 0.206), (9, 0.143), (1, 0.750)])
def test_error_limits_of_quinlan_1993(N, rate):
    assert added_errors(float(N), 0.0, 0.25, 0.6745) / N == pytest.approx(rate, abs=5e-4)


def test_whole_weights_are_copies_and_zero_leaves_out():
    for seed in range(1, 60, 3):  # the draws with whole weights
        X, y, nominal, weight = problem(seed)
        copies = np.repeat(np.arange(len(y)), weight.astype(int))
        weighted = C45Classifier(nominal=nominal).fit(X, y, weight)
        copied = C45Classifier(nominal=nominal).fit(X[copies], y[copies])
        np.testing.assert_array_equal(weighted.predict_proba(X), copied.predict_proba(X))


def test_prepared_cases_give_the_same_trees_and_labels():
    """Two sets of labels and weights on cases encoded once."""
    for seed in range(60):
        X, y, nominal, weight = problem(seed)
        base = C45Classifier(prune=bool(seed % 2), nominal=nominal)
        prepared = base.prepare(X)
        for labels, w in ((y, weight), (y == y[0], np.ones(len(y)))):
            plain = clone(base).fit(X, labels, w)
            once = clone(base).fit_prepared(prepared, labels, w)
            for a, b in zip(plain.tree_, once.tree_, strict=True):
                np.testing.assert_array_equal(a, b)
            assert once.n_features_in_ == X.shape[1]
            np.testing.assert_array_equal(once.predict_prepared(prepared), plain.predict(X))
    assert not hasattr(base, "n_features_in_")


def test_the_label_is_the_first_of_the_most_probable():
    for seed in range(100):
        X, y, nominal, weight = problem(seed)
        clf = C45Classifier(nominal=nominal).fit(X, y, weight)
        P = clf.predict_proba(X)
        first = [next(c for c in range(len(p)) if p[c] >= max(p) - 1e-6) for p in P]
        np.testing.assert_array_equal(clf.predict(X), clf.classes_[first])


def test_real_weights_are_scaled_to_the_number_of_cases():
    X, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).exponential(size=len(y))
    tree = C45Classifier().fit(X, y, weight).tree_
    assert tree.weights[0].sum() == pytest.approx(len(y))
    for a, b in zip(tree, C45Classifier().fit(X, y, weight / 3e4).tree_, strict=True):
        np.testing.assert_allclose(a, b)


def test_huge_whole_weights_are_scaled():
    X, y = load_iris(return_X_y=True)
    huge = C45Classifier().fit(X, y, np.full(len(y), 1e200))
    assert huge.n_leaves_ == C45Classifier().fit(X, y).n_leaves_


def test_more_cases_per_branch_and_lower_confidence_give_smaller_trees():
    p = j48.problem("vowel", "unit")

    def n_leaves(**params):
        return C45Classifier(**params).fit(p.X, p.y).n_leaves_

    assert n_leaves(min_cases=20) < n_leaves() > n_leaves(confidence=0.001)


def test_a_branch_needs_5_percent_of_the_cases_of_two_classes():
    x = np.arange(100.0)[:, None]
    assert C45Classifier(prune=False).fit(x, x[:, 0] >= 5).tree_.cut[0] == 4
    other = C45Classifier(prune=False).fit(x, x[:, 0] >= 4).tree_.cut
    assert 3 not in other[:1]  # 4 cases below would be too few at the root
    assert 4 in other[:1]


@pytest.mark.parametrize("few", [0, 32])
def test_a_number_needs_four_rows_of_known_value_whatever_they_weigh(few, monkeypatch):
    monkeypatch.setattr(_c45_encode, "FEW", few)
    y, weight = np.array([0, 0, 1, 1, 0, 1]), np.full(6, 2.5)
    known, numeric = np.array([[0.0, 1, 2, 3, 0, 3]]).T, np.array([False])
    unknown = np.where(np.arange(6)[:, None] % 2, np.nan, known)  # three rows are left

    def n_nodes(X, weight):
        return len(fit_tree(encode(X, numeric), y, weight, 2, confidence=None).cut)

    assert (n_nodes(known, weight), n_nodes(unknown, weight)) == (3, 1)
    assert n_nodes(unknown, np.full(6, 3.0)) == 3  # whole weights are rows


def test_values_closer_than_1e_5_are_one():
    y = np.repeat([0, 1], 5)
    near, apart = np.repeat([0, 0.9e-5], 5)[:, None], np.repeat([0, 1.1e-5], 5)[:, None]
    assert C45Classifier().fit(near, y).n_leaves_ == 1
    assert C45Classifier().fit(apart, y).n_leaves_ == 2


def test_of_equally_heavy_branches_the_last_may_be_raised():
    index, weights = np.array([1, 0, 0, 0]), np.array([[2.0, 2], [1, 1], [2, 0], [0, 2]])
    tree = Tree(index * 0, index * 0.0, index, index * 3, weights)
    assert largest_child(tree, 0) == 3


def test_nominal_attributes_with_very_many_values_do_not_make_the_average():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 60)
    weak = np.where(rng.random(60) < 0.75, y, 1 - y)
    X = np.column_stack([np.arange(60) // 2, weak]).astype(float)
    y[1::2] = y[::2]  # every value of the first attribute is pure
    counts = C45Classifier(nominal=[True, True], prune=False).fit(X, y).tree_
    task = twin(X, y, [True, True], np.ones(60))
    assert counts.feature[0] == slow.best_test(task, [(i, 1.0) for i in range(60)])[0]


@compiled
def test_a_long_chain_of_splits_does_not_overflow():
    n = 20_000
    x = np.arange(n, dtype=float)[:, None]
    y = np.arange(n) // 30 % 2
    clf = C45Classifier().fit(x, y)
    assert clf.predict(x).shape == (n,)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"min_cases": 0}, "min_cases must be an integer of at least 1. Got 0 instead."),
        ({"confidence": 0.7}, "confidence must be above 0 and at most 0.5. Got 0.7 instead."),
        ({"nominal": [True]}, "nominal must be a mask over 4 features."),
        ({"nominal": [True] * 4}, "nominal values must be whole numbers from 0 to 32765."),
    ],
)
def test_bad_parameters_are_named(params, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        C45Classifier(**params).fit(X, y)


@parametrize_with_checks([C45Classifier(), C45Classifier(prune=False)])
def test_c45_follows_the_contract(estimator, check):
    check(estimator)


def test_c45_learns_the_columns_of_a_code():
    p = j48.problem("glass", "unit")
    clf = ECOCClassifier(code="all_pairs", learner=C45(), decoder="hamming").fit(p.X, p.y)
    F = clf.learner_.margins(p.X)
    assert np.isfinite(F).all()
    tree = clf.learner_.estimators_[0]
    np.testing.assert_array_equal(np.sign(F[:, 0]), tree.predict(p.X))
    assert learner_class("c45") is C45
    alone = C45Classifier().fit(p.X, p.y)
    assert clf.score(p.X_test, p.y_test) > alone.score(p.X_test, p.y_test)
