"""The search for the best stump over all the columns of a code at once.

A stump asks one test of x and answers c[j, s] for side j (0: true, 1: false) and column s.
W[.., g, s] is the weight of some examples whose label in column s has sign g (0: +1, 1: -1). Not
handled: deeper trees, tests of several features.

All sums run in a fixed order. Sums over the far side of a cut are added up from the far end, never
taken as "all minus the near side": what should be 0 is 0, and sqrt(W+ W-) does not magnify
rounding.
"""

import numpy as np
from numba import njit

from ._lanes import LANES, add_lanes, add_product_lanes, add_root_lanes

BEAT = 1 - 1e-12  # a later test must be lower by more than rounding: ties go to the first


@njit(cache=True)
def add_rows(A, bins, others, H, K):
    """H[bins[i]] += A[i] and K[others[i]] += A[i]: the hot loop.

    A stays in the cache over many features. Of two features at a time, one is added while the other
    waits for the row that it has just written.
    """
    width, weights = A.shape[1], A.reshape(-1)
    for i in range(len(bins)):
        h, k, a = np.intp(bins[i]) * width, np.intp(others[i]) * width, i * width
        for j in range(0, width, LANES):
            add_lanes(H, h + j, weights, a + j)
            add_lanes(K, k + j, weights, a + j)


@njit(cache=True)
def spread_rows(A, bins, tiles, t, W):
    """W[bins[i], sign, column] += A[i, slot], for the slots of tile t."""
    place, n_slots, width, span = tiles.place[t], tiles.n_slots[t], A.shape[1], W.shape[2]
    share, weights, sums = tiles.share[t].reshape(-1), A.reshape(-1), W.reshape(-1)
    other = tiles.share.shape[2]
    for i in range(len(bins)):
        h, a = 2 * span * np.intp(bins[i]), i * width
        if width == span:  # the slots are the columns in order: two masked rows, in vectors
            for j in range(0, width, LANES):
                add_product_lanes(sums, h + j, weights, a + j, share, j)
                add_product_lanes(sums, h + span + j, weights, a + j, share, other + j)
        else:
            first = np.uintp(h)
            for j in range(n_slots):
                sums[first + place[j]] += weights[a + j]


@njit(cache=True)
def add_tile(A, codes, first_feature, tiles, t, n_bins, work, W):
    """Add some rows of tile t, weights A and bins `codes`, to the histograms W of some features."""
    n, width = A.shape
    half, first, f = len(work.scratch) // 2, 0, 0
    low, high = work.low[t, first_feature:], work.high[t, first_feature:]
    while f < len(codes):
        pair = f + 1 < len(codes) and max(n_bins[f], n_bins[f + 1]) < n
        g = f + 1 if pair else f  # the last one, or one next to a sparse one, is added twice
        if n_bins[f] < n:
            for q, at in ((f, 0), (g, half)):
                for i in range(at + low[q] * width, at + high[q] * width):
                    work.scratch[i] = 0.0
            add_rows(A, codes[f], codes[g], work.scratch[:half], work.scratch[half:])
        for q in range(f, g + 1):
            V, a, b = W[first : first + n_bins[q]], low[q], high[q]
            if n_bins[q] < n:
                H = work.scratch[(q - f) * half :][a * width : b * width].reshape(b - a, width)
                spread_rows(H, work.every_bin[a:b], tiles, t, V)
            else:
                spread_rows(A, codes[q], tiles, t, V)
            first += n_bins[q]
        f = g + 1


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
def advance(total, scale, W, w, discrete, out, o):
    """total += scale W; out += sqrt(W+ W-) of the total, half a side's share of Z, or its error.

    All are flat, from `W[w]` and `out[o]` on; the weights of sign -1 follow those of +1.
    """
    span = len(total) // 2
    if discrete:
        for s in range(span):
            total[s] += scale[s] * W[w + s]
            total[span + s] += scale[span + s] * W[w + span + s]
            out[o + s] += min(total[s], total[span + s])
    else:
        for s in range(0, span, LANES):
            add_root_lanes(total, s, scale, W, w + s, span, out, o + s)


@njit(cache=True)
def score_tests(W, scale, nominal, discrete, scores):
    """scores[b, s] of every test b of one feature; its histogram is scale W[bin, sign, column]."""
    span, n_bins, n_tests, first = W.shape[2], len(W), len(scores), np.intp(0)
    H, S, out = W.reshape(-1), scale.reshape(-1), scores.reshape(-1)
    out[:] = 0.0
    if nominal:
        score_values(H, S, discrete, n_tests, out)
        return
    side, unused = np.zeros(2 * span), np.zeros(span)
    for b in range(n_bins - 1, 0, -1):
        counts = b <= n_tests
        o = (b - 1) * span if counts else first
        advance(side, S, H, 2 * span * b, discrete, out if counts else unused, o)
    side[:] = 0.0
    for b in range(n_tests):
        advance(side, S, H, 2 * span * b, discrete, out, b * span)


@njit(cache=True)
def score_values(W, scale, discrete, n_tests, out):
    """The same for the tests "x = value": one value against all values before and after it."""
    two = len(scale)
    span, first = two // 2, np.intp(0)
    others, side = np.zeros(len(W)), np.zeros(two)
    value, nothing, unused = np.empty(two), np.zeros(two), np.zeros(span)
    for w in range(len(W) - two, 0, -two):
        advance(side, scale, W, w, discrete, unused, first)
        others[w - two : w] = side
    side[:] = 0.0
    for b in range(n_tests):
        w, o = two * b, span * b
        for s in range(two):
            others[w + s] += side[s]
        advance(others[w : w + two], scale, nothing, first, discrete, out, o)
        value[:] = 0.0
        advance(value, scale, W, w, discrete, out, o)
        advance(side, scale, W, w, discrete, unused, first)


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
