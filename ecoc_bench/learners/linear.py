"""Linear learners, one model per column, each with the loss it minimises (Section 2)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from sklearn.linear_model import LogisticRegression, RidgeClassifier

from ..errors import ConfigError, unknown
from .at_once import ColumnsAtOnce, Solved, by_rows

if TYPE_CHECKING:
    from ._logistic import Column

SOLVERS = ("lbfgs", "newton")
WIDE = 200  # features: beyond them the Hessians of the columns cost more than scikit-learn's steps
FEW = 0.5  # columns that use fewer rows than this share are fitted without the others


class LogisticRegressions(ColumnsAtOnce):
    """Pr[y = +1 | x] = 1/(1 + e^-2f(x)), so that f is half of scikit-learn's log-odds.

    `solver`: "newton" fits all columns together, up to 200 dense features, and comes nearer to the
    optimum; "lbfgs" is scikit-learn's, column by column.
    """

    identity = "ecoc_bench.learners.linear:LogisticRegressions"
    loss = "logistic"

    def __init__(self, C=1.0, max_iter=1000, solver="lbfgs"):
        self.C = C
        self.max_iter = max_iter
        self.solver = solver

    def described(self):
        """As before there were solvers, so that the fits that users have stay theirs."""
        name, params = super().described()
        return name, {k: v for k, v in params.items() if (k, v) != ("solver", "lbfgs")}

    @property
    def columns_at_once(self) -> int:  # type: ignore[override]
        """scikit-learn's columns share nothing."""
        return super().columns_at_once if self.solver == "newton" else 1

    def binary_estimator(self, n_features):
        if self.solver not in SOLVERS:
            raise ConfigError(unknown("solver", str(self.solver), SOLVERS))
        return LogisticRegression(C=self.C, max_iter=self.max_iter)

    def takes_rows(self, X) -> bool:
        return self.solver == "newton" and super().takes_rows(X) and X.shape[1] <= WIDE

    def solved(self, X, Y, sample_weight) -> Iterator[Solved]:
        from ._logistic import logistic

        weight = self.C * (np.ones(len(X)) if sample_weight is None else sample_weight)
        few = np.count_nonzero(Y, axis=0) < FEW * len(X)
        if not few.all():
            columns = np.flatnonzero(~few)
            yield _solved(columns, logistic(X, Y[:, columns], weight, self.max_iter))
        for s in np.flatnonzero(few):
            used = np.flatnonzero(Y[:, s])
            own = logistic(X[used], Y[used, s : s + 1], weight[used], self.max_iter, alone=True)
            yield _solved(np.array([s]), own)


class LeastSquares(ColumnsAtOnce):
    """Regression on the signs, (y - f(x))^2 = (1 - y f(x))^2, with a ridge penalty `alpha`.

    Columns that use the same rows share one factorisation.
    """

    identity = "ecoc_bench.learners.linear:LeastSquares"
    loss = "square"
    version = 2

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def binary_estimator(self, n_features):
        return RidgeClassifier(alpha=self.alpha)

    def solved(self, X, Y, sample_weight) -> Iterator[Solved]:
        from ._ridge import ridge

        seen = Y.any(axis=1)
        if seen.mean() < FEW:
            X, Y = X[seen], Y[seen]
            sample_weight = None if sample_weight is None else sample_weight[seen]
        across = np.ascontiguousarray(Y.T)  # a column's signs side by side
        for columns in by_rows(Y):
            used = np.flatnonzero(across[columns[0]])
            whole = len(used) == len(X)
            rows, weight = X if whole else X[used], sample_weight
            if not whole and weight is not None:
                weight = weight[used]
            signs = np.ascontiguousarray(across[np.ix_(columns, used)].T)
            found = ridge(rows, signs, weight, self.alpha)
            if found is not None:
                (W, b), size = found, len(columns)
                yield Solved(columns, W, b, np.ones(size, dtype=bool), np.zeros(size, dtype=int))


def _solved(columns: np.ndarray, found: "list[Column]") -> Solved:
    W = np.column_stack([column.w for column in found])
    converged = np.array([column.converged for column in found])
    return Solved(columns, W[:-1], W[-1], converged, np.array([c.n_iter for c in found]))
