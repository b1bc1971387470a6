"""The duals of Eqs. 9.22 and 9.23 of Mohri et al., one chain at a time, by pairwise steps.

Both problems are min_w 1/2 |w|^2 + C sum_i max_y h_i(y), h_i(y) = l_i(y) - w . psi_i(y), with

    margin, Eq. 9.22:  l_i(y) = L(y_i, y),  psi_i(y) = Phi(x_i, y_i) - Phi(x_i, y),
    slack, Eq. 9.23:   l_i(y) = L(y_i, y),  psi_i(y) = L(y_i, y) [Phi(x_i, y_i) - Phi(x_i, y)],

and h_i(y_i) = 0. The dual has a distribution alpha_i over the labelings of each chain:

    max C sum_iy alpha_i(y) l_i(y) - 1/2 |w|^2,   w = C sum_iy alpha_i(y) psi_i(y).

Block-coordinate Frank-Wolfe (Lacoste-Julien et al. 2013) with pairwise steps (Osokin et al. 2016):
a step on chain i finds the most violating labeling and moves alpha to it from the labeling of
lowest h_i among those in use, as far as the dual grows; further steps are between labelings in use.
Slot 0 of a chain is y_i itself; a slot of alpha 0 is free.
"""

import numpy as np

from ...learners._parts import entry, part
from ._inference import most_violating_margin, most_violating_slack, score

FURTHER = 4  # steps between labelings in use after each search: a search costs as much as several
ENOUGH = 0.1  # they end when the gain that they promise is this share of the first


@entry
def sweep(X, y, starts, C, slack, order, W, A, used, alpha, losses):
    """Visit the chains in this order; the sum of their gaps, each at the weights of its visit."""
    G, pairs = np.zeros(W.shape), np.zeros(A.shape)
    total = 0.0
    for i in order:
        first, end = starts[i], starts[i + 1]
        total += visit(
            X[first:end], y[first:end], C, slack, W, A, used, first, alpha[i], losses[i], G, pairs
        )
    return C * total


@part
def visit(X, y, C, slack, W, A, used, start, alpha, losses, G, pairs):
    """Steps on one chain; its gap before them, divided by C."""
    S, h = np.empty((len(y), W.shape[1])), np.empty(len(alpha))
    new = np.empty(len(y), dtype=np.int64)
    scores(X, W, S)
    worst = most_violating(S, A, y, slack, new)
    at = place(new, y, used, start, alpha, losses)
    gap = worst - violations(S, A, y, slack, used, start, alpha, losses, at, h)
    first = pairwise_step(X, y, C, slack, W, A, used, start, alpha, losses, h, G, pairs)
    for _ in range(FURTHER):
        scores(X, W, S)
        none = np.int64(0)  # slot 0 is in use; for a literal, `violations` would be compiled anew
        violations(S, A, y, slack, used, start, alpha, losses, none, h)
        gain = pairwise_step(X, y, C, slack, W, A, used, start, alpha, losses, h, G, pairs)
        if gain <= ENOUGH * first:
            break
    return gap


@part
def most_violating(S, A, y, slack, labels):
    """max_y h(y) and the labeling that attains it."""
    if slack:
        return most_violating_slack(S, A, y, labels)
    return most_violating_margin(S, A, y, labels)


@part
def scores(X, W, S):
    """S = X W."""
    for t in range(X.shape[0]):
        for j in range(W.shape[1]):
            S[t, j] = 0.0
        for f in range(X.shape[1]):
            x = X[t, f]
            for j in range(W.shape[1]):
                S[t, j] += x * W[f, j]


@part
def place(new, y, used, start, alpha, losses):
    """The slot of a labeling, which is put into a free one if it has none; there must be one."""
    free = 0
    for a in range(len(alpha)):
        if a == 0 or alpha[a] > 0.0:
            if same(used[a, start:], new):
                return a
        elif free == 0:
            free = a
    losses[free] = 0.0
    for t in range(len(y)):
        used[free, start + t] = new[t]
        losses[free] += new[t] != y[t]
    return free


@part
def same(labels, new):
    """Whether the first labels are the new ones."""
    for t in range(len(new)):  # noqa: SIM110
        if labels[t] != new[t]:
            return False
    return True


@part
def violations(S, A, y, slack, used, start, alpha, losses, new, h):
    """h of the slots in use and of a new one, -inf elsewhere; sum_y alpha(y) h(y)."""
    own, mean = score(S, A, y), 0.0
    for a in range(len(alpha)):
        h[a] = -np.inf
        if a == 0 or a == new or alpha[a] > 0.0:
            margin = own - score(S, A, used[a, start : start + len(y)])
            h[a] = losses[a] * (1.0 - margin) if slack else losses[a] - margin
            mean += alpha[a] * h[a]
    return mean


@part
def pairwise_step(X, y, C, slack, W, A, used, start, alpha, losses, h, G, pairs):
    """Move alpha from the lowest h in use to the highest; the difference of the two.

    The dual grows by C g (h_to - h_from) - 1/2 C^2 g^2 |psi_to - psi_from|^2 in a step of g. G and
    `pairs` are 0 before and after.
    """
    to, source = 0, -1
    for a in range(len(alpha)):
        if h[a] > h[to]:
            to = a
        if alpha[a] > 0.0 and (source < 0 or h[a] < h[source]):
            source = a
    gain = h[to] - h[source]
    if gain <= 0.0:
        return 0.0
    add_psi(X, y, used[to, start:], losses[to] if slack else 1.0, G, pairs)
    add_psi(X, y, used[source, start:], -losses[source] if slack else -1.0, G, pairs)
    square = C * (square_of(G) + square_of(pairs))
    whole = square * alpha[source] <= gain
    g = alpha[source] if whole else gain / square
    move(W, C * g, G)
    move(A, C * g, pairs)
    alpha[to] += g
    alpha[source] = 0.0 if whole else alpha[source] - g
    return gain


@part
def add_psi(X, y, labels, times, G, pairs):
    """Add `times` [Phi(x, y) - Phi(x, labels)]: to G by inputs and labels, to `pairs`."""
    for t in range(len(y)):
        if labels[t] != y[t]:
            for f in range(X.shape[1]):
                G[f, y[t]] += times * X[t, f]
                G[f, labels[t]] -= times * X[t, f]
        if t and (labels[t] != y[t] or labels[t - 1] != y[t - 1]):
            pairs[y[t - 1], y[t]] += times
            pairs[labels[t - 1], labels[t]] -= times


@part
def square_of(G):
    total = 0.0
    for f in range(G.shape[0]):
        for j in range(G.shape[1]):
            total += G[f, j] * G[f, j]
    return total


@part
def move(W, g, G):
    """W + g G in W, 0 in G."""
    for f in range(G.shape[0]):
        for j in range(G.shape[1]):
            W[f, j] += g * G[f, j]
            G[f, j] = 0.0


@entry
def worst_violations(S, A, y, starts, slack):
    """max_y h_i(y) of every chain."""
    worst = np.empty(len(starts) - 1)
    new = np.empty(len(y), dtype=np.int64)
    for i in range(len(worst)):
        first, end = starts[i], starts[i + 1]
        worst[i] = most_violating(S[first:end], A, y[first:end], slack, new[first:end])
    return worst
