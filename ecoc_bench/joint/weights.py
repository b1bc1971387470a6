"""The weights D_t(n, c) of the wrong labels c of example n: Figs. 1 and 2 of Sun et al. 2005.

D is examples x classes, sums to 1, and is 0 where c is the label y_n. A column is over {-1, +1}.
The kernels run over the examples of one class after another, the order in which D lies in memory.
"""

import numpy as np
from numba import njit


def first_weights(y, n_classes: int, weight) -> np.ndarray:
    """Step 1: D_1(n, c) = I(c != y_n)/(N (C - 1)), or in proportion to the examples' weights."""
    D = np.repeat(np.asarray(weight, dtype=float)[:, None], n_classes, axis=1)
    D[np.arange(len(y)), y] = 0
    return np.asfortranarray(D / D.sum())


@njit(cache=True)
def separated(D, y, column):
    """sum_c D_t(n, c) I(M(y_n, t) != M(c, t)): its sum is U_t (Step 4), its share d_t (Step 5)."""
    sides = np.zeros((2, len(y)))  # weight of the classes at -1 and at +1
    for c in range(len(column)):
        side = sides[int(column[c] > 0)]
        for n in range(len(y)):
            side[n] += D[n, c]
    d = np.empty(len(y))
    for n in range(len(y)):
        d[n] = sides[0, n] if column[y[n]] > 0 else sides[1, n]
    return d


@njit(cache=True)
def reweight(D, y, column, f):
    """Step 9 in place, f = alpha_t h_t(x_n): D(n, c) exp(-(M(y_n, t) - M(c, t)) f(n)) / Z_t; Z_t.

    M(y_n, t) - M(c, t) is 2 M(y_n, t) if the column separates c from y_n, and 0 otherwise. By
    Eq. 20, Step 10 of Fig. 2 is the same except for a constant that Z_t absorbs.
    """
    factors = np.ones((2, len(y)))  # for the classes at -1 and at +1
    for n in range(len(y)):
        label = column[y[n]]
        factors[int(label < 0), n] = np.exp(-2 * label * f[n])
    sums = np.zeros(len(y))
    for c in range(len(column)):
        factor = factors[int(column[c] > 0)]
        for n in range(len(y)):
            D[n, c] *= factor[n]
            sums[n] += D[n, c]
    Z = sums.sum()
    for c in range(len(column)):
        for n in range(len(y)):
            D[n, c] /= Z
    return Z


def resample(d, rng) -> np.ndarray:
    """How often each example is among N drawn by d_t, with replacement (Step 6)."""
    return drawn(d, rng.standard_exponential(len(d) + 1))


@njit(cache=True)
def drawn(d, gaps):
    """How many of the points 0 < u_1 < u_2 < ... fall to each example, whose share is d(n).

    N + 1 exponential gaps, scaled to sum to 1, give N sorted uniform draws, so one pass is enough.
    """
    counts = np.zeros(len(d), np.int64)
    last = len(d) - 1
    while d[last] <= 0:  # rounding must not give a draw to an example without weight
        last -= 1
    scale = d.sum() / gaps.sum()
    n, edge, u = 0, d[0], 0.0
    for j in range(len(gaps) - 1):
        u += gaps[j] * scale
        while u >= edge and n < last:
            n += 1
            edge += d[n]
        counts[n] += 1
    return counts
