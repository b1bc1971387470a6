"""Growing a C4.5 tree from counts: two classes, whole weights, numbers only, and none is missing.

The rows of an open node are the same stretch of every list, and a split parts them in place. Of a
number of few values a node has `bags[bin]`, the packed counts (see `pack`) of its rows by value,
with the bins of all these numbers in a row. Only the smaller child is counted: the larger one has
the rest of its parent's bags, exactly, because they are whole numbers.
"""

import numpy as np

from ._c45 import (
    HALF,
    LOW,
    SMALL,
    best_cut_of_two,
    choose,
    entropy,
    gain_ratio,
    is_leaf,
    least_branch,
    log2,
    total,
)
from ._c45_grow import copy, empty_tree, shortened, with_room
from ._parts import entry, part


@part
def non_empty(bags, values):
    """The values that have a bag, in order; `values` is overwritten."""
    n = 0
    for v in range(len(bags)):
        values[n] = v
        n += bags[v] > 0
    return values[:n]


@part
def best_split(cases, lists, start, end, pairs, bags, weights, limits, room):
    """(attribute, cut) of the best split of a node, or (-1, 0): `numeric_split` of each number."""
    min_cases, table, counts = limits
    right, values, valid, gain, ratio, cut = room
    right[0], right[1], W = weights[0], weights[1], total(weights)
    least = least_branch(total(right), 2, min_cases)
    if 2 * least - W > SMALL:
        return -1, 0.0
    whole = entropy(right, total(right), table)
    for f in range(len(valid)):
        p = cases.coded[f]
        if p >= 0:
            x, of = cases.values[p], bags[cases.first_bin[p] : cases.first_bin[p + 1]]
            order = non_empty(of, values)
        else:
            x, of, order = cases.numbers[f], pairs, lists[cases.listed[f], start:end]
        found = best_cut_of_two(x, order, of, whole, W, least, table, right)
        low, high = x[order[found[2] - 1]], x[order[found[2]]]
        gain[f] = found[0] - log2(max(found[1], 1)) / W
        valid[f] = gain[f] >= SMALL
        if valid[f]:
            below = found[3]
            split = table[int(W)] - (table[below] + table[int(W) - below])
            ratio[f], cut[f] = gain_ratio(gain[f], split, W), (low + high) / 2
            cut[f] = low if cut[f] == high else cut[f]
    f = choose(valid, gain, ratio, counts)
    return f, cut[f] if f >= 0 else 0.0


@part
def sides(cases, f, cut, rows, branch):
    """(keys, limit): the rows of a higher key are above the cut."""
    p, x = cases.coded[f], cases.numbers[f]
    if p >= 0:
        last = -1
        for v in range(cases.n_values[p]):
            last += cases.values[p, v] - cut < SMALL
        return cases.codes[p], last
    for r in rows:
        branch[r] = not x[r] - cut < SMALL
    return branch, 0


@part
def parted(rows, keys, limit, others):
    """Move the rows of higher keys behind the others, in order; returns how many the others are.

    Each row is written to both places, but only one of the two places then moves on: this is
    cheaper than an unpredictable branch.
    """
    n_rows, n_others = 0, 0
    for i in range(len(rows)):
        r = rows[i]
        above = keys[r] > limit
        rows[n_rows] = r
        others[n_others] = r
        n_rows += not above
        n_others += above
    copy(others, rows[n_rows:])
    return n_rows


@part
def part_lists(cases, f, cut, lists, start, end, branch, others):
    """Part a node's stretch of every list at a cut; returns where the rows above it begin."""
    keys, limit = sides(cases, f, cut, lists[-1, start:end], branch)
    middle = start
    for q in range(len(lists)):
        middle = start + parted(lists[q, start:end], keys, limit, others)
    return middle


@part
def weigh(rows, pairs, weights):
    """The class weights of these rows."""
    counts = np.uint64(0)
    for r in rows:
        counts += pairs[r]
    weights[0], weights[1] = counts & LOW, counts >> HALF


@part
def count(rows, bins, pairs, bags):
    """The bags of these rows."""
    bags[:] = 0
    for r in rows:
        pair = pairs[r]
        for q in range(bins.shape[1]):
            bags[bins[r, q]] += pair


@part
def divide(tree, node, small, large, rows, cases, pairs, bags, min_cases):
    """Weights of two children from the rows of the small one; bags[0], the parent's, become the
    large one's, and bags[1] the small one's, unless both are leaves.
    """
    weigh(rows, pairs, tree.weights[small])
    for c in range(2):
        tree.weights[large, c] = tree.weights[node, c] - tree.weights[small, c]
    if is_leaf(tree.weights[small], min_cases) and is_leaf(tree.weights[large], min_cases):
        return
    count(rows, cases.bins, pairs, bags[1])
    for i in range(bags.shape[1]):
        bags[0, i] -= bags[1, i]


@part
def workspace(cases, lists, pairs):
    """(bags of the open nodes, from the root's on, memory of `best_split`, of `part_lists`)."""
    d, n = len(cases.nominal), lists.shape[1]
    bags = np.zeros((2 + int(np.log2(n + 1)), cases.first_bin[-1]), np.uint64)
    count(lists[-1], cases.bins, pairs, bags[0])
    right, values = np.zeros(2, np.int64), np.zeros(cases.values.shape[1] + 1, np.uint32)
    room = right, values, np.zeros(d, np.bool_), np.zeros(d), np.zeros(d), np.zeros(d)
    return bags, room, (np.zeros(len(pairs), np.uint16), np.empty(n + 1, lists.dtype))


@entry
def grow_from_counts(cases, pairs, lists, limits):
    """`grow` for packed counts and no nominal attribute.

    The larger child waits while the smaller one is grown, so that few nodes are open at a time.
    """
    bags, room, (branch, others) = workspace(cases, lists, pairs)
    tree, n_nodes = empty_tree(64, 2), 1
    weigh(lists[-1], pairs, tree.weights[0])
    stack = [(0, 0, lists.shape[1])]
    while stack:
        node, start, end = stack.pop()
        depth, weights = len(stack), tree.weights[node]
        if is_leaf(weights, limits[0]):
            continue
        f, cut = best_split(cases, lists, start, end, pairs, bags[depth], weights, limits, room)
        if f < 0:
            continue
        tree = with_room(tree, n_nodes + 2)
        tree.feature[node], tree.cut[node] = f, cut
        tree.first_child[node], tree.n_children[node] = n_nodes, 2
        middle = part_lists(cases, f, cut, lists, start, end, branch, others)
        large, small = (n_nodes, start, middle), (n_nodes + 1, middle, end)
        if 2 * middle < start + end:
            large, small = small, large
        rows = lists[-1, small[1] : small[2]]
        divide(tree, node, small[0], large[0], rows, cases, pairs, bags[depth:], limits[0])
        stack.append(large)
        stack.append(small)
        n_nodes += 2
    return shortened(tree, n_nodes)
