"""Margin losses L(z): Section 2 of Allwein et al. 2000, and others that learners minimise.

All except `linear` (Passerini et al. 2004) satisfy Eq. 7, (L(z) + L(-z))/2 >= L(0) > 0, which
Theorem 1 requires; `linear` has L(0) = 0 and is used only for decoding.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

Loss = Callable[[np.ndarray], np.ndarray]


def exponential(z):
    """AdaBoost: e^-z. Overflows beyond z = -709; the decoder of this loss works in logs."""
    return np.exp(-np.asarray(z, dtype=float))


def l1(z):
    """AdaBoost with randomized predictions: 1/(1 + e^2z), called L_1 in the paper's Table 2."""
    return expit(-2 * np.asarray(z, dtype=float))


def square(z):
    """Least squares: (1 - z)^2."""
    return (1 - np.asarray(z, dtype=float)) ** 2


def logistic(z):
    """Logistic regression: log(1 + e^-2z), without overflow."""
    return np.logaddexp(0.0, -2 * np.asarray(z, dtype=float))


def hinge(z):
    """Support-vector machines: (1 - z)_+."""
    return np.maximum(1 - np.asarray(z, dtype=float), 0.0)


def squared_hinge(z):
    """Support-vector machines with squared slacks, liblinear's default: ((1 - z)_+)^2."""
    return hinge(z) ** 2


def modified_huber(z):
    """Zhang 2004: the squared hinge loss, continued by its tangent -4z below z = -1."""
    z = np.asarray(z, dtype=float)
    return np.where(z >= -1, squared_hinge(np.maximum(z, -1)), -4 * z)


def hamming(z):
    """Votes: (1 - sign z)/2, with which Eq. 5 is Eq. 4. For learners that minimise no loss."""
    return (1 - np.sign(np.asarray(z, dtype=float))) / 2


def linear(z):
    """-z: decoding by the inner product of codeword and margins."""
    return -np.asarray(z, dtype=float)


LOSSES: dict[str, Loss] = {
    "exponential": exponential,
    "l1": l1,
    "square": square,
    "logistic": logistic,
    "hinge": hinge,
    "squared_hinge": squared_hinge,
    "modified_huber": modified_huber,
    "hamming": hamming,
    "linear": linear,
}
