"""Rounds of multi-call boosting with stumps: each picks one test for every column.

Touch this file after a change of its parts: numba's cache looks at the entry's file only.
"""

import numpy as np

from ._boosting import answers, side_weights, sign_and_column
from ._lanes import BITS, LANES, false_bits, rewrite_lanes
from ._parts import entry, inlined, part
from ._stumps import add_tile, clear, features_that_fit, keep_lowest, score_tests


@entry
def boost_multi(D, tiles, data, smoothing, discrete, work, features, tests, c, Z):
    """T rounds of one AdaBoost per column; D_1, of sum 1 in each column, becomes D_T in place.

    A round rewrites the weights of the round before, tile by tile: a tile that has just been
    rewritten is still in the cache when its histograms are filled.
    """
    ell = c.shape[2]
    W, factor, lowest = np.empty((2, 2, ell)), np.empty((2, 2, ell)), np.empty(ell)
    H, place, adding, scoring, _, _, _ = work
    for t in range(len(features)):
        feature, test, before = features[t], tests[t], max(t - 1, 0)
        feature[:], test[:], lowest[:] = 0, -1, np.inf
        last = t > 0, features[before], tests[before], factor
        search_each(
            D, tiles, data, discrete, H, place, adding, scoring, last, lowest, feature, test
        )
        side_weights(D, tiles, data, H, place, scoring.scale, feature, test, W)
        answers(W, smoothing, discrete, c[t], Z[t], factor)


@inlined
def search_each(D, tiles, data, discrete, W, place, adding, scoring, last, lowest, features, tests):
    """The lowest test of each column, from fresh histograms, which are kept if there is room."""
    codes, n_bins, n_tests, nominal = data
    scale, scores, least, _ = scoring
    for block in range(len(scale)):
        here, after = tiles.blocks[block], tiles.blocks[block + 1]
        a, b, span = here.column, after.column, here.span
        stop = np.int64(0)
        while stop < len(n_bins):
            start, stop = stop, features_that_fit(n_bins, stop, len(W) // (2 * span))
            w = place[block] if len(place) else np.int64(0)
            clear(W, w, span, n_bins, start, stop)
            for t in range(here.tile, after.tile):
                row, d = tiles.layout[t].row, tiles.layout[t].offset
                n = tiles.layout[t].end - row
                if start == 0 and last[0]:
                    rewrite_tile(D, tiles, block, t, codes, n_bins, nominal, *last[1:])
                add_tile(D, d, n, codes, start, stop, row, tiles, t, span, n_bins, adding, W, w)
            for f in range(start, stop):
                n, of_block, named = n_tests[f], scale[block], nominal[f]
                score_tests(W, w, n_bins[f], n, of_block, span, named, discrete, scores, least)
                keep_lowest(scores, least, span, n, f, lowest[a:b], features[a:b], tests[a:b])
                w += 2 * span * n_bins[f]


@part
def rewrite_tile(D, tiles, block, t, codes, n_bins, nominal, features, tests, factor):
    """D(i, s) *= factor[side, sign, s] in a tile, by the test of each column."""
    m, tile = len(codes) // len(n_bins), tiles.layout[t]
    width = tile.width
    places, factors = np.zeros((3, width), np.int64), np.zeros((2, width))
    start, first, more, true, false = places[0], places[1], places[2], factors[0], factors[1]
    bits = np.zeros(width, np.uint64)
    for j in range(tile.n_slots):
        g, s = sign_and_column(tiles.place[t, j], tiles.blocks[block])
        f, test = features[s], tests[s]
        start[j], first[j], more[j] = f * m, test if nominal[f] else 0, 0 if nominal[f] else test
        true[j], false[j] = factor[0, g, s], factor[1, g, s]
        if test < 0:  # no test: what it says does not matter
            true[j] = false[j]
    d = tile.offset
    for row in range(tile.row, tile.end, BITS):
        for j in range(tile.n_slots):
            bits[j] = false_bits(codes, start[j] + row, first[j], more[j])
        bit = np.uint64(1)
        for _ in range(row, min(row + BITS, tile.end)):
            for j in range(0, width, LANES):
                rewrite_lanes(D, d + j, bits, bit, true, false, j)
            bit += bit
            d += width
