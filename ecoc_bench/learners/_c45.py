"""The best split of one node, by the rules of C4.5 release 8 (Quinlan 1996) as in Weka's J48.

A nominal attribute has one branch per value, a number x the two branches x <= cut and x > cut.
Entropies are in bits and, until the last division, times the weight they are taken over. Numbers
that differ by no more than SMALL are equal in every comparison, as they are in J48. Not handled:
binary tests and groups of nominal values.
"""

import math

import numpy as np

from ._parts import part

SMALL = 1e-6
GAP = 1e-5  # a cut lies between training values further apart than this
SLACK = 1e-3  # a gain may be this far below the average gain
LOG2 = math.log(2.0)
HALF, LOW = np.uint64(32), np.uint64(2**32 - 1)

CENTRES = 1 + (np.arange(512) + 0.5) / 512
INVERSES, LOGARITHMS = 1 / CENTRES, np.log2(CENTRES)


@part
def log2(x):
    """log2 x to about 1e-15, several times faster than the library's.

    x = 2^e m with m in [1, 2); the first nine bits of m choose a centre, and a series in the
    relative distance d < 0.001 does the rest.
    """
    bits = np.float64(x).view(np.int64)
    i = np.uint64((bits >> 43) & 511)
    m = np.int64((bits & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000).view(np.float64)
    d = m * INVERSES[i] - 1.0
    series = d * (1.0 - d * (1 / 2 - d * (1 / 3 - d / 4)))
    return (bits >> 52) - 1023 + LOGARITHMS[i] + series / LOG2


@part
def xlogx(x, table):
    """x log2 x, from the table if x is a whole number that it holds."""
    i = int(x)
    if i == x and i < len(table):
        return table[i]
    return x * log2(x) if x >= SMALL else 0.0


@part
def total(weights):
    """Their sum, first to last."""
    s = weights[0]
    for c in range(1, len(weights)):
        s += weights[c]
    return s


@part
def entropy(weights, W, table):
    """Weight W times the entropy of these class weights."""
    h = xlogx(W, table)
    for c in range(len(weights)):
        h -= xlogx(weights[c], table)
    return h


@part
def heaviest(weights):
    """The first class that none outweighs."""
    best = 0
    for c in range(1, len(weights)):
        if weights[c] - max(weights[best], 0.0) > SMALL:
            best = c
    return best


@part
def is_leaf(weights, min_cases):
    """Too light to split, or pure."""
    W = total(weights)
    return 2 * min_cases - W > SMALL or W - weights[heaviest(weights)] < SMALL


@part
def gain_ratio(gain, split, W):
    """gain / split information; `split` is W times the latter."""
    return 0.0 if abs(split) < SMALL else gain / (split / W)


@part
def count_values(codes, rows, y, w, H):
    """H[value, class] = weight of these rows; the last value stands for missing."""
    H[:] = 0
    for i in range(len(rows)):
        r = rows[i]
        H[codes[r], y[r]] += w[r]


@part
def nominal_split(H, W, min_cases, table, classes):
    """(valid, gain, gain ratio) of a branch per value, from the class weights H[value].

    Valid if at least two branches have `min_cases`; `classes` is overwritten.
    """
    classes[:] = 0
    known, inner, split, heavy = 0.0, 0.0, 0.0, 0
    for v in range(len(H)):
        bag = total(H[v])
        if bag > 0:
            for c in range(H.shape[1]):
                classes[c] += H[v, c]
                inner -= xlogx(H[v, c], table)
            split -= xlogx(bag, table)
            known += bag
            heavy += bag - min_cases > -SMALL
    if heavy < 2:
        return False, 0.0, 0.0
    gain = entropy(classes, known, table) - (inner - split)
    gain = 0.0 if abs(known / W * gain) < SMALL else gain / W
    split += xlogx(W, table) - xlogx(W - known, table)
    return True, gain, gain_ratio(gain, split, W)


@part
def least_branch(known, n_classes, min_cases):
    """The least weight of a branch of a number: 10% of the mean class, but from 2 to 25."""
    least = 0.1 * known / n_classes
    return float(min_cases) if least - min_cases < SMALL else min(least, 25.0)


@part
def best_cut(x, order, y, w, whole, W, least, table, left, right):
    """(gain, cuts tried, rows up to the cut, their weight) of the first of the best cuts.

    `right` are the class weights of the rows in `order`; `whole` is their entropy times weight.
    """
    left[:] = 0
    in_left, in_right, inside = np.zeros(len(left)), np.zeros(len(left)), 0.0
    for c in range(len(right)):
        in_right[c] = xlogx(right[c], table)
        inside += in_right[c]
    below, above = left[0], total(right)
    best, size, weight_below, tried = 0.0, 0, below, 0
    lightest, bar = least - SMALL, whole - SMALL * W
    r = order[0]
    x_next = x[r]
    for i in range(1, len(order)):
        c, weight = y[r], w[r]
        r = order[i]
        x_here, x_next = x_next, x[r]
        more, fewer = left[c] + weight, right[c] - weight
        a, b = xlogx(more, table), xlogx(fewer, table)
        inside += (a - in_left[c]) + (b - in_right[c])
        left[c], right[c], in_left[c], in_right[c] = more, fewer, a, b
        below += weight
        above -= weight
        if below > lightest and x_here + GAP < x_next:
            if above <= lightest:
                break
            tried += 1
            rest = xlogx(below, table) + xlogx(above, table) - inside
            if rest < bar:
                best, size, weight_below = (whole - rest) / W, i, below
                bar = rest - SMALL * W
    return best, tried, size, weight_below


@part
def best_cut_of_two(x, order, pairs, whole, W, least, table, right):
    """The same for two classes and whole weights, which are halves of pairs[row]; see `pack`.

    Both sums are then one, in a register, and every x log2 x is in the table: twice as fast.
    """
    n0, n1, left = np.uint64(right[0]), np.uint64(right[1]), np.uint64(0)
    best, size, weight_below, tried = 0.0, 0, np.uint64(0), 0
    lightest, bar = np.uint64(least - SMALL), whole - SMALL * W
    r = order[0]
    x_next = x[r]
    for i in range(1, len(order)):
        left += pairs[r]
        r = order[i]
        x_here, x_next = x_next, x[r]
        a, b = left & LOW, left >> HALF
        below = a + b
        if below > lightest and x_here + GAP < x_next:
            above = n0 + n1 - below
            if above <= lightest:
                break
            tried += 1
            inside = (table[a] + table[n0 - a]) + (table[b] + table[n1 - b])
            rest = table[below] + table[above] - inside
            if rest < bar:
                best, size, weight_below = (whole - rest) / W, i, below
                bar = rest - SMALL * W
    return best, tried, size, np.int64(weight_below)


def pack(y, counts) -> np.ndarray:
    """The counts of class 0 in the low 32 bits, those of class 1 in the high ones.

    It applies to two classes and whole weights if nothing is missing and the table holds their sum.
    """
    return counts.astype(np.uint64) << (HALF * (y == 1))


@part
def numeric_split(x, order, y, w, pairs, W, present, min_cases, table, left, right):
    """(valid, gain, gain ratio, cut) of the best cut of one number.

    `order` are the rows of known value, by value, `right` their class weights and `present` how
    many cases they are; `left` and `right` are overwritten, `pairs` is empty unless `pack` applies.
    The gain is reduced by log2(cuts tried) / W, the correction of release 8.
    """
    known = total(right)
    least = least_branch(known, len(right), min_cases)
    if 2 * least - present > SMALL:
        return False, 0.0, 0.0, 0.0
    whole = entropy(right, known, table)
    if len(pairs):
        gain, tried, size, below = best_cut_of_two(x, order, pairs, whole, W, least, table, right)
    else:
        gain, tried, size, below = best_cut(x, order, y, w, whole, W, least, table, left, right)
    gain -= log2(max(tried, 1)) / W
    if gain < SMALL:
        return False, 0.0, 0.0, 0.0
    low, high = x[order[size - 1]], x[order[size]]
    cut = (low + high) / 2
    split = xlogx(W, table) - xlogx(W - known, table)
    split -= xlogx(below, table) + xlogx(known - below, table)
    return True, gain, gain_ratio(gain, split, W), low if cut == high else cut


@part
def choose(valid, gain, ratio, counts):
    """The highest gain ratio among the gains not below average; -1 if there is none.

    Only the attributes that `counts` marks enter the average: nominal ones with very many values do
    not, unless all attributes are like that.
    """
    gains, n = 0.0, 0
    for f in range(len(valid)):
        if valid[f] and counts[f]:
            gains += gain[f]
            n += 1
    best, highest = -1, 0.0
    for f in range(len(valid)):
        if n and valid[f] and gain[f] >= gains / n - SLACK and ratio[f] - highest > SMALL:
            best, highest = f, ratio[f]
    return best
