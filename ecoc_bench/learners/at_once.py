"""Linear learners that fit the columns of a code in one call, each of them as if it were alone.

Dense rows are fitted by our solvers; sparse rows, and what these do not solve, by scikit-learn,
column by column. The fitted estimators are scikit-learn's in either case.
"""

import copy
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight
from threadpoolctl import ThreadpoolController

from .columns import ConstantMargin, MultiCall, of_one_sign
from .machines import dense

ROWS = 1024  # of a product at a time


class Solved(NamedTuple):
    """Coefficients of some columns, features x columns, and how their solver ended."""

    columns: np.ndarray
    W: np.ndarray
    b: np.ndarray
    converged: np.ndarray
    n_iter: np.ndarray

    def estimator(self, j: int, pattern):
        """A copy of a fitted estimator with the coefficients of column j."""
        fit = copy.copy(pattern)
        fit.coef_ = self.W[:, j].reshape(pattern.coef_.shape).copy()
        fit.intercept_ = np.full_like(pattern.intercept_, self.b[j])
        if self.n_iter[j]:
            fit.n_iter_ = self.n_iter[j : j + 1].astype(np.int32)
        return fit


class ColumnsAtOnce(MultiCall):
    """One binary problem per column; `solved` fits many of them."""

    columns_at_once = 256

    def solved(self, X: np.ndarray, Y: np.ndarray, sample_weight) -> Iterator[Solved]:
        """Coefficients of columns that have both signs; those that it leaves out go to `super`."""
        raise NotImplementedError

    def takes_rows(self, X) -> bool:
        """Whether our solver fits such rows."""
        return not issparse(X)

    def fit(self, X, Y, sample_weight=None, n_jobs=None):
        """Y[i, s] in {-1, 0, +1}; column s is fitted on the examples where it is not zero."""
        self.n_features_in_ = X.shape[1]
        self.together_ = self.takes_rows(X)
        if not self.together_:
            return super().fit(X, Y, sample_weight, n_jobs)
        X, Y = dense(X), np.asarray(Y)
        pattern = self._pattern(X.shape[1])
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        converged = np.ones(Y.shape[1], dtype=bool)
        constant, both = of_one_sign(Y)
        fits: list[Any] = [constant.get(s) for s in range(Y.shape[1])]
        with blas().limit(limits=1, user_api="blas"):
            problems = Y if len(both) == Y.shape[1] else Y[:, both]
            for part in self.solved(X, problems, sample_weight):
                for j, s in enumerate(both[part.columns]):
                    fits[s] = part.estimator(j, pattern)
                converged[both[part.columns]] = part.converged
        self._fit_others(X, Y, sample_weight, fits, converged)
        self.estimators_, self.converged_ = fits, converged
        self.kernel_columns_ = [None] * len(fits)
        if not converged.all():
            warnings.warn(
                f"{(~converged).sum()} of {len(fits)} columns did not converge",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def margins(self, X) -> np.ndarray:
        """F[i, s] = f_s(x_i), by one product if the columns were fitted together."""
        if not self.together_:
            return super().margins(X)
        from ._products import add_product

        W, b = self._coefficients()
        if X.shape[1] != len(W):
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {len(W)} "
                "features as input."
            )
        if issparse(X):
            return X @ W + b
        X, F = dense(X), np.zeros((X.shape[0], len(b)))
        for start in range(0, len(X), ROWS):
            add_product(X[start : start + ROWS], W, F[start : start + ROWS])
        F += b
        return F

    def _fit_others(self, X, Y, sample_weight, fits: list, converged: np.ndarray) -> None:
        """Columns without a fit, by scikit-learn."""
        rest = [s for s, fit in enumerate(fits) if fit is None]
        if rest:
            by_others = copy.copy(self)
            super(ColumnsAtOnce, by_others).fit(X, Y[:, rest], sample_weight)
            converged[rest] = by_others.converged_
            for s, fit in zip(rest, by_others.estimators_, strict=True):
                fits[s] = fit

    def _pattern(self, n_features: int):
        """A fitted estimator, of which each column gets a copy with its own coefficients."""
        pattern = self.binary_estimator(n_features)
        pattern._validate_params()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pattern.fit(np.vstack([np.zeros(n_features), np.ones(n_features)]), [-1, 1])

    def _coefficients(self) -> tuple[np.ndarray, np.ndarray]:
        """Weights and biases on the scale of the margins; those of a constant column are 0."""
        ell = len(self.estimators_)
        W, b = np.zeros((self.n_features_in_, ell)), np.empty(ell)
        for s, fit in enumerate(self.estimators_):
            if isinstance(fit, ConstantMargin):
                b[s] = fit.sign
            else:
                unit = self.column_margin(fit).unit(fit)
                W[:, s], b[s] = unit * np.ravel(fit.coef_), unit * np.ravel(fit.intercept_)[0]
        return W, b


@cache
def blas() -> ThreadpoolController:
    """The threads of BLAS: with another number of them it rounds otherwise."""
    return ThreadpoolController()


def by_rows(Y: np.ndarray) -> list[np.ndarray]:
    """The columns that use the same rows, in groups."""
    found: dict[bytes, list[int]] = {}
    for s, used in enumerate(np.packbits(np.ascontiguousarray(Y.T) != 0, axis=1)):
        found.setdefault(used.tobytes(), []).append(s)
    return [np.array(columns) for columns in found.values()]
