"""Slow twins of Weston & Watkins' machine: its dual in plain loops, and as a QP.

Here alpha is a list of rows, one per example; alpha[i][r] is in [-C, 0] for r != y_i.
"""

import numpy as np
from oracles_crammer_singer import scores
from scipy.optimize import minimize


def solve_example(B, A, y, C):
    """The same row by bisection on s = alpha[y]: what the others take falls with it."""

    def others(s):
        return [0.0 if r == y else min(C, max(0.0, (b - B[y]) / A - s)) for r, b in enumerate(B)]

    low, high = 0.0, C * len(B)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(others(middle)) > middle else (low, middle)
    taken = others(high)
    return [sum(taken) if r == y else -taken[r] for r in range(len(B))]


def violation(alpha_i, G_i, y_i, C):
    """The highest G_ir of an alpha_ir that can fall, less the lowest of one that can grow."""
    falls = [g for r, g in enumerate(G_i) if r == y_i or alpha_i[r] > -C]
    grows = [g for r, g in enumerate(G_i) if r == y_i or alpha_i[r] < 0]
    return max(falls) - min(grows)


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


def primal(alpha, K, y, C):
    """1/2 sum_l |w_l|^2 + C sum_i sum_{l != y_i} xi_il."""
    S, m, k = scores(alpha, K), len(y), len(alpha[0])
    square = sum(alpha[i][r] * S[i][r] for i in range(m) for r in range(k))
    xi = [max(0.0, 1 - S[i][y[i]] + S[i][r]) for i in range(m) for r in range(k) if r != y[i]]
    return square / 2 + C * sum(xi)


def quadratic_program(K, y, k, C):
    """The optimum of the dual over the slacks' multipliers beta_il in [0, C], by L-BFGS-B.

    With w_l = sum_i (1[l = y_i] sum_r beta_ir - beta_il) Phi(x_i), as the Lagrangian has it.
    """
    m = len(y)
    own = np.eye(k)[y]

    def alpha(beta):
        beta = beta.reshape(m, k) * (1 - own)
        return own * beta.sum(axis=1, keepdims=True) - beta

    def value(beta):
        a = alpha(beta)
        S = K @ a
        gradient = (S * own).sum(axis=1, keepdims=True) - S - 1
        return np.sum(a * S) / 2 - np.sum(a * own), (gradient * (1 - own)).ravel()

    found = minimize(
        value, np.zeros(m * k), jac=True, bounds=[(0, C)] * (m * k), method="L-BFGS-B",
        options={"maxiter": 10_000, "ftol": 1e-15, "gtol": 1e-9},
    )  # fmt: skip
    if not found.success:
        raise RuntimeError(found.message)
    return -found.fun
