"""Kernels: the class of least distance and the gap to the next one, without all distances.

W[i, s] = L(f_s(x_i)) - L(-f_s(x_i)) is what +1 in column s adds to the distance of a class, next to
-1. Rows of a trellis are paths, so the best class is a shortest path (Evron et al. 2018).
"""

import numpy as np
from numba import njit


@njit(cache=True)
def shortest_paths(W, width, digits, has_last):
    """The class of the shortest path of each row of W, and how much longer the next path is.

    A vertex keeps its shortest path, as a number to the base `width`, and the two least lengths.
    """
    n, top = len(digits) - 1, digits[-1]
    labels, gaps = np.empty(len(W), dtype=np.int64), np.empty(len(W))
    to_aux = width + (n - 1) * width * width
    to_sink, firsts = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    edge, first = to_aux + width * top + (top if has_last else 0), top * width**n
    for i in range(n - 1, -1, -1):
        to_sink[i], firsts[i] = edge, first
        edge, first = edge + digits[i], first + digits[i] * width**i
    least, second = np.empty((2, width)), np.empty((2, width))
    path = np.empty((2, width), dtype=np.int64)
    for row in range(len(W)):
        w, best, next_best, label, now = W[row], np.inf, np.inf, 0, 0
        for v in range(width):
            least[0, v], second[0, v], path[0, v] = w[v], np.inf, v
        for i in range(n):
            for v in range(digits[i]):
                prefix = path[now, v] // width
                a, b = least[now, v] + w[to_sink[i] + v], second[now, v] + w[to_sink[i] + v]
                if a < best:
                    next_best, best = min(best, b), a
                    label = firsts[i] + v * width**i + prefix
                else:
                    next_best = min(next_best, a)
            if i == n - 1:
                break
            start = width + i * width * width
            for u in range(width):
                a, b, p = np.inf, np.inf, 0
                for v in range(width):
                    e = w[start + v * width + u]
                    c = least[now, v] + e
                    if c < a:
                        a, b, p = c, min(a, second[now, v] + e), path[now, v]
                    else:
                        b = min(b, c)
                least[1 - now, u], second[1 - now, u], path[1 - now, u] = a, b, p * width + u
            now = 1 - now
        for v in range(width):
            for j in range(top):
                e = w[to_aux + v * top + j]
                if has_last:
                    e += w[to_aux + width * top + j]
                a, b = least[now, v] + e, second[now, v] + e
                if a < best:
                    next_best, best, label = min(best, b), a, path[now, v] * top + j
                else:
                    next_best = min(next_best, a)
        labels[row], gaps[row] = label, next_best - best
    return labels, gaps


@njit(cache=True)
def least_columns(W):
    """The first least number of each row of W, and how much larger the next one is."""
    labels, gaps = np.empty(len(W), dtype=np.int64), np.empty(len(W))
    for row in range(len(W)):
        best, next_best, label = np.inf, np.inf, 0
        for s in range(W.shape[1]):
            if W[row, s] < best:
                next_best, best, label = best, W[row, s], s
            else:
                next_best = min(next_best, W[row, s])
        labels[row], gaps[row] = label, next_best - best
    return labels, gaps
