"""Multiclass SVMs whose margins or slacks know the costs of mistakes (Mohri et al., Section 9.5).

Both are Crammer & Singer's machine where every mistake costs 1. The kernel matrix is kept whole, in
float64: they are for some thousands of rows. Not handled: see `crammer_singer`.
"""

import numpy as np

from ._cost_svm import gaps, solve
from .crammer_singer import MulticlassSVM


class _CostSVM(MulticlassSVM):
    """What both machines share; they differ in `_constraints`."""

    has_margin_bound = False  # it is about margins of 1

    def __init__(
        self,
        costs=None,
        C=1.0,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=1.0,
        tol=1e-3,
        max_iter=1_000_000,
    ):
        super().__init__(C, kernel, gamma, degree, coef0, tol, max_iter)
        self.costs = costs

    def _constraints(self, L, true) -> tuple[np.ndarray, np.ndarray]:
        raise NotImplementedError

    def _fit_dual(self, X, y):
        L = costs_of(self.costs, self.classes_)[y]
        own, rows = np.eye(len(self.classes_), dtype=bool)[y], np.arange(len(y))
        delta, rho = self._constraints(L, own)
        K, C = self.kernel_matrix(X, X), float(self.C)
        if not np.isfinite(K).all():
            raise ValueError("the kernel must be finite. Scale the inputs, or lower gamma.")
        b, self.n_iter_ = solve(K, y, delta, rho, C, float(self.tol), int(self.max_iter))
        alpha = -b
        alpha[rows, y] = b.sum(axis=1)
        scores = K @ alpha  # computed again: the solver's have the rounding of all the steps
        square = float((alpha * scores).sum())
        self.support_ = np.flatnonzero(b.any(axis=1))
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = np.ascontiguousarray(alpha[self.support_])
        self.weight_norm_ = float(np.sqrt(max(square, 0.0)))
        self.objective_ = float((b * delta).sum()) - square / 2
        slack = gaps(scores, y, b, delta, rho, C, np.empty(len(y)))
        self.primal_objective_ = square / 2 + C * float(slack)
        self.duality_gap_ = self.primal_objective_ - self.objective_
        self.converged_ = self.n_iter_ < self.max_iter

    def _fit_linear(self, X, y):
        self._fit_dual(X, y)  # liblinear knows no costs


class MarginRescalingSVM(_CostSVM):
    """The SVM of Eq. 9.22 for k classes: a dearer mistake has to be farther away.

    Mohri, Rostamizadeh & Talwalkar 2018, "Maximum Margin Markov Networks", with L the cost of a
    mistake: xi_i = max(0, max_{r != y_i} L(y_i, r) - w_{y_i}.Phi(x_i) + w_r.Phi(x_i)).

    Parameters
    ----------
    costs : classes x classes, or None
        L(true, predicted), in the order of the sorted labels; 0 on the diagonal. None: 1 for every
        mistake, which is Crammer & Singer's machine. In a run, those of the data set.
    C, kernel, gamma, degree, coef0, max_iter : as in `MulticlassSVM`
    tol : float
        Training ends at a duality gap of this share of the primal value.

    Attributes
    ----------
    As in `MulticlassSVM`, which see; there is no `coef_`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = MarginRescalingSVM(costs=[[0, 1, 1], [1, 0, 5], [1, 1, 0]]).fit(X, y)
    >>> bool(0 <= clf.duality_gap_ <= 1e-3 * clf.primal_objective_)
    True
    """

    def _constraints(self, L, true):
        return L, np.where(true, 0.0, 1.0)


class SlackRescalingSVM(_CostSVM):
    """The SVM of Eq. 9.23 for k classes: the slack of a mistake counts by its cost.

    Mohri, Rostamizadeh & Talwalkar 2018, "SVMStruct": xi_i = max_{r != y_i} L(y_i, r)
    max(0, 1 - w_{y_i}.Phi(x_i) + w_r.Phi(x_i)). A mistake that costs nothing has no constraint.
    Parameters and attributes are those of `MarginRescalingSVM`.
    """

    def _constraints(self, L, true):
        return np.where(true, 0.0, 1.0), L


def costs_of(costs, classes) -> np.ndarray:
    """Costs for these labels: those of all classes, if labels are their numbers and some lack."""
    if costs is None:
        return 1.0 - np.eye(len(classes))
    L = np.asarray(costs, dtype=np.float64)
    if L.ndim != 2 or L.shape[0] != L.shape[1] or np.diag(L).any() or not (L >= 0).all():
        raise ValueError("costs must be classes x classes, 0 on the diagonal, 0 or more elsewhere.")
    if not np.isfinite(L).all():
        raise ValueError("costs must be finite.")
    if len(L) == len(classes):
        return L
    if classes.dtype.kind not in "iu" or classes.min() < 0 or classes.max() >= len(L):
        raise ValueError(f"costs are for {len(L)} classes, y has {len(classes)}.")
    return L[np.ix_(classes, classes)]
