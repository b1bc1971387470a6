"""Multi-call learning: one binary problem per column, with any scikit-learn classifier."""

import inspect
import threading
import warnings

import numpy as np
from scipy.special import logit
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from ..errors import ConfigError
from ..plugins import load_object
from .contract import Learner

WARNINGS = threading.Lock()  # Python's warning filters belong to the process, not to a thread
SURE = 1e-12  # probabilities stay this far from 0 and 1, so that their margins are finite


class ConstantMargin(BaseEstimator):
    """The fit of a column whose training examples all have one sign: this sign, everywhere."""

    def __init__(self, sign=0.0):
        self.sign = sign

    def decision_function(self, X):
        return np.full(X.shape[0], float(self.sign))


class MultiCall(Learner):
    """Fits a fresh binary classifier to each column; `binary_estimator` says which."""

    def binary_estimator(self, n_features: int):
        """The unfitted classifier of one column."""
        raise NotImplementedError

    def fit(self, X, Y, sample_weight=None):
        """Y[i, s] in {-1, 0, +1}; column s is fitted on the examples where it is not zero."""
        base = self.binary_estimator(X.shape[1])
        rng = check_random_state(getattr(self, "random_state", None))
        self.estimators_, converged = [], []
        for y in np.asarray(Y).T:
            seed = (
                {"random_state": rng.randint(2**31 - 1)} if "random_state" in _params(base) else {}
            )
            estimator, ok = _fit_column(clone(base).set_params(**seed), X, y, sample_weight)
            self.estimators_.append(estimator)
            converged.append(ok)
        self.converged_ = np.array(converged)
        if not self.converged_.all():
            warnings.warn(
                f"{(~self.converged_).sum()} of {len(converged)} columns did not converge",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def margins(self, X) -> np.ndarray:
        """F[i, s] = f_s(x_i)."""
        return np.column_stack([self.column_margins(e, X) for e in self.estimators_])

    def column_margins(self, estimator, X) -> np.ndarray:
        """f_s(x) of one fitted column: its decision function, or without one half its log-odds."""
        if hasattr(estimator, "decision_function"):
            return estimator.decision_function(X)
        p = estimator.predict_proba(X)[:, 1]
        return logit(np.clip(p, SURE, 1 - SURE)) / 2


class Columns(MultiCall):
    """Any scikit-learn classifier: an object, or a class by its import path with `params`.

    Margins are its `decision_function` or, without one, half the log-odds of its `predict_proba`,
    whose loss is the logistic loss. The scale of a bare decision function is unknown, so its loss
    is `linear` unless `margin_loss` names another.
    """

    identity = "ecoc_bench.learners.columns:Columns"

    def __init__(self, estimator=None, params=None, margin_loss=None, random_state=None):
        self.estimator = estimator
        self.params = params
        self.margin_loss = margin_loss
        self.random_state = random_state

    @property
    def loss(self) -> str:  # type: ignore[override]
        """The name of the loss whose scale the margins have."""
        if self.margin_loss is not None:
            return self.margin_loss
        return "linear" if hasattr(self.binary_estimator(1), "decision_function") else "logistic"

    def binary_estimator(self, n_features):
        estimator = (
            load_object(self.estimator) if isinstance(self.estimator, str) else self.estimator
        )
        if inspect.isclass(estimator):
            estimator = estimator()
        if not any(hasattr(estimator, name) for name in ("decision_function", "predict_proba")):
            raise ConfigError(
                "estimator must be a scikit-learn classifier with decision_function or "
                f"predict_proba, as an object or an import path. Got {self.estimator!r} instead."
            )
        return clone(estimator).set_params(**(self.params or {}))


def _params(estimator):
    return estimator.get_params(deep=False)


def _fit_column(estimator, X, y, sample_weight):
    """Fit one column on its non-zero examples; also return whether the solver converged."""
    used = np.flatnonzero(y)
    signs = np.unique(y[used])
    if len(signs) < 2:
        return ConstantMargin(signs[0] if len(signs) else 0.0), True
    extra = {}
    if sample_weight is not None:
        if not has_fit_parameter(estimator, "sample_weight"):
            raise ValueError(f"{type(estimator).__name__} does not take sample_weight.")
        extra["sample_weight"] = np.asarray(sample_weight)[used]
    with WARNINGS, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X[used], y[used], **extra)
    unconverged = [w for w in caught if issubclass(w.category, ConvergenceWarning)]
    for w in caught:
        if w not in unconverged:
            warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)
    return estimator, not unconverged
