"""Decoders: (M, F) -> D, where D[i, r] tells how far the margins F[i] are from codeword M[r].

The lowest distance wins and ties go to the lowest class index. Distances are those of Eqs. 4 and 5,
Allwein et al. 2000, up to an increasing transform of each example's row (a logarithm, a shift): it
keeps the order of the classes where the plain sum would overflow or saturate.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import expit, logsumexp

from . import losses
from .errors import UserError, unknown
from .losses import Loss

MILD = 300.0  # sums of e^z neither overflow nor vanish while no |z| is larger

Decoder = Callable[[np.ndarray, np.ndarray], np.ndarray]


def hamming(M, F) -> np.ndarray:
    """d_H(M(r), f(x)) = sum_s (1 - sign(M(r,s) f_s(x)))/2; a zero counts 1/2. Eq. 4."""
    M = np.asarray(M, dtype=float)
    return (M.shape[1] - np.sign(F) @ M.T) / 2


def loss_based(L: Loss, M, F) -> np.ndarray:
    """d_L(M(r), f(x)) = sum_s L(M(r,s) f_s(x)), Eq. 5, for losses that cannot overflow."""
    return L(F) @ (M == 1).T + L(-F) @ (M == -1).T + L(np.zeros(1)) * (M == 0).sum(axis=1)


def hinge(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = (1 - z)_+."""
    return loss_based(losses.hinge, M, F)


def logistic(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = log(1 + e^-2z)."""
    return loss_based(losses.logistic, M, F)


def linear(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = -z: minus the inner product of codeword and margins."""
    return loss_based(losses.linear, M, F)


def exponential(M, F) -> np.ndarray:
    """Logarithm of Eq. 5 with L(z) = e^-z."""
    mild = np.abs(F).max(axis=1) <= MILD
    D = np.empty((len(F), len(M)))
    D[mild] = np.log(loss_based(losses.exponential, M, F[mild]))
    for r, row in enumerate(np.asarray(M, dtype=float)):
        D[~mild, r] = logsumexp(-F[~mild] * row, axis=1)
    return D


def l1(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = 1/(1 + e^2z), less the distance to the codeword nearest by Hamming.

    L(z) = (1 - tanh z)/2 is 0 or 1 to the last digit beyond |z| = 19, and classes would tie that do
    not. With tanh z = sign(z) - 2 small(z), whole and small parts are summed apart, and only over
    the columns in which a codeword differs from the nearest. Two saturated margins beside a mild
    one in these columns may still tie.
    """
    M = np.asarray(M, dtype=float)
    nearest = predict(hamming(M, F))
    whole = np.sign(F)
    small = whole * expit(-2 * np.abs(F))
    D = np.empty((len(F), len(M)))
    for r in np.unique(nearest):
        rows, differs = nearest == r, M[r] - M
        D[rows] = whole[rows] @ differs.T / 2 - small[rows] @ differs.T
    return D


def square(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = (1 - z)^2, less the example's ||f(x)||^2, which would drown the rest."""
    M = np.asarray(M, dtype=float)
    return M.shape[1] - 2 * (F @ M.T) - (F**2) @ (M == 0).T


def predict(D) -> np.ndarray:
    """The class of lowest distance; the lowest index among equals."""
    return np.argmin(D, axis=1)


def ties(D) -> int:
    """How many examples have their lowest distance at two classes or more."""
    return int(((np.equal(D, D.min(axis=1, keepdims=True))).sum(axis=1) > 1).sum())


def resolve(name: str, learner_loss: str) -> Decoder:
    """The decoder of that name; `loss` is the one of the learner's own loss."""
    if name == "loss":
        name = learner_loss
    if name not in DECODERS:
        raise UserError(unknown("decoder", name, [*DECODERS, "loss"]))
    return DECODERS[name]


DECODERS: dict[str, Decoder] = {
    "hamming": hamming,
    "exponential": exponential,
    "l1": l1,
    "square": square,
    "logistic": logistic,
    "hinge": hinge,
    "linear": linear,
}
