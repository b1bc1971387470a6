"""Decision trees: growth by three impurities, and Eq. 9.15's minimiser against scikit-learn's."""

import numpy as np
import oracles_textbook as oracles
import problems
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench.joint._trees import ends, weakest_links
from ecoc_bench.joint.trees import IMPURITIES, GreedyTree, PrunedTree, costs, grown, n_leaves

impurities = pytest.mark.parametrize("impurity", IMPURITIES)
theirs = pytest.mark.parametrize("impurity", ["entropy", "gini"])


def table(name):
    """As scikit-learn's trees see it: single precision, the labels that occur counted from 0."""
    X, y = problems.table(name)
    return X.astype(np.float32), np.unique(y, return_inverse=True)[1]


def draw(seed, m=16):
    """Few examples, values with ties: small trees."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(3), rng.integers(0, 3, m - 3)]
    return rng.integers(0, 4, (m, 2)).astype(np.float32), y


def test_impurities_are_those_of_the_definition():
    p = np.array([[0.5, 0.5, 0], [1, 0, 0], [0.25, 0.25, 0.5]])
    np.testing.assert_allclose(IMPURITIES["misclassification"](p), [0.5, 0, 0.5])
    np.testing.assert_allclose(IMPURITIES["entropy"](p), [1, 0, 1.5])
    np.testing.assert_allclose(IMPURITIES["gini"](p), [0.5, 0, 0.625])
    for name in ("entropy", "gini"):
        assert (IMPURITIES[name](p) >= IMPURITIES["misclassification"](p)).all()


def test_growth_by_misclassification_in_plain_loops():
    for seed in range(60):
        X, y = draw(seed)
        twin = oracles.grow(X.tolist(), y.tolist())
        clf = GreedyTree("misclassification").fit(X, y)
        grid = np.array([(a, b) for a in range(5) for b in range(5)])
        expected = [oracles.classify(twin, x) for x in grid.tolist()]
        np.testing.assert_array_equal(clf.predict(grid), expected, err_msg=str(seed))


def test_misclassification_may_see_no_question_where_gini_does():
    """Section 9.3.3: 8 to 2, and any cut leaves the majority as it is on both sides."""
    X, y = np.arange(10.0)[:, None], np.array([0, 0, 0, 0, 1, 1, 0, 0, 0, 0])
    assert GreedyTree("misclassification").fit(X, y).n_leaves_ == 1
    assert GreedyTree("gini").fit(X, y).n_leaves_ == 3


@theirs
def test_growth_by_entropy_and_gini_is_scikit_learns(impurity):
    X, y = table("glass")
    ours = GreedyTree(impurity, splits=9, min_leaf=2, random_state=0).fit(X, y)
    seed = np.random.RandomState(0).randint(2**31 - 1)
    tree = DecisionTreeClassifier(
        criterion=impurity, max_leaf_nodes=10, min_samples_leaf=2, random_state=seed
    ).fit(X, y)
    assert ours.n_leaves_ == tree.get_n_leaves() == 10
    np.testing.assert_array_equal(ours.predict(X), tree.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), tree.predict_proba(X))


@impurities
def test_growth_always_lowers_the_cost_of_equation_9_15(impurity):
    X, y = table("glass")
    before = np.inf
    for splits in range(1, 12):
        clf = GreedyTree(impurity, splits=splits, random_state=0).fit(X, y)
        leaves = clf.tree_.left < 0
        cost = costs(clf.tree_, impurity)[leaves].sum()
        assert (leaves.sum(), clf.n_leaves_) == (splits + 1, splits + 1)
        assert cost < before
        before = cost


@impurities
def test_pruning_minimises_equation_9_15(impurity):
    """tree_lambda from the weakest links is the smallest minimiser over all subtrees."""
    pruned = 0
    for seed in range(30):
        X, y = draw(seed, 10)
        tree = grown(X, y, 3, "gini", None, 1, seed)
        cost = costs(tree, impurity)
        link = weakest_links(tree.left, tree.right, cost)
        steps = np.unique(link[np.isfinite(link)])
        for lam in np.r_[0, steps, steps * 0.999, steps * 1.001, steps.max(initial=0) + 1]:
            best = oracles.smallest_minimiser(tree.left, tree.right, cost, lam)
            reached = ends(X, *tree[:4], link, lam)
            assert set(reached) == best
            assert n_leaves(tree, link, lam) == len(best)
            pruned += 1 < len(best) < (tree.left < 0).sum()
    assert pruned > 20


@theirs
@pytest.mark.parametrize("name", ["glass", "vowel"])
def test_pruning_is_scikit_learns_with_lambda_over_m(name, impurity):
    """The same breakpoints, and the same tree between any two of them: ccp_alpha = lambda/m."""
    X, y = table(name)
    tree = grown(X, y, y.max() + 1, impurity, None, 1, 0)
    link = weakest_links(tree.left, tree.right, costs(tree, impurity))
    model = DecisionTreeClassifier(criterion=impurity, random_state=0)
    alphas = model.cost_complexity_pruning_path(X, y).ccp_alphas[1:]
    steps = np.unique(link[np.isfinite(link)])
    np.testing.assert_allclose(np.unique(alphas.round(9)), np.unique((steps / len(y)).round(9)))
    for lam in np.sqrt(steps[:-1] * steps[1:])[::5]:
        theirs = model.set_params(ccp_alpha=lam / len(y)).fit(X, y)
        counts = tree.counts[ends(X, *tree[:4], link, lam)]
        np.testing.assert_allclose(
            counts / counts.sum(axis=1, keepdims=True), theirs.predict_proba(X)
        )
        assert n_leaves(tree, link, lam) == theirs.get_n_leaves()


@pytest.mark.parametrize("cost", IMPURITIES)
def test_lambda_is_that_of_lowest_cross_validated_error(cost):
    X, y = table("glass")
    clf = PrunedTree(cost=cost, folds=5, random_state=3).fit(X, y)
    lowest = clf.cv_errors_ == clf.cv_errors_.min()
    assert clf.lambda_ == clf.lambdas_[lowest].max()
    assert (np.diff(clf.lambdas_) > 0).all()
    assert clf.cv_errors_[-1] >= clf.cv_errors_.min()
    assert 1 < clf.n_leaves_ < (clf.tree_.left < 0).sum()
    sizes = [n_leaves(clf.tree_, clf.link_, lam) for lam in clf.lambdas_]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_the_root_alone_says_the_majority():
    """Labels that no input tells: the largest lambda wins, and the tree is a leaf."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 2)), (rng.random(120) < 0.2).astype(int)
    clf = PrunedTree(random_state=0).fit(X, y)
    assert clf.n_leaves_ == 1
    assert set(clf.predict(X)) == {0}
    np.testing.assert_allclose(clf.predict_proba(X)[:, 1], y.mean())


