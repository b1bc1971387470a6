"""Passes of the multiclass perceptron and Winnow over the examples, in the n-dimensional space."""

import numpy as np
from numba import njit


@njit(cache=True)
def dot(w, x):
    """w . x, summed in order."""
    total = 0.0
    for f in range(len(x)):
        total += w[f] * x[f]
    return total


@njit(cache=True)
def promote(x, i, j, log2_r, V, W):
    """w_i up and w_j down by x: added (log2_r = 0), or as powers r^x; V keeps their logarithms.

    Powers are scaled by the largest of all, which changes no comparison of two scores. Logarithms
    are to the base 2, so that powers of 2 are exact.
    """
    step = log2_r if log2_r > 0 else 1.0
    for f in range(len(x)):
        V[i, f] += step * x[f]
        V[j, f] -= step * x[f]
    if log2_r > 0:
        top = V.max()
        for c in range(len(V)):
            for f in range(len(x)):
                W[c, f] = 2.0 ** (V[c, f] - top)
    else:
        for f in range(len(x)):
            W[i, f], W[j, f] = V[i, f], V[j, f]


@njit(cache=True)
def add(times, W, total):
    """total += times W."""
    for c in range(len(W)):
        for f in range(W.shape[1]):
            total[c, f] += times * W[c, f]


@njit(cache=True)
def rival(x, i, W):
    """j* = argmax_{j != i} w_j . x, the first of them."""
    best, top = -1, -np.inf
    for j in range(len(W)):
        if j != i:
            score = dot(W[j], x)
            if score > top or best < 0:
                best, top = j, score
    return best


@njit(cache=True)
def visit(x, i, full, log2_r, V, W, total, held):
    """One example of class i. A violated constraint has (w_i - w_j) . x <= 0.

    `total` sums the weights over the visits, except for the last `held` visits, which ended with
    the present weights. Returns the number of updates, and the new `held`.
    """
    updates = 0
    first = 0 if full else rival(x, i, W)
    last = len(W) if full else first + 1
    for j in range(first, last):
        if j != i and dot(W[i], x) - dot(W[j], x) <= 0:
            add(held, W, total)
            held = 0
            promote(x, i, j, log2_r, V, W)
            updates += 1
    return updates, held + 1


@njit(cache=True)
def epoch(X, y, order, full, log2_r, V, W, total):
    """All examples in this order; V, W and the sum of the weights change. Returns the updates."""
    updates, held = 0, 0
    for n in order:
        made, held = visit(X[n], y[n], full, log2_r, V, W, total, held)
        updates += made
    add(held, W, total)
    return updates
