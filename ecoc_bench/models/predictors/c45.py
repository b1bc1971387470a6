"""C4.5 trees: a missing value takes every branch in part, a nominal test has a branch a value."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, logit
from sklearn.dummy import DummyClassifier

from ...learners.columns import ConstantMargin
from ...learners.own_loss import SURE
from ..scoring import log_shares
from .base import Predictor

GIVES = ("log_shares", "half_log_odds", "signs")


@dataclass(frozen=True, eq=False)
class C45Trees(Predictor):
    """The shares of the classes in the leaves that a row reaches, by `gives`:

    "log_shares": their logarithms, of one tree; "half_log_odds": a margin of each tree;
    "signs": of each tree, -1 or +1, whichever has the higher share.
    Children are counted from the root of their tree.
    """

    kind: ClassVar[str] = "c45"
    layout: ClassVar[dict[str, tuple[str, str]]] = {
        "feature": ("<i8", "nodes"),
        "cut": ("<f8", "nodes"),
        "first_child": ("<i8", "nodes"),
        "n_children": ("<i8", "nodes"),
        "weights": ("<f8", "nodes classes"),
        "shares": ("<f8", "nodes classes"),
        "roots": ("<i8", "trees"),
        "nominal": ("|b1", "inputs"),
    }

    feature: np.ndarray
    cut: np.ndarray
    first_child: np.ndarray
    n_children: np.ndarray
    weights: np.ndarray
    shares: np.ndarray
    roots: np.ndarray
    nominal: np.ndarray
    gives: str

    @classmethod
    def from_estimator(cls, estimator):
        from ...learners.c45 import C45Classifier

        if not isinstance(estimator, C45Classifier):
            return None
        return cls._of([_of_tree(estimator, "share")], estimator.nominal_, "log_shares")

    @classmethod
    def of_columns(cls, learner, estimators: Sequence[Any]) -> "C45Trees | None":
        """The margins of the columns of a code fitted by the learner `C45`."""
        from ...learners.c45 import C45

        if not isinstance(learner, C45):
            return None
        nominal = [e.nominal_ for e in estimators if not isinstance(e, ConstantMargin)]
        trees = [
            _leaf(expit(2.0 * one.sign))
            if isinstance(one, ConstantMargin)
            else _of_tree(one, learner.leaves)
            for one in estimators
        ]
        return cls._of(trees, nominal[0], "half_log_odds") if nominal else None

    @classmethod
    def of_rounds(cls, estimators: Sequence[Any], n_features: int) -> "C45Trees | None":
        """The labels -1 and +1 of the hypotheses of boosting."""
        from ...learners.c45 import C45Classifier

        fits = [one for one in estimators if isinstance(one, C45Classifier)]
        rest = [one for one in estimators if not isinstance(one, C45Classifier)]
        if not fits or not all(isinstance(one, DummyClassifier) for one in rest):
            return None
        one_row = np.zeros((1, n_features))
        trees = [
            _leaf(float(one.predict(one_row)[0] > 0))
            if isinstance(one, DummyClassifier)
            else _of_tree(one, "share")
            for one in estimators
        ]
        return cls._of(trees, fits[0].nominal_, "signs")

    @classmethod
    def _of(cls, trees, nominal, gives) -> "C45Trees":
        roots = np.cumsum([0, *(len(tree[0]) for tree in trees)])[:-1]
        nodes = [np.concatenate(parts) for parts in zip(*trees, strict=True)]
        return cls.made([*nodes, roots, nominal], gives=gives)

    @property
    def n_inputs(self) -> int:
        return len(self.nominal)

    @property
    def n_outputs(self) -> int:
        return self.weights.shape[1] if self.gives == "log_shares" else len(self.roots)

    def check(self):
        self.require(self.gives in GIVES, f"gives is not one of {', '.join(GIVES)}")
        self._check_nodes()
        classes = self.weights.shape[1]
        self.require((self.weights >= 0).all() and (self.shares >= 0).all(), "a negative weight")
        two = self.gives == "log_shares" or classes == 2
        self.require(two and classes, "not two classes")
        self.require(self.gives != "log_shares" or len(self.roots) == 1, "several trees")

    def _check_nodes(self):
        ends = np.append(self.roots[1:], len(self.feature))
        self.require(len(self.roots) and self.roots[0] == 0, "no tree at the first node")
        self.require((ends > self.roots).all(), "roots out of order")
        inner = np.flatnonzero(self.n_children)
        root = np.repeat(self.roots, ends - self.roots)[inner]
        end = np.repeat(ends, ends - self.roots)[inner]
        first, n = self.first_child[inner], self.n_children[inner]
        longest = len(self.feature)
        in_range = (first >= 0) & (first <= longest) & (n > 0) & (n <= longest)
        self.require(in_range.all(), "children out of range")
        later = (root + first > inner) & (root + first + n <= end)
        self.require(later.all(), "a child does not come after its parent, in its own tree")
        # With two ways to a node, a row with missing values could take 2^depth ways.
        begins = np.sort(root + first)
        apart = (begins[1:] >= (begins + n[np.argsort(root + first, kind="stable")])[:-1]).all()
        self.require(apart, "a node has two parents")
        feature = self.feature[inner]
        in_range = (feature >= 0) & (feature < self.n_inputs)
        self.require(in_range.all(), "a feature is out of range")
        numeric = ~self.nominal[feature]
        self.require((n[numeric] == 2).all(), "a test of a number has not two branches")
        self.require((self.weights[inner].sum(axis=1) > 0).all(), "a test without any case")

    def outputs(self, X):
        from ...learners._c45_predict import labels, probabilities

        X = np.ascontiguousarray(X, dtype=np.float64)
        read = labels if self.gives == "signs" else probabilities
        found = [read(tree, shares, X, self.nominal) for tree, shares in self._trees()]
        if self.gives == "signs":
            return 2.0 * np.column_stack(found) - 1.0
        if self.gives == "log_shares":
            return log_shares(found[0])
        return np.column_stack([logit(np.clip(p[:, 1], SURE, 1 - SURE)) / 2 for p in found])

    def _trees(self):
        from ...learners._c45_grow import Tree

        for start, stop in zip(self.roots, np.append(self.roots[1:], len(self.cut)), strict=True):
            own = slice(start, stop)
            yield (
                Tree(
                    self.feature[own],
                    self.cut[own],
                    self.first_child[own],
                    self.n_children[own],
                    self.weights[own],
                ),
                self.shares[own],
            )


def _of_tree(estimator, leaves) -> tuple[np.ndarray, ...]:
    """The arrays of a fitted tree, and the shares of the classes in its nodes."""
    from ...learners._c45_predict import node_probabilities
    from ...learners.c45 import added_cases

    tree = estimator.tree_
    shares = node_probabilities(tree, added_cases(leaves, tree.weights[0]))
    cut = np.where(np.isnan(tree.cut), 0.0, tree.cut)  # of leaves and nominal tests: not used
    return *tree._replace(cut=cut), shares


def _leaf(share: float) -> tuple[np.ndarray, ...]:
    """A tree of one leaf, with this share of the second of two classes."""
    none, both = np.zeros(1), np.array([[1.0 - share, share]])
    return none, none, none, none, both, both
