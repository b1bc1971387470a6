"""Decision trees (Mohri, Rostamizadeh & Talwalkar, Section 9.3.3): greedy growth, then pruning.

Entropy and Gini trees are grown by scikit-learn. It has no misclassification impurity: those trees
are grown by our kernel. As in scikit-learn, inputs are compared in single precision.
"""

from typing import NamedTuple

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ..learners.parameters import check_int
from ._trees import LEAF, ends, grow, weakest_links


class Tree(NamedTuple):
    """Node n asks "x[feature[n]] <= threshold[n]?"; leaves have left = right = -1."""

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    counts: np.ndarray  # nodes x classes: training points


def misclassification(p) -> np.ndarray:
    """F(n) = 1 - max_l p_l(n)."""
    return 1 - p.max(axis=1)


def entropy(p) -> np.ndarray:
    """F(n) = -sum_l p_l(n) log2 p_l(n)."""
    return -(p * np.log2(np.where(p > 0, p, 1))).sum(axis=1)


def gini(p) -> np.ndarray:
    """F(n) = sum_l p_l(n) (1 - p_l(n))."""
    return (p * (1 - p)).sum(axis=1)


def costs(tree: Tree, impurity: str) -> np.ndarray:
    """|n| F(n) of every node, the terms of Eq. 9.15."""
    size = tree.counts.sum(axis=1)
    return size * IMPURITIES[impurity](tree.counts / size[:, None])


def grown(X, y, k: int, criterion: str, splits: int | None, min_leaf: int, seed: int) -> Tree:
    """Fig. 9.3 on classes 0 to k - 1."""
    if criterion == "misclassification":
        return Tree(*grow(X, y, k, len(y) if splits is None else splits, min_leaf))
    most = None if splits is None else splits + 1
    model = DecisionTreeClassifier(
        criterion=criterion, max_leaf_nodes=most, min_samples_leaf=min_leaf, random_state=seed
    ).fit(X, y)
    nodes, present = model.tree_, np.unique(y)
    counts = np.zeros((nodes.node_count, k), dtype=np.int64)
    shares = nodes.value[:, 0, :] * nodes.weighted_n_node_samples[:, None]
    counts[:, present] = np.rint(shares)
    left, right = nodes.children_left.astype(np.int64), nodes.children_right.astype(np.int64)
    return Tree(nodes.feature.astype(np.int64), nodes.threshold.copy(), left, right, counts)


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """The base class of the grown and the pruned tree: data in, labels of leaves out."""

    inputs = "raw"
    version = f"1, scikit-learn {sklearn.__version__}"

    def _start(self, X, y):
        """Checked inputs and class numbers."""
        check_int("min_leaf", self.min_leaf, 1)
        for name in ("criterion", "cost"):
            value = getattr(self, name, "gini")
            if value not in IMPURITIES:
                raise ValueError(
                    f"{name} must be one of {', '.join(IMPURITIES)}. Got {value!r} instead."
                )
        X, y = validate_data(self, X, y, dtype=np.float32)
        X = np.require(X, requirements=["C", "W"])  # others would be compiled for anew
        check_classification_targets(y)
        self.classes_, y = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"y must hold at least 2 classes. Got {len(self.classes_)} class instead."
            )
        return X, y

    def _finish(self, tree, link, lam):
        self.tree_, self.link_, self.lambda_ = tree, link, float(lam)
        self.n_leaves_ = n_leaves(tree, link, lam)
        return self

    def predict(self, X) -> np.ndarray:
        """The majority class of the leaf; ties go to the first of `classes_`."""
        counts = self._counts(X)
        return self.classes_[counts.argmax(axis=1)]

    def predict_proba(self, X) -> np.ndarray:
        """The shares of the classes in the leaf, p_l(n)."""
        counts = self._counts(X)
        return counts / counts.sum(axis=1, keepdims=True)

    def _counts(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float32)
        return self.tree_.counts[_ends(self.tree_, self.link_, self.lambda_, X)]


def _ends(tree, link, lam, X):
    X, *nodes, link = (np.require(a, requirements=["C", "W"]) for a in (X, *tree[:4], link))
    return ends(X, nodes[0], nodes[1], nodes[2], nodes[3], link, lam)


def n_leaves(tree: Tree, link, lam) -> int:
    """How many leaves tree_lambda has."""
    todo, leaves = [0], 0
    while todo:
        n = todo.pop()
        if link[n] > lam:
            todo += [tree.left[n], tree.right[n]]
        else:
            leaves += 1
    return leaves


