"""The search for the best stump over all the columns of a code at once.

A stump asks one test of x and answers c[j, s] for side j (0: true, 1: false) and column s.
W[.., g, s] is the weight of some examples whose label in column s has sign g (0: +1, 1: -1). Not
handled: deeper trees, tests of several features.

All sums run in a fixed order. Sums over the far side of a cut are added up from the far end, never
taken as "all minus the near side": what should be 0 is 0, and sqrt(W+ W-) does not magnify
rounding.
"""

import math

import numpy as np
from numba import njit

BEAT = 1 - 1e-12  # a later test must be lower by more than rounding: ties go to the first


@njit(cache=True)
def add_rows(A, bins, H):
    """H[bins[i]] += A[i]: the hot loop. A stays in the cache over many features."""
    for i in range(len(bins)):
        b = bins[i]
        for j in range(A.shape[1]):
            H[b, j] += A[i, j]


@njit(cache=True)
def spread_rows(A, bins, tiles, t, W):
    """W[bins[i], sign, column] += A[i, slot], for the slots of tile t."""
    share, place, n_slots = tiles.share[t], tiles.place[t], tiles.n_slots[t]
    flat = W.reshape(len(W), 2 * W.shape[2])
    if A.shape[1] == W.shape[2]:  # the slots are the columns in order: two masked rows, vectorised
        for i in range(len(bins)):
            b = bins[i]
            for j in range(A.shape[1]):
                W[b, 0, j] += A[i, j] * share[0, j]
                W[b, 1, j] += A[i, j] * share[1, j]
    else:
        for i in range(len(bins)):
            b = bins[i]
            for j in range(n_slots):
                flat[b, place[j]] += A[i, j]


@njit(cache=True)
def add_tile(A, codes, first_feature, tiles, t, n_bins, work, W):
    """Add some rows of tile t, weights A and bins `codes`, to the histograms W of some features."""
    n, width = A.shape
    first = 0
    for f in range(len(codes)):
        V = W[first : first + n_bins[f]]
        if n_bins[f] < n:
            low, high = work.low[t, first_feature + f], work.high[t, first_feature + f]
            H = work.scratch[: high * width].reshape(high, width)
            H[low:] = 0.0
            add_rows(A, codes[f], H)
            spread_rows(H[low:], work.every_bin[low:high], tiles, t, V)
        else:
            spread_rows(A, codes[f], tiles, t, V)
        first += n_bins[f]


@njit(cache=True)
def weights_of(D, tiles, t):
    """The weights of tile t, rows x slots; a view."""
    n, width = tiles.end[t] - tiles.row[t], tiles.width[t]
    return D[tiles.offset[t] : tiles.offset[t] + n * width].reshape(n, width)


@njit(cache=True)
def fill_histograms(D, tiles, block, codes, n_bins, start, stop, work, W):
    """W[bin, sign, column] of one column block, for the features `start` to `stop` in a row."""
    W[:] = 0.0
    for t in range(tiles.block[block], tiles.block[block + 1]):
        rows = codes[start:stop, tiles.row[t] : tiles.end[t]]
        add_tile(weights_of(D, tiles, t), rows, start, tiles, t, n_bins[start:stop], work, W)


