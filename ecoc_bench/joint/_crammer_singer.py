"""The duals of two multiclass SVMs (Mohri et al., Section 9.3.1), solved one example at a time.

Written as a minimum over alpha, classes x examples, of

    1/2 sum_ij (alpha_i . alpha_j) K(x_i, x_j) - sum_i alpha_i[y_i],
    alpha_i[y_i] <= C,  alpha_i[r] <= 0 for r != y_i,  sum_r alpha_i[r] = 0.

This is Crammer & Singer's, where the largest slack of an example costs C. In Weston & Watkins' each
of its k - 1 slacks costs C, which bounds each alpha_i[r], r != y_i, by -C in place of their sum:
`down`, an array for these lower bounds, is None in the first case.

G[r, i] = w_r . Phi(x_i) + 1 - 1[r = y_i] is its gradient plus 1, which changes nothing: the alpha_i
sum to 0. Example i is optimal if the highest G[r, i] among the alpha_i[r] above their lower bound
equals the lowest G[r, i] among those below their upper bound; the difference of the two is its
violation (Crammer & Singer 2001; Keerthi et al. 2008). Arrays are classes x examples so that the
hot loops run over neighbours.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..learners._parts import entry, part

WORKING_SET = 128  # its part of the kernel matrix stays in the cache
ROUNDING = 1e-12  # a dual variable below this share of C is 0
PROGRESS = 0.1  # a working set is left when its violations are this share of the largest before


@part
def solve_example(B, A, y, C, a):
    """a <- argmin A/2 |a|^2 + B . a with a[y] <= C, the others <= 0, sum 0; A > 0.

    a[r] = min(bound, (beta - B[r])/A), and beta follows from the sum: the classes below their bound
    are those of highest B[r] + A bound. If a[y] is only rounding, the row becomes 0.
    """
    k = len(B)
    D = B.copy()
    D[y] += A * C
    D.sort()
    beta, free = D[k - 1] - A * C, 1
    while free < k and beta < free * D[k - 1 - free]:
        beta += D[k - 1 - free]
        free += 1
    beta /= free
    if beta - B[y] <= ROUNDING * A * C:
        a[:] = 0.0
        return
    for r in range(k):
        a[r] = min(C if r == y else 0.0, (beta - B[r]) / A)


@part
def solve_flat_example(G, y, C, a):
    """The same for K(x, x) = 0, where the objective is linear: C of the worst class goes to y."""
    a[:] = 0.0
    a[y] += C
    a[np.argmax(G)] -= C


@part
def solve_box_example(B, A, y, C, a):
    """a <- argmin A/2 |a|^2 + B . a with -C <= a[r] <= 0 for r != y, sum 0; A > 0.

    With u_r = (B[r] - B[y])/A and s = a[y], a[r] = -min(C, max(0, u_r - s)). What these take in
    all, less s, falls with s, at the rate of 1 and as many of them as are inside their bounds; s is
    where it is 0.
    """
    k = len(B)
    u = (B - B[y]) / A
    s, taken, inside = 0.0, 0.0, 0
    for r in range(k):
        taken += min(C, max(0.0, u[r]))
        inside += 0 < u[r] <= C
    ends = np.concatenate((u - C, u))
    for j in np.argsort(ends):
        if ends[j] <= 0:
            continue
        step = ends[j] - s
        if taken <= (1 + inside) * step:
            break
        taken -= (1 + inside) * step
        s = ends[j]
        inside += 1 if j < k else -1
    s += taken / (1 + inside)
    a[:] = 0.0
    if s <= ROUNDING * C:
        return
    for r in range(k):
        if r != y and u[r] > s:
            a[r] = -min(C, u[r] - s)
    a[y] = -a.sum()


@part
def solve_flat_box_example(G, y, C, a):
    """The same for K(x, x) = 0: C of every class that violates its margin goes to y."""
    a[:] = 0.0
    for r in range(len(G)):
        if G[r] > G[y]:
            a[r] -= C
            a[y] += C


@entry
def bars(alpha, y, C):
    """inf where alpha is at its upper bound and cannot grow, else 0."""
    out = np.zeros(alpha.shape)
    for r in range(alpha.shape[0]):
        for i in range(alpha.shape[1]):
            if alpha[r, i] >= (C if r == y[i] else 0.0):
                out[r, i] = np.inf
    return out


@entry
def floors(alpha, y, C):
    """-inf where alpha is at its lower bound -C and cannot fall, else 0."""
    out = np.zeros(alpha.shape)
    for r in range(alpha.shape[0]):
        for i in range(alpha.shape[1]):
            if r != y[i] and alpha[r, i] <= -C:
                out[r, i] = -np.inf
    return out


@entry
def violations(G, barred, down, high, low):
    """high <- the violation of every example; low is working memory."""
    high[:] = -np.inf
    low[:] = np.inf
    for r in range(G.shape[0]):
        for i in range(G.shape[1]):
            g, h = G[r, i], G[r, i] + barred[r, i]
            if down is not None:
                g += down[r, i]
            high[i] = g if g > high[i] else high[i]
            low[i] = h if h < low[i] else low[i]
    for i in range(len(high)):
        high[i] -= low[i]


@part
def solve_row(G, alpha, A, y, C, down, a):
    """a <- the best row of an example, given its present row alpha, its G, and A = K(x, x)."""
    if down is None:
        if A > 0:
            solve_example(G - A * alpha, A, y, C, a)
        else:
            solve_flat_example(G, y, C, a)
    elif A > 0:
        solve_box_example(G - A * alpha, A, y, C, a)
    else:
        solve_flat_box_example(G, y, C, a)


@entry
def solve_working_set(K, G, alpha, y, C, down, tol, max_steps):
    """Lower all violations to tol, the largest first; K, G, alpha and y are of the working set.

    G and alpha change in place. Returns the number of steps, max_steps if they did not suffice.
    """
    k, q = G.shape
    top = C if down is None else np.inf  # of alpha_i[y_i]
    barred = bars(alpha, y, top)
    v, low = np.empty(q), np.empty(q)
    a = np.empty(k)
    for step in range(max_steps):
        violations(G, barred, down, v, low)
        i = np.argmax(v)
        if v[i] <= tol:
            return step
        solve_row(G[:, i], alpha[:, i], K[i, i], y[i], C, down, a)
        for r in range(k):
            change = a[r] - alpha[r, i]
            if change != 0:
                alpha[r, i] = a[r]
                barred[r, i] = np.inf if a[r] >= (top if r == y[i] else 0.0) else 0.0
                if down is not None:
                    down[r, i] = -np.inf if r != y[i] and a[r] <= -C else 0.0
                for j in range(q):
                    G[r, j] += change * K[i, j]
    return max_steps


@entry
def add_rows(rows, slots, change, G):
    """G[r] += sum_w change[r, w] rows[slots[w]], in this order; most changes are 0."""
    for w in range(len(slots)):
        row = rows[slots[w]]
        for r in range(G.shape[0]):
            c = change[r, w]
            if c != 0:
                for j in range(G.shape[1]):
                    G[r, j] += c * row[j]


class Solution(NamedTuple):
    """alpha and the scores w_r.Phi(x_i), both classes x examples; steps; the largest violation."""

    alpha: np.ndarray
    scores: np.ndarray
    n_steps: int
    violation: float


class Rows:
    """Rows of the kernel matrix, each computed when it is first asked for."""

    def __init__(self, kernel: Callable, X):
        self.kernel = kernel
        self.X = X
        self.slot = np.full(len(X), -1)
        self.rows = np.empty((0, len(X)))
        self.filled = 0

    def slots(self, W) -> np.ndarray:
        """The places in `rows` of the examples W."""
        new = W[self.slot[W] < 0]
        if len(new):
            end = self.filled + len(new)
            if end > len(self.rows):
                grown = np.empty((min(2 * end, len(self.X)), len(self.X)))
                grown[: self.filled] = self.rows[: self.filled]
                self.rows = grown
            found = self.rows[self.filled : end]
            found[:] = self.kernel(self.X[new], self.X)
            if not np.isfinite(found).all():
                raise ValueError("the kernel must be finite. Scale the inputs, or lower gamma.")
            self.slot[new] = np.arange(self.filled, end)
            self.filled = end
        return self.slot[W]


def violation_of(G, alpha, y, C: float, each_slack: bool) -> np.ndarray:
    """The violation of every example; `each_slack`: as in Weston & Watkins' machine."""
    v, room = np.empty(len(y)), np.empty(len(y))
    if each_slack:
        violations(G, bars(alpha, y, np.inf), floors(alpha, y, C), v, room)
    else:
        violations(G, bars(alpha, y, C), None, v, room)
    return v


