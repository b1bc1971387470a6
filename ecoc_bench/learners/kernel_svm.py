"""Gaussian SVMs with the bias inside the kernel: Section IV of Passerini, Pontil & Frasconi 2004.

libsvm, and so scikit-learn's SVC, always has a separate bias. For it, Lemma 1.1 of the paper, and
with it the bound on the leave-one-out error, does not hold.
"""

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.extmath import row_norms
from sklearn.utils.validation import _check_sample_weight, check_array, check_is_fitted

from ._box_svm import DIAGONAL, expand, solve
from .contract import Learner
from .keeping import kept

BLOCK = 100  # rows of a kernel matrix computed at once
FEW = 0.5  # columns that use fewer rows than this share get a separate small matrix


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
    later fits of the same rows in this process: leave rows out by zeros in Y, not by cutting X.

    >>> X, Y = np.array([[0.0], [0.2], [0.8], [1.0]]), np.array([[1], [1], [-1], [-1]])
    >>> svm = GaussianSVM(gamma=10.0).fit(X, Y)
    >>> np.sign(svm.margins(X)).ravel().tolist()
    [1.0, 1.0, -1.0, -1.0]
    """

    identity = "ecoc_bench.learners.kernel_svm:GaussianSVM"
    loss = "hinge"
    inputs = "minmax"
    has_loo = True

    def __init__(self, gamma=1.0, C=1.0, tol=1e-3, max_iter=1_000_000):
        self.gamma = gamma
        self.C = C
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, Y, sample_weight=None):
        """Y[i, s] in {-1, 0, +1}; an example of weight w may have alpha up to w C."""
        self._check_params()
        self.X_ = check_array(X, dtype=np.float64, order="C", copy=True)
        Y = np.asarray(Y, dtype=np.float64)
        upper = self.C * _check_sample_weight(sample_weight, self.X_, dtype=np.float64)
        K = kernel_matrix(self.X_, self.X_, self.gamma)
        solved = [self._fit_column(K, y, upper) for y in Y.T]
        self.alphas_ = np.column_stack([alpha for alpha, _ in solved])
        self.converged_ = np.array([converged for _, converged in solved])
        self.diagonal_ = np.full(len(K), DIAGONAL)
        self.loo_shift_ = np.abs(self.alphas_) * self.diagonal_[:, None]
        if not self.converged_.all():
            warnings.warn(
                f"{(~self.converged_).sum()} of {len(solved)} columns did not converge",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _fit_column(self, K, y, upper):
        """Signed alphas of all rows, and whether the solver converged."""
        used = np.flatnonzero((y != 0) & (upper > 0))
        if len(used) == 0:
            return np.zeros(len(y)), True
        until = float(self.tol), int(self.max_iter)
        if len(used) >= FEW * len(y):
            alpha, converged = solve(K, y.copy(), upper * (y != 0), *until)
            return alpha * y, converged
        signed = np.zeros(len(y))
        alpha, converged = solve(K[np.ix_(used, used)], y[used], upper[used], *until)
        signed[used] = alpha * y[used]
        return signed, converged

    def room(self, n_train: int, n_test: int) -> float:
        """Bytes of the kernel matrices that a process keeps."""
        return 4.0 * n_train * (n_train + n_test)

    def margins(self, X) -> np.ndarray:
        """F[i, s] = f_s(x_i)."""
        check_is_fitted(self)
        X = check_array(X, dtype=np.float64, order="C")
        return expand(kernel_matrix(self.X_, X, self.gamma), self.alphas_)

    def _check_params(self):
        kinds = {"gamma": Real, "C": Real, "tol": Real, "max_iter": Integral}
        for name, kind in kinds.items():
            value = getattr(self, name)
            if not isinstance(value, kind) or not 0 < float(value) < np.inf:
                what = "number" if kind is Real else "integer"
                raise ValueError(f"{name} must be a positive {what}. Got {value!r} instead.")


def kernel_matrix(X, Z, gamma: float) -> np.ndarray:
    """K(x, z) of all pairs in float32, computed once as long as the same rows are used."""
    return kept(("gaussian", gamma), X, Z, lambda X, Z: _gaussian(X, Z, gamma))


def _gaussian(X, Z, gamma) -> np.ndarray:
    """Distances are in float64, where they cancel; only their exponentials are rounded."""
    K = np.empty((len(X), len(Z)), dtype=np.float32)
    norms = row_norms(Z, squared=True)
    for start in range(0, len(X), BLOCK):
        rows = slice(start, start + BLOCK)
        D = euclidean_distances(X[rows], Z, Y_norm_squared=norms, squared=True)
        K[rows] = np.multiply(D, -gamma, out=D)
        np.exp(K[rows], out=K[rows])
    if Z is X:
        np.fill_diagonal(K, 1.0)  # the solver relies on it
    return K
