"""The leave-one-out bound of Passerini, Pontil & Frasconi 2004, from one training of each column.

Leaving example i out moves f_s(x_i) by at most alpha_i^s G_ii^s, and only towards the wrong side of
m_{y_i s} (Lemma 1.1). So the worst margins of all columns are known, and an example that is still
decoded correctly from these is not a leave-one-out error. The lemma is about machines without a
bias (it is inside the kernel), trained to the optimum: see `learners.kernel_svm`.
"""

from typing import NamedTuple

import numpy as np

from . import decoders
from .decoders import Decoder

# Decoders of a non-increasing loss, by their names in a config; `loss` is the learner's own.
NON_INCREASING = (
    "linear",
    "hinge",
    "squared_hinge",
    "modified_huber",
    "logistic",
    "exponential",
    "l1",
    "hamming",
    "likelihood",
)


def is_bounded(name: str, decode: Decoder) -> bool:
    """Whether Corollary 4.1 holds for the decoder of that name, with its sigmoids given.

    It does not hold for a sigmoid that falls with the margin, as a useless column may have.
    """
    if name == "loss":
        return decode is not decoders.square
    slopes = getattr(decode, "keywords", {}).get("A", np.array([-1.0]))
    return name in NON_INCREASING and bool((slopes < 0).all())


class LooBound(NamedTuple):
    """Which training examples may be leave-one-out errors, and their share."""

    indicators: np.ndarray
    value: float


def worst_margins(M, y, F, shift) -> np.ndarray:
    """f_s(x_i) - m_{y_i s} alpha_i^s G_ii^s: the left of Eq. 11, for all columns at once.

    A zero of the code leaves the margin unchanged: the column was not trained on the example.
    """
    return F - np.asarray(M)[y] * shift


def worst_multiclass_margins(M, y, F, shift, decoder: Decoder = decoders.linear) -> np.ndarray:
    """min_{q != y_i} d(m_q, f) - d(m_{y_i}, f) at the worst margins: the proof of Corollary 4.1."""
    if decoder is decoders.square:
        raise ValueError("decoder must have a non-increasing loss. Got 'square' instead.")
    D = decoder(M, worst_margins(M, y, F, shift))
    rows = np.arange(len(y))
    own = D[rows, y]
    D[rows, y] = np.inf
    return D.min(axis=1) - own


def loo_bound(M, y, F, shift, decoder: Decoder = decoders.linear) -> LooBound:
    """Theorem 4.1 (linear decoding) and Corollary 4.1 (any non-increasing loss).

    F[i, s] = f_s(x_i), shift[i, s] = alpha_i^s G_ii^s and the classes y are those of the training
    examples. Eq. 10 as printed lacks a sum and brackets: this is the last line of its proof, and
    with L(z) = -z it is Eq. 8. Deviation: a margin of exactly 0 counts as an error, so that the
    bound holds for any rule for ties. Decoders that transform a row of distances keep their order,
    and so the bound holds for them, too.

    >>> M, y = np.array([[1, -1], [-1, 1]]), np.array([0, 1])
    >>> F = np.array([[1.0, -1.0], [-0.25, 0.25]])
    >>> loo_bound(M, y, F, np.full((2, 2), 0.5))
    LooBound(indicators=array([False,  True]), value=0.5)
    """
    indicators = worst_multiclass_margins(M, y, F, shift, decoder) <= 0
    return LooBound(indicators, float(indicators.mean()))