def test_pruning_helps_where_labels_are_noisy():
    X, y = table("glass")
    y = y.copy()
    rng = np.random.default_rng(1)
    noisy = rng.random(len(y)) < 0.2
    y[noisy] = rng.integers(0, y.max() + 1, noisy.sum())
    train, errors = np.arange(len(y)) % 2 == 0, {}
    for clf in (GreedyTree(random_state=0), PrunedTree(random_state=0)):
        errors[type(clf)] = (clf.fit(X[train], y[train]).predict(X[~train]) != y[~train]).mean()
    assert errors[PrunedTree] < errors[GreedyTree]


def test_the_growth_and_the_cost_are_two_choices():
    X, y = table("vowel")
    fits = [
        PrunedTree(a, b, folds=3, random_state=0).fit(X, y).predict(X)
        for a, b in [("gini", "misclassification"), ("gini", "gini"), ("entropy", "gini")]
    ]
    assert (fits[0] != fits[1]).any()
    assert (fits[1] != fits[2]).any()


def test_the_seed_determines_the_tree():
    X, y = table("glass")
    a, b = (PrunedTree(random_state=5).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(a.cv_errors_, b.cv_errors_)
    c = PrunedTree(random_state=6).fit(X, y)
    assert not np.array_equal(a.cv_errors_, c.cv_errors_)


BAD = {
    "criterion": ("gin", None),
    "splits": (0, 1.5),
    "min_leaf": (0, True),
    "cost": ("error", 3),
    "folds": (1, 2.0),
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in BAD.items() for v in values])
def test_bad_parameters_are_named(name, value):
    clf = GreedyTree() if name in GreedyTree().get_params() else PrunedTree()
    with pytest.raises(ValueError, match=rf"{name} must .* instead\."):
        clf.set_params(**{name: value}).fit(*load_iris(return_X_y=True))


@parametrize_with_checks(
    [GreedyTree(), GreedyTree("misclassification"), PrunedTree("entropy", folds=3)]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
