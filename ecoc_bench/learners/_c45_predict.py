"""Class probabilities by a C4.5 tree: a case with a missing value takes every branch in part."""

import numpy as np

from ._c45 import SMALL, heaviest, total
from ._c45_grow import MISSING
from ._parts import entry, part


@entry
def node_probabilities(tree, added):
    """The class shares of each node, with added[c] cases of class c on top of those it has.

    A node that no training case reached has its parent's. Parents come before their children.
    """
    p = np.zeros(tree.weights.shape)
    for node in range(len(p)):
        W = total(tree.weights[node])
        first, n = tree.first_child[node], tree.n_children[node]
        for c in range(p.shape[1]):
            if W >= SMALL:
                p[node, c] = (tree.weights[node, c] + added[c]) / (W + total(added))
            for child in range(first, first + n):
                p[child, c] = p[node, c]
    return p


@part
def branch(x, nominal, cut, n):
    """Which of n branches the value x takes; -1 if it is nominal and has none."""
    if not nominal:
        return 0 if x - cut < SMALL else 1
    return int(x) if 0 <= x < n else -1


@part
def ends(tree, X, nominal):
    """The node that each case reaches; MISSING if it has no value for a test on the way."""
    feature, cut, first, n = tree.feature, tree.cut, tree.first_child, tree.n_children
    out = np.empty(len(X), np.int64)
    for i in range(len(X)):
        node = 0
        while n[node]:
            f = feature[node]
            x = X[i, f]
            if np.isnan(x):
                node = MISSING
                break
            j = branch(x, nominal[f], cut[node], n[node])
            if j < 0:
                break
            node = first[node] + j
        out[i] = node
    return out


@part
def spread(tree, p, x, nominal, P):
    """P[c]: the share of class c in the leaves that x reaches, by the share of x in each."""
    P[:] = 0.0
    stack = [(0, 1.0)]
    while stack:
        node, part = stack.pop()
        f, first, n = tree.feature[node], tree.first_child[node], tree.n_children[node]
        if n and np.isnan(x[f]):
            W = total(tree.weights[node])
            for child in range(first, first + n):
                stack.append((child, part * total(tree.weights[child]) / W))
            continue
        j = branch(x[f], nominal[f], tree.cut[node], n) if n else -1
        if j >= 0:
            stack.append((first + j, part))
        else:
            for c in range(len(P)):
                P[c] += part * p[node, c]


@entry
def probabilities(tree, p, X, nominal):
    """P[i, c]: the share of class c in the leaf that x_i reaches, or in all that it reaches."""
    P, nodes = np.empty((len(X), p.shape[1])), ends(tree, X, nominal)
    for i in range(len(X)):
        if nodes[i] == MISSING:
            spread(tree, p, X[i], nominal, P[i])
        else:
            P[i] = p[nodes[i]]
    return P


@entry
def labels(tree, p, X, nominal):
    """The first of the most probable classes of each case."""
    of_node, out = first_highest(p), ends(tree, X, nominal)
    P = np.empty(p.shape[1])
    for i in range(len(X)):
        if out[i] == MISSING:
            spread(tree, p, X[i], nominal, P)
            out[i] = heaviest(P)
        else:
            out[i] = of_node[out[i]]
    return out


@part
def first_highest(P):
    """For each row, the first class that no other exceeds by more than SMALL."""
    out = np.empty(len(P), np.int64)
    for i in range(len(P)):
        out[i] = heaviest(P[i])
    return out
