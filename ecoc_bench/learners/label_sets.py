"""Label sets, y in {-1, +1}^k: Section 9.1 of Mohri, Rostamizadeh & Talwalkar.

scikit-learn's form of them is an indicator matrix, examples x labels, of 0 and 1.
"""

from typing import Any

import numpy as np
from sklearn.utils.multiclass import type_of_target


def is_indicator(y: Any) -> bool:
    """Whether y holds a set of labels for each example, and not one label."""
    shape = y.shape if hasattr(y, "toarray") else np.asarray(y).shape
    return len(shape) == 2 and shape[1] > 1


def signs(y: Any) -> np.ndarray:
    """y_i[l] of an indicator matrix: +1 for the labels of the set and -1 for the others.

    >>> signs(np.array([[0, 1], [1, 1]])).tolist()
    [[-1, 1], [1, 1]]
    """
    Y = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
    if type_of_target(Y, input_name="y") != "multilabel-indicator" or not np.isin(Y, (0, 1)).all():
        raise ValueError(
            "y must hold one label for each example, or a 0 or 1 for each example and label. "
            f"Got {type_of_target(Y)} data of shape {Y.shape} instead."
        )
    return np.where(Y > 0, 1, -1).astype(np.int8)


def threshold(F: np.ndarray, Y: np.ndarray, weight: np.ndarray) -> float:
    """The t for which the sets {l: f(x, l) > t} have the lowest Hamming loss: Eq. 9.4.

    A ranking orders labels and says nothing about how many belong to the set. t is midway between
    two scores, or 1 beyond the lowest or the highest; of equally good ones it is the lowest.

    >>> threshold(np.array([[3.0, 1.0], [2.0, 0.0]]), np.array([[1, -1], [1, -1]]), np.ones(2))
    1.5
    """
    scores, place = np.unique(F, return_inverse=True)
    change = np.zeros(len(scores))  # of the loss, when t passes a score
    np.add.at(change, np.ravel(place), np.ravel(Y * weight[:, None]))
    between = scores[:-1] / 2 + scores[1:] / 2
    cuts = np.r_[scores[0] - 1, between, scores[-1] + 1]
    return float(cuts[np.argmin(np.r_[0.0, np.cumsum(change)])])
