"""C4.5 release 8: decision trees by gain ratio, pruned by estimated errors (Quinlan 1993, 1996).

The trees are those of Weka's J48. Not handled: reduced-error pruning, binary tests of nominal
values, rules.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy.special import logit, ndtri, xlogy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_array,
    check_is_fitted,
    validate_data,
)

from ._c45 import SMALL, pack
from ._c45_counts import grow_from_counts
from ._c45_encode import Cases, encode, used_rows
from ._c45_grow import Tree, grow
from ._c45_predict import labels, node_probabilities, probabilities
from ._c45_prune import collapse, compact, move_cuts, prune
from .columns import ConstantMargin, MultiCall
from .own_loss import SURE
from .parameters import check_int, nominal_mask

LONGEST = 1_000_000  # entries in the table of x log2 x
MANY = 0.3  # nominal attributes with more values than this share of the cases: see `choose`
LEAVES = ("share", "laplace")
CHECKS: dict[str, Any] = {"dtype": np.float64, "ensure_all_finite": "allow-nan", "order": "C"}


def fit_tree(
    cases: Cases,
    y: np.ndarray,
    weight: np.ndarray,
    n_classes: int,
    min_cases: int = 2,
    confidence: float | None = 0.25,
    subtree_raising: bool = True,
) -> Tree:
    """The tree for classes y in 0..n_classes-1 of cases made ready by `encode`.

    Weights are taken as they are: if all are whole, a row counts as this many cases, otherwise as
    one. Without `confidence` the tree is collapsed, not pruned.
    """
    # copies: kernels would be compiled anew for read-only arrays
    y, weight = np.array(y, dtype=np.uint16), np.array(weight, dtype=np.float64)
    used, whole = weight > 0, _are_counts(weight)
    rows = np.flatnonzero(used).astype(np.uint32)
    lists = used_rows(cases, used, len(rows))
    copies = (weight if whole else used).astype(np.int64)
    n_cases = copies.sum()
    table = _x_log2_x(min(n_cases, LONGEST) if whole else 0)
    limits = min_cases, table, _makes_average(cases, n_cases)
    w = copies if whole and cases.complete else weight  # whole numbers are faster
    packed = w is copies and n_classes == 2 and n_cases < len(table)
    pairs = pack(y, copies) if packed else np.empty(0, np.uint64)
    if packed and not cases.nominal.any():
        tree = grow_from_counts(cases, pairs, lists, limits)
    else:
        tree = grow(cases, y, w, copies, pairs, lists, n_classes, limits)
    collapse(tree)
    if confidence is not None:
        cf = np.float32(confidence)  # single precision, as in J48
        room = np.zeros(len(y), np.int16), np.zeros(len(y)), np.zeros(len(tree.feature))
        moved = rows if subtree_raising else rows[:0]
        levels = float(cf), float(ndtri(float(1 - cf)))
        prune(tree, 0, cases, y, moved, weight[moved], subtree_raising, levels, room)
    tree = compact(tree)
    move_cuts(tree, cases, used)
    return tree


def _are_counts(weight) -> bool:
    """Whether all are whole numbers, and not so large that their sums are inexact."""
    return bool((weight == np.floor(weight)).all() and weight.sum() < 2**53)


@lru_cache(maxsize=2)  # the number of resampled cases is the same in every round
def _x_log2_x(most) -> np.ndarray:
    n = np.arange(1, most + 1)
    return np.append(0.0, n * np.log(n) / math.log(2))


def _makes_average(cases, n_cases):
    """Which attributes enter the average gain: see `choose`."""
    few = np.ones(len(cases.nominal), dtype=bool)
    few[cases.nominal] = MANY * n_cases - cases.n_values[cases.coded[cases.nominal]] > SMALL
    return few if few.any() else ~few


def added_cases(leaves, weights) -> np.ndarray:
    """How many cases of each class every leaf is given; `weights`: those of all training cases."""
    if leaves == "share":
        return np.zeros(len(weights))
    if leaves == "laplace":
        return np.ones(len(weights))
    return leaves * weights / weights.sum()


def _bits(weights: np.ndarray) -> np.ndarray:
    """The entropy of each row of class weights, times their sum."""
    total = weights.sum(axis=1)
    return (xlogy(total, total) - xlogy(weights, weights).sum(axis=1)) / math.log(2)


@dataclass
class Prepared:
    """Cases that were checked; they are encoded when the first tree is fitted."""

    X: np.ndarray
    nominal: np.ndarray

    @cached_property
    def cases(self) -> Cases:
        return encode(self.X, self.nominal)


class C45Classifier(ClassifierMixin, BaseEstimator):
    """A C4.5 decision tree (release 8), equal to the tree of Weka's J48.

    Parameters
    ----------
    min_cases : int
        At least two branches of every split have this many cases.
    confidence : float in (0, 0.5]
        Confidence level of the error estimates: lower prunes more.
    prune : bool
        If False, the tree is only collapsed where a split saves no training error.
    subtree_raising : bool
        Whether pruning may replace a node by its largest branch.
    nominal : boolean mask over the features, or None for none
        Nominal features hold category indices 0, 1, ...; NaN is a missing value of any feature.

    Whole sample weights are counts of cases: 2 is a copy, 0 leaves the case out. Others are scaled
    to sum to the number of cases of positive weight.

    Attributes
    ----------
    classes_ : the labels
    tree_ : arrays by node: feature, cut, first_child, n_children, weights (by class)
    n_leaves_ : number of leaves, including those that no training case reached

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = C45Classifier().fit(X, y)
    >>> tree.n_leaves_, int((tree.predict(X) != y).sum())
    (5, 3)
    """

    def __init__(
        self, min_cases=2, confidence=0.25, prune=True, subtree_raising=True, nominal=None
    ):
        self.min_cases = min_cases
        self.confidence = confidence
        self.prune = prune
        self.subtree_raising = subtree_raising
        self.nominal = nominal

    def fit(self, X, y, sample_weight=None):
        """Grow the tree, collapse it, and prune it."""
        self._check_params()
        X, y = validate_data(self, X, y, **CHECKS)
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        return self._fit(Prepared(X, nominal_mask(self.nominal, X.shape[1])), y, weight)

    def prepare(self, X) -> Prepared:
        """X checked, and encoded when first needed, for any number of trees with these parameters.

        `fit_prepared` and `predict_prepared` take the result and do what `fit` and `predict` do
        with X.
        """
        self._check_params()
        X = check_array(X, **CHECKS)
        return Prepared(X, nominal_mask(self.nominal, X.shape[1]))

    def fit_prepared(self, prepared: Prepared, y, sample_weight):
        """`fit` to labels and weights of the right length, which are not checked."""
        self.n_features_in_ = prepared.X.shape[1]
        return self._fit(prepared, y, np.asarray(sample_weight, dtype=np.float64))

    def _fit(self, prepared, y, weight):
        if not _are_counts(weight):
            weight = weight * ((weight > 0).sum() / weight.sum())
        self.nominal_ = prepared.nominal
        self.classes_ = np.unique(y[weight > 0])
        self.tree_ = fit_tree(
            prepared.cases,
            np.searchsorted(self.classes_, y),  # arbitrary where the weight is 0
            weight,
            len(self.classes_),
            self.min_cases,
            self.confidence if self.prune else None,
            self.subtree_raising,
        )
        self.n_leaves_ = int((self.tree_.n_children == 0).sum())
        return self

    @property
    def split_gains_(self) -> np.ndarray:
        """By input: the information gains of its splits, each times the weight of its node."""
        check_is_fitted(self)
        tree, gains = self.tree_, np.zeros(self.n_features_in_)
        bits = _bits(tree.weights)
        for node in np.flatnonzero(tree.n_children):
            first = tree.first_child[node]
            children = bits[first : first + tree.n_children[node]].sum()
            gains[tree.feature[node]] += max(bits[node] - children, 0.0)
        return gains

    def predict_proba(self, X) -> np.ndarray:
        """Class shares of the training weight in the leaf; over all branches of missing values."""
        return self.estimated_proba(X, "share")

    def estimated_proba(self, X, leaves) -> np.ndarray:
        """`predict_proba` with the `leaves` of `C45`; `predict` does not depend on them."""
        tree, X, nominal = self._laid_out(self._check_inputs(X))
        p = node_probabilities(tree, added_cases(leaves, tree.weights[0]))
        return probabilities(tree, p, X, nominal)

    def predict(self, X) -> np.ndarray:
        """The first of the most probable classes."""
        return self._labels(self._check_inputs(X))

    def predict_prepared(self, prepared: Prepared) -> np.ndarray:
        """`predict` for the result of `prepare`."""
        return self._labels(prepared.X)

    def _labels(self, X):
        tree, X, nominal = self._laid_out(X)
        shares = node_probabilities(tree, added_cases("share", tree.weights[0]))
        return self.classes_[labels(tree, shares, X, nominal)]

    def _laid_out(self, X):
        """The tree, X and the mask without read-only arrays: kernels would be compiled anew."""
        tree = Tree(*(np.require(array, requirements="W") for array in self.tree_))
        return tree, np.require(X, requirements="W"), np.require(self.nominal_, requirements="W")

    def _check_inputs(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **CHECKS)

    def _check_params(self):
        check_int("min_cases", self.min_cases, 1)
        if not 0 < self.confidence <= 0.5:
            raise ValueError(
                f"confidence must be above 0 and at most 0.5. Got {self.confidence!r} instead."
            )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class C45(MultiCall):
    """A C4.5 tree per column, with the parameters of C45Classifier. Margins are half the log-odds.

    `leaves` says how the probability of class c is estimated in a leaf of n cases, n_c of them of
    class c: "share", n_c/n; "laplace", (n_c + 1)/(n + 2); a number m, the m-estimate
    (n_c + m p_c)/(n + m) of Cestnik 1990, where p_c is the share of c in all training cases of the
    column. By shares a pure leaf of two cases is as sure as one of a thousand. m = 1 has the lowest
    error of loss-based decoding, averaged over the shipped data sets (`configs/leaves.yaml`).
    """

    identity = "ecoc_bench.learners.c45:C45"
    version = 2
    loss = "logistic"
    inputs = "coded"

    def __init__(
        self,
        min_cases=2,
        confidence=0.25,
        prune=True,
        subtree_raising=True,
        nominal=None,
        leaves=1,
    ):
        self.min_cases = min_cases
        self.confidence = confidence
        self.prune = prune
        self.subtree_raising = subtree_raising
        self.nominal = nominal
        self.leaves = leaves

    def binary_estimator(self, n_features):
        _check_leaves(self.leaves)
        params = self.get_params()
        del params["leaves"]
        return C45Classifier(**params)

    def column_margins(self, estimator, X):
        if isinstance(estimator, ConstantMargin):
            return estimator.decision_function(X)
        p = estimator.estimated_proba(X, self.leaves)[:, 1]
        return logit(np.clip(p, SURE, 1 - SURE)) / 2


def _check_leaves(leaves):
    is_m = isinstance(leaves, int | float) and not isinstance(leaves, bool) and 0 < leaves < np.inf
    if leaves not in LEAVES and not is_m:
        raise ValueError(
            f"leaves must be {', '.join(LEAVES)} or a number above 0. Got {leaves!r} instead."
        )
