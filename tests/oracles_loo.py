"""Slow twins for Passerini et al. 2004: the SVM dual as least squares in a box, and the bounds.

`alpha[i][s]` is alpha_i^s >= 0 and `G[i]` is G_ii, bias included.
"""

import numpy as np
from scipy.optimize import lsq_linear


def dual(Q, a):
    """The objective that is maximised: sum_i a_i - a'Qa/2."""
    return a.sum() - a @ Q @ a / 2


def box_svm(Q, C):
    """The best a in [0, C]: with Q = R'R the problem is min ||R a - R'^-1 1||, 0 <= a <= C.

    Q is rounded and may be singular, so a little is added to its diagonal.
    """
    R = np.linalg.cholesky(Q + 1e-6 * np.eye(len(Q))).T
    target = np.linalg.solve(R.T, np.ones(len(Q)))
    return lsq_linear(R, target, bounds=(0, C), method="bvls", tol=1e-14, max_iter=10_000).x


def theorem(M, y, F, alpha, G):
    """g(x_i, y_i) - max_q U_q(x_i) of Eqs. 8 and 9, one per example; negative ones count."""
    k, ell = len(M), len(M[0])
    margins = []
    for i in range(len(y)):
        own = M[y[i]]
        scores = [sum(M[q][s] * F[i][s] for s in range(ell)) for q in range(k)]
        others = [q for q in range(k) if q != y[i]]
        p = max(others, key=lambda q: scores[q])
        U = [
            scores[q]
            - scores[p]
            + sum(own[s] * (own[s] - M[q][s]) * alpha[i][s] * G[i] for s in range(ell))
            for q in others
        ]
        margins.append(scores[y[i]] - scores[p] - max(U))
    return np.array(margins)


def corollary(M, y, F, alpha, G, L):
    """The worst margins of Eq. 10, as the last line of its proof has them; negative ones count."""
    margins = []
    for i in range(len(y)):
        own = M[y[i]]
        worst = float("inf")
        for q in range(len(M)):
            if q == y[i]:
                continue
            total = 0.0
            for s in range(len(own)):
                lost = alpha[i][s] * G[i]
                total += L(M[q][s] * F[i][s] - lost * own[s] * M[q][s])
                total -= L(own[s] * F[i][s] - lost * own[s] ** 2)
            worst = min(worst, total)
        margins.append(worst)
    return np.array(margins)


def left_out_margins(learner, X, Y):
    """F[i] = f^i(x_i): the margins of each example by the columns trained without it."""
    rows = []
    for i in range(len(X)):
        learner.fit(np.delete(X, i, axis=0), np.delete(Y, i, axis=0))
        rows.append(learner.margins(X[i : i + 1])[0])
    return np.array(rows)
