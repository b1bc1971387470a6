"""Rounds of single-call boosting with stumps: each picks one test for all columns.

They rewrite few weights. D(i, s) = scale(sign, s) D'(i, s): a round rescales the columns and
rewrites D' only in the rows on the smaller side of its test, and the kept histograms change by the
histograms of the changes in these rows. The relative rounding error since they were last built is
bounded (`rounding_bound`), and every feature that could hold the lowest test within this bound is
counted again: the picks are the same as with fresh histograms.

Touch this file after a change of its parts: numba's cache looks at the entry's file only.
"""

import numpy as np

from ._boosting import answers, side_of, side_weights
from ._lanes import LEAST
from ._parts import entry, inlined, part
from ._stumps import BEAT, add_tile, fill_histograms, pick, score_feature, search

LOOSEST = 1e-7  # histograms are rebuilt if rounding may have changed them by more than this share
WIDEST = 1e50  # weights are rebuilt, too, when their scales leave [1/WIDEST, WIDEST]


@entry
def boost_single(D, tiles, data, smoothing, discrete, work, features, tests, c, Z):
    """T rounds of AdaBoost.MO; D, of sum 1, changes in place."""
    codes, n_bins, n_tests, nominal = data
    ell, n_since = c.shape[2], np.int64(0)
    W, factor = np.empty((2, 2, ell)), np.empty((2, 2, ell))
    ratio, kept_share = np.empty((2, ell)), np.zeros((2, ell))
    for t in range(len(features)):
        feature, test = features[t], tests[t]
        bound = rounding_bound(work, n_since, kept_share)
        if bound > LOOSEST:
            rebuild(D, tiles, codes, n_bins, work)
            kept_share[:], n_since = 1.0, np.int64(0)
            bound = rounding_bound(work, n_since, kept_share)
        work.totals[:] = 0.0
        if len(work.place):
            score_kept(tiles, data, discrete, work)
            recount(D, tiles, data, discrete, work, bound)
        else:
            search(D, tiles, data, discrete, work)
        pick(work.totals, n_tests, feature, test)
        bins, is_nominal = codes[feature[0]], nominal[feature[0]]
        small = smaller_side(bins, test[0], is_nominal)
        side_weights(D, tiles, data, work, feature, test, W)
        answers(W, smoothing, discrete, c[t], Z[t], factor)
        rescale(work.scale, tiles, factor, small, ratio, kept_share)
        rewrite(D, tiles, codes, n_bins, work, bins, test[0], is_nominal, small, ratio)
        n_since += 1


@part
def rounding_bound(work, n_since, kept_share):
    """How far, in proportion, any kept histogram's entry can be from a fresh one; inf: rebuild.

    Each of the n rounds since a rebuild adds at most 2 depth + 5 roundings of the entry's value at
    that time, where depth is the longest sum. No weight of its column and sign has shrunk to less
    than the kept share p since then, so the value was at most 1/p of the present one.
    """
    scales, shares, share = work.scale.reshape(-1), kept_share.reshape(-1), 1.0
    for i in range(len(scales)):
        if scales[i] < 1 / WIDEST or scales[i] > WIDEST:
            return np.inf
    for i in range(len(shares)):
        share = min(share, shares[i])
    return (2 * work.depth + 5) * 2.0**-53 * (n_since + 1) / share if share > 0 else np.inf


@inlined
def rebuild(D, tiles, codes, n_bins, work):
    """Multiply the weights by the scales, and build the kept histograms, if any, from them."""
    slot_scale, unused = np.zeros(tiles.column.shape[1]), np.zeros(tiles.column.shape[1])
    for block in range(len(tiles.span)):
        for t in range(tiles.block[block], tiles.block[block + 1]):
            for j in range(tiles.n_slots[t]):
                slot_scale[j] = work.scale[block, tiles.place[t, j]]
            d, width = tiles.offset[t], tiles.width[t]
            for _ in range(tiles.row[t], tiles.end[t]):
                multiply(D[d : d + width], slot_scale, unused)
                d += width
        if len(work.place):
            start, stop, w = np.int64(0), len(codes), work.place[block]
            fill_histograms(D, tiles, block, codes, n_bins, start, stop, work, w)
    work.scale[:] = 1.0


@part
def multiply(weights, factors, change):
    """weights *= factors, and the change; LEAST and below become 0."""
    for j in range(len(weights)):
        d = weights[j] * factors[j]
        d = d if d > LEAST else 0.0
        change[j] = d - weights[j]
        weights[j] = d


