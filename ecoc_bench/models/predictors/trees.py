"""Binary trees of scikit-learn: single ones, forests, histogram boosting, and rounds of boosting.

All nodes of an ensemble lie in one set of arrays, a tree after the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier

from ...learners.columns import ConstantMargin, MultiCall
from ..scoring import log_shares, two_sided
from .base import Predictor

LEAF, ALL = -1, -1
GIVES = ("sums", "two_sided", "log_shares", "signs")


class Nodes(NamedTuple):
    """The nodes of one tree; children by their place in it."""

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    missing_left: np.ndarray
    value: np.ndarray


@dataclass(frozen=True, eq=False)
class Trees(Predictor):
    """The values of the leaves that a row reaches, by `gives`:

    "sums": outputs are `base` and the values of the trees of each; "two_sided": one such sum f, as
    -f and +f; "log_shares": logarithms of the mean shares of the classes; "signs": of each tree,
    whether +1 or -1 has the higher share. `single`: inputs are compared in single precision.
    """

    kind: ClassVar[str] = "trees"
    layout: ClassVar[dict[str, tuple[str, str]]] = {
        "feature": ("<i4", "nodes"),
        "threshold": ("<f8", "nodes"),
        "left": ("<i4", "nodes"),
        "right": ("<i4", "nodes"),
        "missing_left": ("|b1", "nodes"),
        "value": ("<f8", "nodes width"),
        "roots": ("<i8", "trees"),
        "output": ("<i4", "trees"),
        "base": ("<f8", "outputs"),
    }
    infinite: ClassVar[frozenset[str]] = frozenset({"threshold"})  # inf: all but missing values

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    missing_left: np.ndarray
    value: np.ndarray
    roots: np.ndarray
    output: np.ndarray
    base: np.ndarray
    n_features: int
    single: bool
    gives: str

    @classmethod
    def from_estimator(cls, estimator):
        if _is_boosted(estimator):
            trees, output, base = _boosted(estimator)
            gives = "two_sided" if len(base) == 1 else "sums"
            return cls._of(trees, output, base, estimator.n_features_in_, False, gives)
        if isinstance(estimator, RandomForestClassifier | ExtraTreesClassifier):
            trees = [_grown(tree) for tree in estimator.estimators_]
        elif isinstance(estimator, DecisionTreeClassifier):
            trees = [_grown(estimator)]
        else:
            return None
        if estimator.n_outputs_ > 1:
            return None
        base, output = np.zeros(len(estimator.classes_)), [ALL] * len(trees)
        return cls._of(trees, output, base, estimator.n_features_in_, True, "log_shares")

    @classmethod
    def of_columns(cls, learner: MultiCall, estimators: Sequence[Any]) -> "Trees | None":
        """The margins of the columns of a code: histogram boosting on the scale of its loss."""
        fits = [one for one in estimators if not isinstance(one, ConstantMargin)]
        if not fits or not all(map(_is_boosted, fits)):
            return None
        every, outputs, bases = [], [], []
        for s, one in enumerate(estimators):
            if isinstance(one, ConstantMargin):
                bases.append(float(one.sign))
                continue
            unit = learner.column_margin(one).unit(one)
            trees, _, base = _boosted(one)
            every += [tree._replace(value=unit * tree.value) for tree in trees]
            outputs += [s] * len(trees)
            bases.append(unit * float(base[0]))
        return cls._of(every, outputs, np.array(bases), fits[0].n_features_in_, False, "sums")

    @classmethod
    def of_rounds(cls, estimators: Sequence[Any], n_features: int) -> "Trees | None":
        """The labels -1 and +1 of the hypotheses of boosting."""
        if not all(isinstance(e, DecisionTreeClassifier | DummyClassifier) for e in estimators):
            return None
        trees = [_voting(one) for one in estimators]
        base, output = np.zeros(len(trees)), list(range(len(trees)))
        return cls._of(trees, output, base, n_features, True, "signs")

    @classmethod
    def _of(cls, trees: Sequence[Nodes], output, base, n_features, single, gives) -> "Trees":
        sizes = [len(tree.left) for tree in trees]
        roots = np.cumsum([0, *sizes])[:-1]
        moved = [
            tree._replace(
                left=np.where(tree.left == LEAF, LEAF, tree.left + root),
                right=np.where(tree.left == LEAF, LEAF, tree.right + root),
                feature=np.where(tree.left == LEAF, 0, tree.feature),
                threshold=np.where(tree.left == LEAF, 0.0, tree.threshold),
            )
            for tree, root in zip(trees, roots, strict=True)
        ]
        columns = [np.concatenate(parts) for parts in zip(*moved, strict=True)]
        every = (*columns, roots, output, base)
        return cls.made(every, n_features=int(n_features), single=single, gives=gives)

    @property
    def n_inputs(self) -> int:
        return self.n_features

    @property
    def n_outputs(self) -> int:
        return 2 if self.gives == "two_sided" else len(self.base)

    def check(self):
        self.require(self.gives in GIVES, f"gives is not one of {', '.join(GIVES)}")
        nodes, trees, outputs = len(self.left), len(self.roots), len(self.base)
        ends = np.append(self.roots[1:], nodes)
        self.require(trees and self.roots[0] == 0, "no tree at the first node")
        self.require((ends > self.roots).all() and ends[-1] == nodes, "roots out of order")
        inner = np.flatnonzero(self.left != LEAF)
        end = np.repeat(ends, ends - self.roots)[inner]
        for children in (self.left[inner], self.right[inner]):
            later = (children > inner) & (children < end)
            self.require(later.all(), "a child does not come after its parent, in its own tree")
        in_range = (self.feature[inner] >= 0) & (self.feature[inner] < self.n_features)
        self.require(in_range.all(), "a feature is out of range")
        self.require(not np.isnan(self.threshold).any(), "a threshold is no number")
        self._check_outputs(trees, outputs, self.value.shape[1])

    def _check_outputs(self, trees, outputs, width):
        if self.gives == "log_shares":
            fits = width == outputs and (self.output == ALL).all() and (self.value >= 0).all()
        elif self.gives == "signs":
            fits = width == 2 and outputs == trees
        else:
            fits = width == 1 and ((self.output >= 0) & (self.output < outputs)).all()
        self.require(fits, "the values of the leaves do not fit the outputs")
        self.require(outputs > 0, "no outputs")
        one_sum = self.gives != "two_sided" or outputs == 1
        self.require(one_sum, "several sums for two classes")

    def outputs(self, X):
        from ._walk import add_values, signs

        X = np.ascontiguousarray(X, dtype=np.float32 if self.single else np.float64)
        nodes = self.roots, self.feature, self.threshold, self.left, self.right, self.missing_left
        F = np.tile(self.base, (len(X), 1))
        if self.gives == "signs":
            signs(X, *nodes, self.value, F)
            return F
        add_values(X, *nodes, self.value, self.output, F)
        if self.gives == "log_shares":
            return log_shares(F / len(self.roots))
        return two_sided(F[:, 0]) if self.gives == "two_sided" else F


def _grown(estimator) -> Nodes:
    """A decision tree; values are the shares of the classes."""
    tree = estimator.tree_
    missing = np.asarray(tree.missing_go_to_left, dtype=bool)
    left, right = tree.children_left, tree.children_right
    return Nodes(tree.feature, tree.threshold, left, right, missing, tree.value[:, 0, :])


def _voting(estimator) -> Nodes:
    """A hypothesis on the labels -1 and +1, or on one of them."""
    if isinstance(estimator, DummyClassifier):
        shares = np.zeros((1, 2))
        one_row = np.zeros((1, estimator.n_features_in_))
        shares[0, int(estimator.predict(one_row)[0] > 0)] = 1.0
        return _single_leaf(shares)
    nodes = _grown(estimator)
    if nodes.value.shape[1] == 1:
        shares = np.zeros((1, 2))
        shares[0, int(estimator.classes_[0] > 0)] = 1.0
        return _single_leaf(shares)
    return nodes


def _single_leaf(shares: np.ndarray) -> Nodes:
    none = np.array([LEAF])
    return Nodes(np.zeros(1), np.zeros(1), none, none, np.zeros(1, dtype=bool), shares)


def _is_boosted(estimator) -> bool:
    """Histogram boosting on numbers: splits by sets of categories are left to others."""
    return isinstance(estimator, HistGradientBoostingClassifier) and not any(
        tree.nodes["is_categorical"].any() for trees in estimator._predictors for tree in trees
    )


def _boosted(estimator) -> tuple[list[Nodes], list[int], np.ndarray]:
    """The trees of histogram boosting, the output that each adds to, and where the sums start."""
    trees, output = [], []
    for together in estimator._predictors:
        for c, tree in enumerate(together):
            trees.append(_of_histogram(tree.nodes))
            output.append(c)
    return trees, output, np.ravel(estimator._baseline_prediction)


def _of_histogram(nodes) -> Nodes:
    leaf = nodes["is_leaf"].astype(bool)
    return Nodes(
        feature=nodes["feature_idx"],
        threshold=nodes["num_threshold"],
        left=np.where(leaf, LEAF, nodes["left"].astype(np.int64)),
        right=np.where(leaf, LEAF, nodes["right"].astype(np.int64)),
        missing_left=nodes["missing_go_to_left"].astype(bool),
        value=nodes["value"][:, None],
    )
