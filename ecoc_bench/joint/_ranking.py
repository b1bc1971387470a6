"""The steps of a coordinate descent on F of Eq. 9.26 or on G of Eq. 9.25, with stumps.

a(i, l) is the weight of the sign Y[i, l] of label l in the slope of the objective. On side j of a
test W+_jl and W-_jl sum the a(i, l) of the examples with Y[i, l] = +1 and -1. A pair p says that
of example row[p] the label above[p], which it has, should be ranked above below[p].
"""

import math

import numpy as np
from numba import njit

from ..learners._boosting import side_of, sign_and_column
from ..learners._stumps import BEAT


@njit(cache=True)
def lay_out(a, tiles, memory):
    """a(i, l), examples x classes, in the tiles that the search for stumps reads."""
    for block in range(len(tiles.blocks) - 1):
        for t in range(tiles.blocks[block].tile, tiles.blocks[block + 1].tile):
            tile = tiles.layout[t]
            d = tile.offset
            for i in range(tile.row, tile.end):
                for j in range(tile.n_slots):
                    _, s = sign_and_column(tiles.place[t, j], tiles.blocks[block])
                    memory[d + j] = a[i, s]
                d += tile.width


@njit(cache=True)
def vote(a, Y, bins, test, nominal, sides, v):
    """sides[i] = 0 where the test is true, else 1; v[j, l] = h(x, l) on side j.

    h is the heavier of the signs, which makes the slope steepest; +1 if both are equal.
    """
    W = np.zeros((2, 2, a.shape[1]))
    for i in range(len(a)):
        sides[i] = side_of(np.int64(bins[i]), test, nominal)
        for label in range(a.shape[1]):
            W[sides[i], int(Y[i, label] < 0), label] += a[i, label]
    for j in range(2):
        for label in range(a.shape[1]):
            v[j, label] = 1.0 if W[j, 0, label] >= W[j, 1, label] * BEAT else -1.0


@njit(cache=True)
def pair_weights(D, row, above, below, a):
    """a(i, l) of the pairs: D(p) counts for +1 at the label above and for -1 at the one below."""
    a[:] = 0.0
    for p in range(len(D)):
        a[row[p], below[p]] += D[p]
        a[row[p], above[p]] += D[p]


@njit(cache=True)
def ordered(D, row, above, below, sides, v):
    """(eps+, eps-): the weights of the pairs that h puts in order, and the other way round."""
    right, wrong = 0.0, 0.0
    for p in range(len(D)):
        j = sides[row[p]]
        order = v[j, above[p]] - v[j, below[p]]
        if order > 0:
            right += D[p]
        elif order < 0:
            wrong += D[p]
    return right, wrong


@njit(cache=True)
def reweight_pairs(D, row, above, below, sides, c):
    """D(p) exp(-(c(x_i, above) - c(x_i, below))) / Z in place, c = alpha h; returns Z."""
    Z = 0.0
    for p in range(len(D)):
        j = sides[row[p]]
        D[p] *= math.exp(c[j, below[p]] - c[j, above[p]])
        Z += D[p]
    for p in range(len(D)):
        D[p] /= Z
    return Z


@njit(cache=True)
def agreements(Y, sides, v, g):
    """g_i = 1/k sum_l Y[i, l] h(x_i, l)."""
    k = v.shape[1]
    for i in range(len(Y)):
        total = 0.0
        for label in range(k):
            total += v[sides[i], label] if Y[i, label] > 0 else -v[sides[i], label]
        g[i] = total / k
