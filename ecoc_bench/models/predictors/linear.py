"""x.W + b: logistic regression, ridge, linear machines, and the columns of a code made of these."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model._base import LinearClassifierMixin

from ...learners.columns import ConstantMargin, MultiCall
from .base import Predictor


@dataclass(frozen=True, eq=False)
class Linear(Predictor):
    """outputs = X @ weights + bias."""

    kind: ClassVar[str] = "linear"
    layout: ClassVar[dict[str, tuple[str, str]]] = {
        "weights": ("<f8", "inputs outputs"),
        "bias": ("<f8", "outputs"),
    }

    weights: np.ndarray
    bias: np.ndarray

    @classmethod
    def of(cls, W: Any, b: Any) -> "Linear":
        """Of coefficients by scikit-learn's shape, outputs x inputs; the bias may be one number."""
        W = np.atleast_2d(W)
        return cls.made([W.T, np.broadcast_to(b, len(W))])

    @classmethod
    def from_estimator(cls, estimator):
        from ...joint.crammer_singer import MulticlassSVM  # needs numba, a linear file does not

        if isinstance(estimator, MulticlassSVM) and hasattr(estimator, "coef_"):
            W, b = estimator.coef_, np.zeros(1)
            if len(W) == 2:  # its decision function is one column, w_1.x - w_0.x
                W = W[1:] - W[:1]
        elif is_linear(estimator):
            W, b = np.atleast_2d(estimator.coef_), estimator.intercept_  # ridge: a vector
        else:
            return None
        if len(W) == 1:
            W, b = np.vstack([-W, W]), np.array([-1.0, 1.0]) * b
        return cls.of(W, b)

    @classmethod
    def of_columns(cls, learner: MultiCall, estimators: Sequence[Any]) -> "Linear | None":
        """The margins of the columns of a code, on the scale of their loss."""
        fits = [one for one in estimators if not isinstance(one, ConstantMargin)]
        if not fits or not all(map(is_linear, fits)):
            return None
        if any(learner.column_margin(one).method != "decision_function" for one in fits):
            return None
        none = np.zeros_like(np.ravel(fits[0].coef_))
        W, b = list[Any](), list[float]()
        for one in estimators:
            if isinstance(one, ConstantMargin):
                W.append(none)
                b.append(float(one.sign))
            else:
                unit = learner.column_margin(one).unit(one)
                W.append(unit * np.ravel(one.coef_))
                b.append(unit * float(np.ravel(one.intercept_)[0]))
        return cls.of(np.array(W), np.array(b))

    @property
    def n_inputs(self) -> int:
        return self.weights.shape[0]

    @property
    def n_outputs(self) -> int:
        return self.weights.shape[1]

    def outputs(self, X):
        return X @ self.weights + self.bias


def is_linear(estimator: Any) -> bool:
    """A fitted linear classifier of scikit-learn, whose decision function is X.coef_ + intercept_.

    Coefficients may be made sparse by `sparsify`; those are left to others.
    """
    plain = type(estimator), LinearDiscriminantAnalysis, LinearClassifierMixin
    return (
        isinstance(estimator, LinearClassifierMixin)
        and plain[0].decision_function in [cls.decision_function for cls in plain[1:]]
        and isinstance(getattr(estimator, "coef_", None), np.ndarray)
    )
