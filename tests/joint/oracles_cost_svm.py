"""Slow twins of the SVMs with costs: the primal problems of Eqs. 9.22 and 9.23, by SLSQP."""

import numpy as np
from scipy.optimize import minimize


def slack(own, others, y, L, rescaling):
    """xi of one example, from its scores, by the printed formula."""
    parts = [0.0]
    for r in range(len(L)):
        if r != y:
            margin = own - others[r]
            cost = L[y][r]
            parts.append(cost - margin if rescaling == "margin" else cost * (1 - margin))
    return max(parts)


def objective(W, X, y, L, C, rescaling):
    """1/2 |W|^2 + C sum_i xi_i for a linear machine, W classes x inputs."""
    S = X @ W.T
    xi = [slack(S[i, y[i]], S[i], y[i], L, rescaling) for i in range(len(y))]
    return (W**2).sum() / 2 + C * sum(xi)


def quadratic_program(X, y, L, C, rescaling):
    """The least objective: a QP over W and the slacks, by a solver of general problems."""
    (m, d), k = X.shape, len(L)
    rows, right = [], []
    for i in range(m):
        for r in range(k):
            cost = L[y[i]][r]
            if r == y[i] or (rescaling == "slack" and cost == 0):
                continue
            row = np.zeros(k * d + m)
            row[y[i] * d : (y[i] + 1) * d] += X[i]
            row[r * d : (r + 1) * d] -= X[i]
            row[k * d + i] = 1.0 if rescaling == "margin" else 1 / cost
            rows.append(row)
            right.append(cost if rescaling == "margin" else 1.0)
    A, b, n = np.array(rows), np.array(right), k * d
    found = minimize(
        lambda v: (v[:n] @ v[:n] / 2 + C * v[n:].sum(), np.concatenate([v[:n], np.full(m, C)])),
        np.concatenate([np.zeros(n), np.full(m, np.max(L))]),
        jac=True,
        bounds=[(None, None)] * n + [(0, None)] * m,
        constraints={"type": "ineq", "fun": lambda v: A @ v - b, "jac": lambda v: A},
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    if not found.success:
        raise RuntimeError(found.message)
    return found.fun
