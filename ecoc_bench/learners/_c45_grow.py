"""Growing a C4.5 tree: the rows of the open nodes lie on a stack, sorted by every number.

`lists[p]` holds the rows of the open nodes in order of the p-th number that is sorted; the last
list holds them in any order, with their weights in another array. Each node has the same stretch of
all lists. The node on top is replaced by its open children, so the lists keep their length, except
for rows whose value is missing: they go to every child, with the child's share of the weight.
"""

from typing import NamedTuple

import numpy as np

from ._c45 import SMALL, choose, count_values, is_leaf, nominal_split, numeric_split, total
from ._parts import entry, part

MISSING, CLOSED = -1, -2  # where a row goes: to all children, or to a leaf


class Tree(NamedTuple):
    """Node 0 is the root; the children of a node follow one another. A leaf has none."""

    feature: np.ndarray
    cut: np.ndarray  # numbers up to the cut go to the first child
    first_child: np.ndarray
    n_children: np.ndarray
    weights: np.ndarray  # training weight by node and class


@part
def empty_tree(n, n_classes):
    """Room for n nodes."""
    index = np.zeros((3, n), np.int64)
    return Tree(index[0], np.zeros(n), index[1], index[2], np.zeros((n, n_classes)))


@part
def with_room(tree, n):
    """The tree with room for n nodes."""
    had = len(tree.feature)
    if n <= had:
        return tree
    longer = empty_tree(max(n, 2 * had), tree.weights.shape[1])
    for i in range(had):
        longer.feature[i], longer.cut[i] = tree.feature[i], tree.cut[i]
        longer.first_child[i], longer.n_children[i] = tree.first_child[i], tree.n_children[i]
        for c in range(tree.weights.shape[1]):
            longer.weights[i, c] = tree.weights[i, c]
    return longer


@part
def shortened(tree, n):
    """The first n nodes."""
    return Tree(
        tree.feature[:n], tree.cut[:n], tree.first_child[:n], tree.n_children[:n], tree.weights[:n]
    )


@part
def branch_of(cases, f, cut, r):
    """The branch that case r takes at a test of attribute f."""
    if cases.nominal[f]:
        p = cases.coded[f]
        value = int(cases.codes[p, r])
        return value if value < cases.n_values[p] else MISSING
    x = cases.numbers[cases.number[f], r]
    if np.isnan(x):
        return MISSING
    return 0 if x - cut < SMALL else 1


@part
def sorted_split(x, order, y, w, copies, pairs, W, present, limits, left, right):
    """`numeric_split` of the rows of a node, the missing last in `order`."""
    n = len(order)
    while n > 0 and np.isnan(x[order[n - 1]]):
        n -= 1
        right[y[order[n]]] -= w[order[n]]
        present -= copies[order[n]]
    return numeric_split(x, order[:n], y, w, pairs, W, present, limits[0], limits[1], left, right)


@part
def counted_split(cases, p, H, rows, copies, W, present, limits, left, right):
    """The same from the weights H[value, class] of number p in `codes`: each value is one row."""
    lost, k = cases.n_values[p], H.shape[1]
    if total(H[lost]) > 0:
        for r in rows:
            present -= copies[r] * (cases.codes[p, r] == lost)
    x, y, w = np.empty(lost * k), np.empty(lost * k, np.uint16), np.empty(lost * k, H.dtype)
    n = 0
    for c in range(k):
        right[c] -= H[lost, c]
    for v in range(lost):
        for c in range(k):
            if H[v, c] > 0:
                x[n], y[n], w[n] = cases.values[p, v], c, H[v, c]
                n += 1
    order = np.arange(n).astype(np.uint32)
    none = np.empty(0, np.uint64)
    return numeric_split(x, order, y, w, none, W, present, limits[0], limits[1], left, right)


