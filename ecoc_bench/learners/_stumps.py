"""The search for the best stump over all the columns of a code at once.

A stump asks one test of x and answers c[j, s] for side j (0: true, 1: false) and column s.
W[.., g, s] is the weight of some examples whose label in column s has sign g (0: +1, 1: -1). Not
handled: deeper trees, tests of several features.

All sums run in a fixed order. Sums over the far side of a cut are added up from the far end, never
taken as "all minus the near side": what should be 0 is 0, and sqrt(W+ W-) does not magnify
rounding. Arrays are flat, and what is meant begins at a given place: views of them would be slow to
compile.
"""

import numpy as np

from ._lanes import (
    EIGHT,
    FOUR,
    LANES,
    add_eight,
    add_lanes,
    add_product_lanes,
    add_root_lanes,
    put_root_lanes,
)
from ._parts import entry, inlined, part

BEAT = 1 - 1e-12  # a later test must be lower by more than rounding: ties go to the first


@part
def add_rows(A, a, width, n, codes, bins, H, quarter):
    """H[q quarter + bin] += A[i] for n rows i and four features q: the hot loop.

    The rows begin at A[a], the bins of feature q at codes[bins[q]]. A row is read once for all
    four, and one feature is added while another waits for the row that it has just written.
    """
    p0, p1, p2, p3 = np.uintp(bins[0]), np.uintp(bins[1]), np.uintp(bins[2]), np.uintp(bins[3])
    for row in range(n):
        i = np.uintp(row)  # unsigned: no wrap-around tests
        h0 = np.intp(codes[p0 + i]) * width
        h1 = np.intp(codes[p1 + i]) * width + quarter
        h2 = np.intp(codes[p2 + i]) * width + 2 * quarter
        h3 = np.intp(codes[p3 + i]) * width + 3 * quarter
        for j in range(0, width - LANES, EIGHT):
            add_eight(H, h0 + j, h1 + j, h2 + j, h3 + j, A, a + j)
        if width % EIGHT:
            j = width - LANES
            add_lanes(H, h0 + j, h1 + j, h2 + j, h3 + j, A, a + j)
        a += width


@part
def spread_rows(A, a, width, n, codes, first_bin, tiles, t, span, W, w):
    """W[bin, sign, column] += A[i, slot] for n rows i and the slots of tile t.

    The rows begin at A[a], their bins at codes[first_bin], the histogram at W[w].
    """
    place, n_slots, share = tiles.place[t], tiles.layout[t].n_slots, tiles.share[t]
    other = len(share) // 2
    for i in range(n):
        h = w + 2 * span * np.intp(codes[np.uintp(first_bin + i)])
        if width == span:  # the slots are the columns in order: two masked rows, in vectors
            for j in range(0, width, LANES):
                add_product_lanes(W, h + j, A, a + j, share, j)
                add_product_lanes(W, h + span + j, A, a + j, share, other + j)
        else:
            first, row = np.uintp(h), np.uintp(a)  # unsigned: no wrap-around tests
            for j in range(np.uintp(n_slots)):
                W[first + place[j]] += A[row + j]
        a += width


@part
def add_tile(A, a, n, codes, start, stop, row, tiles, t, span, n_bins, adding, W, w):
    """Add n rows of tile t to the histograms of the features `start` to `stop`, from W[w] on.

    Their weights begin at A[a], their bins at `row` of each feature. Features with fewer bins than
    rows are first added in `scratch`, four at a time.
    """
    width, waiting, m = tiles.layout[t].width, np.int64(0), len(codes) // len(n_bins)
    queue = adding.queue
    for f in range(start, stop):
        if n_bins[f] < n:
            queue[0, waiting], queue[1, waiting], queue[2, waiting] = f, f * m + row, w
            waiting += 1
        else:
            spread_rows(A, a, width, n, codes, f * m + row, tiles, t, span, W, w)
        w += 2 * span * n_bins[f]
        if waiting == FOUR or (waiting > 0 and f == stop - 1):
            add_waiting(A, a, n, codes, waiting, tiles, t, span, adding, W)
            waiting = np.int64(0)


