"""Collapsing and pruning a C4.5 tree (Quinlan 1993, Chapter 4) and its last cuts, as in J48.

A node's children always have higher numbers than the node.
"""

import math

import numpy as np

from ._c45 import SMALL, heaviest, total
from ._c45_grow import MISSING, Tree, branch_weights
from ._parts import entry, part

MARGIN = 0.1  # a simpler tree may have this many more estimated errors


@part
def errors(weights):
    """Training weight that a leaf gets wrong."""
    return total(weights) - weights[heaviest(weights)]


@entry
def collapse(tree):
    """Turn each node whose subtree has no fewer training errors into a leaf."""
    below = np.zeros(len(tree.feature))
    for node in range(len(below) - 1, -1, -1):
        first, n = tree.first_child[node], tree.n_children[node]
        own = errors(tree.weights[node])
        below[node] = 0.0 if n else own
        for child in range(first, first + n):
            below[node] += below[child]
        if below[node] >= own - 1e-3:
            tree.n_children[node] = 0


@part
def added_errors(N, e, confidence, z):
    """What the upper confidence limit on the errors of a leaf adds to the e in N cases.

    z is the normal deviate of the confidence. Between 0 and 1 error it is linear.
    """
    if e < 1:
        none = N * (1 - math.pow(confidence, 1 / N))
        if e == 0:
            return none
        return none + e * (added_beyond_one(N, 1.0, z) - none)
    return added_beyond_one(N, e, z)


@part
def added_beyond_one(N, e, z):
    """The same from 1 error on."""
    if e + 0.5 >= N:
        return max(N - e, 0.0)
    f = (e + 0.5) / N
    half = z * math.sqrt(f / N - f * f / N + z * z / (4 * N * N))
    return N * (f + z * z / (2 * N) + half) / (1 + z * z / N) - e


@part
def leaf_errors(weights, limits):
    """Estimated errors of a leaf."""
    N = total(weights)
    if N < SMALL:
        return 0.0
    e = errors(weights)
    return e + added_errors(N, e, limits[0], limits[1])


@part
def send(tree, node, cases, y, rows, w, room):
    """Divide rows among the children of a node, the missing by shares of the weight.

    Returns (rows, weights, where each child's rows begin and end).
    """
    branch, weight_of, _ = room
    for i in range(len(rows)):
        weight_of[rows[i]] = w[i]
    below = np.empty((tree.n_children[node], tree.weights.shape[1]))
    f, cut = tree.feature[node], tree.cut[node]
    share = branch_weights(cases, f, cut, rows, y, weight_of, branch, below)
    first, lost = np.zeros(len(share) + 1, np.int64), 0
    for r in rows:
        if branch[r] == MISSING:
            lost += 1
        else:
            first[branch[r] + 1] += 1
    for j in range(len(share)):
        first[j + 1] += first[j] + lost * (share[j] > SMALL)
    at, out, weight = first.copy(), np.empty(first[-1], rows.dtype), np.empty(first[-1])
    for i in range(len(rows)):
        b = branch[rows[i]]
        for j in range(max(b, 0), len(share) if b == MISSING else b + 1):
            part = share[j] if b == MISSING else 1.0
            if part > SMALL:
                out[at[j]], weight[at[j]] = rows[i], w[i] * part
                at[j] += 1
    return out, weight, first


@part
def spread(tree, node, cases, y, rows, w, room):
    """Set the weights of a node and of all nodes below it from these rows."""
    tree.weights[node, :] = 0.0
    for i in range(len(rows)):
        tree.weights[node, y[rows[i]]] += w[i]
    if tree.n_children[node]:
        out, weight, at = send(tree, node, cases, y, rows, w, room)
        for j in range(tree.n_children[node]):
            a, b, child = at[j], at[j + 1], tree.first_child[node] + j
            spread(tree, child, cases, y, out[a:b], weight[a:b], room)


@part
def errors_with(tree, node, cases, y, rows, w, own, limits, room):
    """Estimated errors of a subtree if these rows came to it, in addition to its own or instead."""
    if own and len(rows) == 0:
        return room[2][node]
    if tree.n_children[node] == 0:
        weights = np.zeros(tree.weights.shape[1])
        for c in range(len(weights) if own else 0):
            weights[c] = tree.weights[node, c]
        for i in range(len(rows)):
            weights[y[rows[i]]] += w[i]
        return leaf_errors(weights, limits)
    found = 0.0
    out, weight, at = send(tree, node, cases, y, rows, w, room)
    for j in range(tree.n_children[node]):
        a, b, child = at[j], at[j + 1], tree.first_child[node] + j
        found += errors_with(tree, child, cases, y, out[a:b], weight[a:b], own, limits, room)
    return found


