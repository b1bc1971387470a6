"""Slow twins of the textbook methods: plain loops, one line of the source at a time.

Mohri et al., chapter 9 (exercises 9.3 and 9.4, Section 9.3.3), RankBoost of their chapter 10, and
the slides on boosting and on constraint classification.
"""

import math
from itertools import pairwise, product


def cuts(X):
    """Every question "x[f] <= cut", lowest feature first, then lowest cut."""
    questions = []
    for f in range(len(X[0])):
        values = sorted({row[f] for row in X})
        questions += [(f, (a + b) / 2) for a, b in pairwise(values)]
    return questions


def side(question, x):
    """0 where it is true, else 1."""
    f, cut = question
    return 0 if x[f] <= cut else 1


def stumps(X, k):
    """Every stump h: X x Y -> {-1, +1}: a question, and an answer for each side and class."""
    for question in cuts(X):
        for answers in product([-1, 1], repeat=2 * k):
            yield question, (answers[:k], answers[k:])


def says(stump, x, label):
    question, v = stump
    return v[side(question, x)][label]


def pairs(y, k):
    """The ranking target of exercise 9.4: (x_i, y_i) above (x_i, l), for every l != y_i."""
    return [(i, label) for i in range(len(y)) for label in range(k) if label != y[i]]


def rank_gaps(X, y, k, stump):
    """g(x_i, y_i) - g(x_i, l) of each pair, for the ranker g = (1 + h)/2 in {0, 1}."""
    question, v = stump
    g = [[(1 + h) // 2 for h in v[side(question, x)]] for x in X]
    return [g[i][y[i]] - g[i][label] for i, label in pairs(y, k)]


def rankboost(X, y, k, picks):
    """RankBoost (chapter 10) on the pairs, with the rankers that were picked.

    Of each round: eps+ - eps- of the ranker and the highest of all rankers, its alpha and Z.
    """
    n = len(pairs(y, k))
    D, rounds = [1 / n] * n, []
    every = {tuple(rank_gaps(X, y, k, stump)) for stump in stumps(X, k)}
    for stump in picks:
        gaps = rank_gaps(X, y, k, stump)
        slope = sum(d * gap for d, gap in zip(D, gaps, strict=True))
        best = max(sum(d * gap for d, gap in zip(D, other, strict=True)) for other in every)
        right = sum(d for d, gap in zip(D, gaps, strict=True) if gap == 1)
        wrong = sum(d for d, gap in zip(D, gaps, strict=True) if gap == -1)
        alpha = 0.5 * math.log(max(right, 1e-12) / max(wrong, 1e-12))
        D = [d * math.exp(-alpha * gap) for d, gap in zip(D, gaps, strict=True)]
        Z = sum(D)
        D = [d / Z for d in D]
        rounds.append({"slope": slope, "best": best, "alpha": alpha, "Z": Z})
    return rounds


def sign(y_i, label):
    """y_i[l]."""
    return 1 if label == y_i else -1


def F_pairs(y, f):
    """Eq. 9.26, from the scores f[i][l]."""
    return sum(math.exp(-(f[i][y[i]] - f[i][label])) for i, label in pairs(y, len(f[0])))


def F_signs(y, f):
    """Eq. 9.13."""
    k = range(len(f[0]))
    return sum(math.exp(-sign(y[i], label) * f[i][label]) for i in range(len(y)) for label in k)


def G_means(y, f):
    """Eq. 9.25."""
    k = len(f[0])
    sums = [sum(sign(y[i], label) * f[i][label] for label in range(k)) for i in range(len(y))]
    return sum(math.exp(-total / k) for total in sums)


def mean_margin(X, y, k, picks):
    """Exercise 9.3 with the stumps that were picked: of each round eps, the lowest, alpha, Z."""

    def disagreements(stump):
        """The share of labels l with h(x_i, l) != y_i[l], for each example."""
        return tuple(
            sum(says(stump, X[i], label) != sign(y[i], label) for label in range(k)) / k
            for i in range(len(y))
        )

    D, rounds = [1 / len(y)] * len(y), []
    every = {disagreements(stump) for stump in stumps(X, k)}
    for stump in picks:
        shares = disagreements(stump)
        eps = sum(d * e for d, e in zip(D, shares, strict=True))
        lowest = min(sum(d * e for d, e in zip(D, other, strict=True)) for other in every)
        alpha = 0.5 * math.log((1 - eps) / eps)
        D = [d * math.exp(-alpha * (1 - 2 * e)) for d, e in zip(D, shares, strict=True)]
        Z = sum(D)
        D = [d / Z for d in D]
        rounds.append({"eps": eps, "lowest": lowest, "alpha": alpha, "Z": Z})
    return rounds


def adaboost(X, y, rounds):
    """Slide "A Formal View of Boosting", y in {-1, +1}: (eps_t, alpha_t, training error)."""
    m = range(len(y))
    D, f, history = [1 / len(y)] * len(y), [0.0] * len(y), []
    choices = [(q, v) for q in cuts(X) for v in ((1, -1), (-1, 1), (1, 1), (-1, -1))]
    for _ in range(rounds):
        outputs = [[v[side(q, x)] for x in X] for q, v in choices]
        errors = [sum(D[i] for i in m if h[i] != y[i]) for h in outputs]
        h = outputs[next(c for c, e in enumerate(errors) if e <= min(errors) + 1e-12)]
        eps = sum(D[i] for i in m if h[i] != y[i])
        alpha = 0.5 * math.log((1 - eps) / eps)
        D = [D[i] * math.exp(-alpha * y[i] * h[i]) for i in m]
        D = [d / sum(D) for d in D]
        f = [f[i] + alpha * h[i] for i in m]
        history.append((eps, alpha, sum((f[i] > 0) != (y[i] > 0) for i in m) / len(y)))
    return history


def minority(y):
    """|n| F(n) by misclassification: the points outside the majority."""
    return len(y) - max((y.count(label) for label in set(y)), default=0)


def grow(X, y):
    """Greedy growth by misclassification until no question lowers it: (question, left, right)."""
    best, lowest = None, minority(y)
    for question in cuts(X):
        parts = [[y[i] for i in range(len(y)) if side(question, X[i]) == j] for j in (0, 1)]
        if sum(map(minority, parts)) < lowest:
            best, lowest = question, sum(map(minority, parts))
    if best is None:
        return max(sorted(set(y)), key=y.count)
    rows = [[i for i in range(len(y)) if side(best, X[i]) == j] for j in (0, 1)]
    return (best, *(grow([X[i] for i in r], [y[i] for i in r]) for r in rows))


def classify(tree, x):
    while isinstance(tree, tuple):
        tree = tree[1 + side(tree[0], x)]
    return tree


def subtrees(left, right, n=0):
    """The leaves of every subtree with the root n that can be pruned from the tree."""
    found = [frozenset([n])]
    if left[n] >= 0:
        below = product(subtrees(left, right, left[n]), subtrees(left, right, right[n]))
        found += [a | b for a, b in below]
    return found


def smallest_minimiser(left, right, cost, lam):
    """tree_lambda: of lowest Eq. 9.15, and of these of the smallest size; its leaves."""
    G = {
        leaves: sum(cost[n] for n in leaves) + lam * len(leaves) for leaves in subtrees(left, right)
    }
    lowest = min(G.values())
    return min((leaves for leaves in G if G[leaves] <= lowest + 1e-9), key=len)


def kesler_example(x, i, j, k):
    """x_ij = x_i - x_j in nk dimensions."""
    out = [0.0] * (len(x) * k)
    for f, value in enumerate(x):
        out[i * len(x) + f] += value
        out[j * len(x) + f] -= value
    return out


def kesler_online(X, y, k, order, update, r=None):
    """The perceptron, or Winnow with base r, on the examples x_ij in nk dimensions.

    update "full": every j in turn; "conservative": only the j of lowest w . x_ij. Returns the last
    weights, the sum of the weights over all visits, and the number of updates.
    """
    w = [0.0 if r is None else 1.0] * (len(X[0]) * k)
    total, updates = [0.0] * len(w), 0
    for n in order:
        others = [kesler_example(X[n], y[n], j, k) for j in range(k) if j != y[n]]
        if update == "conservative":
            others = [min(others, key=lambda z: inner(w, z))]
        for z in others:
            if inner(w, z) <= 0:
                if r is None:
                    w = [a + b for a, b in zip(w, z, strict=True)]
                else:
                    w = [a * r**b for a, b in zip(w, z, strict=True)]
                updates += 1
        total = [a + b for a, b in zip(total, w, strict=True)]
    return w, total, updates


def inner(w, z):
    return sum(a * b for a, b in zip(w, z, strict=True))


def stochastic_svm(X, y, k, C, orders):
    """Pegasos on the multiclass hinge: W after each epoch, and the means of W_t weighted by t."""
    m, n = len(X), len(X[0])
    lam = 1 / (C * m)
    W = [[0.0] * n for _ in range(k)]
    total, weight, t, last, means = [[0.0] * n for _ in range(k)], 0, 0, [], []
    for order in orders:
        for i in order:
            t += 1
            scores = [sum(w * x for w, x in zip(W[c], X[i], strict=True)) for c in range(k)]
            rival = max((c for c in range(k) if c != y[i]), key=lambda c: (scores[c], -c))
            slack = 1 - scores[y[i]] + scores[rival]
            W = [[(1 - 1 / t) * w for w in row] for row in W]
            if slack > 0:
                W[y[i]] = [w + x / (lam * t) for w, x in zip(W[y[i]], X[i], strict=True)]
                W[rival] = [w - x / (lam * t) for w, x in zip(W[rival], X[i], strict=True)]
            total = [
                [a + t * w for a, w in zip(*rows, strict=True)]
                for rows in zip(total, W, strict=True)
            ]
            weight += t
        last.append(W)
        means.append([[a / weight for a in row] for row in total])
    return last, means