@inlined
def add_waiting(A, a, n, codes, waiting, tiles, t, span, adding, W):
    """The same for those in the queue; where fewer than four wait, the last is repeated."""
    scratch, queue, every_bin, reach = adding
    width, quarter = tiles.layout[t].width, len(scratch) // FOUR
    for q in range(waiting, FOUR):
        queue[0, q], queue[1, q] = queue[0, waiting - 1], queue[1, waiting - 1]
    for q in range(FOUR):
        bins = reach[t, queue[0, q]]
        zero(scratch, q * quarter + bins.low * width, q * quarter + bins.high * width)
    add_rows(A, a, width, n, codes, queue[1], scratch, quarter)
    for q in range(waiting):
        bins = reach[t, queue[0, q]]
        low, used, first = bins.low, bins.high - bins.low, q * quarter + bins.low * width
        spread_rows(scratch, first, width, used, every_bin, low, tiles, t, span, W, queue[2, q])


@part
def clear(W, w, span, n_bins, start, stop):
    """The histograms of the features `start` to `stop`, from W[w] on, become 0."""
    end = w
    for f in range(start, stop):
        end += 2 * span * n_bins[f]
    zero(W, w, end)


@part
def fill_histograms(D, tiles, block, codes, n_bins, start, stop, adding, W, w):
    """W[bin, sign, column] of one column block, for the features `start` to `stop` in a row.

    They lie one after the other in W, from place w on.
    """
    span = tiles.blocks[block].span
    clear(W, w, span, n_bins, start, stop)
    for t in range(tiles.blocks[block].tile, tiles.blocks[block + 1].tile):
        row, a = tiles.layout[t].row, tiles.layout[t].offset
        n = tiles.layout[t].end - row
        add_tile(D, a, n, codes, start, stop, row, tiles, t, span, n_bins, adding, W, w)


@part
def advance(total, scale, span, W, w, discrete, out, o):
    """total += scale W; out = sqrt(W+ W-) of the total, half a side's share of Z, or its error.

    They begin at `W[w]` and `out[o]`; the weights of sign -1 follow those of +1, `span` further on.
    """
    if discrete:
        for s in range(span):
            total[s] += scale[s] * W[w + s]
            total[span + s] += scale[span + s] * W[w + span + s]
            out[o + s] = min(total[s], total[span + s])
    else:
        for s in range(0, span, LANES):
            put_root_lanes(total, s, scale, W, w + s, span, out, o + s)


@part
def finish(total, scale, span, W, w, discrete, out, o, least):
    """The same for the other side, added to `out`; `least` is the lowest sum of each column."""
    if discrete:
        for s in range(span):
            total[s] += scale[s] * W[w + s]
            total[span + s] += scale[span + s] * W[w + span + s]
            out[o + s] += min(total[s], total[span + s])
            least[s] = min(least[s], out[o + s])
    else:
        for s in range(0, span, LANES):
            add_root_lanes(total, s, scale, W, w + s, span, out, o + s, least)


@part
def score_tests(W, w, n_bins, n_tests, scale, span, nominal, discrete, scores, least):
    """scores[b, s] of every test b of one feature, and the lowest of each column.

    The feature's histogram, which begins at W[w], is scale W[bin, sign, column].
    """
    fill(least, np.inf)
    if nominal:
        score_values(W, w, n_bins, n_tests, scale, span, discrete, scores, least)
        return
    side, unused = np.zeros(2 * span), np.zeros(span)
    for b in range(n_bins - 1, 0, -1):
        counts = b <= n_tests
        o = (b - 1) * span if counts else 0
        advance(side, scale, span, W, w + 2 * span * b, discrete, scores if counts else unused, o)
    fill(side, 0.0)
    for b in range(n_tests):
        finish(side, scale, span, W, w + 2 * span * b, discrete, scores, b * span, least)