@part
def without(array, start, end):
    """A copy without the entries from start to end."""
    out = np.empty(len(array) - (end - start), array.dtype)
    for i in range(len(out)):
        out[i] = array[i if i < start else i + end - start]
    return out


@part
def largest_child(tree, node):
    """The heaviest child; the last, if there are ties."""
    best, most = -1, 0.0
    for child in range(tree.first_child[node], tree.first_child[node] + tree.n_children[node]):
        weight = total(tree.weights[child])
        if most - weight < SMALL:
            best, most = child, weight
    return best


@part
def errors_as_branch(tree, node, branch, cases, y, sent, rows, w, limits, room):
    """Estimated errors if a child took the node's place; `sent` are the rows as `send` gives them.

    If nothing is missing, the child's own rows stay where they are.
    """
    if not cases.complete:
        return errors_with(tree, branch, cases, y, rows, w, False, limits, room)
    out, weight, at = sent
    j = branch - tree.first_child[node]
    others, their = without(out, at[j], at[j + 1]), without(weight, at[j], at[j + 1])
    return errors_with(tree, branch, cases, y, others, their, True, limits, room)


@entry
def prune(tree, node, cases, y, rows, w, raising, limits, room):
    """Prune the tree below a node, then let a leaf or its largest branch take its place.

    `rows` of weights `w` are the cases of the node; they are needed only for raising. `limits` =
    (confidence, its normal deviate). `room` = (by case: branch, weight; by node: the estimated
    errors, which are also a result).
    """
    while tree.n_children[node]:
        sent = send(tree, node, cases, y, rows, w, room)
        out, weight, at = sent
        as_leaf, as_tree, as_branch = leaf_errors(tree.weights[node], limits), 0.0, np.inf
        for j in range(tree.n_children[node]):
            a, b, child = at[j], at[j + 1], tree.first_child[node] + j
            prune(tree, child, cases, y, out[a:b], weight[a:b], raising, limits, room)
            as_tree += room[2][child]
        branch = largest_child(tree, node)
        if raising:
            as_branch = errors_as_branch(tree, node, branch, cases, y, sent, rows, w, limits, room)
        if as_leaf < min(as_tree, as_branch) + MARGIN + SMALL:
            tree.n_children[node] = 0
        elif as_branch < as_tree + MARGIN + SMALL:
            tree.feature[node], tree.cut[node] = tree.feature[branch], tree.cut[branch]
            tree.first_child[node] = tree.first_child[branch]
            tree.n_children[node] = tree.n_children[branch]
            spread(tree, node, cases, y, rows, w, room)
        else:
            room[2][node] = as_tree
            return
    room[2][node] = leaf_errors(tree.weights[node], limits)


@entry
def compact(tree):
    """The nodes that the root still reaches, renumbered; a leaf tests feature -1."""
    keep = np.zeros(len(tree.feature), np.int64)
    first_child, n = np.zeros(len(keep), np.int64), 1
    for i in range(len(keep)):
        node = keep[i]
        first_child[i] = n
        for j in range(tree.n_children[node]):
            keep[n] = tree.first_child[node] + j
            n += 1
        if i == n - 1:
            break
    keep = keep[:n]
    feature, cut, n_children = tree.feature[keep], tree.cut[keep], tree.n_children[keep]
    for i in range(n):
        if n_children[i] == 0:
            feature[i], cut[i], first_child[i] = -1, np.nan, -1
    return Tree(feature, cut, first_child[:n], n_children, tree.weights[keep])


@entry
def move_cuts(tree, cases, used):
    """Move each cut down to the greatest training value that is not above it."""
    for node in range(len(tree.feature)):
        f = tree.feature[node]
        if f >= 0 and not cases.nominal[f]:
            x, order = cases.numbers[cases.number[f]], cases.order[cases.number[f]]
            low, high = 0, len(order)  # bounds of the first value above the cut
            while low < high:
                middle = (low + high) // 2
                if x[order[middle]] < tree.cut[node] + SMALL:
                    low = middle + 1
                else:
                    high = middle
            low -= 1
            while not used[order[low]]:
                low -= 1
            tree.cut[node] = x[order[low]]
