"""Gaussian SVMs with the bias inside the kernel: Section IV of Passerini, Pontil & Frasconi 2004.

libsvm, and so scikit-learn's SVC, always has a separate bias. For it, Lemma 1.1 of the paper, and
with it the bound on the leave-one-out error, does not hold. The dual has a box and no equality:

    max_b  sum_j y_j b_j - 1/2 sum_jk b_j b_k (K_jk + 1),  b_j y_j = alpha_j in [0, C]

With one more example, whose kernel is 1 with itself and 0 with the others, whose label is 0 and
whose b_0 is free, b_0 = -sum_j b_j gives sum_jk b_j b_k = K_00 b_0^2: that is the dual with a bias,
for the plain K, and our solver of it serves here, too. A Gaussian kernel has such an example: one
that is far away from all others.
"""

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_array, check_is_fitted

from .contract import Learner
from .machines import FEW, JITTER, refuse_infinite

FAR = 1e150  # its square is finite, and beyond all kernels
LARGE = 2000  # training rows from which columns that use few of them have a separate matrix
FINE = 1e-3  # pair steps go on to it, or to a larger tol: with many free vectors, faces cost more


class GaussianSVM(Learner):
    """One SVM per column: f(x) = sum_i alpha_i y_i (K(x_i, x) + 1), Eq. 7, hinge loss.

    K(x, z) = exp(-gamma ||x - z||^2). The default C is that of the paper's experiments, one over
    the mean of K(x, x), which is 1 for this kernel. `tol` bounds the violation of the optimality
    conditions, `max_iter` the steps; columns that reach it are kept and counted as unconverged. A
    column left with one sign, which libsvm refuses, is fitted like any other.

    After `fit`, `alphas_[i, s]` is alpha_i^s y_i^s, 0 where example i is left out of column s;
    `diagonal_[i]` is G_ii, the kernel of x_i with itself, bias included; `loo_shift_` is
    alpha_i^s G_ii, the most that f_s(x_i) can lose when example i is left out (Lemma 1.1).

    A kernel matrix takes 4 n^2 bytes for n training rows. It is shared by all columns, codes and
    later fits of the same rows in a run: leave rows out by zeros in Y, not by cutting X.

    >>> X, Y = np.array([[0.0], [0.2], [0.8], [1.0]]), np.array([[1], [1], [-1], [-1]])
    >>> svm = GaussianSVM(gamma=10.0).fit(X, Y)
    >>> np.sign(svm.margins(X)).ravel().tolist()
    [1.0, 1.0, -1.0, -1.0]
    """

    identity = "ecoc_bench.learners.kernel_svm:GaussianSVM"
    loss = "hinge"
    inputs = "minmax"
    has_loo = True
    version = 2

    def __init__(self, gamma=1.0, C=1.0, tol=1e-3, max_iter=1_000_000):
        self.gamma = gamma
        self.C = C
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, Y, sample_weight=None):
        """Y[i, s] in {-1, 0, +1}; an example of weight w may have alpha up to w C."""
        from .kernels import formula_of, kept_matrix, precision

        self._check_params()
        X = check_array(X, dtype=np.float64, order="C")
        self.n_features_in_ = X.shape[1]
        upper = self.C * _check_sample_weight(sample_weight, X, dtype=np.float64)
        self.X_ = with_a_far_one(X)
        self.formula_ = formula_of("rbf", self.gamma, 0.0, 0, X)
        # One row suffices: K(x, x) = 1 for all of them.
        self.dtype_ = precision(self.formula_, X[:1], float(upper.max() / self.tol))
        Y = np.asarray(Y, dtype=np.float64)
        matrix = kept_matrix(self.formula_, self.X_, self.X_, self.dtype_)
        refuse_infinite(matrix)
        with matrix.filling() as rows:
            found = [self._fit_column(rows, y, np.maximum(upper, 0.0)) for y in Y.T]
        self.alphas_ = np.column_stack([b for b, _ in found])
        self.converged_ = np.array([violation <= self.tol for _, violation in found])
        self.diagonal_ = np.full(len(X), 2.0)  # K(x, x) + 1
        self.loo_shift_ = np.abs(self.alphas_) * self.diagonal_[:, None]
        if not self.converged_.all():
            warnings.warn(
                f"{(~self.converged_).sum()} of {len(found)} columns did not converge",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _fit_column(self, rows, y, upper):
        """Signed alphas, and the violation that is left; the far example is the last one.

        The first sign counts as +1: the opposite column gets the opposite margins, to the byte.
        """
        from ._svm_solve import solve
        from .kernels import new_matrix

        sign = y[np.argmax(y != 0)]
        y = sign * y
        lo = np.append(np.where(y < 0, -upper, 0.0), -np.inf)
        hi = np.append(np.where(y > 0, upper, 0.0), np.inf)
        y, used = np.append(y, 0.0), np.flatnonzero(lo < hi)
        if len(y) <= LARGE or len(used) >= FEW * len(y):
            used = np.arange(len(y))
        else:
            part = self.X_[used]
            rows = new_matrix(self.formula_, part, part, self.dtype_).rows
        column = np.ones(rows.K.shape[0]), y[used], lo[used], hi[used]
        tol, steps, jitter = float(self.tol), int(self.max_iter), JITTER[self.dtype_]
        found = solve(rows, *column, tol, steps, jitter, rough=FINE, exact=tol)
        b = np.zeros(len(y))
        b[used] = sign * found.b
        return b[:-1], found.violation

    def room(self, n_train: int, n_test: int) -> float:
        """Bytes of the kernel matrices that a process keeps."""
        return 4.0 * n_train * (n_train + n_test)

    def margins(self, X) -> np.ndarray:
        """F[i, s] = f_s(x_i)."""
        check_is_fitted(self)
        from ._kernel_rows import expand
        from .kernels import kept_matrix

        X = check_array(X, dtype=np.float64, order="C")
        if X.shape[1] != self.n_features_in_:  # the compiled kernels would read beyond the rows
            raise ValueError(
                f"X has {X.shape[1]} features, but GaussianSVM is expecting {self.n_features_in_} "
                "features as input."
            )
        Z = with_a_far_one(X)  # so that the training rows have the matrix of the fit
        with kept_matrix(self.formula_, self.X_, Z, self.dtype_).filling() as rows:
            F = [expand(rows, np.append(b, 0.0))[:-1] + b.sum() for b in self.alphas_.T]
        return np.column_stack(F)

    def _check_params(self):
        kinds = {"gamma": Real, "C": Real, "tol": Real, "max_iter": Integral}
        for name, kind in kinds.items():
            value = getattr(self, name)
            if not isinstance(value, kind) or not 0 < float(value) < np.inf:
                what = "number" if kind is Real else "integer"
                raise ValueError(f"{name} must be a positive {what}. Got {value!r} instead.")


def with_a_far_one(X) -> np.ndarray:
    """The rows, and one whose Gaussian kernel is exactly 0 with them and 1 with itself.

    >>> with_a_far_one(np.array([[3.0, 4.0]])).tolist()
    [[3.0, 4.0, 0.0], [0.0, 0.0, 1e+150]]
    """
    n, d = X.shape
    rows = np.zeros((n + 1, d + 1))
    rows[:n, :d], rows[n, d] = X, FAR
    return rows
