"""Logistic regression of many columns: 1/2 |w|^2 + sum_i c_i ln(1 + e^-y_i (w.x_i + b)).

All columns take their next step together, so that one product gives the scores of many; what a
column does depends on itself alone. A step is Newton's. Of many rows, only those where the second
derivative of the loss is large enter the Hessian one by one; the others enter together with their
mean, and the last few steps correct it (L-BFGS: Nocedal & Wright, Algorithm 7.4).
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from ._parts import entry
from ._products import add_product

ROWS = 1024  # at a time: what is computed of them stays in the cache
COLUMNS = 64  # at a time
PLAIN = 2000  # so many rows have their whole Hessian
PER_FEATURE = 20  # of more rows, so many for each feature enter it one by one
PAIRS = 10  # steps that are remembered
ENOUGH = 1e-9  # of the objective: what the next step would gain, at most
ROUNDING = 1e-13  # of the objective
HALVINGS = 30
DECREASE = 1e-4  # Armijo's constant


@dataclass
class Column:
    """Where the minimisation of one column is."""

    w: np.ndarray  # d weights, and the bias
    step: np.ndarray
    value: float = np.inf
    gradient: np.ndarray = field(default_factory=lambda: np.empty(0))
    slope: float = 0.0
    length: float = 0.0
    pairs: list = field(default_factory=list)
    n_iter: int = 0
    converged: bool = False
    ended: bool = False


class Rows:
    """Rows with a column of ones, their weights, and what all columns share.

    `alone`: they are the rows of one column, whose products have no others beside them.
    """

    def __init__(self, X: np.ndarray, weight: np.ndarray, alone: bool):
        self.alone = alone
        self.X = np.hstack([X, np.ones((len(X), 1))])
        self.weight = weight
        self.penalty = np.ones(self.X.shape[1])
        self.penalty[-1] = 0.0
        self.most = PER_FEATURE * X.shape[1]
        self.many = len(X) > max(PLAIN, self.most)
        self.gram = self.X.T @ self.X if self.many else np.zeros((0, 0))


def logistic(
    X: np.ndarray, Y: np.ndarray, weight: np.ndarray, max_iter: int, alone: bool = False
) -> list[Column]:
    """Minimise each column of signs; rows with a zero do not count."""
    Y = np.asfortranarray(Y, dtype=np.int8)
    rows, columns = Rows(X, weight, alone), [_start(X.shape[1], y, weight) for y in Y.T]
    while active := [s for s, column in enumerate(columns) if not column.ended]:
        for start in range(0, len(active), COLUMNS):
            some = active[start : start + COLUMNS]
            _advance(rows, np.ascontiguousarray(Y[:, some]), [columns[s] for s in some], max_iter)
    return columns


def _start(n_features: int, y: np.ndarray, weight: np.ndarray) -> Column:
    """No weights, and the bias that is best without them."""
    w = np.zeros(n_features + 1)
    up, down = weight[y > 0].sum(), weight[y < 0].sum()
    least = np.finfo(float).tiny
    w[-1] = np.log(max(up, least)) - np.log(max(down, least))
    return Column(w, np.zeros(n_features + 1))


def _advance(rows: Rows, Y: np.ndarray, columns: list[Column], max_iter: int) -> None:
    """Look at the end of each column's step: take it and choose the next one, or halve it."""
    W = np.ascontiguousarray(np.array([c.w + c.length * c.step for c in columns]).T)
    F, G, D = (_evaluated_alone if rows.alone else _evaluated)(rows, Y, W)
    for s, column in enumerate(columns):
        w = W[:, s].copy()
        value = F[0, s] + 0.5 * float(rows.penalty @ (w * w))
        slack = ROUNDING * abs(column.value) if column.n_iter else 0.0
        if value <= column.value + DECREASE * column.length * column.slope + slack:
            _take(rows, column, w, value, G[:, s] + rows.penalty * w, D[s], max_iter)
        else:
            column.length /= 2
            column.ended = column.length < 2.0**-HALVINGS


def _evaluated_alone(rows: Rows, Y: np.ndarray, W: np.ndarray):
    """The same as `_evaluated` for one column that uses all rows, with fewer steps in Python."""
    y = Y[:, 0]
    z = y * (rows.X @ W[:, 0])
    E = np.exp(-np.abs(z))
    p = 1 / (1 + E)
    q = E * p
    F = rows.weight @ (np.log1p(E) - np.minimum(z, 0))
    G = rows.X.T @ (rows.weight * -y * np.where(z >= 0, q, p))
    return np.array([[F]]), G[:, None], (rows.weight * p * q)[None]


