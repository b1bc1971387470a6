"""How far probabilities can be trusted: log loss, Brier score, reliability, calibration error.

`y` are class indices 0, ..., k - 1 and `P` is examples x classes; its rows sum to one.
"""

import numpy as np
import pandas as pd
from scipy.special import softmax
from sklearn.metrics import log_loss as sklearn_log_loss

BINS = 10


def softmax_of_distances(D) -> np.ndarray:
    """Probabilities by softmax(-D): the plain alternative, for any decoder."""
    return softmax(-np.asarray(D, dtype=float), axis=1)


def log_loss(y, P) -> float:
    """Mean of -log P(y_i | x_i); a probability of 0 counts as the smallest positive float."""
    return float(sklearn_log_loss(y, P, labels=np.arange(np.shape(P)[1])))


def brier_score(y, P) -> float:
    """Mean of sum_q (P(q | x_i) - [q = y_i])^2, from 0 to 2 (Brier 1950)."""
    P = np.asarray(P, dtype=float)
    return float(((P - np.eye(P.shape[1])[y]) ** 2).sum(axis=1).mean())


def reliability_table(y, P, bins: int = BINS) -> pd.DataFrame:
    """Predictions in bins of equal width by their confidence, the largest probability of a row.

    Columns: low, high, confidence and accuracy (means, NaN in an empty bin), count. A bin holds its
    upper edge.
    """
    P = np.asarray(P, dtype=float)
    sure, right = P.max(axis=1), P.argmax(axis=1) == np.asarray(y)
    edges = np.linspace(0, 1, bins + 1)
    place = np.searchsorted(edges[1:-1], sure)
    count = np.bincount(place, minlength=bins)
    some = np.where(count, count, np.nan)
    return pd.DataFrame(
        {
            "low": edges[:-1],
            "high": edges[1:],
            "confidence": np.bincount(place, sure, bins) / some,
            "accuracy": np.bincount(place, right, bins) / some,
            "count": count,
        }
    )


def expected_calibration_error(y, P, bins: int = BINS) -> float:
    """Mean over examples of |accuracy - confidence| of their bin (Naeini et al. 2015)."""
    table = reliability_table(y, P, bins)
    gap = (table["accuracy"] - table["confidence"]).abs()
    return float((gap * table["count"]).sum() / table["count"].sum())