class GreedyTree(TreeClassifier):
    """Greedy growth, Fig. 9.3.

    Parameters
    ----------
    criterion : "misclassification", "entropy" or "gini"
        The impurity F. By misclassification the growth ends where no question lowers F, as Section
        9.3.3 warns; by the others it ends at pure leaves.
    splits : int or None
        T, the number of splits; None: as many as possible. Deviation: the next node to split is the
        one of largest |n| F~(n, q), which lowers the cost of Eq. 9.15 most, not of largest F~.
    min_leaf : int
        The least number of training points in a leaf.
    random_state : int, RandomState or None
        Breaks ties between the questions of scikit-learn's trees.

    Attributes
    ----------
    classes_ : the labels
    tree_ : the nodes, as a `Tree`
    n_leaves_ : the number of leaves

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GreedyTree("misclassification", splits=2, random_state=0).fit(X, y)
    >>> clf.n_leaves_, int((clf.predict(X) != y).sum())
    (3, 6)
    """

    def __init__(self, criterion="gini", splits=None, min_leaf=1, random_state=None):
        self.criterion = criterion
        self.splits = splits
        self.min_leaf = min_leaf
        self.random_state = random_state

    def fit(self, X, y):
        """Grow the tree."""
        X, y = self._start(X, y)
        if self.splits is not None:
            check_int("splits", self.splits, 1)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        k = len(self.classes_)
        tree = grown(X, y, k, self.criterion, self.splits, self.min_leaf, seed)
        return self._finish(tree, np.where(tree.left == LEAF, -np.inf, np.inf), 0.0)


class PrunedTree(TreeClassifier):
    """Grow, then prune to the smallest minimiser of G_lambda, Eq. 9.15, lambda by cross-validation.

    The candidates are 0, the geometric means of adjacent breakpoints of the pruning sequence, and
    the last breakpoint (Breiman et al. 1984, Section 3.4). A fold's tree is pruned by the same
    lambda per training point, and the largest lambda of lowest error is taken. With `cost` the same
    as `criterion` this is scikit-learn's cost-complexity pruning with ccp_alpha = lambda/m.

    Parameters
    ----------
    criterion : "misclassification", "entropy" or "gini"
        The impurity of the growth.
    cost : "misclassification", "entropy" or "gini"
        The impurity F of Eq. 9.15; CART prunes a Gini tree by misclassification.
    folds : int
    min_leaf : int
        The least number of training points in a leaf.
    random_state : int, RandomState or None
        Draws the folds and breaks ties between the questions of scikit-learn's trees.

    Attributes
    ----------
    classes_ : the labels
    tree_ : the nodes of the full tree, as a `Tree`
    link_ : for every node the lambda from which on it is no longer split
    lambdas_, cv_errors_ : the candidates and their share of errors in the cross-validation
    lambda_ : the chosen lambda
    n_leaves_ : the number of leaves of tree_lambda

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = PrunedTree(random_state=0).fit(X, y)
    >>> clf.n_leaves_ < GreedyTree(random_state=0).fit(X, y).n_leaves_
    True
    """

    def __init__(
        self, criterion="gini", cost="misclassification", folds=10, min_leaf=1, random_state=None
    ):
        self.criterion = criterion
        self.cost = cost
        self.folds = folds
        self.min_leaf = min_leaf
        self.random_state = random_state

    def fit(self, X, y):
        """Grow the tree, choose lambda, prune."""
        X, y = self._start(X, y)
        check_int("folds", self.folds, 2)
        rng = check_random_state(self.random_state)
        tree, link = self._grow(X, y, rng)
        self.lambdas_ = _candidates(link)
        wrong = np.zeros(len(self.lambdas_))
        folds = KFold(min(self.folds, len(y)), shuffle=True, random_state=rng)
        for train, test in folds.split(X):
            part, part_link = self._grow(X[train], y[train], rng)
            for c, lam in enumerate(self.lambdas_ * len(train) / len(y)):
                labels = part.counts[_ends(part, part_link, lam, X[test])].argmax(axis=1)
                wrong[c] += (labels != y[test]).sum()
        self.cv_errors_ = wrong / len(y)
        return self._finish(tree, link, self.lambdas_[wrong == wrong.min()][-1])

    def _grow(self, X, y, rng):
        k, seed = len(self.classes_), rng.randint(2**31 - 1)
        tree = grown(X, y, k, self.criterion, None, self.min_leaf, seed)
        return tree, weakest_links(tree.left, tree.right, costs(tree, self.cost))


def _candidates(link):
    """A lambda inside every step of the pruning sequence, and the one that leaves the root."""
    steps = np.unique(np.append(link[np.isfinite(link)], 0.0))
    return np.r_[np.sqrt(steps[:-1] * steps[1:]), steps[-1]]


IMPURITIES = {"misclassification": misclassification, "entropy": entropy, "gini": gini}
