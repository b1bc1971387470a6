"""Slow twins of the multiclass SVM: the dual problem of Section 9.3.1 in plain loops, and as a QP.

Here alpha is a list of rows, one per example, as in the text.
"""

import numpy as np
from scipy.optimize import minimize


def bound(r, y_i, C):
    return C if r == y_i else 0.0


def solve_example(B, A, y, C):
    """The same row by bisection on beta: sum_r min(bound, (beta - B_r)/A) grows with it."""

    def row(beta):
        return [min(bound(r, y, C), (beta - b) / A) for r, b in enumerate(B)]

    low, high = min(B), max(B) + A * C
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(row(middle)) < 0 else (low, middle)
    return row(high)


def scores(alpha, K):
    """w_r.Phi(x_i) = sum_j alpha_jr K(x_j, x_i)."""
    m, k = len(alpha), len(alpha[0])
    return [[sum(alpha[j][r] * K[j][i] for j in range(m)) for r in range(k)] for i in range(m)]


def violation(alpha_i, G_i, y_i, C):
    """max_r G_ir less the lowest G_ir of an alpha_ir that can grow."""
    free = [g for r, g in enumerate(G_i) if alpha_i[r] < bound(r, y_i, C)]
    return max(G_i) - min(free)


def solve(K, y, k, C, tol, max_steps):
    """The example of largest violation, solved by bisection, again and again."""
    m = len(y)
    alpha = [[0.0] * k for _ in range(m)]
    for step in range(max_steps):
        S = scores(alpha, K)
        G = [[S[i][r] + (r != y[i]) for r in range(k)] for i in range(m)]
        v = [violation(alpha[i], G[i], y[i], C) for i in range(m)]
        i = v.index(max(v))
        if v[i] <= tol:
            return alpha, step
        B = [G[i][r] - K[i][i] * alpha[i][r] for r in range(k)]
        alpha[i] = solve_example(B, K[i][i], y[i], C)
    return alpha, max_steps


def dual(alpha, K, y):
    """sum_i alpha_i.e_{y_i} - 1/2 sum_ij (alpha_i.alpha_j) K(x_i, x_j)."""
    S, m, k = scores(alpha, K), len(y), len(alpha[0])
    square = sum(alpha[i][r] * S[i][r] for i in range(m) for r in range(k))
    return sum(alpha[i][y[i]] for i in range(m)) - square / 2


def primal(alpha, K, y, C):
    """1/2 sum_l |w_l|^2 + C sum_i xi_i."""
    S, m, k = scores(alpha, K), len(y), len(alpha[0])
    square = sum(alpha[i][r] * S[i][r] for i in range(m) for r in range(k))
    xi = [max(0.0, 1 - S[i][y[i]] + max(S[i][r] for r in range(k) if r != y[i])) for i in range(m)]
    return square / 2 + C * sum(xi)


def quadratic_program(K, y, k, C):
    """The optimum of the dual by a solver of general problems (SLSQP)."""
    m = len(y)
    own = np.eye(k)[y]

    def value(a):
        a = a.reshape(m, k)
        return np.sum(a * (K @ a)) / 2 - np.sum(a * own), (K @ a - own).ravel()

    sums = {
        "type": "eq",
        "fun": lambda a: a.reshape(m, k).sum(axis=1),
        "jac": lambda a: np.kron(np.eye(m), np.ones((1, k))),
    }
    bounds = [(None, bound(r, y_i, C)) for y_i in y for r in range(k)]
    start = np.zeros(m * k)
    options = {"maxiter": 1000, "ftol": 1e-12}
    found = minimize(
        value, start, jac=True, bounds=bounds, constraints=sums, method="SLSQP", options=options
    )
    if not found.success:
        raise RuntimeError(found.message)
    return -found.fun
