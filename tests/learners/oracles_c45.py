"""The slow twin of our C4.5: plain loops over lists of (case, weight), one rule at a time."""

import math
from itertools import pairwise

SMALL = 1e-6


class Task:
    """The training cases and the parameters of one tree."""

    def __init__(self, X, y, nominal, copies, n_classes, min_cases=2, confidence=0.25):
        self.X, self.y, self.nominal, self.copies = X, y, nominal, copies
        self.n_classes, self.min_cases, self.confidence = n_classes, min_cases, confidence
        self.n_values = [
            int(max([row[f] for row in X if not math.isnan(row[f])], default=0)) + 1 if nom else 2
            for f, nom in enumerate(nominal)
        ]


class Node:
    """A node: its test (None for a leaf), its children, its cases and their class weights."""

    def __init__(self, task, cases):
        self.cases, self.test, self.children = cases, None, []
        self.weights = class_weights(task, cases)


def class_weights(task, cases):
    out = [0.0] * task.n_classes
    for i, w in cases:
        out[task.y[i]] += w
    return out


def log_sum(weights):
    """sum of w log2 w."""
    return sum(w * math.log2(w) for w in weights if w >= SMALL)


def entropy(weights):
    """Total weight times entropy."""
    return log_sum([sum(weights)]) - log_sum(weights)


def heaviest(weights):
    best, most = 0, 0.0
    for c, w in enumerate(weights):
        if w > most + SMALL:
            best, most = c, w
    return best


def errors(weights):
    return sum(weights) - weights[heaviest(weights)]


def branch(task, test, row):
    """Where a case goes; None if its value is missing."""
    f, cut = test
    if math.isnan(row[f]):
        return None
    return int(row[f]) if task.nominal[f] else int(row[f] >= cut + SMALL)


def divide(task, test, cases):
    """The cases of each branch; a missing value goes to all, by their known weight."""
    parts = [[] for _ in range(task.n_values[test[0]])]
    for i, w in cases:
        b = branch(task, test, task.X[i])
        if b is not None:
            parts[b].append((i, w))
    known = [sum(w for _, w in part) for part in parts]
    total = sum(known)
    share = [k / total if total >= SMALL else 1 / len(known) for k in known]
    for i, w in cases:
        if branch(task, test, task.X[i]) is None:
            for part, s in zip(parts, share, strict=True):
                if s > SMALL:
                    part.append((i, w * s))
    return parts


def criteria(task, cases, test, correction):
    """(gain, gain ratio) of a test."""
    W = sum(w for _, w in cases)
    known = [(i, w) for i, w in cases if not math.isnan(task.X[i][test[0]])]
    bags = [class_weights(task, part) for part in divide(task, test, known)]
    gain = (entropy(class_weights(task, known)) - sum(entropy(bag) for bag in bags)) / W
    sizes = [sum(bag) for bag in bags]
    split = log_sum([W]) - log_sum([*sizes, W - sum(sizes)])
    gain = 0.0 if abs(gain) < SMALL else gain - correction
    return gain, gain / (split / W) if split >= SMALL else 0.0


def cuts(task, cases, f):
    """Every cut that leaves enough cases on both sides."""
    known = [(i, w) for i, w in cases if not math.isnan(task.X[i][f])]
    W = sum(w for _, w in known)
    least = min(max(0.1 * W / task.n_classes, task.min_cases), max(25, task.min_cases))
    if sum(task.copies[i] for i, _ in known) < 2 * least - SMALL:
        return []
    values, found = sorted({task.X[i][f] for i, _ in known}), []
    for low, high in pairwise(values):
        below = sum(w for i, w in known if task.X[i][f] <= low)
        if low + 1e-5 < high and min(below, W - below) > least - SMALL:
            found.append((low + high) / 2)
    return found


def best_of(task, cases, f):
    """(gain, gain ratio, test) of attribute f, or None."""
    if task.nominal[f]:
        known = [(i, w) for i, w in cases if not math.isnan(task.X[i][f])]
        parts = divide(task, (f, 0.0), known)
        if sum(sum(w for _, w in part) > task.min_cases - SMALL for part in parts) < 2:
            return None
        return *criteria(task, cases, (f, 0.0), 0.0), (f, 0.0)
    tried, best, chosen = cuts(task, cases, f), 0.0, None
    for cut in tried:
        gain, _ = criteria(task, cases, (f, cut), 0.0)
        if gain > best + SMALL:
            best, chosen = gain, cut
    if chosen is None:
        return None
    correction = math.log2(len(tried)) / sum(w for _, w in cases)
    gain, ratio = criteria(task, cases, (f, chosen), correction)
    return (gain, ratio, (f, chosen)) if gain >= SMALL else None


