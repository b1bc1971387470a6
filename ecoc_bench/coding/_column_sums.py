"""Kernels: columns of a sparse code added to the sums of its classes, one after the other.

The entries of column s are those from `ends[s]` to `ends[s + 1]`: their classes, and whether they
are +1. Margins are columns x rows, sums classes x rows.
"""

from numba import njit


@njit(cache=True, nogil=True)
def add_columns(sums, ends, classes, positive, right, wrong):
    """sums[r] += L(z) for the +1 of a column, L(-z) for its -1; nothing for its zeros."""
    for s in range(len(right)):
        for e in range(ends[s], ends[s + 1]):
            own, added = sums[classes[e]], right[s] if positive[e] else wrong[s]
            for i in range(len(added)):
                own[i] += added[i]


@njit(cache=True, nogil=True)
def count_mistaken(counts, ends, classes, positive, Z, order, edges):
    """counts[i] += 1 for a column that is wrong or 0 for row i; class r has order[edges[r]:]."""
    for s in range(len(Z)):
        for e in range(ends[s], ends[s + 1]):
            for j in range(edges[classes[e]], edges[classes[e] + 1]):
                z = Z[s, order[j]]
                counts[order[j]] += z <= 0 if positive[e] else z >= 0
