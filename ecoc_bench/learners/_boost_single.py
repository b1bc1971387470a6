"""Rounds of single-call boosting with stumps: each picks one test for all columns.

They rewrite few weights. D(i, s) = scale(sign, s) D'(i, s): a round rescales the columns and
rewrites D' only in the rows on the smaller side of its test, and the kept histograms change by the
histograms of the changes in these rows. The relative rounding error since they were last built is
bounded (`rounding_bound`), and every feature that could hold the lowest test within this bound is
counted again: the picks are the same as with fresh histograms.

Touch this file after a change of its parts: numba's cache looks at the entry's file only.
"""

import numpy as np

from ._boosting import answers, side_of, side_weights, sign_and_column
from ._lanes import LEAST
from ._parts import entry, inlined, part
from ._stumps import BEAT, add_tile, fill, fill_histograms, pick, score_feature, search

LOOSEST = 1e-7  # histograms are rebuilt if rounding may have changed them by more than this share
WIDEST = 1e50  # weights are rebuilt, too, when their scales leave [1/WIDEST, WIDEST]


@entry
def boost_single(D, tiles, data, smoothing, discrete, work, features, tests, c, Z):
    """T rounds of AdaBoost.MO; D, of sum 1, changes in place."""
    codes, n_bins, n_tests, nominal = data
    H, place, adding, scoring, change, codes_of_rows, depth = work
    rows = change, codes_of_rows
    scale, totals, m = scoring.scale, scoring.totals, len(codes) // len(n_bins)
    ell, n_since = c.shape[2], np.int64(0)
    W, factor = np.empty((2, 2, ell)), np.empty((2, 2, ell))
    ratio, kept_share = np.empty((2, ell)), np.zeros((2, ell))
    for t in range(len(features)):
        feature, test = features[t], tests[t]
        bound = rounding_bound(scale, depth, n_since, kept_share)
        if bound > LOOSEST:
            rebuild(D, tiles, codes, n_bins, H, place, adding, scale)
            kept_share[:], n_since = 1.0, np.int64(0)
            bound = rounding_bound(scale, depth, n_since, kept_share)
        fill(totals, 0.0)
        if len(place):
            score_kept(tiles, data, discrete, H, place, scoring)
            recount(D, tiles, data, discrete, H, place, adding, scoring, bound)
        else:
            search(D, tiles, data, discrete, H, place, adding, scoring)
        pick(totals, n_tests, feature, test)
        bins = codes[feature[0] * m : (feature[0] + 1) * m]
        is_nominal = nominal[feature[0]]
        small = smaller_side(bins, test[0], is_nominal)
        side_weights(D, tiles, data, H, place, scale, feature, test, W)
        answers(W, smoothing, discrete, c[t], Z[t], factor)
        rescale(scale, tiles.blocks, factor, small, ratio, kept_share)
        rewrite(
            D, tiles, codes, n_bins, H, place, adding, rows, bins, test[0], is_nominal, small, ratio
        )
        n_since += 1


@part
def rounding_bound(scale, depth, n_since, kept_share):
    """How far, in proportion, any kept histogram's entry can be from a fresh one; inf: rebuild.

    Each of the n rounds since a rebuild adds at most 2 depth + 5 roundings of the entry's value at
    that time, where depth is the longest sum. No weight of its column and sign has shrunk to less
    than the kept share p since then, so the value was at most 1/p of the present one.
    """
    share = 1.0
    for block in range(len(scale)):
        for place in range(scale.shape[1]):
            if scale[block, place] < 1 / WIDEST or scale[block, place] > WIDEST:
                return np.inf
    for g in range(2):
        for s in range(kept_share.shape[1]):
            share = min(share, kept_share[g, s])
    return (2 * depth + 5) * 2.0**-53 * (n_since + 1) / share if share > 0 else np.inf


@inlined
def rebuild(D, tiles, codes, n_bins, W, place, adding, scale):
    """Multiply the weights by the scales, and build the kept histograms, if any, from them."""
    slot_scale, unused = np.zeros(tiles.place.shape[1]), np.zeros(tiles.place.shape[1])
    for block in range(len(scale)):
        for t in range(tiles.blocks[block].tile, tiles.blocks[block + 1].tile):
            tile = tiles.layout[t]
            for j in range(tile.n_slots):
                slot_scale[j] = scale[block, tiles.place[t, j]]
            d, width = tile.offset, tile.width
            for _ in range(tile.row, tile.end):
                multiply(D[d : d + width], slot_scale, unused)
                d += width
        if len(place):
            start, stop, w = np.int64(0), len(n_bins), place[block]
            fill_histograms(D, tiles, block, codes, n_bins, start, stop, adding, W, w)
    scale[:] = 1.0


