"""AdaBoost.OC, AdaBoost.ECC and AdaBoost.SECC (Sun, Todorovic, Li & Wu 2005).

By Theorem 2 they differ only in the length alpha_t of a step. Deviation: errors below 1e-6 count as
1e-6, so that the step of a perfect hypothesis is finite.
"""

import math
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from ..learners.parameters import RandomState, Record
from .loop import JointBoosting

LEAST_ERROR = 1e-6


def quarter_log_odds(error: float) -> float:
    """1/4 ln((1 - error)/error), Eq. 17.

    >>> quarter_log_odds(0.5), round(quarter_log_odds(0.0), 3)
    (0.0, 3.454)
    """
    error = max(error, LEAST_ERROR)
    return math.log((1 - error) / error) / 4


class AdaBoostECC(JointBoosting):
    """AdaBoost.ECC, Fig. 1: alpha_t = 1/4 ln((1 - eps_t)/eps_t), Step 8 and Eq. 17.

    The symmetric version of Guruswami & Sahai (1999); it descends on the cost G of Eq. 7
    (Theorem 1). Parameters and attributes are those of JointBoosting.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> clf = AdaBoostECC(stump, rounds=40, record=[5, 20], random_state=0).fit(X, y)
    >>> clf.code_matrix_.shape, clf.stages_
    ((3, 40), [5, 20, 40])
    >>> errors = [int((labels != y).sum()) for labels in clf.staged_predict(X)]
    >>> errors[-1] < errors[0]
    True
    """

    def _step(self, error, U):
        return quarter_log_odds(error)


class AdaBoostSECC(JointBoosting):
    """AdaBoost.SECC, Section 3.2 (4): alpha_t = eta/4 ln((1 - eps_t)/eps_t).

    Parameters
    ----------
    eta : float in (0, 1]
        The shrinkage; 1 is AdaBoost.ECC. The paper picks it by cross-validation, from 0.05 to 1.

    The others, and the attributes, are those of JointBoosting.
    """

    def __init__(
        self,
        estimator: Any = None,
        eta: float = 0.2,
        rounds: int = 500,
        columns: str | Callable[..., np.ndarray] = "half",
        update: str = "weighting",
        decoder: str = "vote",
        record: Record = None,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(estimator, rounds, columns, update, decoder, record, random_state)
        self.eta = eta

    def _step(self, error, U):
        return self.eta * quarter_log_odds(error)

    def _check_params(self):
        super()._check_params()
        eta = self.eta
        if isinstance(eta, bool) or not isinstance(eta, Real) or not 0 < float(eta) <= 1:
            raise ValueError(f"eta must be above 0 and not above 1. Got {eta!r} instead.")


class AdaBoostOC(JointBoosting):
    """AdaBoost.OC, Fig. 2 (Schapire 1997): the step follows from the pseudo-loss, Steps 8 and 9.

    The pseudo-loss is taken from eps_t by Eq. 24, as Section 3.2 (1) proposes, instead of from
    Eq. 19. Parameters and attributes are those of JointBoosting.
    """

    def _step(self, error, U):
        return quarter_log_odds(pseudo_loss(error, U))


def pseudo_loss(error: float, U: float) -> float:
    """1/2 + U_t (eps_t - 1/2), Eq. 24 solved for the pseudo-loss of Eq. 19.

    >>> pseudo_loss(0.25, 0.5)
    0.375
    """
    return 0.5 + U * (error - 0.5)
