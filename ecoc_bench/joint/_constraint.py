"""Passes of the multiclass perceptron and Winnow over the examples, in the n-dimensional space."""

import numpy as np

from ..learners._parts import entry, part


@part
def dot(w, x):
    """w . x, summed in order."""
    total = 0.0
    for f in range(len(x)):
        total += w[f] * x[f]
    return total


@part
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


@part
def add(times, W, total):
    """total += times W."""
    for c in range(len(W)):
        for f in range(W.shape[1]):
            total[c, f] += times * W[c, f]


@part
def closest(x, Y, W):
    """Of the labels with Y = +1 the one of lowest score w . x, of the others that of the highest.

    The first of them at equal scores; -1 where there are none.
    """
    i, j, low, top = -1, -1, np.inf, -np.inf
    for label in range(len(W)):
        score = dot(W[label], x)
        if Y[label] > 0 and (score < low or i < 0):
            i, low = label, score
        elif Y[label] < 0 and (score > top or j < 0):
            j, top = label, score
    return i, j


@part
def update(x, i, j, log2_r, V, W, total, held):
    """Promote i over j if (w_i - w_j) . x <= 0. Returns the number of updates, and `held`."""
    if dot(W[i], x) - dot(W[j], x) > 0:
        return 0, held
    add(held, W, total)
    promote(x, i, j, log2_r, V, W)
    return 1, 0


@part
def visit(x, Y, full, log2_r, V, W, total, held):
    """One example: each label with Y = +1 should score above each of the others.

    `total` sums the weights over the visits, except for the last `held` visits, which ended with
    the present weights. Returns the number of updates, and the new `held`.
    """
    updates = 0
    if full:
        for i in range(len(W)):
            for j in range(len(W)):
                if Y[i] > 0 and Y[j] < 0:
                    made, held = update(x, i, j, log2_r, V, W, total, held)
                    updates += made
    else:
        i, j = closest(x, Y, W)
        if i >= 0 and j >= 0:
            updates, held = update(x, i, j, log2_r, V, W, total, held)
    return updates, held + 1


@entry
def epoch(X, Y, order, full, log2_r, V, W, total):
    """All examples in this order; V, W and the sum of the weights change. Returns the updates."""
    updates, held = 0, np.int64(0)  # for a literal 0, `visit` would be compiled a second time
    for n in order:
        made, held = visit(X[n], Y[n], full, log2_r, V, W, total, held)
        updates += made
    add(held, W, total)
    return updates
