"""Support-vector machines by our solver: scikit-learn's plain SVC, fitted to a column of a code.

The columns of a code share their rows, so the kernel of two rows is computed once for all columns,
in fits and in predictions. The solver ends at the optimum where libsvm stops at its tolerance; see
`_svm_solve`. What it does not handle is left to libsvm: `suits` says what that is. The kernels are
imported when a machine is fitted: most runs need none, and their import takes most of a second.
"""

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.svm import SVC
from sklearn.utils.validation import _check_sample_weight, check_array

if TYPE_CHECKING:
    from ._kernel_rows import Formula
    from .kernels import Matrix

KERNELS = ("linear", "poly", "rbf", "precomputed")
MOST = 16_384  # training rows of a column: a matrix of more than 1 GB is left to libsvm
FEW = 0.5  # columns that use fewer rows than this share have a separate small matrix
AT_ONCE = 2**30  # bytes of a kernel matrix in a prediction
JITTER: dict[type, float] = {
    np.float32: 1e-6,
    np.float64: 1e-13,
}  # well above what rounding makes negative
UNLIMITED = 2**62


def suits(estimator, X) -> bool:
    """Whether our solver fits it: an SVC without class weights or probabilities, dense rows."""
    return (
        type(estimator) is SVC
        and isinstance(estimator.kernel, str)
        and estimator.kernel in KERNELS
        and estimator.class_weight is None
        and estimator.probability is not True
        and not issparse(X)
    )


def dense(X, copy: bool = False) -> np.ndarray:
    """The rows as scikit-learn checks them for an SVC."""
    return check_array(X, dtype=np.float64, order="C", copy=copy)


class Machine(BaseEstimator):
    """A fitted column, by SVC's names: support_, dual_coef_ (alpha_i y_i), intercept_, n_iter_.

    `violation_` is what is left of the optimality conditions, `newtons_` counts the exact steps.
    """

    def __init__(self, formula: "Formula", X: np.ndarray, dtype: type):
        self.formula = formula
        self.X = X
        self.dtype = dtype

    @property
    def support_vectors_(self) -> np.ndarray:
        return self.X[self.support_]

    def decision_function(self, X) -> np.ndarray:
        """f(x) = sum_i alpha_i y_i K(x_i, x) + the intercept."""
        return self.margins(dense(X))

    def margins(self, X: np.ndarray) -> np.ndarray:
        """f(x) of rows that have been checked."""
        if X.shape[1] != self.X.shape[1]:  # the compiled kernels would read beyond the rows
            raise ValueError(
                f"X has {X.shape[1]} features, but Machine is expecting {self.X.shape[1]} features "
                "as input."
            )
        from ._kernel_rows import PRECOMPUTED, expand
        from .kernels import kept_matrix

        if self.formula.kind == PRECOMPUTED:
            return X[:, self.support_] @ self.dual_coef_[0] + self.intercept_[0]
        coefficients = np.zeros(len(self.X))
        coefficients[self.support_] = self.dual_coef_[0]
        with kept_matrix(self.formula, self.X, X, self.dtype).filling() as rows:
            return expand(rows, coefficients) + self.intercept_[0]


def rows_at_once(machine: Machine) -> int:
    """How many rows to predict together: their kernel with the training rows is kept in memory."""
    return max(AT_ONCE // (4 * len(machine.X)), 1)


def fit_machine(svc: SVC, X: np.ndarray, y: np.ndarray, sample_weight=None) -> Machine:
    """The machine of a column with both signs; an example of weight w may have alpha up to w C."""
    from ._svm_solve import solve
    from .kernels import formula_of, kept_matrix, new_matrix, precision

    weight = 1.0 if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=float)
    upper = np.where(y != 0, np.maximum(svc.C * weight, 0.0), 0.0)
    used = np.flatnonzero(upper)
    if not ((y[used] < 0).any() and (y[used] > 0).any()):  # libsvm refuses it in these words
        raise ValueError(
            "Invalid input - all samples with positive weights belong to the same class."
        )
    pairwise = svc.kernel == "precomputed"
    part = _part(X, used, pairwise)
    formula = formula_of(svc.kernel, svc.gamma, svc.coef0, svc.degree, part)
    dtype = precision(formula, part, float(upper.max()) / float(svc.tol))  # may be infinite
    few = len(used) < FEW * len(y)
    if few:
        matrix = new_matrix(formula, part, part, dtype)
        y, upper = y[used], upper[used]
    else:
        matrix = kept_matrix(formula, X, X, dtype)
    refuse_infinite(matrix)
    lo, hi = np.where(y < 0, -upper, 0.0), np.where(y > 0, upper, 0.0)
    steps = svc.max_iter if svc.max_iter >= 0 else UNLIMITED
    with matrix.filling() as rows:
        y = y.astype(float)
        found = solve(rows, matrix.diagonal, y, lo, hi, svc.tol, steps, JITTER[dtype])
    machine = Machine(formula, X, dtype)
    machine.n_features_in_ = len(used) if pairwise else X.shape[1]
    support = np.flatnonzero(found.b)
    machine.support_ = used[support] if few else support
    machine.dual_coef_ = found.b[None, support]
    machine.intercept_ = np.array([found.bias])
    machine.violation_, machine.n_iter_ = found.violation, found.pairs
    machine.newtons_ = found.newtons
    return machine


def refuse_infinite(matrix: "Matrix") -> None:
    """Steps over entries that are not numbers would end at once, and look as if they converged."""
    if not (np.isfinite(matrix.diagonal).all() and np.isfinite(matrix.rows.x_norms).all()):
        raise ValueError(
            "The kernel of some rows is not finite. The input data may contain large values and "
            "need to be preprocessed."
        )


def _part(X, used, pairwise: bool) -> np.ndarray:
    """The rows of X, or its rows and columns; X itself if all are used."""
    if len(used) == len(X):
        return X
    return X[np.ix_(used, used)] if pairwise else X[used]
