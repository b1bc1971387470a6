"""Rows of a kernel matrix, each computed on its first use and then kept for all columns of a code.

Most examples never become support vectors, so most rows are never asked for; the memory of a row
that was not is not taken from the machine. An entry is a sum over the features in their order,
whatever is computed next to it: the bytes do not depend on blocks, threads or the library of linear
algebra. Sums are float64, and only the kept entry may be rounded to float32.
"""

from typing import NamedTuple

import numpy as np

from ._parts import entry, part

LINEAR, POLY, RBF, PRECOMPUTED = 0, 1, 2, 3


class Formula(NamedTuple):
    """x.z, (gamma x.z + coef0)^degree, or exp(-gamma ||x - z||^2)."""

    kind: int
    gamma: float
    coef0: float
    degree: int


class Rows(NamedTuple):
    """K(x_i, z_k), of which the rows in `have` are filled; XT and ZT hold examples as columns."""

    K: np.ndarray
    have: np.ndarray
    XT: np.ndarray
    ZT: np.ndarray
    x_norms: np.ndarray
    z_norms: np.ndarray
    formula: Formula


@part
def row(rows, i):
    """K[i]."""
    if not rows.have[i]:
        values = np.zeros(rows.ZT.shape[1])
        kernel(rows.formula, rows.XT, i, rows.x_norms[i], rows.ZT, rows.z_norms, values)
        kept = rows.K[i]
        for k in range(len(values)):
            kept[k] = values[k]
        rows.have[i] = True
    return rows.K[i]


@part
def kernel(formula, XT, i, norm, ZT, norms, out):
    """out[k] = K(x_i, z_k), 0 before; `norm` and `norms` are the squared lengths of x_i and z_k.

    Four features at a time: `out` is read and written less often.
    """
    d = len(XT)
    for f in range(0, d - d % 4, 4):
        a, b, c, e = XT[f, i], XT[f + 1, i], XT[f + 2, i], XT[f + 3, i]
        p, q, r, s = ZT[f], ZT[f + 1], ZT[f + 2], ZT[f + 3]
        for k in range(len(out)):
            out[k] = (((out[k] + a * p[k]) + b * q[k]) + c * r[k]) + e * s[k]
    for f in range(d - d % 4, d):
        a, p = XT[f, i], ZT[f]
        for k in range(len(out)):
            out[k] += a * p[k]
    if formula.kind == POLY:
        power(out, formula.gamma, formula.coef0, formula.degree)
    elif formula.kind == RBF:
        for k in range(len(out)):
            distance = norm + norms[k] - 2.0 * out[k]
            out[k] = np.exp(-formula.gamma * max(distance, 0.0))


@part
def power(out, gamma, coef0, degree):
    """(gamma out + coef0)^degree in place, by multiplication: `pow` is not vectorised."""
    base = np.empty(len(out))
    for k in range(len(out)):
        base[k] = gamma * out[k] + coef0
        out[k] = 1.0
    for _ in range(degree):
        for k in range(len(out)):
            out[k] *= base[k]


@entry
def squared_lengths(XT):
    """||x_k||^2 of each column."""
    out = np.zeros(XT.shape[1])
    for f in range(len(XT)):
        values = XT[f]
        for k in range(len(out)):
            out[k] += values[k] * values[k]
    return out


@entry
def diagonal(formula, norms):
    """K(x_k, x_k) of each example."""
    out = norms.copy()
    if formula.kind == POLY:
        power(out, formula.gamma, formula.coef0, formula.degree)
    elif formula.kind == RBF:
        for k in range(len(out)):
            out[k] = 1.0
    return out


@entry
def expand(rows, coefficients):
    """f(z_k) = sum_i coefficients[i] K(x_i, z_k); a zero costs nothing."""
    f = np.zeros(rows.ZT.shape[1])
    for i in range(len(coefficients)):
        c = coefficients[i]
        if c != 0.0:
            row_i = row(rows, i)
            for k in range(len(f)):
                f[k] += c * np.float64(row_i[k])
    return f