@part
def packed_split(cases, p, rows, y, w, pairs, W, present, limits, left, right):
    """The same from the rows and their packed counts: each value of number p is one row."""
    n_values, codes = cases.n_values[p], cases.codes[p]
    bags, order, n = np.zeros(n_values, np.uint64), np.empty(n_values, np.uint32), 0
    for r in rows:
        bags[codes[r]] += pairs[r]
    for v in range(n_values):
        order[n] = v
        n += bags[v] > 0
    x = cases.values[p]
    return numeric_split(x, order[:n], y, w, bags, W, present, limits[0], limits[1], left, right)


@part
def n_cases(rows, copies):
    """How many cases the rows stand for."""
    n = 0
    for r in rows:
        n += copies[r]
    return n


@part
def best_split(cases, lists, start, end, y, w, copies, pairs, weights, limits, room):
    """(attribute, cut) of the best split of a node, or (-1, 0)."""
    H, left, right = room
    d, rows = len(cases.nominal), lists[-1, start:end]
    valid, gain, ratio, cut = np.zeros(d, np.bool_), np.zeros(d), np.zeros(d), np.zeros(d)
    W, present = total(weights), n_cases(rows, copies)
    for f in range(d):
        p, q = cases.coded[f], cases.listed[f]
        for c in range(len(weights)):
            right[c] = weights[c]
        by_pairs = len(pairs) > 0 and not cases.nominal[f]
        if p >= 0 and not by_pairs:
            count_values(cases.codes[p], rows, y, w, H[: cases.n_values[p] + 1])
        if p >= 0 and by_pairs:
            valid[f], gain[f], ratio[f], cut[f] = packed_split(
                cases, p, rows, y, w, pairs, W, present, limits, left, right
            )
        elif cases.nominal[f]:
            bags = H[: cases.n_values[p]]
            valid[f], gain[f], ratio[f] = nominal_split(bags, W, limits[0], limits[1], left)
        elif p >= 0:
            valid[f], gain[f], ratio[f], cut[f] = counted_split(
                cases, p, H, rows, copies, W, present, limits, left, right
            )
        else:
            x, order = cases.numbers[cases.number[f]], lists[q, start:end]
            valid[f], gain[f], ratio[f], cut[f] = sorted_split(
                x, order, y, w, copies, pairs, W, present, limits, left, right
            )
    f = choose(valid, gain, ratio, limits[2])
    return f, cut[f] if f >= 0 else 0.0


@part
def branch_weights(cases, f, cut, rows, y, w, branch, weights):
    """Fill branch[row] and weights[branch, class]; the missing count in each by its share.

    Returns the shares.
    """
    share, lost, known = np.zeros(len(weights)), np.zeros(weights.shape[1]), 0.0
    weights[:] = 0.0
    for r in rows:
        b = branch_of(cases, f, cut, r)
        branch[r] = b
        if b == MISSING:
            lost[y[r]] += w[r]
        else:
            weights[b, y[r]] += w[r]
            share[b] += w[r]
            known += w[r]
    for j in range(len(share)):
        share[j] = share[j] / known if known >= SMALL else 1.0 / len(share)
        for c in range(len(lost)):
            weights[j, c] += share[j] * lost[c]
    return share


@part
def part_in_two(rows, branch, others):
    """Move the rows of open child 0 to the front and those of child 1 to `others`, in order.

    Each row is written to both places, but only one of the two places then moves on: this is
    cheaper than an unpredictable branch.
    """
    n_rows, n_others = 0, 0
    for i in range(len(rows)):
        r = rows[i]
        b = branch[r]
        rows[n_rows] = r
        others[n_others] = r
        n_rows += (b == 0) | (b == MISSING)
        n_others += (b == 1) | (b == MISSING)


@part
def part_in_many(rows, branch, first, start, out):
    """Copy each row to its open child, whose part of `out` begins at first[child] - start."""
    at = np.empty(len(first) - 1, np.int64)
    for j in range(len(at)):
        at[j] = first[j] - start
    for r in rows:
        b = branch[r]
        if b >= 0:
            out[at[b]] = r
            at[b] += 1
        elif b == MISSING:
            for j in range(len(at)):
                out[at[j]] = r
                at[j] += 1


