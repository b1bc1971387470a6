"""Slow twins of the kernels: plain loops over examples, one line of the paper at a time."""

import math
from itertools import pairwise

BEAT = 1 - 1e-12  # a later test must be lower than this share of the best one so far


def stump_tests(X, nominal):
    """Every test (feature, cut), lowest feature first, then lowest cut."""
    tests = []
    for f in range(len(X[0])):
        values = sorted({row[f] for row in X if not math.isnan(row[f])})
        if nominal[f]:
            tests += [(f, v) for v in values]
        else:
            tests += [(f, (a + b) / 2) for a, b in pairwise(values)]
    return tests


def is_true(test, row, nominal):
    """Does the test hold? A missing value makes no test true."""
    f, cut = test
    return row[f] == cut if nominal[f] else row[f] <= cut


def sides_of(test, X, nominal):
    """Side 0 of a test is where it is true, side 1 where it is not."""
    return [0 if is_true(test, row, nominal) else 1 for row in X]


def side_sums(sides, Y, D, s):
    """[[W+, W-] where the test is true, [W+, W-] where it is false], in column s."""
    W = [[0.0, 0.0], [0.0, 0.0]]
    for side, y, d in zip(sides, Y, D, strict=True):
        if y[s] != 0:
            W[side][0 if y[s] > 0 else 1] += d[s]
    return W


def score(W, outputs):
    """One column's share of Z / 2, or of the error."""
    if outputs == "discrete":
        return sum(min(plus, minus) for plus, minus in W)
    return sum(math.sqrt(plus * minus) for plus, minus in W)


def best_test(tests, Y, D, outputs, columns):
    """The first of the lowest tests over these columns, and its sides.

    Where there is nothing to test it is (0, -inf), which is never true.
    """
    best, lowest = ((0, -math.inf), [1] * len(Y)), math.inf
    for test, sides in tests.items():
        total = sum(score(side_sums(sides, Y, D, s), outputs) for s in columns)
        if total < lowest * BEAT:
            best, lowest = (test, sides), total
    return best


def confident(W, e):
    """c_j = 1/2 ln((W+_j + e)/(W-_j + e))."""
    return [0.5 * math.log((plus + e) / (minus + e)) for plus, minus in W]


def discrete(W, alpha):
    """alpha h_j, h_j the heavier sign of side j, else of the column, else +1; 0 without weight."""
    plus, minus = W[0][0] + W[1][0], W[0][1] + W[1][1]
    if plus + minus == 0:
        return [0.0, 0.0]
    c = []
    for a, b in W:
        tie = min(a, b) >= max(a, b) * BEAT
        heavier = plus >= minus * BEAT if tie else a > b
        c.append(alpha if heavier else -alpha)
    return c


def boosting_round(tests, Y, D, outputs, columns, e):
    """One round over these columns: its test, {s: (c_0s, c_1s)} and Z_t; D becomes D_{t+1}."""
    test, sides = best_test(tests, Y, D, outputs, columns)
    W = {s: side_sums(sides, Y, D, s) for s in columns}
    if outputs == "discrete":
        total = sum(sum(map(sum, W[s])) for s in columns)
        eps = max(sum(score(W[s], outputs) for s in columns) / (total or 1.0), 1e-12)
        c = {s: discrete(W[s], 0.5 * math.log((1 - eps) / eps)) for s in columns}
    else:
        c = {s: confident(W[s], e) for s in columns}
    Z = 0.0
    for side, y, d in zip(sides, Y, D, strict=True):
        for s in columns:
            d[s] *= math.exp(-y[s] * c[s][side])
            Z += d[s]
    for d in D:
        for s in columns:
            d[s] /= Z or 1.0
    return test, c, Z or 1.0


def adaboost(X, Y, nominal, rounds, calls, outputs):
    """Per round a list of (columns, test, outputs, Z_t), and D_1, ..., D_{T+1}."""
    m, ell = len(Y), len(Y[0])
    if calls == "single":
        groups, smoothing = [list(range(ell))], [1 / (m * ell)]
    else:
        groups = [[s] for s in range(ell)]
        smoothing = [1 / max(sum(y[s] != 0 for y in Y), 1) for s in range(ell)]
    D = [[0.0] * ell for _ in Y]
    for group in groups:
        used = sum(y[s] != 0 for y in Y for s in group)
        for y, d in zip(Y, D, strict=True):
            for s in group:
                d[s] = 1 / used if y[s] != 0 else 0.0
    tests = {test: sides_of(test, X, nominal) for test in stump_tests(X, nominal)}
    history, weights = [], [[list(d) for d in D]]
    for _ in range(rounds):
        picks = []
        for group, e in zip(groups, smoothing, strict=True):
            test, c, Z = boosting_round(tests, Y, D, outputs, group, e)
            picks.append((group, test, c, Z))
        history.append(picks)
        weights.append([list(d) for d in D])
    return history, weights


def margins(history, X, nominal, ell):
    """F[i][s] = sum_t h_t(x_i, s)."""
    F = [[0.0] * ell for _ in X]
    for picks in history:
        for group, test, c, _ in picks:
            for side, f in zip(sides_of(test, X, nominal), F, strict=True):
                for s in group:
                    f[s] += c[s][side]
    return F
