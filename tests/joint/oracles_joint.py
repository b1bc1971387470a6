"""Slow twins of the joint boosting algorithms: Figs. 1 and 2 of Sun et al. 2005, step by step.

`train(t, labels, d)` is Step 6: it gives h_t(x_n), -1 or +1, for all training examples. Columns are
given. Each round is a dictionary of what the figures name. Errors below 1e-6 count as 1e-6.
"""

import math


def first_weights(y, C):
    """Step 1: D_1(n, c) = I(c != y_n)/(N (C - 1))."""
    return [[(c != y_n) / (len(y) * (C - 1)) for c in range(C)] for y_n in y]


def step_length(eps):
    """1/4 ln((1 - eps)/eps)."""
    eps = max(eps, 1e-6)
    return 0.25 * math.log((1 - eps) / eps)


def sampling(D, y, M_t):
    """Steps 4 and 5: U_t and d_t."""
    N, C = range(len(y)), range(len(M_t))
    U = sum(D[n][c] * (M_t[y[n]] != M_t[c]) for n in N for c in C)
    return U, [sum(D[n][c] * (M_t[y[n]] != M_t[c]) for c in C) / U for n in N]


def normalized(D):
    Z = sum(map(sum, D))
    return [[w / Z for w in row] for row in D], Z


def ecc(y, columns, train, eta=1.0):
    """Fig. 1; with eta, Step 8 is that of AdaBoost.SECC."""
    N, C = range(len(y)), range(len(columns[0]))
    D, rounds = first_weights(y, len(C)), []
    for t, M_t in enumerate(columns):
        U, d = sampling(D, y, M_t)
        h = train(t, [M_t[y_n] for y_n in y], d)
        eps = sum(d[n] for n in N if M_t[y[n]] != h[n])
        alpha = eta * step_length(eps)
        step = {"U": U, "d": d, "h": h, "eps": eps, "alpha": alpha, "D": D}
        D = [[D[n][c] * math.exp(-alpha * (M_t[y[n]] - M_t[c]) * h[n]) for c in C] for n in N]
        D, step["Z"] = normalized(D)
        rounds.append(step)
    return rounds


def doubts(y_n, h_n, M_t, c):
    """I(y_n not in h~) + I(c in h~), where h~ = {c : h_t(x_n) = M(c, t)}: Step 7, Eq. 18."""
    pseudo = {label for label, sign in enumerate(M_t) if sign == h_n}
    return (y_n not in pseudo) + (c in pseudo)


def pseudo_loss(D, y, h, M_t):
    """Step 8, Eq. 19."""
    N, C = range(len(y)), range(len(M_t))
    return sum(D[n][c] * doubts(y[n], h[n], M_t, c) for n in N for c in C) / 2


def oc(y, columns, train):
    """Fig. 2."""
    N, C = range(len(y)), range(len(columns[0]))
    D, rounds = first_weights(y, len(C)), []
    for t, M_t in enumerate(columns):
        U, d = sampling(D, y, M_t)
        h = train(t, [M_t[y_n] for y_n in y], d)
        eps = pseudo_loss(D, y, h, M_t)
        alpha = step_length(eps)
        step = {"U": U, "d": d, "h": h, "pseudo": eps, "alpha": alpha, "D": D}
        D = [[D[n][c] * math.exp(2 * alpha * doubts(y[n], h[n], M_t, c)) for c in C] for n in N]
        D, step["Z"] = normalized(D)
        rounds.append(step)
    return rounds


def cost(y, columns, F):
    """G of Eq. 7; F[n][t] = alpha_t h_t(x_n)."""
    return sum(
        math.exp(-sum((M_t[y_n] - M_t[c]) * f for M_t, f in zip(columns, F_n, strict=True)))
        for y_n, F_n in zip(y, F, strict=True)
        for c in range(len(columns[0]))
        if c != y_n
    )


def cut(D, y, column):
    """U_t of a column, Step 4."""
    return sampling(D, y, column)[0] if any(c != column[0] for c in column) else 0.0


def drawn(d, gaps):
    """How many of the points, gaps[0] apart from 0, gaps[1] from it, ..., fall to each example."""
    counts, whole = [0] * len(d), sum(gaps)
    for j in range(1, len(gaps)):
        u = sum(gaps[:j]) / whole * sum(d)
        counts[next(n for n in range(len(d)) if u < sum(d[: n + 1]))] += 1
    return counts


def margins(y, columns, F, total):
    """rho(x_n) of Eq. 2, with squared distances and f = F/total (Eq. 5); F[n][t] = alpha_t h_t."""

    def distance(c, F_n):
        pairs = zip(columns, F_n, strict=True)
        return sum((M_t[c] - f / total) ** 2 for M_t, f in pairs)

    C = range(len(columns[0]))
    return [
        min(distance(c, F_n) for c in C if c != y_n) - distance(y_n, F_n)
        for y_n, F_n in zip(y, F, strict=True)
    ]
