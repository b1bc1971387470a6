"""What the methods on chains share: rows become chains, weights become labels.

The features of a labeled chain are, for each label, the sum of the inputs of its positions, each
with a constant 1 added; and, for each pair of labels, how often one follows the other:

    w . Phi(x, y) = sum_t (W[y_t] . x_t + b[y_t]) + sum_{t > 0} A[y_{t-1}, y_t].

All weights count in |w|^2, those of the constant input, too. Rows that name the same sequence are
one chain, in the order in which they come. Not handled: labels of which only parts are known,
features that see neighbouring rows (add them as columns), sparse inputs, kernels.
"""

import warnings
from numbers import Real
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ...learners.parameters import check_int
from ._inference import best_labelings


class Chains(NamedTuple):
    """Which rows come one after another, and the place of each chain's first row among them."""

    order: np.ndarray
    starts: np.ndarray


class Problem(NamedTuple):
    """Training chains: inputs with a constant 1, labels as numbers, places of the first rows."""

    X: np.ndarray
    y: np.ndarray
    starts: np.ndarray
    n_classes: int
    C: float


class Solution(NamedTuple):
    """Weights, inputs x classes and classes x classes, and how near they are to the optimum."""

    W: np.ndarray
    A: np.ndarray
    objective: float
    gap: float
    n_iter: int


def chained(sequences, n: int) -> Chains:
    """The chains of n rows; each row is one if `sequences` is None.

    >>> chained(["b", "a", "b"], 3)
    Chains(order=array([1, 0, 2]), starts=array([0, 1, 3]))
    """
    if sequences is None:
        return Chains(np.arange(n), np.arange(n + 1))
    sequences = np.asarray(sequences)
    if sequences.shape != (n,):
        raise ValueError(
            f"sequences must name the sequence of each of {n} rows. Got shape {sequences.shape} "
            "instead."
        )
    _, chain, lengths = np.unique(sequences, return_inverse=True, return_counts=True)
    return Chains(np.argsort(chain, kind="stable"), np.concatenate([[0], np.cumsum(lengths)]))


class ChainClassifier(ClassifierMixin, BaseEstimator):
    """h(x) = argmax_y w . Phi(x, y), Eq. 9.20; a subclass has `_solve(problem) -> Solution`."""

    takes_sequences = True
    version = 1

    def fit(self, X, y, sequences=None):
        """`sequences` names the sequence of each row; None: each row is a sequence."""
        self._check_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, y = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("y must hold at least 2 classes. Got 1 class instead.")
        order, starts = chained(sequences, len(y))
        X = np.column_stack([X[order], np.ones(len(X))])
        found = self._solve(Problem(X, y[order], starts, len(self.classes_), float(self.C)))
        self.coef_, self.intercept_ = found.W[:-1].T.copy(), found.W[-1]
        self.transitions_ = found.A
        self.objective_, self.gap_, self.n_iter_ = found.objective, found.gap, found.n_iter
        self.converged_ = bool(self.gap_ <= self.tol * self.objective_)
        if not self.converged_:
            warnings.warn(
                f"{type(self).__name__} is within {self.gap_:.3g} of the optimum of "
                f"{self.objective_:.6g} after {self.n_iter_} iterations, which is more than "
                f"tol={self.tol} allows. Scale the inputs, lower C, or raise max_iter.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def predict(self, X, sequences=None) -> np.ndarray:
        """The best labeling of each chain."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        order, starts = chained(sequences, len(X))
        S = (X @ self.coef_.T + self.intercept_)[order]
        labels = np.empty(len(X), dtype=np.int64)
        A = np.require(self.transitions_, requirements="W")  # others would be compiled for anew
        labels[order] = best_labelings(S, A, starts)
        return self.classes_[labels]

    def _check_params(self):
        for name in ("C", "tol"):
            value = getattr(self, name)
            number = isinstance(value, Real) and not isinstance(value, bool)
            if not number or not 0 < float(value) < np.inf:
                raise ValueError(f"{name} must be a number above 0. Got {value!r} instead.")
        check_int("max_iter", self.max_iter, 1)