def _evaluated(rows: Rows, Y: np.ndarray, W: np.ndarray):
    """The sums of the losses, their gradients, and the second derivatives by column and row."""
    n, m = Y.shape
    F, G, D = np.zeros((1, m)), np.zeros_like(W), np.empty((m, n))
    for start in range(0, n, ROWS):
        part = slice(start, start + ROWS)
        X = rows.X[part]
        Z = np.zeros((len(X), m))
        add_product(X, W, Z)
        E = np.empty_like(Z)
        signed(Z, Y[part], E)
        np.exp(E, out=E)
        second = np.empty_like(Z)
        derived(Z, Y[part], E, np.log1p(E), rows.weight[part], F, second)
        add_product(X.T, Z, G)
        D[:, part] = second.T
    return F, G, D


@entry
def signed(Z, Y, E):
    """Z becomes y z, and E becomes -|z|."""
    for i in range(Z.shape[0]):
        for s in range(Z.shape[1]):
            Z[i, s] *= Y[i, s]
            E[i, s] = -abs(Z[i, s])


@entry
def derived(Z, Y, E, log1p, weight, F, second):
    """Of y z, e^-|z| and ln(1 + e^-|z|): F gains the losses, Z becomes their derivatives."""
    for i in range(Z.shape[0]):
        for s in range(Z.shape[1]):
            c = weight[i] * abs(Y[i, s])
            p = 1.0 / (1.0 + E[i, s])
            q = E[i, s] * p
            F[0, s] += c * (log1p[i, s] - min(Z[i, s], 0.0))
            second[i, s] = c * p * q
            Z[i, s] = -weight[i] * Y[i, s] * (q if Z[i, s] >= 0.0 else p)


def _take(rows: Rows, column: Column, w, value, gradient, second, max_iter: int) -> None:
    """Go to w, and choose the next step from there."""
    if column.n_iter and rows.many:
        moved, turned = w - column.w, gradient - column.gradient
        if moved @ turned > 0:
            column.pairs = [*column.pairs[1 - PAIRS :], (moved, turned)]
    column.w, column.value, column.gradient = w, value, gradient
    factor = _factor(rows, second)
    if factor is None or not np.isfinite(value):
        column.ended = True
        return
    column.step = -_direction(column.pairs, factor, gradient)
    column.slope, column.length = float(gradient @ column.step), 1.0
    column.converged = -column.slope / 2 <= ENOUGH * abs(value)
    column.ended = column.converged or column.n_iter >= max_iter
    column.n_iter += 1


def _factor(rows: Rows, second: np.ndarray):
    """Cholesky's factor of the Hessian, or of what is near to it; None if there is none."""
    X, mean, part = rows.X, 0.0, second
    if rows.many:
        bound = np.partition(second, len(second) - rows.most)[len(second) - rows.most]
        rest = second[second <= bound].mean()
        chosen = np.flatnonzero(second > max(bound, 2 * rest, 0.01 * second.max()))
        part = second[chosen]
        mean = (second.sum() - part.sum()) / max(len(second) - len(part), 1)
        X = X[chosen]
    H = (X.T * (part - mean)) @ X
    if rows.many:
        H += mean * rows.gram
    H[np.diag_indices(len(H))] += rows.penalty
    H[-1, -1] *= 1 + 1e-12  # positive where all rows are sure
    factor, trouble = dpotrf(H, lower=1, overwrite_a=1, clean=0)
    return None if trouble else factor


def _direction(pairs: list, factor, gradient: np.ndarray) -> np.ndarray:
    """The inverse of the Hessian, corrected by the last steps, times the gradient."""
    r, shares = gradient.copy(), []
    for moved, turned in reversed(pairs):
        shares.append((moved @ r) / (moved @ turned))
        r -= shares[-1] * turned
    r = dpotrs(factor, r, lower=1, overwrite_b=1)[0]
    for (moved, turned), share in zip(pairs, reversed(shares), strict=True):
        r += moved * (share - (turned @ r) / (moved @ turned))
    return r
