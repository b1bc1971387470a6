"""The theorems of Allwein et al. 2000 as numbers: the training error, Section 4.

All bounds are shares of the training examples; a bound above 1 is true but says nothing. They hold
for any margins F, however trained, so a training error above its bound is a bug. Those of Section 5
are in `boosting_margins`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import decoders
from .boosting_margins import Boosting, section5
from .distances import rho
from .labels import Found, find, row_blocks
from .losses import LOSSES, Loss

BOUNDED = tuple(name for name in LOSSES if name != "linear")  # satisfy Eq. 7; linear has L(0) = 0


def cell_bounds(
    M,
    F_train,
    y_train,
    loss_name: str,
    boosting: Boosting | None = None,
    found: Callable[[decoders.Decoder], Found] | None = None,
) -> dict[str, str | float]:
    """All columns of bounds.csv except the key: one cell at one stage.

    `found` gives the labels by a decoder, for a caller that needs them again.

    `loss_error` and `hamming_error` are training errors, `q` is the share of ignored pairs,
    `used_loss` and `used_error` are the binary averages over the others. Section 5 is about the
    exponential loss and eta = sum_t alpha_t, Eq. 16; other losses, and learners that do not tell
    their eta, leave its columns out.
    """
    L, decode = LOSSES[loss_name], decoders.DECODERS[loss_name]
    means = _means(M, F_train, y_train, L)
    found = found or (lambda decode: find(decode, M, F_train))
    wrong = [found(by).labels != y_train for by in (decode, decoders.hamming)]
    errors = float(wrong[0].mean()), float(wrong[1].mean())
    more = None
    if loss_name == "exponential" and boosting is not None:
        more = section5(M, decode(M, F_train), y_train, means.loss, boosting)
    return bounds_of(M, loss_name, means, errors, more)


def bounds_of(
    M, loss_name: str, means: "Means", errors: tuple[float, float], more: dict | None = None
) -> dict[str, str | float]:
    """The same from means over the pairs and the two training errors; `more` is Section 5's."""
    L, q, error = LOSSES[loss_name], means.q, means.used_error
    numbers = {
        "loss_error": errors[0],
        "hamming_error": errors[1],
        "equation10": means.equation10,
        "equation10_q": equation10_q(M, q, error),
        "q": q,
        "used_error": error,
    }
    if loss_name in BOUNDED:
        numbers |= {
            "theorem1": theorem1(M, means.loss, L),
            "theorem1_q": theorem1_q(M, q, means.used_loss, L),
            "equation11": equation11(M, means.loss, L),
            "used_loss": means.used_loss,
        }
    numbers |= more or {}
    # Six digits, as in results.csv; rounding keeps the order of an error and its bound.
    return {"loss": loss_name, **{name: float(f"{x:.6g}") for name, x in numbers.items()}}


class Means(NamedTuple):
    """Means over the pairs (i, s): of those ignored, mistaken or not, and of losses."""

    q: float
    used_error: float
    equation10: float
    loss: float
    used_loss: float


def _means(M, F, y, L: Loss) -> Means:
    """In blocks of rows; a single block gives just what all rows at once would."""
    parts, weights = [], []
    for rows in row_blocks(M.shape, len(y)):
        Y = M[y[rows]]
        Z = Y * F[rows]
        used = Z[Y != 0]
        both = mean_loss(L, Z), mean_loss(L, used)
        error = float((used <= 0).mean())
        parts.append((float((Y == 0).mean()), error, equation10(M, Z), *both))
        weights.append((Z.size, used.size, len(Z), Z.size, used.size))
    shares = np.array(weights) / np.sum(weights, axis=0)
    return Means(*(float(mean) for mean in (np.array(parts) * shares).sum(axis=0)))


def average_binary_loss(L: Loss, M, F, y) -> float:
    """epsilon: the mean of L(M(y_i, s) f_s(x_i)) over all pairs; a zero counts L(0). Eq. 3."""
    blocks = row_blocks(M.shape, len(y))
    parts = [(mean_loss(L, M[y[rows]] * F[rows]), len(y[rows])) for rows in blocks]
    return sum(mean * (n / len(y)) for mean, n in parts)


def mean_loss(L: Loss, Z) -> float:
    """The mean of L(z); infinite if the exponential loss overflows."""
    with np.errstate(over="ignore"):
        return float(L(Z).mean())


def theorem1(M, epsilon: float, L: Loss) -> float:
    """ell epsilon / (rho L(0)) bounds the training error of decoding by a loss L with Eq. 7."""
    return M.shape[1] * epsilon / (rho(M) * at_zero(L))


def theorem1_q(M, q: float, epsilon: float, L: Loss) -> float:
    """(ell/rho) (q + (1 - q) epsilon/L(0)): the same, with the share q of ignored pairs separate.

    Here epsilon is the mean loss of the pairs (i, s) with M(y_i, s) != 0.
    """
    return M.shape[1] / rho(M) * (q + (1 - q) * epsilon / at_zero(L))


def equation10(M, Z) -> float:
    """Corollary 2, for Hamming decoding: 1/(rho m) sum (1 - sign(z)), z = M(y_i, s) f_s(x_i)."""
    return float((1 - np.sign(Z)).sum()) / (rho(M) * len(Z))


def equation10_q(M, q: float, epsilon: float) -> float:
    """(ell/rho) (q + 2 (1 - q) epsilon): the same, with the share q of ignored pairs separate.

    Here epsilon is the share of mistakes among the others. A margin of 0 is a mistake, for which
    Eq. 10 charges half.
    """
    return M.shape[1] / rho(M) * (q + 2 * (1 - q) * epsilon)


def equation11(M, epsilon: float, L: Loss) -> float:
    """Corollary 2 again: 2 ell epsilon / (rho L(0)), for a loss with L(z) >= L(0) > 0 at z < 0."""
    return 2 * theorem1(M, epsilon, L)


def at_zero(L: Loss) -> float:
    """L(0)."""
    return float(L(np.zeros(1))[0])