@part
def copy(source, target):
    """Fill `target` from the front of `source`."""
    for i in range(len(target)):
        target[i] = source[i]


@part
def open_children(rows, branch, below, start, min_cases):
    """(the children that may split, where their stretches begin and end).

    branch[row] becomes an index into these children.
    """
    slot, n_open = np.full(len(below), CLOSED), 0
    for j in range(len(below)):
        if not is_leaf(below[j], min_cases):
            slot[j] = n_open
            n_open += 1
    first, lost = np.full(n_open + 1, start), 0
    for r in rows:
        if branch[r] == MISSING:
            lost += 1
        else:
            branch[r] = slot[branch[r]]
            if branch[r] >= 0:
                first[branch[r] + 1] += 1
    for j in range(n_open):
        first[j + 1] += first[j] - start + lost
    return np.flatnonzero(slot >= 0), first


@part
def with_length(lists, held, used, n):
    """The lists and weights, with the entries in use, in arrays of length n or more."""
    if n <= len(held):
        return lists, held
    n = max(n, 2 * len(held))
    longer, heavier = np.empty((len(lists), n), lists.dtype), np.empty(n, held.dtype)
    for i in range(used):
        heavier[i] = held[i]
        for p in range(len(lists)):
            longer[p, i] = lists[p, i]
    return longer, heavier


@part
def replace_node(lists, held, start, end, branch, w, share, first):
    """Replace the node on top of the stack by its open children."""
    n_open = len(share)
    out = np.empty(max(first[-1], end) - start + 1, lists.dtype)
    for p in range(len(lists) if n_open else 0):
        if n_open <= 2:
            part_in_two(lists[p, start:end], branch, out)
            copy(out, lists[p, first[1] : first[-1]])
        else:
            part_in_many(lists[p, start:end], branch, first, start, out)
            copy(out, lists[p, start : first[-1]])
    for j in range(n_open):
        for i in range(first[j], first[j + 1]):
            r = lists[-1, i]
            held[i] = w[r] * share[j] if branch[r] == MISSING else w[r]


@entry
def grow(cases, y, w, copies, pairs, lists, n_classes, limits):
    """The tree before it is collapsed or pruned, with cuts midway between values.

    `lists` are the rows of positive weight, once by each number and once more; `copies` says how
    many cases a row stands for, and `pairs` the same by class, if `pack` applies. `limits` =
    (min_cases, x log2 x of whole numbers, which attributes make the average gain).
    """
    widest = cases.n_values.max() + 1 if len(cases.n_values) else 0
    scratch = np.zeros((widest + 2, n_classes), w.dtype)
    room = scratch[2:], scratch[0], scratch[1]
    tree, n_nodes = empty_tree(64, n_classes), 1
    for r in lists[-1]:
        tree.weights[0, y[r]] += w[r]
    w, held, branch = w.copy(), w[lists[-1]], np.zeros(len(w), np.int16)
    stack = [(0, 0, len(held) * (not is_leaf(tree.weights[0], limits[0])))]
    while stack:
        node, start, end = stack.pop()
        rows = lists[-1, start:end]
        for i in range(len(rows)):
            w[rows[i]] = held[start + i]
        weights = tree.weights[node]
        f, cut = best_split(cases, lists, start, end, y, w, copies, pairs, weights, limits, room)
        if f >= 0:
            n = cases.n_values[cases.coded[f]] if cases.nominal[f] else 2
            tree = with_room(tree, n_nodes + n)
            tree.feature[node], tree.cut[node] = f, cut
            tree.first_child[node], tree.n_children[node] = n_nodes, n
            below = tree.weights[n_nodes : n_nodes + n]
            share = branch_weights(cases, f, cut, rows, y, w, branch, below)
            children, first = open_children(rows, branch, below, start, limits[0])
            lists, held = with_length(lists, held, end, first[-1])
            replace_node(lists, held, start, end, branch, w, share[children], first)
            for j in range(len(children)):
                stack.append((n_nodes + children[j], first[j], first[j + 1]))
            n_nodes += n
    return shortened(tree, n_nodes)
