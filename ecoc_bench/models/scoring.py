"""The scores of a fitted classifier, n x k: the highest wins, and a softmax makes probabilities.

Margins are scores as they are. Of a classifier that only has probabilities, the scores are their
logarithms: no probability counts as less than `LEAST`, so that one sure mistake does not cost an
infinite log loss.
"""

from typing import Any

import numpy as np
from scipy.special import softmax

LEAST = 1e-4


def scores_of(estimator: Any, X: Any) -> np.ndarray:
    """Scores of each class of `classes_`; for two classes -f and +f of its decision function."""
    if hasattr(estimator, "decision_function"):
        return two_sided(np.asarray(estimator.decision_function(X), dtype=np.float64))
    return log_shares(np.asarray(estimator.predict_proba(X), dtype=np.float64))


def two_sided(f: np.ndarray) -> np.ndarray:
    """The two columns -f and +f of a decision function for two classes; other scores unchanged.

    >>> two_sided(np.array([0.5, -2.0])).tolist()
    [[-0.5, 0.5], [2.0, -2.0]]
    """
    return np.column_stack([-f, f]) if f.ndim == 1 else f


def log_shares(p: np.ndarray) -> np.ndarray:
    """The logarithms of probabilities, none below `LEAST`.

    >>> log_shares(np.array([[1.0, 0.0]])).round(2).tolist()
    [[0.0, -9.21]]
    """
    return np.log(np.clip(p, LEAST, 1.0))


def probabilities(scores: np.ndarray, temperature: float) -> np.ndarray:
    """softmax(temperature x scores), row by row.

    >>> probabilities(np.array([[1000.0, 0.0]]), 1.0).tolist()
    [[1.0, 0.0]]
    """
    return softmax(temperature * scores, axis=1)
