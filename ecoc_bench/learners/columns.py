"""Multi-call learning: one binary problem per column, with any scikit-learn estimator."""

import inspect
import threading
import warnings
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing, check_random_state, get_tags
from sklearn.utils.validation import _num_features, _num_samples, has_fit_parameter

from ..plugins import load_object
from .contract import Learner
from .machines import MOST, Machine, dense, fit_machine, rows_at_once, suits
from .own_loss import Margin, own_margin

WARNINGS = threading.Lock()  # Python's warning filters belong to the process, not to a thread


class ConstantMargin(BaseEstimator):
    """The fit of a column whose training examples all have one sign: this sign, everywhere."""

    def __init__(self, sign=0.0):
        self.sign = sign

    def decision_function(self, X):
        return np.full(_num_samples(X), float(self.sign))


def of_one_sign(Y: np.ndarray) -> tuple[dict[int, ConstantMargin], np.ndarray]:
    """The fits of the columns that lack a sign, and the columns that have both."""
    high, low = Y.max(axis=0, initial=0), Y.min(axis=0, initial=0)
    fits = {int(s): ConstantMargin(high[s] + low[s]) for s in np.flatnonzero(high * low == 0)}
    return fits, np.flatnonzero(high * low)


class MultiCall(Learner):
    """Fits a fresh binary estimator to each column; `binary_estimator` says which."""

    def binary_estimator(self, n_features: int):
        """The unfitted estimator of one column."""
        raise NotImplementedError

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether its estimator does."""
        return get_tags(self.binary_estimator(1)).input_tags.sparse

    def fit(self, X, Y, sample_weight=None, n_jobs=None):
        """Y[i, s] in {-1, 0, +1}; column s is fitted on the examples where it is not zero."""
        Y = np.asarray(Y)
        base = self.binary_estimator(_n_features(X))
        ours = self._by_our_solver(base, X)
        if ours:
            X = dense(X, copy=True)
            base._validate_params()
        fresh = [base] * Y.shape[1] if ours else self._fresh(X, Y.shape[1])
        problems = zip(fresh, Y.T, strict=True)
        if effective_n_jobs(n_jobs) == 1:
            fits = [_fit_column(estimator, X, y, sample_weight, ours) for estimator, y in problems]
        else:
            fit = delayed(_fit_column)
            # Threads share the kernel of their rows; our solver lets them run.
            parallel = Parallel(n_jobs, prefer="threads" if ours else None)
            fits = parallel(fit(e, X, y, sample_weight, ours) for e, y in problems)
        self.estimators_ = [fit.estimator for fit in fits]
        self.kernel_columns_ = [fit.kernel_columns for fit in fits]
        self.converged_ = np.array([fit.converged for fit in fits])
        for w in (w for fit in fits for w in fit.warnings):
            warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
        if not self.converged_.all():
            warnings.warn(
                f"{(~self.converged_).sum()} of {len(fits)} columns did not converge",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def partial_fit(self, X, Y, sample_weight=None):
        """One more batch for every column that has an example in it; until then its margin is 0."""
        Y = np.asarray(Y)
        fresh = self._fresh(X, Y.shape[1])
        if not hasattr(self, "estimators_"):
            self.estimators_ = [ConstantMargin() for _ in fresh]
            self.kernel_columns_ = [None] * len(fresh)
        for s in np.flatnonzero(Y.any(axis=0)):
            if isinstance(self.estimators_[s], ConstantMargin):
                self.estimators_[s] = fresh[s]
            used = np.flatnonzero(Y[:, s])
            extra = _weights(self.estimators_[s], sample_weight, used)
            if has_fit_parameter(_Method(self.estimators_[s].partial_fit), "classes"):
                extra["classes"] = np.array([-1, 1])
            self.estimators_[s].partial_fit(_rows(X, used), Y[used, s], **extra)
        return self

    def margins(self, X) -> np.ndarray:
        """F[i, s] = f_s(x_i)."""
        machines = [e for e in self.estimators_ if isinstance(e, Machine)]
        if machines:
            X, few = dense(X), rows_at_once(machines[0])
            if len(X) > few:
                parts = range(0, len(X), few)
                return np.concatenate([self.margins(X[start : start + few]) for start in parts])
        fits = zip(self.estimators_, self.kernel_columns_, strict=True)
        return np.column_stack(
            [self.column_margins(e, X if used is None else X[:, used]) for e, used in fits]
        )

    def column_margins(self, estimator, X) -> np.ndarray:
        """f_s(x) of one fitted column, on the scale of its loss."""
        if isinstance(estimator, Machine):
            return estimator.margins(X)
        if isinstance(estimator, ConstantMargin):
            return estimator.decision_function(X)
        return self.column_margin(estimator).of(estimator, X)

    def column_margin(self, estimator) -> Margin:
        """How the margins of an estimator are taken."""
        return own_margin(estimator)

    def _by_our_solver(self, estimator, X) -> bool:
        """Whether the columns are machines that share the kernel of their rows."""
        return suits(estimator, X)

    def _fresh(self, X, n_columns: int) -> list:
        """An unfitted estimator for each column, its open random states set in their order."""
        base = self.binary_estimator(_n_features(X))
        rng = check_random_state(getattr(self, "random_state", None))
        names = sorted(
            name
            for name, value in base.get_params().items()
            if f"__{name}".endswith("__random_state") and value is None
        )
        return [
            clone(base).set_params(**{name: rng.randint(2**31 - 1) for name in names})
            for _ in range(n_columns)
        ]


class Columns(MultiCall):
    """Any scikit-learn classifier or regressor: an object, or a class by its import path.

    Its loss is the one that it minimises, and its margins have the scale of that loss (`own_loss`):
    logistic regression the logistic loss, SVC the hinge loss, and so on; of another classifier,
    half the log-odds of `predict_proba` with the logistic loss, or without probabilities votes; a
    regressor is fitted to the signs and has the square loss. `margin_loss` names another loss, for
    the bare decision function. `params` are the estimator's.
    """

    identity = "ecoc_bench.learners.columns:Columns"
    version = 4

    def __init__(self, estimator=None, params=None, margin_loss=None, random_state=None):
        self.estimator = estimator
        self.params = params
        self.margin_loss = margin_loss
        self.random_state = random_state

    @property
    def loss(self) -> str:  # type: ignore[override]
        """The name of the loss whose scale the margins have."""
        return self.column_margin(self.binary_estimator(1)).loss

    def column_margin(self, estimator) -> Margin:
        if self.margin_loss is not None and hasattr(estimator, "decision_function"):
            return Margin(self.margin_loss)
        own = own_margin(estimator)
        return own if self.margin_loss is None else own._replace(loss=self.margin_loss)

    def binary_estimator(self, n_features):
        estimator = (
            load_object(self.estimator) if isinstance(self.estimator, str) else self.estimator
        )
        if inspect.isclass(estimator):
            estimator = estimator()
        own_margin(estimator)  # refuses what has no margins
        return clone(estimator).set_params(**(self.params or {}))


class _Fit(NamedTuple):
    """A fitted column: for a precomputed kernel also the columns of the matrix that it uses."""

    estimator: Any
    kernel_columns: np.ndarray | None = None
    converged: bool = True
    warnings: tuple = ()


class _Method(NamedTuple):
    """A method in the place of `fit`, for `has_fit_parameter`."""

    fit: Any


def _fit_column(estimator, X, y, sample_weight, by_our_solver: bool) -> _Fit:
    """Fit one column on its non-zero examples."""
    used = np.flatnonzero(y)
    signs = np.unique(y[used])
    if len(signs) < 2:
        return _Fit(ConstantMargin(signs[0] if len(signs) else 0.0))
    if by_our_solver and len(used) <= MOST:
        machine = fit_machine(estimator, X, y, sample_weight)
        return _Fit(machine, converged=machine.violation_ <= estimator.tol)
    estimator = clone(estimator) if by_our_solver else estimator  # one serves all columns
    extra = _weights(estimator, sample_weight, used)
    rows = _rows(X, used)
    kernel_columns = used if len(used) < len(y) and is_pairwise(estimator) else None
    if kernel_columns is not None:
        rows = rows[:, kernel_columns]
    with WARNINGS, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(rows, y[used], **extra)
    others = tuple(w for w in caught if not issubclass(w.category, ConvergenceWarning))
    return _Fit(estimator, kernel_columns, len(others) == len(caught), others)


def _weights(estimator, sample_weight, used) -> dict:
    if sample_weight is None:
        return {}
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(f"{type(estimator).__name__} does not take sample_weight.")
    return {"sample_weight": np.asarray(sample_weight)[used]}


def _rows(X, used):
    """X itself if all rows are used: a code without zeros makes no copy."""
    return X if len(used) == _num_samples(X) else _safe_indexing(X, used)


def _n_features(X) -> int:
    """Lists of texts have none that we could count; their estimator does not ask."""
    try:
        return _num_features(X)
    except TypeError:
        return 1


def is_pairwise(estimator) -> bool:
    """Whether X is a kernel or distance matrix, whose columns are training examples."""
    return get_tags(estimator).input_tags.pairwise
