"""The margin bound of Corollary 9.4 (Mohri et al., Section 9.2) as a number.

With probability 1 - delta over samples of m examples, for all kernel machines of norm at most
Lambda,

    R(h) <= R_{S,rho}(h) + 4 k r Lambda / (rho m^(1/2)) + (log(1/delta) / (2 m))^(1/2).     (9.11)

A bound above 1 is true but says nothing; with k in the middle term most bounds are above 1. The
corollary fixes rho, Lambda and r beforehand. Deviation: `machine_bound` takes Lambda and r from the
machine and its training sample, so its number shows the size of the terms and is not a guarantee
for the machine.
"""

from typing import NamedTuple

import numpy as np
from sklearn.utils import gen_batches

BLOCK = 100  # K(x, x) is the diagonal of a block of the kernel matrix


class Bound(NamedTuple):
    """The three terms of Eq. 9.11; `value` is their sum."""

    margin_loss: float
    complexity: float
    confidence: float

    @property
    def value(self) -> float:
        return self.margin_loss + self.complexity + self.confidence


def margins(scores, y) -> np.ndarray:
    """rho_h(x, y) = h(x, y) - max_{y' != y} h(x, y'), from scores, examples x classes.

    >>> margins(np.array([[3.0, 1.0, 2.0], [0.0, 1.0, 5.0]]), [0, 1]).tolist()
    [1.0, -4.0]
    """
    every, others = np.arange(len(scores)), np.array(scores, dtype=float)
    own = others[every, y]
    others[every, y] = -np.inf
    return own - others.max(axis=1)


def margin_loss(margins, rho: float) -> float:
    """R_{S,rho}: the mean of Phi_rho(z) = min(1, max(0, 1 - z/rho)). Eq. 9.5.

    >>> margin_loss([-1.0, 0.5, 2.0], rho=1.0)
    0.5
    """
    _check_positive("rho", rho)
    return float(np.clip(1 - np.asarray(margins, dtype=float) / rho, 0, 1).mean())


def corollary94(margins, rho: float, k: int, Lambda: float, r: float, delta: float) -> Bound:
    """Eq. 9.11 for the margins of m examples, k classes, |W| <= Lambda and K(x, x) <= r^2.

    >>> bound = corollary94(np.full(10_000, 2.0), rho=1.0, k=3, Lambda=2.0, r=1.0, delta=0.05)
    >>> round(bound.complexity, 3), round(bound.confidence, 4), round(bound.value, 4)
    (0.24, 0.0122, 0.2522)
    """
    for name, value in {"Lambda": Lambda, "r": r}.items():
        _check_positive(name, value)
    if not 0 < delta < 1:
        raise ValueError(f"delta must be between 0 and 1. Got {delta!r} instead.")
    m = len(margins)
    return Bound(
        margin_loss=margin_loss(margins, rho),
        complexity=4 * k * float(np.sqrt(r**2 * Lambda**2 / rho**2 / m)),
        confidence=float(np.sqrt(np.log(1 / delta) / (2 * m))),
    )


def machine_bound(machine, X, y, rho: float = 1.0, delta: float = 0.05) -> Bound:
    """Eq. 9.11 for a fitted MulticlassSVM and its training sample.

    Lambda is the norm of W and r^2 the largest K(x, x) of the sample. At rho = 1 the margin loss is
    at most the mean slack of Eq. 9.12.
    """
    labels = np.searchsorted(machine.classes_, y)
    values = margins(machine.scores(X), labels)
    k, Lambda = len(machine.classes_), machine.weight_norm_
    return corollary94(values, rho, k, Lambda, kernel_radius(machine, X), delta)


def kernel_radius(machine, X) -> float:
    """r: the root of the largest K(x, x) of the rows of X."""
    X = np.asarray(X, dtype=float)
    blocks = (X[batch] for batch in gen_batches(len(X), BLOCK))
    return float(np.sqrt(max(machine.kernel_matrix(x, x).diagonal().max() for x in blocks)))


def _check_positive(name, value):
    if not 0 < value < np.inf:
        raise ValueError(f"{name} must be a number above 0. Got {value!r} instead.")