def solve_dual(
    kernel: Callable, X, y, k: int, C: float, tol: float, max_steps: int, each_slack: bool
) -> Solution:
    """Lower the largest violation to tol, or make max_steps steps; y holds classes 0 to k - 1."""
    m = len(X)
    rows = Rows(kernel, X)
    alpha, G = np.zeros((k, m)), np.ones((k, m))
    G[y, np.arange(m)] = 0.0
    v = violation_of(G, alpha, y, C, each_slack)
    W, n_steps = np.arange(0), 0
    while v.max() > tol and n_steps < max_steps:
        W = next_working_set(v, W, tol)
        slots = rows.slots(W)
        K, goal = rows.rows[np.ix_(slots, W)], max(PROGRESS * v.max(), tol / 2)
        a, g = alpha.take(W, axis=1), G.take(W, axis=1)  # rows of neighbours, unlike alpha[:, W]
        down = floors(a, y[W], C) if each_slack else None
        n_steps += solve_working_set(K, g, a, y[W], C, down, goal, max_steps - n_steps)
        add_rows(rows.rows, slots, a - alpha.take(W, axis=1), G)
        alpha[:, W] = a
        v = violation_of(G, alpha, y, C, each_slack)
    support = np.flatnonzero(alpha.any(axis=0))
    scores = np.zeros((k, m))  # computed again: G has the rounding of all the steps
    add_rows(rows.rows, rows.slot[support], alpha.take(support, axis=1), scores)
    return Solution(alpha, scores, n_steps, float(v.max()))


def next_working_set(v, W, tol: float) -> np.ndarray:
    """The largest violations and, in half of the places, the examples that entered last.

    The examples that were just solved depend most on the new ones; without them, the two sets would
    keep spoiling each other's solution.
    """
    worst = np.argsort(-v, kind="stable")[: WORKING_SET if not len(W) else WORKING_SET // 2]
    worst = worst[v[worst] > tol]
    return np.concatenate([worst, W[~np.isin(W, worst)]])[:WORKING_SET]
