"""Slow twins of learning from label sets: plain loops; y[i] is the set of labels of example i."""

import math

from oracles_textbook import inner, kesler_example, says


def sign(y_i, label):
    """y_i[l]."""
    return 1 if label in y_i else -1


def triples(y, k):
    """(i, l, l'): example i has label l and lacks label l'."""
    labels = range(k)
    return [
        (i, a, b)
        for i in range(len(y))
        for a in labels
        if a in y[i]
        for b in labels
        if b not in y[i]
    ]


def mh(X, y, k, picks):
    """Figure 9.1 with the base classifiers that were picked: of each round eps, alpha and Z."""
    m, rounds = len(X), []
    D = {(i, label): 1 / (m * k) for i in range(m) for label in range(k)}
    for stump in picks:
        wrong = {at: says(stump, X[at[0]], at[1]) != sign(y[at[0]], at[1]) for at in D}
        eps = sum(D[at] for at in D if wrong[at])
        alpha = 0.5 * math.log((1 - eps) / eps)
        D = {at: D[at] * math.exp(alpha if wrong[at] else -alpha) for at in D}
        Z = sum(D.values())
        D = {at: d / Z for at, d in D.items()}
        rounds.append({"eps": eps, "alpha": alpha, "Z": Z})
    return rounds


def mr(X, y, k, picks, every):
    """AdaBoost.MR with the stumps that were picked: slope, the steepest of all, alpha and Z.

    D_1(i, l, l') is 1/(m |Y_i| (k - |Y_i|)), with m the number of examples that have pairs.
    """
    of = triples(y, k)
    m = len({i for i, _, _ in of})
    D = [1 / (m * len(y[i]) * (k - len(y[i]))) for i, _, _ in of]
    rounds = []

    def gaps(stump):
        return [says(stump, X[i], a) - says(stump, X[i], b) for i, a, b in of]

    all_gaps = {tuple(gaps(stump)) for stump in every}
    for stump in picks:
        own = gaps(stump)
        slope = sum(d * g for d, g in zip(D, own, strict=True))
        best = max(sum(d * g for d, g in zip(D, other, strict=True)) for other in all_gaps)
        right = sum(d for d, g in zip(D, own, strict=True) if g > 0)
        wrong = sum(d for d, g in zip(D, own, strict=True) if g < 0)
        alpha = 0.25 * math.log(max(right, 1e-12) / max(wrong, 1e-12))
        D = [d * math.exp(-alpha * g) for d, g in zip(D, own, strict=True)]
        Z = sum(D)
        D = [d / Z for d in D]
        rounds.append({"slope": slope, "best": best, "alpha": alpha, "Z": Z})
    return rounds


def online(X, y, k, order, update):
    """The perceptron on the examples x_ij of all constraints, in nk dimensions.

    update "full": every constraint in turn; "conservative": only that of lowest w . x_ij.
    """
    w, total, updates = [0.0] * (len(X[0]) * k), [0.0] * (len(X[0]) * k), 0
    for n in order:
        zs = [kesler_example(X[n], a, b, k) for _, a, b in triples([y[n]], k)]
        if update == "conservative" and zs:
            zs = [min(zs, key=lambda z: inner(w, z))]
        for z in zs:
            if inner(w, z) <= 0:
                w = [a + b for a, b in zip(w, z, strict=True)]
                updates += 1
        total = [a + b for a, b in zip(total, w, strict=True)]
    return w, total, updates


def hamming(F, Y, t):
    """How many of the labels {l: F > t} are wrong: m k times the Hamming loss."""
    return sum(
        (f > t) != (y > 0)
        for row, labels in zip(F, Y, strict=True)
        for f, y in zip(row, labels, strict=True)
    )
