"""Chains by brute force: every labeling of a tiny chain, one line of Section 9.5 at a time."""

from itertools import pairwise, product

import numpy as np


def chains(S, starts):
    return [slice(a, b) for a, b in pairwise(starts)]


def labelings(T, k):
    return [np.array(labels) for labels in product(range(k), repeat=T)]


def score(S, A, labels):
    """w . Phi(x, y)."""
    inner = sum(A[a, b] for a, b in pairwise(labels))
    return sum(S[t, j] for t, j in enumerate(labels)) + inner


def wrong(y, labels):
    """L(y, y'), the Hamming loss."""
    return int((np.asarray(y) != labels).sum())


def sums(S, A):
    """log Z, P(y_t = j) and sum_t P(y_{t-1} = i, y_t = j) of one chain."""
    T, k = S.shape
    every = labelings(T, k)
    scores = np.array([score(S, A, labels) for labels in every])
    log_Z = scores.max() + np.log(np.exp(scores - scores.max()).sum())
    P, pairs = np.zeros((T, k)), np.zeros((k, k))
    for labels, value in zip(every, scores, strict=True):
        p = np.exp(value - log_Z)
        P[np.arange(T), labels] += p
        for a, b in pairwise(labels):
            pairs[a, b] += p
    return log_Z, P, pairs


def violation(S, A, y, labels, slack):
    """What Eq. 9.22, or 9.23 if `slack`, takes the maximum of."""
    margin = score(S, A, y) - score(S, A, labels)
    loss = wrong(y, labels)
    return loss * (1 - margin) if slack else loss - margin


def objective(problem, W, A, what):
    """Eqs. 9.22 (margin), 9.23 (slack), 9.24 with L = 0 (none) and with L (hamming)."""
    total = 0.5 * ((W**2).sum() + (A**2).sum())
    S = problem.X @ W
    for chain in chains(S, problem.starts):
        y, every = problem.y[chain], labelings(chain.stop - chain.start, problem.n_classes)
        if what in ("margin", "slack"):
            found = [violation(S[chain], A, y, labels, what == "slack") for labels in every]
            total += problem.C * max(0.0, *found)
        else:
            losses = [wrong(y, labels) if what == "hamming" else 0.0 for labels in every]
            margins = [score(S[chain], A, y) - score(S[chain], A, labels) for labels in every]
            total += problem.C * np.log(np.exp(np.subtract(losses, margins)).sum())
    return total