@part
def multiply(weights, factors, change):
    """weights *= factors, and the change; LEAST and below become 0."""
    for j in range(len(weights)):
        d = weights[j] * factors[j]
        d = d if d > LEAST else 0.0
        change[j] = d - weights[j]
        weights[j] = d


@inlined
def score_kept(tiles, data, discrete, W, place, scoring):
    """totals[test] += the scores of all tests, from the kept histograms."""
    _, n_bins, n_tests, nominal = data
    for block in range(len(tiles.blocks) - 1):
        span, w, first = tiles.blocks[block].span, place[block], np.int64(0)
        for f in range(len(n_bins)):
            bins, n = n_bins[f], n_tests[f]
            score_feature(W, w, scoring, block, bins, n, span, nominal[f], discrete, first)
            w += 2 * span * bins
            first += n


@inlined
def recount(D, tiles, data, discrete, W, place, adding, scoring, bound):
    """Fresh histograms and scores of every feature that may hold the lowest test; others drop out.

    Their scores become infinite.
    """
    codes, n_bins, n_tests, nominal = data
    highest = minimum(scoring.totals) * (1 + 2 * bound + 4 * (1 - BEAT))
    before, first = np.int64(0), np.int64(0)
    for f in range(len(n_bins)):
        bins, n = n_bins[f], n_tests[f]
        mine = scoring.totals[first : first + n]
        counts = n > 0 and minimum(mine) <= highest
        fill(mine, 0.0 if counts else np.inf)
        for block in range(len(tiles.blocks) - 1 if counts else 0):
            span = tiles.blocks[block].span
            w = place[block] + 2 * span * before
            fill_histograms(D, tiles, block, codes, n_bins, f, f + 1, adding, W, w)
            score_feature(W, w, scoring, block, bins, n, span, nominal[f], discrete, first)
        before += bins
        first += n


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
def rescale(scale, blocks, factor, small, ratio, kept_share):
    """Multiply the scales by the large side's factors; the small side still needs `ratio`."""
    for block in range(len(scale)):
        for s in range(blocks[block].column, blocks[block + 1].column):
            for g in range(2):
                place = g * blocks[block].span + s - blocks[block].column
                scale[block, place] *= factor[1 - small, g, s]
                ratio[g, s] = factor[small, g, s] / factor[1 - small, g, s]
                kept_share[g, s] *= min(ratio[g, s], 1.0)


@inlined
def rewrite(D, tiles, codes, n_bins, W, place, adding, changed, bins, test, nominal, small, ratio):
    """D' *= ratio[sign, s] on the small side, and the kept histograms by the change.

    `changed` is memory for the changes in some rows, and for the bins of these rows.
    """
    ratios = np.zeros(tiles.place.shape[1])
    rows = np.empty(len(changed[1]) // len(n_bins), np.int64)
    for block in range(len(tiles.blocks) - 1):
        for t in range(tiles.blocks[block].tile, tiles.blocks[block + 1].tile):
            tile = tiles.layout[t]
            for j in range(tile.n_slots):
                ratios[j] = ratio[sign_and_column(tiles.place[t, j], tiles.blocks[block])]
            n = 0
            for row in range(tile.row, tile.end):
                if side_of(np.int64(bins[row]), test, nominal) == small:
                    rows[n] = row
                    n += 1
                if n == len(rows) or (n > 0 and row + 1 == tile.end):
                    some = rows[:n]
                    rewrite_rows(
                        D, tiles, block, t, codes, n_bins, W, place, adding, changed, some, ratios
                    )
                    n = 0


@part
def rewrite_rows(D, tiles, block, t, codes, n_bins, W, place, adding, changed, rows, ratios):
    """The same for some rows of one tile, by the ratios of its slots."""
    (change, some_codes), tile = changed, tiles.layout[t]
    n, width = len(rows), tile.width
    for i in range(n):
        d = tile.offset + (rows[i] - tile.row) * width
        multiply(D[d : d + width], ratios, change[i * width : (i + 1) * width])
    if len(place):
        m, room, stop = len(codes) // len(n_bins), len(some_codes) // len(n_bins), len(n_bins)
        for f in range(stop):
            for i in range(n):
                some_codes[f * room + i] = codes[f * m + rows[i]]
        span, w, zero = tiles.blocks[block].span, place[block], np.int64(0)
        add_tile(
            change, zero, n, some_codes, zero, stop, zero, tiles, t, span, n_bins, adding, W, w
        )
