"""The steps of the stochastic multiclass SVM; tests/joint/oracles_textbook.py has its slow twin."""

import numpy as np
from numba import njit


@njit(cache=True)
def sweep(X, y, order, t, lam, U, A):
    """A step on each example in this order, after t steps; returns how many there are now.

    The step eta_t = 1/(lambda t) on the subgradient at W_{t-1} makes W_t = U_t/(lambda t), where
    U_t is the sum of all g_j so far: +x at the row of the true class and -x at that of its rival,
    if they were less than 1 apart. A is the sum of all j g_j.
    """
    k, n = U.shape
    for i in order:
        t += 1
        own, highest, rival = 0.0, -np.inf, -1
        for c in range(k):
            score = 0.0
            for f in range(n):
                score += U[c, f] * X[i, f]
            if c == y[i]:
                own = score
            elif score > highest:
                highest, rival = score, c
        if own - highest < lam * (t - 1) or t == 1:
            for f in range(n):
                U[y[i], f] += X[i, f]
                U[rival, f] -= X[i, f]
                A[y[i], f] += t * X[i, f]
                A[rival, f] -= t * X[i, f]
    return t