def best_test(task, cases):
    """The test with the highest gain ratio among the gains not below average, or None."""
    weights = class_weights(task, cases)
    if sum(weights) < 2 * task.min_cases - SMALL or errors(weights) < SMALL:
        return None
    found = [best_of(task, cases, f) for f in range(len(task.nominal))]
    n = sum(task.copies)
    many = [v >= 0.3 * n - SMALL for v in task.n_values]
    few = [not (nom and m) for nom, m in zip(task.nominal, many, strict=True)]
    counted = [s for s, is_few in zip(found, few, strict=True) if s and (is_few or not any(few))]
    if not counted:
        return None
    average = sum(gain for gain, _, _ in counted) / len(counted)
    highest, chosen = 0.0, None
    for split in found:
        if split and split[0] >= average - 1e-3 and split[1] > highest + SMALL:
            _, highest, chosen = split
    return chosen


def grow(task, cases):
    node = Node(task, cases)
    node.test = best_test(task, cases)
    if node.test is not None:
        node.children = [grow(task, part) for part in divide(task, node.test, cases)]
    return node


def leaves(node):
    return [leaf for child in node.children for leaf in leaves(child)] or [node]


def make_leaf(node):
    node.test, node.children = None, []


def collapse(node):
    if sum(errors(leaf.weights) for leaf in leaves(node)) >= errors(node.weights) - 1e-3:
        make_leaf(node)
    for child in node.children:
        collapse(child)


def estimated(task, weights):
    """Errors of a leaf at the upper confidence limit; z is that of CF = 0.25."""
    N, e = sum(weights), errors(weights)
    return 0.0 if N < SMALL else e + added(N, e, task.confidence, 0.6744897501960817)


def added(N, e, CF, z):
    if e < 1:
        none = N * (1 - CF ** (1 / N))
        return none if e == 0 else none + e * (added(N, 1.0, CF, z) - none)
    if e + 0.5 >= N:
        return max(N - e, 0)
    f = (e + 0.5) / N
    root = math.sqrt(f / N - f**2 / N + z**2 / (4 * N**2))
    return N * (f + z**2 / (2 * N) + z * root) / (1 + z**2 / N) - e


def regrown(task, node, cases):
    """The same tests for other cases."""
    copy = Node(task, cases)
    copy.test = node.test
    if node.test is not None:
        parts = divide(task, node.test, cases)
        pairs = zip(node.children, parts, strict=True)
        copy.children = [regrown(task, child, part) for child, part in pairs]
    return copy


def prune(task, node, raising):
    """The pruned node: a leaf, its largest branch, or itself."""
    if not node.children:
        return node
    node.children = [prune(task, child, raising) for child in node.children]
    sizes = [sum(child.weights) for child in node.children]
    largest = max(j for j, s in enumerate(sizes) if s > max(sizes) - SMALL)
    other = regrown(task, node.children[largest], node.cases)
    as_leaf = estimated(task, node.weights)
    as_tree = sum(estimated(task, leaf.weights) for leaf in leaves(node))
    as_branch = sum(estimated(task, leaf.weights) for leaf in leaves(other))
    if not raising:
        as_branch = math.inf
    if as_leaf < min(as_tree, as_branch) + 0.1 + SMALL:
        make_leaf(node)
    elif as_branch < as_tree + 0.1 + SMALL:
        return prune(task, other, raising)
    return node


def tree(task, weights, pruned=True, raising=True):
    """The root of the tree for these case weights; weight 0 is left out."""
    return finished(task, weights, grown(task, weights), pruned, raising)


def grown(task, weights):
    """The tree before it is pruned."""
    root = grow(task, [(i, w) for i, w in enumerate(weights) if w > 0])
    collapse(root)
    return root


def finished(task, weights, root, pruned, raising):
    """A tree that was grown, pruned or not, with its cuts at training values."""
    root = prune(task, root, raising) if pruned else root
    move_cuts(task, weights, root)
    return root


def move_cuts(task, weights, node):
    if node.test is not None:
        node.test = moved(task, weights, node.test)
    for child in node.children:
        move_cuts(task, weights, child)


def moved(task, weights, test):
    """A test with its cut at the greatest training value that is not above it."""
    f, cut = test
    if task.nominal[f]:
        return test
    values = [row[f] for row, w in zip(task.X, weights, strict=True) if w > 0]
    return f, max(v for v in values if v < cut + SMALL)


def probabilities(task, node, row, parent=None):
    """Class shares for a case, which may have missing or unseen values."""
    total = sum(node.weights)
    here = [w / total for w in node.weights] if total >= SMALL else parent
    if not node.children:
        return here
    b = branch(task, node.test, row)
    if b is None:
        out = [0.0] * task.n_classes
        for child in node.children:
            part = sum(child.weights)
            if part >= SMALL:
                p = probabilities(task, child, row, here)
                out = [o + part / total * q for o, q in zip(out, p, strict=True)]
        return out
    if b >= len(node.children):
        return here
    return probabilities(task, node.children[b], row, here)
