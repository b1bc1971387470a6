"""The multiclass SVM of Crammer & Singer 2001, with kernels (Mohri et al., Section 9.3.1).

    min 1/2 sum_l |w_l|^2 + C sum_i xi_i,
    xi_i = max(0, 1 - w_{y_i}.Phi(x_i) + max_{l != y_i} w_l.Phi(x_i)).

There is no bias. With kernels the problem is solved in the dual. A working set of the examples that
violate their optimality conditions most is solved one example at a time (`_crammer_singer`), then
the scores of all examples are updated. All classes share the rows of one kernel matrix, in float64;
a row is computed when its example first enters a working set, and kept. The linear machine is
scikit-learn's (liblinear), which never forms this matrix. Not handled: sparse inputs, weights of
examples, kernels that are not positive definite. Without a bias, inputs far from 0 make steps on
single examples slow for linear and polynomial kernels: centre them.
"""

import warnings
from collections.abc import Callable
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel
from sklearn.svm import LinearSVC
from sklearn.utils import gen_batches
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ..coding.margin_bound import Norms, margins
from ..learners.parameters import check_int, check_positive
from ._crammer_singer import solve_dual

LIBLINEAR_SWEEPS = 100_000  # the cap that its Crammer-Singer solver has built in
BATCH = 1000  # rows that are scored at a time
BLOCK = 100  # rows whose kernel matrix is computed for its diagonal


def slacks(scores, y) -> np.ndarray:
    """xi_i of Eq. 9.12, from the scores, classes x examples."""
    own, others = scores[y, np.arange(len(y))], scores.copy()
    others[y, np.arange(len(y))] = -np.inf
    return np.maximum(0.0, 1.0 - own + others.max(axis=0))