@njit(cache=True)
def kept_histograms(work, tiles, block):
    """The kept W[bin, sign, column] of all features, in one column block; a view."""
    a, b, span = work.place[block], work.place[block + 1], tiles.span[block]
    return work.W[a:b].reshape((b - a) // (2 * span), 2, span)


@njit(cache=True)
def advance(total, scale, W, b, discrete, out, k):
    """total += scale W[b]; out[k] += sqrt(W+ W-), half a side's share of Z, or its error."""
    if discrete:
        for s in range(W.shape[2]):
            total[0, s] += scale[0, s] * W[b, 0, s]
            total[1, s] += scale[1, s] * W[b, 1, s]
            out[k, s] += min(total[0, s], total[1, s])
    else:
        for s in range(W.shape[2]):
            total[0, s] += scale[0, s] * W[b, 0, s]
            total[1, s] += scale[1, s] * W[b, 1, s]
            out[k, s] += math.sqrt(abs(total[0, s] * total[1, s]))


@njit(cache=True)
def score_tests(W, scale, nominal, discrete, scores):
    """scores[b, s] of every test b of one feature; its histogram is scale W[bin, sign, column]."""
    scores[:] = 0.0
    if nominal:
        score_values(W, scale, discrete, scores)
        return
    n_bins, n_tests = len(W), len(scores)
    side, unused = np.zeros(W.shape[1:]), np.zeros((1, W.shape[2]))
    for b in range(n_bins - 1, n_tests, -1):
        advance(side, scale, W, b, discrete, unused, 0)
    for b in range(n_tests, 0, -1):
        advance(side, scale, W, b, discrete, scores, b - 1)
    side[:] = 0.0
    for b in range(n_tests):
        advance(side, scale, W, b, discrete, scores, b)


@njit(cache=True)
def score_values(W, scale, discrete, scores):
    """The same for the tests "x = value": one value against all values before and after it."""
    others, side, value = np.zeros(W.shape), np.zeros(W.shape[1:]), np.empty(W.shape[1:])
    nothing, unused = np.zeros((1, 2, W.shape[2])), np.zeros((1, W.shape[2]))
    for b in range(len(W) - 1, 0, -1):
        advance(side, scale, W, b, discrete, unused, 0)
        others[b - 1] = side
    side[:] = 0.0
    for b in range(len(scores)):
        for g in range(2):
            for s in range(W.shape[2]):
                others[b, g, s] += side[g, s]
        advance(others[b], scale, nothing, 0, discrete, scores, b)
        value[:] = 0.0
        advance(value, scale, W, b, discrete, scores, b)
        advance(side, scale, W, b, discrete, unused, 0)


@njit(cache=True)
def sum_columns(scores, out):
    """out[b] += sum over the columns of scores[b], in four interleaved sums."""
    for b in range(len(out)):
        a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
        for s in range(0, scores.shape[1], 4):
            a0 += scores[b, s]
            a1 += scores[b, s + 1]
            a2 += scores[b, s + 2]
            a3 += scores[b, s + 3]
        out[b] += (a0 + a1) + (a2 + a3)


@njit(cache=True)
def keep_lowest(scores, feature, lowest, features, tests):
    """The first of the lowest tests so far, for each of len(lowest) columns."""
    here = np.full(scores.shape[1], np.inf)
    for b in range(len(scores)):
        for s in range(scores.shape[1]):
            here[s] = min(here[s], scores[b, s])
    for s in range(len(lowest)):
        if here[s] < lowest[s] * BEAT:  # only then look for the place
            for b in range(len(scores)):
                if scores[b, s] < lowest[s] * BEAT:
                    lowest[s] = scores[b, s]
                    features[s] = feature
                    tests[s] = b


@njit(cache=True)
def features_that_fit(n_bins, f, most):
    """One past the last of the features from f on that together have at most `most` bins."""
    size = n_bins[f]
    f += 1
    while f < len(n_bins) and size + n_bins[f] <= most:
        size += n_bins[f]
        f += 1
    return f


@njit(cache=True)
def scale_of(scale, tiles, block):
    """scale[sign, column] of one column block; a view."""
    return scale[block, : 2 * tiles.span[block]].reshape(2, tiles.span[block])


@njit(cache=True)
def search(D, scale, tiles, data, discrete, work, totals, lowest, features, tests):
    """Score every test from fresh histograms, kept if there is room.

    For one pick, `totals[test]` becomes the sum of the scores over the columns. Otherwise `lowest`,
    `features` and `tests` are set for each column.
    """
    codes, n_bins, n_tests, nominal = data
    for block in range(len(tiles.block) - 1):
        a, b = tiles.first[block], tiles.first[block + 1]
        span, column_scale = tiles.span[block], scale_of(scale, tiles, block)
        stop, first_test = 0, 0
        while stop < len(codes):
            start, stop = stop, features_that_fit(n_bins, stop, len(work.W) // (2 * span))
            size = n_bins[start:stop].sum()
            base = work.place[block] if len(work.place) else 0
            W = work.W[base : base + 2 * size * span].reshape(size, 2, span)
            fill_histograms(D, tiles, block, codes, n_bins, start, stop, work, W)
            first = 0
            for f in range(start, stop):
                scores = work.scores[: n_tests[f] * span].reshape(n_tests[f], span)
                V = W[first : first + n_bins[f]]
                score_tests(V, column_scale, nominal[f], discrete, scores)
                if len(lowest) == 1:
                    sum_columns(scores, totals[first_test : first_test + n_tests[f]])
                else:
                    keep_lowest(scores, f, lowest[a:b], features[a:b], tests[a:b])
                first += n_bins[f]
                first_test += n_tests[f]
