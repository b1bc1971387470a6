"""Decoders: (M, F) -> D, where D[i, r] is the distance of the margins F[i] from codeword M[r].

The lowest distance wins and ties go to the lowest class index. Distances are those of Eqs. 4 and 5,
Allwein et al. 2000, up to an increasing transform of each example's row (a logarithm, a shift): it
keeps the order of the classes where the plain sum would overflow or saturate.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import logsumexp

from ..errors import ConfigError, UserError, unknown
from . import losses
from .codes import kind, pair_columns
from .exact_order import EXPONENTIAL, L1, in_exact_order, parted
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


def squared_hinge(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = ((1 - z)_+)^2."""
    return loss_based(losses.squared_hinge, M, F)


def modified_huber(M, F) -> np.ndarray:
    """Eq. 5 with the modified Huber loss: ((1 - z)_+)^2, or -4z below -1."""
    return loss_based(losses.modified_huber, M, F)


def logistic(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = log(1 + e^-2z)."""
    return loss_based(losses.logistic, M, F)


def linear(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = -z: minus the inner product of codeword and margins."""
    return loss_based(losses.linear, M, F)


def exponential(M, F) -> np.ndarray:
    """Logarithm of Eq. 5 with L(z) = e^-z; the order of the classes is exact."""
    M, F = np.asarray(M), np.asarray(F, dtype=float)
    huge = np.abs(F).max(axis=1) > MILD
    E = np.exp(-np.where(huge[:, None], 0.0, F))
    D = np.log(E @ (M == 1).T + (1 / E) @ (M == -1).T + (M == 0).sum(axis=1))
    for r, row in enumerate(M if huge.any() else ()):
        D[huge, r] = logsumexp(-F[huge] * row, axis=1)
    return in_exact_order(D, M, F, EXPONENTIAL)


def l1(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = 1/(1 + e^2z) = (1 - tanh z)/2; the order of the classes is exact.

    L is 0 or 1 to the last digit beyond |z| = 19, and the plain sums would make false ties.
    """
    M, F = np.asarray(M), np.asarray(F, dtype=float)
    return in_exact_order((M.shape[1] - np.tanh(F) @ M.T) / 2, M, F, L1)


def square(M, F) -> np.ndarray:
    """Eq. 5 with L(z) = (1 - z)^2, minus the example's ||f(x)||^2, which would swamp the rest."""
    M = np.asarray(M, dtype=float)
    D = M.shape[1] - 2 * (F @ M.T)
    return D if M.all() else D - (F**2) @ (M == 0).T


def majority(M, F) -> np.ndarray:
    """All-pairs: minus the votes won and a part below 1/3 that increases with the summed margins.

    These are the scores of scikit-learn's one-vs-one, votes + sum/(3 (|sum| + 1)). A zero margin
    gives each class half a vote. Most votes win, and of equally many the higher sum, which is our
    choice: by Hamming such classes tie.
    """
    pair_columns(M)
    M = np.asarray(M, dtype=float)
    return by_votes((len(M) - 1 + np.sign(F) @ M.T) / 2, F @ M.T)


def by_votes(votes: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """The distances of `majority` from the votes and the summed margins of each class."""
    D = -(votes + sums / (3 * (np.abs(sums) + 1)))
    # Rounding hides sums next to votes, and half a vote is less than the parts can differ by.
    order = np.lexsort((-sums, -votes), axis=1)
    keys = (np.take_along_axis(key, order, axis=1) for key in (votes, sums))
    return parted(D, order, np.logical_and(*(np.diff(key) == 0 for key in keys)))


def tournament(M, F) -> np.ndarray:
    """All-pairs: knock-out rounds between neighbours in class order; how many a class missed.

    An odd class out advances without a match. At a margin of zero the lower index advances, and
    such a draw is not a tie of distances. The winner has 0, the other finalist 1, and so on.
    """
    column, sign = pair_columns(M)
    rows = np.arange(len(F))[:, None]
    left = np.tile(np.arange(len(M)), (len(F), 1))
    D = np.zeros(left.shape)
    while left.shape[1] > 1:
        a, b = left[:, 0:-1:2], left[:, 1::2]
        first = F[rows, column[a, b]] * sign[a, b] >= 0
        D += 1
        odd = left[:, a.shape[1] * 2 :]
        left = np.hstack([np.where(first, a, b), odd])
        D[rows, left] -= 1
    return D


def likelihood(M, F, A=None, B=None) -> np.ndarray:
    """Passerini et al. 2004, Eq. 4: -log P(class | margins) by sigmoids of held-out margins.

    Without alpha, which does not change the order of the classes. `calibrated` binds the sigmoids
    A and B.
    """
    if A is None or B is None:
        raise ConfigError("the decoder 'likelihood' needs sigmoids, fitted on held-out margins.")
    from .likelihood import log_likelihoods  # needs numba, which `list` and `--help` do not

    return -log_likelihoods(M, F, A, B)


def expected_cost(M, F, A=None, B=None, costs=None) -> np.ndarray:
    """The cost to expect of each class q: sum_r P(r | margins) costs[r, q].

    The probabilities are those of likelihood decoding or, for all-pairs, of coupling. Without
    costs, every mistake costs 1 and the most probable class wins. `calibrated` binds the rest.
    """
    if A is None or B is None:
        raise ConfigError("the decoder 'expected_cost' needs sigmoids, fitted on held-out margins.")
    from .coupling import couple, pair_probabilities
    from .likelihood import probabilities

    if kind(M) == "all_pairs":
        P = couple(pair_probabilities(M, F, A, B))
    else:
        P = probabilities(M, F, A, B)
    return 1 - P if costs is None else P @ np.asarray(costs, dtype=float)


def calibrated(name: str, F, Y, sample_weight=None, costs=None) -> partial:
    """The decoder of that name, with sigmoids fitted on held-out margins F and bits Y = M[y].

    `costs` are for those in `COSTED`.
    """
    from .likelihood import fit_sigmoids

    A, B = fit_sigmoids(F, Y, sample_weight)
    return partial(CALIBRATED[name], A=A, B=B, **({"costs": costs} if name in COSTED else {}))


def is_calibrated(name) -> bool:
    """Whether a decoder is the name of one that needs `calibrated`; a function is not."""
    return isinstance(name, str) and name in CALIBRATED


def predict(D) -> np.ndarray:
    """The class of lowest distance; the lowest index among equals."""
    return np.argmin(D, axis=1)


def ties(D) -> int:
    """How many examples have their lowest distance at two or more classes."""
    return int(((np.equal(D, D.min(axis=1, keepdims=True))).sum(axis=1) > 1).sum())


def auto(learner_loss: str, M, F) -> np.ndarray:
    """The default for the kind of code: `DEFAULTS`."""
    return resolve(DEFAULTS[kind(M)], learner_loss)(M, F)


def resolve(name: str, learner_loss: str) -> Decoder:
    """The decoder of that name; `loss` goes by the learner's own loss, `auto` by the code, too."""
    if name == "auto":
        return partial(auto, learner_loss)
    if name == "loss":
        name = learner_loss
    if name not in DECODERS:
        raise UserError(unknown("decoder", name, [*DECODERS, *BY_LEARNER]))
    return DECODERS[name]


DECODERS: dict[str, Decoder] = {
    "hamming": hamming,
    "exponential": exponential,
    "l1": l1,
    "square": square,
    "logistic": logistic,
    "hinge": hinge,
    "squared_hinge": squared_hinge,
    "modified_huber": modified_huber,
    "linear": linear,
    "majority": majority,
    "tournament": tournament,
    "likelihood": likelihood,
    "expected_cost": expected_cost,
}
# Sums over columns of L(M(r,s) f_s), up to an increasing transform of each row.
ADDITIVE: dict[Decoder, Loss] = {
    hamming: losses.hamming,
    exponential: losses.exponential,
    l1: losses.l1,
    square: losses.square,
    logistic: losses.logistic,
    hinge: losses.hinge,
    squared_hinge: losses.squared_hinge,
    modified_huber: losses.modified_huber,
    linear: losses.linear,
}
# These need `calibrated` before they can decode.
CALIBRATED: dict[str, Callable[..., np.ndarray]] = {
    "likelihood": likelihood,
    "expected_cost": expected_cost,
}
# Of these, the costs of a data set are asked.
COSTED = frozenset({"expected_cost"})
# These decode all-pairs codes only: `codes.pair_columns` refuses others.
PAIRWISE: dict[str, Decoder] = {"majority": majority, "tournament": tournament}
# These are chosen by the learner's loss: `resolve`.
BY_LEARNER = {
    "auto": "the default for the kind of code: DEFAULTS in coding/decoders.py.",
    "loss": "Eq. 5 with the learner's own loss.",
}
# The decoder `auto` by `codes.kind`; configs/defaults.yaml measures it. One-vs-all: the linear loss
# picks the largest margin, as all other losses do, but for learners without one, too.
DEFAULTS = {"ova": "linear", "all_pairs": "majority", "binary": "loss", "ternary": "loss"}
