"""Inference on linear chains: the best labelings, the partition function and the marginals.

A labeling y of a chain of T positions has the score

    w . Phi(x, y) = sum_t S[t, y_t] + sum_{t > 0} A[y_{t-1}, y_t].

S holds the positions of all chains, one chain after another: chain i has the positions
starts[i] <= t < starts[i + 1]. Ties go to the lowest label. L is the Hamming loss, the number of
positions with a wrong label.
"""

import numpy as np
from scipy.special import logsumexp

from ...learners._parts import entry, part

FAR = 600.0  # exp(-FAR) and products of a few such are still numbers: no state is lost as 0


@part
def step(V, A, best, back):
    """best[j] = max_i V[i] + A[i, j], and the i that attains it."""
    for j in range(len(V)):
        best[j] = V[0] + A[0, j]
        back[j] = 0
    for i in range(1, len(V)):
        for j in range(len(V)):
            value = V[i] + A[i, j]
            if value > best[j]:
                best[j] = value
                back[j] = i


@part
def best_labeling(S, A, labels):
    """argmax_y w . Phi(x, y) of one chain into `labels` (Viterbi), and its score."""
    T, k = S.shape
    V, best = np.zeros(k), np.zeros(k)
    back = np.empty((T, k), dtype=np.int64)
    for t in range(T):
        if t:
            step(V, A, best, back[t])
        for j in range(k):
            V[j] = best[j] + S[t, j]
    last = highest(V)
    labels[T - 1] = last
    for t in range(T - 1, 0, -1):
        labels[t - 1] = back[t, labels[t]]
    return V[last]


@part
def highest(V):
    """argmax_j V[j]."""
    best = 0
    for j in range(1, len(V)):
        if V[j] > V[best]:
            best = j
    return best


@entry
def best_labelings(S, A, starts):
    """`best_labeling` of every chain: Eq. 9.20."""
    labels = np.empty(len(S), dtype=np.int64)
    for i in range(len(starts) - 1):
        first, end = starts[i], starts[i + 1]
        best_labeling(S[first:end], A, labels[first:end])
    return labels


@part
def score(S, A, labels):
    """w . Phi(x, y) of one labeling of one chain."""
    total = S[0, labels[0]]
    for t in range(1, len(labels)):
        total += S[t, labels[t]] + A[labels[t - 1], labels[t]]
    return total


@part
def most_violating_margin(S, A, y, labels):
    """argmax_y' L(y, y') - w . [Phi(x, y) - Phi(x, y')], the inner maximum of Eq. 9.22.

    L adds 1 to the score of every wrong label, so that this is Viterbi's search on S + 1[j != y_t].
    """
    raised = np.empty(S.shape)
    for t in range(S.shape[0]):
        for j in range(S.shape[1]):
            raised[t, j] = S[t, j] + (j != y[t])
    return best_labeling(raised, A, labels) - score(S, A, y)


@part
def best_by_errors(S, A, y):
    """V[c, j]: the best score of a labeling with c wrong positions and last label j; and its way.

    A search over positions, in which a state is a label and the number of wrong labels so far:
    a label j = y_t keeps the number, any other raises it by 1. O(T^2 k^2).
    """
    T, k = S.shape
    V = np.full((T + 1, k), -np.inf)
    back = np.empty((T, T + 1, k), dtype=np.int64)
    best, source = np.zeros(k), np.zeros(k, dtype=np.int64)
    for t in range(T):
        for c in range(t, -1, -1):  # downwards: V[c] is read before c - 1 writes into it
            if t:
                step(V[c], A, best, source)
            for j in range(k):
                V[c, j] = -np.inf
            for j in range(k):
                to = c + (j != y[t])
                V[to, j] = best[j] + S[t, j]
                back[t, to, j] = source[j]
    return V, back


