"""A solver for the dual of the SVM whose bias is inside the kernel: a box and no equality.

    max_a  sum_j a_j - 1/2 sum_jk a_j a_k Q_jk,  0 <= a_j <= upper_j,  Q_jk = y_j y_k (K_jk + 1)

It is libsvm's method without libsvm's constraint: two coordinates at a time, the first by the
largest violation of the optimality conditions, the second by the gain of the pair (Fan, Chen & Lin
2005; for machines without bias Steinwart, Hush & Scovel 2011). One coordinate at a time needs up to
a hundred times the steps: a constant in the kernel ties all coordinates together. Not handled:
kernels whose diagonal is not 1. Loops are split so that each is vectorised by the compiler.
"""

import numpy as np
from numba import njit

DIAGONAL = 2.0  # K(x, x) + 1
SINGULAR = 1e-6  # determinants of pairs below this: two examples in one place


@njit(cache=True, error_model="numpy")
def solve(K, y, upper, tol, max_iter):
    """a, and whether no coordinate violates the optimality conditions by more than tol.

    K is n x n (float32 is enough; sums are float64), y holds -1, 0, +1. An example with y = 0 needs
    upper = 0 and is left out.
    """
    a = np.zeros(len(y))
    g = np.ones(len(y))  # 1 - y f(x), the gradient
    work = np.empty(len(y))
    for _ in range(max_iter):
        violations(g, a, upper, work)
        i = first_largest(work)
        if work[i] <= tol:
            return a, True
        pair_gains(K[i], y, g, a, upper, i, work)
        j = first_largest(work)
        if work[j] > 0.0:
            q = y[i] * y[j] * (K[i, j] + 1.0)
            step_i, step_j = pair_step(
                q, g[i], g[j], (-a[i], upper[i] - a[i]), (-a[j], upper[j] - a[j])
            )
        else:
            step_i, step_j = clip(g[i] / DIAGONAL, (-a[i], upper[i] - a[i])), 0.0
        a[i] = clip(a[i] + step_i, (0.0, upper[i]))  # a sum may round to just outside
        a[j] = clip(a[j] + step_j, (0.0, upper[j]))
        move(K[i], K[j], y, g, step_i * y[i], step_j * y[j])
    return a, False


@njit(cache=True, error_model="numpy")
def violations(g, a, upper, out):
    """How far each coordinate is from optimal: its gradient where the box lets it follow."""
    for j in range(len(g)):
        out[j] = max(g[j] if a[j] < upper[j] else 0.0, -g[j] if a[j] > 0.0 else 0.0)


@njit(cache=True, error_model="numpy")
def pair_gains(row, y, g, a, upper, i, out):
    """What j adds to the gain of a step of i without the box; 0 if the box stops j at once."""
    g_i, y_i = g[i], y[i]
    for j in range(len(g)):
        q = y_i * y[j] * (row[j] + 1.0)
        slope = DIAGONAL * g[j] - q * g_i
        slope = max(slope if a[j] < upper[j] else 0.0, -slope if a[j] > 0.0 else 0.0)
        out[j] = slope * slope / max(DIAGONAL * DIAGONAL - q * q, SINGULAR)
    out[i] = 0.0


@njit(cache=True, error_model="numpy")
def pair_step(q, g_i, g_j, box_i, box_j):
    """The best (s, t) in the box: max g_i s + g_j t - (DIAGONAL (s^2 + t^2) + 2 q s t)/2."""
    determinant = DIAGONAL * DIAGONAL - q * q
    if determinant > SINGULAR:
        s = (DIAGONAL * g_i - q * g_j) / determinant
        t = (DIAGONAL * g_j - q * g_i) / determinant
        if box_i[0] <= s <= box_i[1] and box_j[0] <= t <= box_j[1]:
            return s, t
    best, best_s, best_t = -np.inf, 0.0, 0.0
    for edge in range(4):  # otherwise the best is on an edge of the box
        if edge < 2:
            s = box_i[edge]
            t = clip((g_j - q * s) / DIAGONAL, box_j)
        else:
            t = box_j[edge - 2]
            s = clip((g_i - q * t) / DIAGONAL, box_i)
        gain = g_i * s + g_j * t - 0.5 * DIAGONAL * (s * s + t * t) - q * s * t
        if gain > best:
            best, best_s, best_t = gain, s, t
    return best_s, best_t


@njit(cache=True, error_model="numpy")
def move(row_i, row_j, y, g, step_i, step_j):
    """The gradient after f has moved by step_i (K_i + 1) + step_j (K_j + 1)."""
    for j in range(len(g)):
        g[j] -= y[j] * (step_i * (row_i[j] + 1.0) + step_j * (row_j[j] + 1.0))


@njit(cache=True, error_model="numpy")
def clip(x, box):
    return min(max(x, box[0]), box[1])


@njit(cache=True, error_model="numpy")
def first_largest(v):
    """The first index of the largest of numbers >= 0.

    Their bits, read as integers, have the same order, and a maximum of integers is vectorised.
    """
    bits = v.view(np.int64)
    largest = bits[0]
    for j in range(len(bits)):
        largest = max(largest, bits[j])
    for j in range(len(bits)):
        if bits[j] == largest:
            return j
    return 0


@njit(cache=True, error_model="numpy")
def expand(K, coefficients):
    """F[i, s] = sum_j coefficients[j, s] (K[j, i] + 1), Eq. 7; a zero costs nothing."""
    F = np.zeros((coefficients.shape[1], K.shape[1]))
    for s in range(coefficients.shape[1]):
        f = F[s]
        for j in range(K.shape[0]):
            c = coefficients[j, s]
            if c != 0.0:
                for i in range(len(f)):
                    f[i] += c * (K[j, i] + 1.0)
    return F.T