@inlined
def score_kept(tiles, data, discrete, work):
    """totals[test] += the scores of all tests, from the kept histograms."""
    codes, n_bins, n_tests, nominal = data
    for block in range(len(tiles.span)):
        span, w, first = tiles.span[block], work.place[block], np.int64(0)
        for f in range(len(codes)):
            score_feature(work, block, w, n_bins[f], n_tests[f], span, nominal[f], discrete, first)
            w += 2 * span * n_bins[f]
            first += n_tests[f]


@inlined
def recount(D, tiles, data, discrete, work, bound):
    """Fresh histograms and scores of every feature that may hold the lowest test; others drop out.

    Their scores become infinite.
    """
    codes, n_bins, n_tests, nominal = data
    highest = minimum(work.totals) * (1 + 2 * bound + 4 * (1 - BEAT))
    bins, first = np.int64(0), np.int64(0)
    for f in range(len(codes)):
        mine = work.totals[first : first + n_tests[f]]
        counts = n_tests[f] > 0 and minimum(mine) <= highest
        mine[:] = 0.0 if counts else np.inf
        for block in range(len(tiles.span) if counts else 0):
            span = tiles.span[block]
            w = work.place[block] + 2 * span * bins
            fill_histograms(D, tiles, block, codes, n_bins, f, f + 1, work, w)
            score_feature(work, block, w, n_bins[f], n_tests[f], span, nominal[f], discrete, first)
        bins += n_bins[f]
        first += n_tests[f]


@part
def minimum(values):
    lowest = np.inf
    for i in range(len(values)):
        lowest = min(lowest, values[i])
    return lowest


@part
def smaller_side(bins, test, nominal):
    """The side of a test that has fewer rows."""
    n_false = 0
    for i in range(len(bins)):
        n_false += side_of(np.int64(bins[i]), test, nominal)
    return 1 if 2 * n_false < len(bins) else 0


@part
def rescale(scale, tiles, factor, small, ratio, kept_share):
    """Multiply the scales by the large side's factors; the small side still needs `ratio`."""
    for block in range(len(scale)):
        for s in range(tiles.first[block], tiles.first[block + 1]):
            for g in range(2):
                place = g * tiles.span[block] + s - tiles.first[block]
                scale[block, place] *= factor[1 - small, g, s]
                ratio[g, s] = factor[small, g, s] / factor[1 - small, g, s]
                kept_share[g, s] *= min(ratio[g, s], 1.0)


@inlined
def rewrite(D, tiles, codes, n_bins, work, bins, test, nominal, small, ratio):
    """D' *= ratio[sign, s] on the small side, and the kept histograms by the change."""
    slot_ratio = np.zeros(tiles.column.shape[1])
    rows = np.empty(work.codes.shape[1], np.int64)
    for block in range(len(tiles.span)):
        for t in range(tiles.block[block], tiles.block[block + 1]):
            for j in range(tiles.n_slots[t]):
                slot_ratio[j] = ratio[tiles.sign[t, j], tiles.first[block] + tiles.column[t, j]]
            n = 0
            for row in range(tiles.row[t], tiles.end[t]):
                if side_of(np.int64(bins[row]), test, nominal) == small:
                    rows[n] = row
                    n += 1
                if n == len(rows) or (n > 0 and row + 1 == tiles.end[t]):
                    rewrite_rows(D, tiles, block, t, codes, n_bins, work, rows[:n], slot_ratio)
                    n = 0


@part
def rewrite_rows(D, tiles, block, t, codes, n_bins, work, rows, slot_ratio):
    """The same for some rows of one tile."""
    n, width = len(rows), tiles.width[t]
    for i in range(n):
        d = tiles.offset[t] + (rows[i] - tiles.row[t]) * width
        multiply(D[d : d + width], slot_ratio, work.change[i * width : (i + 1) * width])
    if len(work.place):
        for f in range(len(codes)):
            of_feature, some = codes[f], work.codes[f]
            for i in range(n):
                some[i] = of_feature[rows[i]]
        span, w = tiles.span[block], work.place[block]
        features = np.int64(0), len(codes)
        row = np.int64(0)
        add_tile(
            work.change, row, n, work.codes, *features, row, tiles, t, span, n_bins, work, work.W, w
        )
