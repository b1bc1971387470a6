"""What a scikit-learn estimator minimises, and its margins on the scale of that loss.

The rule, in this order:

1. An estimator of `OWN` with a decision function: its own loss, by its parameters.
2. Another with `predict_proba`: half its log-odds, whose loss is the logistic loss.
3. Another with a decision function, whose scale nobody knows: votes, the Hamming distance.
4. A regressor: fitted to the signs, the square loss.

Pipelines, searches and the like (`WRAPPERS`) are looked through.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logit
from sklearn.base import is_regressor

from ..errors import ConfigError

SURE = 1e-12  # nearer to 0 or 1, a probability counts little more: `half_log_odds`
BEND = float(logit(1 - SURE)) / 2
LEAST = float(np.finfo(float).tiny)


class Margin(NamedTuple):
    """The name of a loss in `coding.losses`, the method that gives the margins, and their unit."""

    loss: str
    method: str = "decision_function"
    unit: Callable[[Any], float] = lambda estimator: 1.0

    def of(self, estimator, X) -> np.ndarray:
        """f(x) of a fitted estimator."""
        values = np.asarray(getattr(estimator, self.method)(X), dtype=float)
        if self.method == "predict_proba":
            return half_log_odds(values[:, 1], values[:, 0])
        return values.reshape(len(values)) * self.unit(estimator)


def half_log_odds(p, q) -> np.ndarray:
    """(ln p - ln q)/2 for probabilities p of +1 and q of -1, bent where one is below `SURE`.

    There it grows a thousand times more slowly. So the surest of many sure columns still has the
    largest margin, which one-vs-all needs, and a column that is never in doubt does not drown the
    others.
    """
    F = (np.log(np.maximum(p, LEAST)) - np.log(np.maximum(q, LEAST))) / 2
    excess = np.maximum(np.abs(F) - BEND, 0)
    return np.sign(F) * (np.minimum(np.abs(F), BEND) + excess / 1000)


def own_margin(estimator) -> Margin:
    """The margin of an estimator, fitted or not."""
    inner = looked_through(estimator)
    has_scores = hasattr(estimator, "decision_function")
    known = _known(OWN, inner)
    if has_scores and known is not None and (margin := known(inner)) is not None:
        return margin
    if hasattr(estimator, "predict_proba"):
        return Margin("logistic", "predict_proba")
    if has_scores:
        return VOTES
    if hasattr(estimator, "fit") and is_regressor(estimator):
        return Margin("square", "predict")
    raise ConfigError(
        "estimator must be a scikit-learn classifier with decision_function or predict_proba, or "
        f"a regressor, as an object or an import path. Got {estimator!r} instead."
    )


def looked_through(estimator):
    """The estimator whose margins a pipeline or a search passes on."""
    while (inside := _known(WRAPPERS, estimator)) is not None:
        estimator = inside(estimator)
    return estimator


def _known(registry: dict, estimator):
    """The entry of the first class of scikit-learn that the estimator is derived from."""
    for cls in type(estimator).__mro__:
        if cls.__module__.startswith("sklearn.") and cls.__name__ in registry:
            return registry[cls.__name__]
    return None


def _fitted(*names):
    """The first of these attributes that is there: what was fitted, or what is to be."""
    return lambda wrapper: next(getattr(wrapper, name) for name in names if hasattr(wrapper, name))


def _boosted(estimator) -> float:
    """AdaBoost's decision function is 2 sum w_t h_t / sum w_t with w_t = 2 alpha_t."""
    return float(looked_through(estimator).estimator_weights_.sum()) / 4


VOTES = Margin("hamming")
LOG_ODDS = Margin("logistic", unit=lambda estimator: 0.5)  # our logistic loss is log(1 + e^-2z)
HINGE = Margin("hinge")
SQUARE = Margin("square")
BY_NAME = {  # the `loss` of an estimator -> what its decision function minimises
    "hinge": HINGE,
    "squared_hinge": Margin("squared_hinge"),
    "modified_huber": Margin("modified_huber"),
    "log_loss": LOG_ODDS,
    "squared_error": SQUARE,
    "exponential": Margin("exponential"),
}


def _by_name(estimator) -> Margin | None:
    return BY_NAME.get(estimator.loss)


OWN: dict[str, Callable[[Any], Margin | None]] = {
    "LogisticRegression": lambda estimator: LOG_ODDS,
    "LogisticRegressionCV": lambda estimator: LOG_ODDS,
    "LinearDiscriminantAnalysis": lambda estimator: LOG_ODDS,
    "QuadraticDiscriminantAnalysis": lambda estimator: LOG_ODDS,
    "HistGradientBoostingClassifier": lambda estimator: LOG_ODDS,
    "GradientBoostingClassifier": _by_name,
    "AdaBoostClassifier": lambda estimator: Margin("exponential", unit=_boosted),
    "SVC": lambda estimator: HINGE,
    "NuSVC": lambda estimator: HINGE,
    "LinearSVC": _by_name,
    "SGDClassifier": _by_name,
    "PassiveAggressiveClassifier": _by_name,
    "RidgeClassifier": lambda estimator: SQUARE,
    "RidgeClassifierCV": lambda estimator: SQUARE,
}
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "Pipeline": lambda pipeline: pipeline.steps[-1][1],
    "BaseSearchCV": _fitted("best_estimator_", "estimator"),
    "BaseThresholdClassifier": _fitted("estimator_", "estimator"),
    "FrozenEstimator": _fitted("estimator"),
    "RFE": _fitted("estimator_", "estimator"),
    "SelfTrainingClassifier": _fitted("estimator_", "estimator"),
}
