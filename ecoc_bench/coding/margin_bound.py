"""The margin bounds of Section 9.2 (Mohri, Rostamizadeh & Talwalkar 2018) as numbers.

With probability 1 - delta over samples of m examples, for all h of a set H and a fixed rho,

    R(h) <= R_{S,rho}(h) + (4 k / rho) R_m(Pi_1(H)) + (log(1/delta) / (2 m))^(1/2).     (9.10)

Kernel machines of norm at most Lambda have R_m(Pi_1(H)) <= r Lambda / m^(1/2) (Proposition 9.3),
which makes it

    R(h) <= R_{S,rho}(h) + 4 k r Lambda / (rho m^(1/2)) + (log(1/delta) / (2 m))^(1/2).     (9.11)

A bound above 1 is true but says nothing; with k in the middle term most bounds are above 1. Theorem
and corollary fix rho, Lambda and r beforehand. Deviation: a run takes Lambda and r from the machine
and its training sample, so its numbers show the size of the terms and are no guarantee for the
machine.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np


class Bound(NamedTuple):
    """The three terms of Eq. 9.10 or 9.11; `value` is their sum."""

    margin_loss: float
    complexity: float
    confidence: float

    @property
    def value(self) -> float:
        return self.margin_loss + self.complexity + self.confidence


class Norms(NamedTuple):
    """The size of a kernel machine: Lambda, and K(x, x) <= r^2; r_mean^2 is the mean of K(x, x)."""

    Lambda: float
    r: float
    r_mean: float


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
    if not 0 < rho < np.inf:
        raise ValueError(f"rho must be a number above 0. Got {rho!r} instead.")
    return float(np.clip(1 - np.asarray(margins, dtype=float) / rho, 0, 1).mean())


def proposition93(Lambda: float, r: float, m: int) -> float:
    """R_m(Pi_1(H)) <= (r^2 Lambda^2 / m)^(1/2), for |W| <= Lambda and K(x, x) <= r^2.

    The proof has E[sum_i K(x_i, x_i)] before it has m r^2. With the mean of K(x, x) over the sample
    in the place of r^2 this is the bound of that line, for the sample.
    """
    for name, value in {"Lambda": Lambda, "r": r}.items():
        if not 0 <= value < np.inf:
            raise ValueError(f"{name} must be a number, 0 or more. Got {value!r} instead.")
    return float(np.sqrt(r**2 * Lambda**2 / m))


def theorem92(margins, rho: float, k: int, complexity: float, delta: float) -> Bound:
    """Eq. 9.10 for the margins of m examples, k classes and a bound of R_m(Pi_1(H))."""
    if not 0 < delta < 1:
        raise ValueError(f"delta must be between 0 and 1. Got {delta!r} instead.")
    return Bound(
        margin_loss=margin_loss(margins, rho),
        complexity=4 * k * complexity / rho,
        confidence=float(np.sqrt(np.log(1 / delta) / (2 * len(margins)))),
    )


def corollary94(margins, rho: float, k: int, Lambda: float, r: float, delta: float) -> Bound:
    """Eq. 9.11: Theorem 9.2 with Proposition 9.3.

    >>> bound = corollary94(np.full(10_000, 2.0), rho=1.0, k=3, Lambda=2.0, r=1.0, delta=0.05)
    >>> round(bound.complexity, 3), round(bound.confidence, 4), round(bound.value, 4)
    (0.24, 0.0122, 0.2522)
    """
    return theorem92(margins, rho, k, proposition93(Lambda, r, len(margins)), delta)


def cell_margin_bounds(
    margins, k: int, norms: Norms, rhos: Sequence[float], delta: float
) -> Iterator[dict]:
    """All columns of margin_bounds.csv except key, sizes and errors: a row for each rho.

    `theorem92` has the mean of K(x, x) where `corollary94` has the largest; `void` names the bounds
    that exceed 1.
    """
    of_sample = proposition93(norms.Lambda, norms.r_mean, len(margins))
    for rho in rhos:
        theorem = theorem92(margins, rho, k, of_sample, delta)
        corollary = corollary94(margins, rho, k, norms.Lambda, norms.r, delta)
        numbers = {
            "delta": delta,
            "norm": norms.Lambda,
            "radius": norms.r,
            "mean_radius": norms.r_mean,
            "rho": rho,
            "margin_loss": corollary.margin_loss,
            "confidence": corollary.confidence,
            "theorem92": theorem.value,
            "corollary94": corollary.value,
        }
        shown = {name: float(f"{value:.6g}") for name, value in numbers.items()}
        yield {**shown, "void": VOID[(theorem.value > 1) + (corollary.value > 1)]}


VOID = ("none", "corollary94", "both")  # the theorem's number is never the larger one