@part
def score_values(W, w, n_bins, n_tests, scale, span, discrete, scores, least):
    """The same for the tests "x = value": one value against all values before and after it."""
    two, nowhere = 2 * span, np.intp(0)
    later, side, value = np.zeros(two * n_bins), np.zeros(two), np.zeros(two)
    nothing, unused = np.zeros(two), np.zeros(span)
    for b in range(n_bins - 1, 0, -1):
        advance(side, scale, span, W, w + two * b, discrete, unused, nowhere)
        for s in range(two):
            later[two * (b - 1) + s] = side[s]
    fill(side, 0.0)
    for b in range(n_tests):
        for s in range(two):
            value[s] = later[two * b + s] + side[s]
        advance(value, scale, span, nothing, nowhere, discrete, scores, b * span)
        fill(value, 0.0)
        finish(value, scale, span, W, w + two * b, discrete, scores, b * span, least)
        advance(side, scale, span, W, w + two * b, discrete, unused, nowhere)


@part
def sum_columns(scores, span, n_tests, totals, first):
    """totals[first + b] += sum over the columns of scores[b], in four interleaved sums."""
    for b in range(n_tests):
        mine = scores[b * span : (b + 1) * span]
        a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
        for s in range(0, span, 4):
            a0 += mine[s]
            a1 += mine[s + 1]
            a2 += mine[s + 2]
            a3 += mine[s + 3]
        totals[first + b] += (a0 + a1) + (a2 + a3)


@part
def keep_lowest(scores, least, span, n_tests, feature, lowest, features, tests):
    """The first of the lowest tests so far, for each of len(lowest) columns."""
    for s in range(len(lowest)):
        if least[s] < lowest[s] * BEAT:  # only then look for the place
            for b in range(n_tests):
                score = scores[b * span + s]
                if score < lowest[s] * BEAT:
                    lowest[s] = score
                    features[s] = feature
                    tests[s] = b


@inlined
def features_that_fit(n_bins, f, most):
    """One past the last of the features from f on that together have at most `most` bins."""
    size = n_bins[f]
    f += 1
    while f < len(n_bins) and size + n_bins[f] <= most:
        size += n_bins[f]
        f += 1
    return f


@part
def score_feature(W, w, scoring, block, n_bins, n_tests, span, nominal, discrete, first):
    """Add the scores of a feature's tests in one block, from its histogram at W[w], to totals."""
    scale, scores, least, totals = scoring
    score_tests(W, w, n_bins, n_tests, scale[block], span, nominal, discrete, scores, least)
    sum_columns(scores, span, n_tests, totals, first)


@inlined
def search(D, tiles, data, discrete, W, place, adding, scoring):
    """totals[test] += the scores over the columns, from fresh histograms, kept if they fit."""
    codes, n_bins, n_tests, nominal = data
    for block in range(len(tiles.blocks) - 1):
        span, stop, first = tiles.blocks[block].span, np.int64(0), np.int64(0)
        while stop < len(n_bins):
            start, stop = stop, features_that_fit(n_bins, stop, len(W) // (2 * span))
            w = place[block] if len(place) else np.int64(0)
            fill_histograms(D, tiles, block, codes, n_bins, start, stop, adding, W, w)
            for f in range(start, stop):
                bins, n = n_bins[f], n_tests[f]
                score_feature(W, w, scoring, block, bins, n, span, nominal[f], discrete, first)
                w += 2 * span * bins
                first += n


@entry
def search_one(D, tiles, data, work, feature, test):
    """The lowest test by discrete outputs, one for all columns."""
    W, place, adding, scoring, _, _, _ = work
    fill(scoring.totals, 0.0)
    search(D, tiles, data, True, W, place, adding, scoring)
    pick(scoring.totals, data[2], feature, test)


@part
def zero(values, start, stop):
    """values[start:stop] = 0; a signed place would be tested for wrap-around, and written alone."""
    for i in range(np.uintp(start), np.uintp(stop)):
        values[i] = 0.0


@part
def fill(values, value):
    for i in range(len(values)):
        values[i] = value


@part
def pick(totals, n_tests, feature, test):
    """The first of the lowest tests; none: feature 0, test -1."""
    feature[0], test[0] = 0, -1
    lowest, first = np.inf, 0
    for f in range(len(n_tests)):
        for b in range(n_tests[f]):
            if totals[first + b] < lowest * BEAT:
                lowest, feature[0], test[0] = totals[first + b], f, b
        first += n_tests[f]