class MulticlassSVM(ClassifierMixin, BaseEstimator):
    """The multiclass SVM of Section 9.3.1: one problem for all classes, without a bias.

    Mohri, Rostamizadeh & Talwalkar 2018: the problem after Eq. 9.12, and its dual.

    Parameters
    ----------
    C : float
        The price of the slacks. For two classes this is the binary SVM without bias and with 2 C.
    kernel : "rbf", "poly", "linear" or callable
        exp(-gamma |x - z|^2), (gamma x.z + coef0)^degree, x.z, or `f(X, Z) -> K`. "linear" is
        solved by scikit-learn's LinearSVC without intercept, which has the same objective but gives
        no dual variables; `sklearn.metrics.pairwise.linear_kernel` as a callable is solved like all
        other kernels, which takes longer.
    gamma : float, "scale" or "1/d"
        "scale" is 1/(d Var X), with d the number of inputs.
    degree, coef0 : of "poly"
    tol : float
        Training ends when no example violates its optimality conditions by more than this.
    max_iter : int
        The most steps, each on one example. Not for "linear": liblinear has a built-in cap.
    random_state : int, RandomState or None
        The order of liblinear's sweeps. With kernels nothing is random.

    Attributes
    ----------
    classes_ : the labels
    support_ : the training rows with dual variables that are not all 0
    support_vectors_ : these rows
    dual_coef_ : alpha, support x classes: w_l = sum_i alpha_il Phi(x_i)
    coef_ : w_l, classes x inputs ("linear" only; it has none of the three above)
    primal_objective_ : the value of the primal problem
    objective_ : the dual value, sum_i alpha_i.e_{y_i} - 1/2 sum_ij (alpha_i.alpha_j) K(x_i, x_j)
    duality_gap_ : their difference: neither is farther from the optimum (not for "linear")
    weight_norm_ : (sum_l |w_l|^2)^(1/2), the least Lambda of Corollary 9.4 that admits W
    score_margins_ : rho_h(x_i, y_i) of the training rows
    norms_ : Lambda, r and the mean radius of the training rows, for Corollary 9.4
    n_iter_ : steps; sweeps of liblinear
    converged_ : whether `tol` was reached

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = MulticlassSVM(C=1.0).fit(X, y)
    >>> clf.decision_function(X).shape, clf.dual_coef_.shape == (len(clf.support_), 3)
    ((150, 3), True)
    >>> bool(clf.duality_gap_ < 1e-3 * clf.objective_), float(clf.score(X, y)) > 0.95
    (True, True)
    """

    version = 2
    has_margin_bound = True
    _each_slack = False  # whether all k - 1 slacks of an example cost C, or the largest of them

    def __init__(
        self,
        C=1.0,
        kernel="rbf",
        gamma="scale",
        degree=3,
        coef0=1.0,
        tol=1e-3,
        max_iter=1_000_000,
        random_state=None,
    ):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y):
        """Solve the dual, or for "linear" the primal."""
        self._check_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, y = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"y must hold at least 2 classes. Got {len(self.classes_)} class instead."
            )
        self.gamma_ = self._gamma(X)
        if self.kernel == "linear":
            self._fit_linear(X, y)
        else:
            self._fit_dual(X, y)
        self.norms_ = Norms(self.weight_norm_, *self._radii(X))
        if not self.converged_:
            warnings.warn(
                f"the multiclass SVM did not reach tol={self.tol} in {self.n_iter_} iterations. "
                "Scale the inputs, lower C, or raise max_iter.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _fit_dual(self, X, y):
        k = len(self.classes_)
        alpha, scores, self.n_iter_, violation = solve_dual(
            *(self.kernel_matrix, X, y, k, float(self.C), float(self.tol), int(self.max_iter)),
            each_slack=self._each_slack,
        )
        square = float((alpha * scores).sum())
        self.support_ = np.flatnonzero(alpha.any(axis=0))
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = np.ascontiguousarray(alpha[:, self.support_].T)
        self.objective_ = float(alpha[y, np.arange(len(y))].sum()) - square / 2
        self._primal(scores, y, square)
        self.duality_gap_ = self.primal_objective_ - self.objective_
        self.converged_ = violation <= self.tol

    def _fit_linear(self, X, y):
        machine = LinearSVC(
            C=self.C,
            multi_class="crammer_singer",
            fit_intercept=False,
            tol=self.tol,
            max_iter=LIBLINEAR_SWEEPS,
            random_state=self.random_state,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # `fit` warns in its own words
            machine.fit(X, y)
        # For two classes LinearSVC keeps only w_1 - w_0; at the optimum w_0 = -w_1.
        w = machine.coef_
        self.coef_ = np.vstack([-w, w]) / 2 if len(self.classes_) == 2 else w
        self._primal(self.coef_ @ X.T, y, float((self.coef_**2).sum()))
        self.n_iter_ = int(machine.n_iter_)
        self.converged_ = self.n_iter_ < LIBLINEAR_SWEEPS

    def _primal(self, scores, y, square):
        self.primal_objective_ = square / 2 + float(self.C) * self._total_slack(scores, y)
        self.weight_norm_ = float(np.sqrt(max(square, 0.0)))
        self.score_margins_ = margins(scores.T, y)

    def _total_slack(self, scores, y) -> float:
        return float(slacks(scores, y).sum())

    def _radii(self, X) -> tuple[float, float]:
        """The roots of the largest and of the mean K(x, x), from diagonals of small matrices."""
        blocks = (X[batch] for batch in gen_batches(len(X), BLOCK))
        squares = np.concatenate([self.kernel_matrix(x, x).diagonal() for x in blocks])
        largest, mean = np.sqrt(max(squares.max(), 0.0)), np.sqrt(max(squares.mean(), 0.0))
        return float(largest), float(min(mean, largest))  # rounding may lift the mean

    def kernel_matrix(self, X, Z) -> np.ndarray:
        """K(x, z) for the rows of X and Z."""
        if callable(self.kernel):
            return np.asarray(self.kernel(X, Z), dtype=np.float64)
        return KERNELS[self.kernel](self, X, Z)

    def scores(self, X) -> np.ndarray:
        """w_l.Phi(x), examples x classes, also for two classes."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        if hasattr(self, "coef_"):
            return X @ self.coef_.T
        parts = [
            self.kernel_matrix(X[batch], self.support_vectors_) @ self.dual_coef_
            for batch in gen_batches(len(X), BATCH)
        ]
        return np.concatenate(parts)

    def decision_function(self, X) -> np.ndarray:
        """The scores, highest wins. Two classes: one column, as usual."""
        S = self.scores(X)
        return S[:, 1] - S[:, 0] if len(self.classes_) == 2 else S

    def predict(self, X) -> np.ndarray:
        """argmax_l w_l.Phi(x); ties go to the first of `classes_`."""
        S = self.scores(X)
        return self.classes_[S.argmax(axis=1)]

    def _gamma(self, X) -> float:
        if self.gamma == "scale":
            return 1.0 / (X.shape[1] * (X.var() or 1.0))
        return 1.0 / X.shape[1] if self.gamma == "1/d" else float(self.gamma)

    def _check_params(self):
        for name in ("C", "tol"):
            check_positive(name, getattr(self, name))
        check_int("max_iter", self.max_iter, 1)
        check_int("degree", self.degree, 1)
        if not isinstance(self.coef0, Real) or not np.isfinite(float(self.coef0)):
            raise ValueError(f"coef0 must be a number. Got {self.coef0!r} instead.")
        if not (isinstance(self.gamma, str) and self.gamma in ("scale", "1/d")):
            check_positive("gamma", self.gamma, " or 'scale' or '1/d'")
        if not callable(self.kernel) and not (
            isinstance(self.kernel, str) and self.kernel in KERNELS
        ):
            raise ValueError(
                f"kernel must be one of {', '.join(KERNELS)}, or callable. "
                f"Got {self.kernel!r} instead."
            )


def _rbf(machine, X, Z):
    return rbf_kernel(X, Z, gamma=machine.gamma_)


def _poly(machine, X, Z):
    return polynomial_kernel(X, Z, machine.degree, machine.gamma_, machine.coef0)


def _linear(machine, X, Z):
    return linear_kernel(X, Z)


KERNELS: dict[str, Callable] = {"rbf": _rbf, "poly": _poly, "linear": _linear}
