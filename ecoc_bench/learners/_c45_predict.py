"""Class probabilities by a C4.5 tree: a case with a missing value takes every branch in part."""

import numpy as np
from numba import njit

from ._c45 import SMALL, heaviest, total


@njit(cache=True)
def node_probabilities(tree):
    """The class shares of each node; those of its parent for a node that no training case came to.

    Parents come before their children.
    """
    p = np.zeros(tree.weights.shape)
    for node in range(len(p)):
        W = total(tree.weights[node])
        first, n = tree.first_child[node], tree.n_children[node]
        for c in range(p.shape[1]):
            if W >= SMALL:
                p[node, c] = tree.weights[node, c] / W
            for child in range(first, first + n):
                p[child, c] = p[node, c]
    return p


@njit(cache=True)
def branch_at(tree, node, x, nominal):
    """The child that x goes to; the node itself for a nominal value it has no branch for."""
    f = tree.feature[node]
    first = tree.first_child[node]
    if not nominal[f]:
        return first if x[f] - tree.cut[node] < SMALL else first + 1
    return first + int(x[f]) if 0 <= x[f] < tree.n_children[node] else node


@njit(cache=True)
def probabilities(tree, p, X, nominal):
    """P[i, c]: the share of class c in the leaves that x_i comes to, each by its part of x_i."""
    P = np.zeros((len(X), p.shape[1]))
    for i in range(len(X)):
        stack = [(0, 1.0)]
        while stack:
            node, part = stack.pop()
            end = tree.n_children[node] == 0
            if not end and np.isnan(X[i, tree.feature[node]]):
                W = total(tree.weights[node])
                for j in range(tree.n_children[node]):
                    child = tree.first_child[node] + j
                    stack.append((child, part * total(tree.weights[child]) / W))
                continue
            child = node if end else branch_at(tree, node, X[i], nominal)
            if child == node:
                for c in range(p.shape[1]):
                    P[i, c] += part * p[node, c]
            else:
                stack.append((child, part))
    return P


@njit(cache=True)
def first_highest(P):
    """The class of each case; the first that none exceeds by more than SMALL."""
    out = np.empty(len(P), np.int64)
    for i in range(len(P)):
        out[i] = heaviest(P[i])
    return out
