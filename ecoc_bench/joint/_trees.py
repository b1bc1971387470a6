"""Trees as arrays: growth by misclassification, weakest links, and the path of x down a tree.

Node n asks "x[feature[n]] <= threshold[n]?"; true leads to left[n] and false to right[n]. A leaf
has left[n] = -1. counts[n, l] are the training points of class l at n. Children have higher numbers
than their parent.
"""

import numpy as np

from ..learners._parts import entry, part

LEAF = -1
SAME = 1e-9  # share of the root's cost: links this near differ by rounding and are cut together


@part
def best_question(X, y, rows, k, min_leaf):
    """(points saved, feature, threshold) of the first question that leaves fewest points in the
    minority; saved = |n| times the decrease of the misclassification impurity.
    """
    n, best = len(rows), (0, 0, 0.0)
    counts = np.zeros(k, dtype=np.int64)
    for i in rows:
        counts[y[i]] += 1
    majority, after = counts.max(), np.empty(n + 1, dtype=np.int64)
    for f in range(X.shape[1]):
        x = X[rows, f]
        order = np.argsort(x, kind="mergesort")
        counts[:] = 0
        top = 0
        after[n] = 0
        for b in range(n - 1, -1, -1):
            label = y[rows[order[b]]]
            counts[label] += 1
            top = max(top, counts[label])
            after[b] = top
        counts[:] = 0
        top = 0
        for b in range(1, n):
            label = y[rows[order[b - 1]]]
            counts[label] += 1
            top = max(top, counts[label])
            low, high = x[order[b - 1]], x[order[b]]
            if low < high and min(b, n - b) >= min_leaf and top + after[b] - majority > best[0]:
                middle = low / 2 + high / 2
                best = (top + after[b] - majority, f, middle if middle < high else low)
    return best


@entry
def grow(X, y, k, splits, min_leaf):
    """Fig. 9.3 with at most `splits` splits: always the question that saves most points."""
    size = 2 * min(splits, len(y) - 1) + 1
    feature, left = np.zeros(size, dtype=np.int64), np.full(size, LEAF)
    right, threshold = left.copy(), np.zeros(size)
    counts, saved = np.zeros((size, k), dtype=np.int64), np.zeros(size, dtype=np.int64)
    node_of = np.zeros(len(y), dtype=np.int64)
    n_nodes, fresh = 1, 0
    while True:
        for node in range(fresh, n_nodes):
            rows = np.flatnonzero(node_of == node)
            for i in rows:
                counts[node, y[i]] += 1
            saved[node], feature[node], threshold[node] = best_question(X, y, rows, k, min_leaf)
        best, fresh, used = int(np.argmax(saved[:n_nodes])), n_nodes, slice(0, n_nodes)
        if saved[best] == 0 or n_nodes == size:
            return feature[used], threshold[used], left[used], right[used], counts[used]
        left[best], right[best], saved[best] = n_nodes, n_nodes + 1, 0
        for row in np.flatnonzero(node_of == best):
            node_of[row] = n_nodes + int(X[row, feature[best]] > threshold[best])
        n_nodes += 2


@entry
def weakest_links(left, right, cost):
    """link[n]: the lambda from which on n is no longer split in tree_lambda (Section 9.3.3).

    cost[n] = |n| F(n). In each step every node of the smallest r(tree, n') becomes a leaf. A leaf
    of the full tree has -inf, and a node below a collapsed node has the value of that node or less.
    """
    size = len(left)
    link = np.where(left == LEAF, -np.inf, np.inf)
    leaves, below, r = np.ones(size), cost.copy(), np.empty(size)
    reached = 0.0
    while link[0] == np.inf:
        for n in range(size - 1, -1, -1):
            leaves[n], below[n], r[n] = 1.0, cost[n], np.inf
            if link[n] == np.inf:
                leaves[n] = leaves[left[n]] + leaves[right[n]]
                below[n] = below[left[n]] + below[right[n]]
                r[n] = (cost[n] - below[n]) / (leaves[n] - 1)
        reached = max(reached, r.min())
        for n in range(size):
            if r[n] <= reached + SAME * cost[0]:
                link[n] = reached
            if left[n] != LEAF and link[n] < np.inf:
                link[left[n]] = min(link[left[n]], link[n])
                link[right[n]] = min(link[right[n]], link[n])
    return link


@entry
def ends(X, feature, threshold, left, right, link, lam):
    """The leaf of tree_lambda that each example reaches."""
    out = np.empty(len(X), dtype=np.int64)
    for i in range(len(X)):
        n = 0
        while link[n] > lam:
            n = left[n] if X[i, feature[n]] <= threshold[n] else right[n]
        out[i] = n
    return out
