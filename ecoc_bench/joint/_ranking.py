"""The steps of a coordinate descent on F of Eq. 9.26 or on G of Eq. 9.25, with stumps.

a(i, l) is the weight of the sign y_i[l] of label l in the slope of the objective. On side j of a
test W+_jl and W-_jl sum the a(i, l) of the examples with y_i[l] = +1 and -1.
"""

import math

import numpy as np
from numba import njit

from ..learners._boosting import side_of
from ..learners._stumps import BEAT


@njit(cache=True)
def lay_out(a, tiles, memory):
    """a(i, l), examples x classes, in the tiles that the search for stumps reads."""
    for block in range(len(tiles.block) - 1):
        for t in range(tiles.block[block], tiles.block[block + 1]):
            d = tiles.offset[t]
            for i in range(tiles.row[t], tiles.end[t]):
                for j in range(tiles.n_slots[t]):
                    memory[d + j] = a[i, tiles.first[block] + tiles.column[t, j]]
                d += tiles.width[t]


@njit(cache=True)
def vote(a, y, bins, test, nominal, sides, v):
    """sides[i] = 0 where the test is true, else 1; v[j, l] = h(x, l) on side j.

    h is the heavier of the signs, which makes the slope steepest; +1 if both are equal.
    """
    W = np.zeros((2, 2, a.shape[1]))
    for i in range(len(a)):
        sides[i] = side_of(np.int64(bins[i]), test, nominal)
        for label in range(a.shape[1]):
            W[sides[i], int(label != y[i]), label] += a[i, label]
    for j in range(2):
        for label in range(a.shape[1]):
            v[j, label] = 1.0 if W[j, 0, label] >= W[j, 1, label] * BEAT else -1.0


@njit(cache=True)
def pair_weights(D, y, a):
    """a(i, l) of the pairs (l, y_i): D(i, l) counts for -1 at l and for +1 at y_i."""
    for i in range(len(D)):
        a[i, y[i]] = 0.0
        for label in range(D.shape[1]):
            if label != y[i]:
                a[i, label] = D[i, label]
                a[i, y[i]] += D[i, label]


@njit(cache=True)
def ordered(D, y, sides, v):
    """(eps+, eps-): the weights of the pairs with h(x_i, y_i) above and below h(x_i, l)."""
    right, wrong = 0.0, 0.0
    for i in range(len(D)):
        for label in range(D.shape[1]):
            order = v[sides[i], y[i]] - v[sides[i], label]
            if order > 0:
                right += D[i, label]
            elif order < 0:
                wrong += D[i, label]
    return right, wrong


@njit(cache=True)
def reweight_pairs(D, y, sides, c):
    """D(i, l) exp(-(c(x_i, y_i) - c(x_i, l))) / Z in place, c = alpha h; returns Z."""
    Z = 0.0
    for i in range(len(D)):
        for label in range(D.shape[1]):
            D[i, label] *= math.exp(c[sides[i], label] - c[sides[i], y[i]])
            Z += D[i, label]
    for i in range(len(D)):
        for label in range(D.shape[1]):
            D[i, label] /= Z
    return Z


@njit(cache=True)
def agreements(y, sides, v, g):
    """g_i = 1/k sum_l y_i[l] h(x_i, l)."""
    k = v.shape[1]
    for i in range(len(y)):
        total = 0.0
        for label in range(k):
            total += v[sides[i], label] if label == y[i] else -v[sides[i], label]
        g[i] = total / k
