"""Rows walk down binary trees that lie one after another in flat arrays."""

import numpy as np
from numba import njit


@njit(cache=True)
def leaf_of(x, root, feature, threshold, left, right, missing_left):
    """The leaf that a row reaches: left if x <= threshold; a missing value has its own side."""
    node = root
    while left[node] >= 0:
        value = x[feature[node]]
        goes_left = missing_left[node] if np.isnan(value) else value <= threshold[node]
        node = left[node] if goes_left else right[node]
    return node


@njit(cache=True)
def add_values(X, roots, feature, threshold, left, right, missing_left, value, output, F):
    """Add to F what each tree says, tree by tree: to one output, or to all if `output` is -1."""
    for t in range(len(roots)):
        for i in range(len(X)):
            leaf = leaf_of(X[i], roots[t], feature, threshold, left, right, missing_left)
            if output[t] >= 0:
                F[i, output[t]] += value[leaf, 0]
            else:
                for c in range(F.shape[1]):
                    F[i, c] += value[leaf, c]


@njit(cache=True)
def signs(X, roots, feature, threshold, left, right, missing_left, value, F):
    """F[i, t]: +1 if the second of the two values of its leaf in tree t is higher, else -1."""
    for t in range(len(roots)):
        for i in range(len(X)):
            leaf = leaf_of(X[i], roots[t], feature, threshold, left, right, missing_left)
            F[i, t] = 1.0 if value[leaf, 1] > value[leaf, 0] else -1.0