@part
def most_violating_slack(S, A, y, labels):
    """argmax_y' L(y, y') (1 - w . [Phi(x, y) - Phi(x, y')]), the inner maximum of Eq. 9.23.

    For a number c of wrong positions the best labeling is that of highest score, whatever c is:
    `best_by_errors` finds it for each c, and the best c is looked up. 0, of y itself, if none is
    above.
    """
    V, back = best_by_errors(S, A, y)
    own, wrong, worst = score(S, A, y), 0, 0.0
    for c in range(1, len(y) + 1):
        value = c * (1.0 + V[c, highest(V[c])] - own)
        if value > worst:
            wrong, worst = c, value
    for t in range(len(y) - 1, -1, -1):
        if wrong == 0:
            labels[t] = y[t]
        elif t == len(y) - 1:
            labels[t] = highest(V[wrong])
        else:
            labels[t] = back[t + 1, wrong, labels[t + 1]]
            wrong -= labels[t + 1] != y[t + 1]
    return worst


def forward_backward(S, A, starts):
    """log Z of every chain, P(y_t = j) of every position, and sum_t P(y_{t-1} = i, y_t = j).

    Products of exponentials, scaled at each position; in logarithms, which takes longer, if scores
    are so far apart that the exponentials could become 0.
    """
    top, highest = S.max(axis=1), A.max()
    if (top - S.min(axis=1)).max() + highest - A.min() > FAR:
        return logarithmic(S, A, starts)
    E, B = np.exp(S - top[:, None]), np.exp(A - highest)
    alpha, beta, scale = np.empty_like(S), np.empty_like(S), np.empty(len(S))
    scaled(E, B, np.ascontiguousarray(B.T), starts, alpha, beta, scale)
    first = starts[:-1]
    log_Z = np.add.reduceat(np.log(scale) + top, first) + (np.diff(starts) - 1) * highest
    E *= beta
    E /= scale[:, None]
    E[first] = 0.0  # no label comes before the first
    return log_Z, alpha * beta, (alpha[:-1].T @ E[1:]) * B


@entry
def scaled(E, B, B_across, starts, alpha, beta, scale):
    """alpha and beta, each alpha[t] divided by its sum scale[t], beta[t] by scale[t + 1].

    The sums are kept in `row`, which overlaps no other array: only so are the loops vectorised.
    """
    k = E.shape[1]
    row = np.empty(k)
    for chain in range(len(starts) - 1):
        first, last = starts[chain], starts[chain + 1] - 1
        for t in range(first, last + 1):
            for j in range(k):
                row[j] = 1.0 if t == first else 0.0
            if t > first:
                for i in range(k):
                    before = alpha[t - 1, i]
                    for j in range(k):
                        row[j] += before * B[i, j]
            total = 0.0
            for j in range(k):
                row[j] *= E[t, j]
                total += row[j]
            scale[t] = total
            for j in range(k):
                alpha[t, j] = row[j] / total
        for j in range(k):
            row[j] = 1.0
        for t in range(last, first - 1, -1):
            for i in range(k):
                beta[t, i] = row[i]
                row[i] = 0.0
            for j in range(k):
                onward = E[t, j] * beta[t, j] / scale[t]
                for i in range(k):
                    row[i] += B_across[j, i] * onward


def logarithmic(S, A, starts):
    """The same as `forward_backward`, with every sum taken in logarithms; not compiled, as rare."""
    log_Z, P, pairs = np.empty(len(starts) - 1), np.empty_like(S), np.zeros_like(A)
    alpha, beta = S.copy(), np.zeros_like(S)
    for chain in range(len(log_Z)):
        first, last = starts[chain], starts[chain + 1] - 1
        for t in range(first + 1, last + 1):
            alpha[t] += logsumexp(alpha[t - 1, :, None] + A, axis=0)
        for t in range(last - 1, first - 1, -1):
            beta[t] = logsumexp(A + S[t + 1] + beta[t + 1], axis=1)
        log_Z[chain] = logsumexp(alpha[last])
        P[first : last + 1] = np.exp(
            alpha[first : last + 1] + beta[first : last + 1] - log_Z[chain]
        )
        for t in range(first + 1, last + 1):
            pairs += np.exp(alpha[t - 1, :, None] + A + S[t] + beta[t] - log_Z[chain])
    return log_Z, P, pairs
