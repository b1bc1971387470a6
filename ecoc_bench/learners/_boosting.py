"""Rounds of boosting with stumps. Allwein et al. 2000, Sections 5 and 6.

Single-call boosting picks one test per round for all columns, multi-call one for each column.

Single-call rounds rewrite few weights. D(i, s) = scale(sign, s) D'(i, s): a round rescales the
columns and rewrites D' only in the rows on the smaller side of its test, and the kept histograms
change by the histograms of the changes in these rows. The relative rounding error since they were
last built is bounded (`rounding_bound`), and every feature that could hold the lowest test within
this bound is counted again: the picks are the same as with fresh histograms.

Touch this file after a change of `_stumps.py`: numba's cache looks at the caller's file only.
"""

import math

import numpy as np
from numba import njit

from ._lanes import LANES, LEAST, rewrite_lanes
from ._stumps import (
    BEAT,
    add_tile,
    fill_histograms,
    keep_lowest,
    kept_histograms,
    scale_of,
    score_tests,
    search,
    sum_columns,
    weights_of,
)

LEAST_ERROR = 1e-12  # eps_t = 0 would make alpha_t infinite
LOOSEST = 1e-7  # histograms are rebuilt if rounding may have changed them by more than this share
WIDEST = 1e50  # weights are rebuilt, too, when their scales leave [1/WIDEST, WIDEST]


@njit(cache=True)
def confident_outputs(W, smoothing, c):
    """c_js = 1/2 ln((W+_js + e)/(W-_js + e))."""
    for j in range(2):
        for s in range(c.shape[1]):
            c[j, s] = 0.5 * math.log((W[j, 0, s] + smoothing[s]) / (W[j, 1, s] + smoothing[s]))


@njit(cache=True)
def discrete_outputs(W, single, c):
    """alpha_t h_t(x, s) with alpha_t = 1/2 ln((1 - eps_t)/eps_t), Eq. 13.

    h is the heavier sign of its side; if both are equal, of the whole column; if these are equal,
    too, +1. Deviations: eps_t is at least LEAST_ERROR, and a column without weight gets 0.
    """
    ell = c.shape[1]
    error, whole = np.zeros(ell), np.zeros(ell)
    for s in range(ell):
        for j in range(2):
            error[s] += min(W[j, 0, s], W[j, 1, s])
            whole[s] += W[j, 0, s] + W[j, 1, s]
    for s in range(1, ell if single else 1):
        error[0] += error[s]
        whole[0] += whole[s]
    for s in range(ell):
        of = 0 if single else s
        plus, minus = W[0, 0, s] + W[1, 0, s], W[0, 1, s] + W[1, 1, s]
        if plus + minus == 0.0:
            c[0, s], c[1, s] = 0.0, 0.0
            continue
        eps = max(error[of] / whole[of], LEAST_ERROR)
        alpha = 0.5 * math.log((1 - eps) / eps)
        for j in range(2):
            tie = min(W[j, 0, s], W[j, 1, s]) >= max(W[j, 0, s], W[j, 1, s]) * BEAT
            heavier = plus >= minus * BEAT if tie else W[j, 0, s] > W[j, 1, s]
            c[j, s] = alpha if heavier else -alpha


@njit(cache=True)
def answers(W, smoothing, discrete, c, Z, factor):
    """Outputs c_js, Z_t = sum D_t exp(-M h_t) over all columns or for each, and exp(-M h_t)/Z_t."""
    if discrete:
        discrete_outputs(W, len(Z) == 1, c)
    else:
        confident_outputs(W, smoothing, c)
    Z[:] = 0.0
    for s in range(c.shape[1]):
        for j in range(2):
            factor[j, 0, s], factor[j, 1, s] = math.exp(-c[j, s]), math.exp(c[j, s])
            Z[s % len(Z)] += W[j, 0, s] * factor[j, 0, s] + W[j, 1, s] * factor[j, 1, s]
    for s in range(len(Z)):
        if Z[s] == 0.0:
            Z[s] = 1.0  # no weight in this column, and none to scale
    for s in range(c.shape[1]):
        for j in range(2):
            factor[j, 0, s] /= Z[s % len(Z)]
            factor[j, 1, s] /= Z[s % len(Z)]


@njit(cache=True)
def side_of(bin_number, test, nominal):
    """0 where the test is true, else 1."""
    return int(bin_number != test) if nominal else int(bin_number > test)


@njit(cache=True)
def side_weights(D, scale, tiles, data, work, features, tests, W):
    """W[side, sign, s] for the picked tests, one or one per column."""
    W[:] = 0.0
    if len(work.place):
        read_side_weights(scale, tiles, data, work, features, tests, W)
    else:
        count_side_weights(D, scale, tiles, data, features, tests, W)


@njit(cache=True)
def read_side_weights(scale, tiles, data, work, features, tests, W):
    """The same from the kept histograms of the picked features, which are fresh."""
    _, n_bins, _, nominal = data
    stop = np.cumsum(n_bins)
    for block in range(len(scale)):
        kept, column_scale = kept_histograms(work, tiles, block), scale_of(scale, tiles, block)
        for s in range(tiles.first[block], tiles.first[block + 1]):
            f, test = features[s % len(features)], tests[s % len(features)]
            first, j = stop[f] - n_bins[f], s - tiles.first[block]
            for i in range(n_bins[f]):
                side = side_of(i, test, nominal[f])
                for g in range(2):
                    W[side, g, s] += column_scale[g, j] * kept[first + i, g, j]


@njit(cache=True)
def count_side_weights(D, scale, tiles, data, features, tests, W):
    """The same from the weights."""
    codes, _, _, nominal = data
    for block in range(len(scale)):
        for t in range(tiles.block[block], tiles.block[block + 1]):
            A = weights_of(D, tiles, t)
            for j in range(tiles.n_slots[t]):
                s = tiles.first[block] + tiles.column[t, j]
                f, test = features[s % len(features)], tests[s % len(features)]
                bins = codes[f, tiles.row[t] : tiles.end[t]]
                sums = [0.0, 0.0]
                for i in range(len(bins)):
                    sums[side_of(bins[i], test, nominal[f])] += A[i, j]
                for side in range(2):
                    W[side, tiles.sign[t, j], s] += scale[block, tiles.place[t, j]] * sums[side]


@njit(cache=True)
def boost_multi(D, tiles, data, smoothing, discrete, work, features, tests, c, Z):
    """T rounds of one AdaBoost per column; D, of sum 1 in each column, changes in place."""
    ell = c.shape[2]
    W, factor = np.empty((2, 2, ell)), np.empty((2, 2, ell))
    scale, lowest = np.ones((len(tiles.span), 2 * tiles.span.max())), np.empty(ell)
    for t in range(len(features)):
        features[t], tests[t], lowest[:] = 0, -1, np.inf
        search(D, scale, tiles, data, discrete, work, lowest, lowest, features[t], tests[t])
        side_weights(D, scale, tiles, data, work, features[t], tests[t], W)
        answers(W, smoothing, discrete, c[t], Z[t], factor)
        rewrite_columns(D, tiles, data, features[t], tests[t], factor)


@njit(cache=True)
def rewrite_columns(D, tiles, data, features, tests, factor):
    """D(i, s) *= factor[side, sign, s], by the test of each column."""
    codes, n_bins, _, nominal = data
    flat, slots = codes.reshape(-1), tiles.column.shape[1]
    places, factors = np.zeros((3, slots), np.int64), np.zeros((2, slots))
    start, first, more, true, false = places[0], places[1], places[2], factors[0], factors[1]
    for block in range(len(tiles.span)):
        for t in range(tiles.block[block], tiles.block[block + 1]):
            width = tiles.width[t]
            true[:width], false[:width], start[:width] = 0.0, 0.0, 0
            for j in range(tiles.n_slots[t]):
                s, g = tiles.first[block] + tiles.column[t, j], tiles.sign[t, j]
                f, test = features[s], tests[s]
                start[j], true[j], false[j] = f * codes.shape[1], factor[0, g, s], factor[1, g, s]
                first[j] = n_bins[f] if test < 0 else test if nominal[f] else 0
                more[j] = 0 if test < 0 or nominal[f] else test
            d = tiles.offset[t]
            for row in range(tiles.row[t], tiles.end[t]):
                for j in range(0, width, LANES):
                    rewrite_lanes(D, d + j, flat, row, start, first, more, true, false, j)
                d += width


@njit(cache=True)
def boost_single(D, tiles, data, smoothing, discrete, work, features, tests, c, Z):
    """T rounds of AdaBoost.MO; D, of sum 1, changes in place."""
    codes, n_bins, n_tests, nominal = data
    ell = c.shape[2]
    W, factor = np.empty((2, 2, ell)), np.empty((2, 2, ell))
    scale = np.ones((len(tiles.span), 2 * tiles.span.max()))
    ratio, kept_share, n_since = np.empty((2, ell)), np.zeros((2, ell)), 0
    totals, lowest = np.empty(n_tests.sum()), np.empty(1)
    sides = np.empty(codes.shape[1], dtype=np.uint8)
    for t in range(len(features)):
        bound = rounding_bound(tiles, n_bins, n_since, kept_share, scale)
        if bound > LOOSEST:
            rebuild(D, scale, tiles, codes, n_bins, work)
            kept_share[:], n_since = 1.0, 0
            bound = rounding_bound(tiles, n_bins, n_since, kept_share, scale)
        features[t], tests[t], lowest[:], totals[:] = 0, -1, np.inf, 0.0
        if len(work.place):
            score_kept(scale, tiles, data, discrete, work, totals)
            recount(D, scale, tiles, data, discrete, work, totals, bound, features[t], tests[t])
        else:
            search(D, scale, tiles, data, discrete, work, totals, lowest, features[t], tests[t])
            pick(totals, n_tests, features[t], tests[t])
        f, test = features[t, 0], tests[t, 0]
        small = split(codes[f], nominal[f], test, sides)
        side_weights(D, scale, tiles, data, work, features[t], tests[t], W)
        answers(W, smoothing, discrete, c[t], Z[t], factor)
        rescale(scale, tiles, factor, small, ratio, kept_share)
        rewrite(D, tiles, codes, n_bins, work, sides, small, ratio)
        n_since += 1


@njit(cache=True)
def rounding_bound(tiles, n_bins, n_since, kept_share, scale):
    """How far, in proportion, any kept histogram's entry can be from a fresh one; inf: rebuild.

    Each of the n rounds since a rebuild adds at most 2 depth + 5 roundings of the entry's value at
    that time, where depth is the longest sum. No weight of its column and sign has shrunk to less
    than the kept share p since then, so the value was at most 1/p of the present one.
    """
    if scale.min() < 1 / WIDEST or scale.max() > WIDEST:
        return np.inf
    depth = (tiles.end - tiles.row).max() + len(tiles.row) + n_bins.max()
    share = kept_share.min()
    return (2 * depth + 5) * 2.0**-53 * (n_since + 1) / share if share > 0 else np.inf


@njit(cache=True)
def rebuild(D, scale, tiles, codes, n_bins, work):
    """Multiply the weights by the scales, and build the kept histograms, if any, from them."""
    slot_scale = np.ones(tiles.column.shape[1])
    for block in range(len(scale)):
        for t in range(tiles.block[block], tiles.block[block + 1]):
            A = weights_of(D, tiles, t)
            for j in range(tiles.n_slots[t]):
                slot_scale[j] = scale[block, tiles.place[t, j]]
            for i in range(len(A)):
                for j in range(A.shape[1]):
                    d = A[i, j] * slot_scale[j]
                    A[i, j] = d if d > LEAST else 0.0
        if len(work.place):
            W = kept_histograms(work, tiles, block)
            fill_histograms(D, tiles, block, codes, n_bins, 0, len(codes), work, W)
    scale[:] = 1.0


@njit(cache=True)
def score_kept(scale, tiles, data, discrete, work, totals):
    """totals[test] += the scores of all tests, from the kept histograms."""
    codes, n_bins, n_tests, nominal = data
    for block in range(len(scale)):
        W, span = kept_histograms(work, tiles, block), tiles.span[block]
        column_scale = scale_of(scale, tiles, block)
        first, first_test = 0, 0
        for f in range(len(codes)):
            V, n = W[first : first + n_bins[f]], n_tests[f]
            scores = work.scores[: n * span].reshape(n, span)
            score_tests(V, column_scale, nominal[f], discrete, scores)
            sum_columns(scores, totals[first_test : first_test + n])
            first += n_bins[f]
            first_test += n


@njit(cache=True)
def recount(D, scale, tiles, data, discrete, work, totals, bound, feature, test):
    """The lowest test, with a fresh histogram of every feature that may hold it."""
    codes, n_bins, n_tests, nominal = data
    if len(totals) == 0:
        return
    highest = totals.min() * (1 + 2 * bound + 4 * (1 - BEAT))
    lowest = np.full(1, np.inf)
    first, first_test = 0, 0
    for f in range(len(codes)):
        n, stop = n_tests[f], first + n_bins[f]
        mine = totals[first_test : first_test + n]
        if n > 0 and mine.min() <= highest:
            mine[:] = 0.0
            for block in range(len(scale)):
                W = kept_histograms(work, tiles, block)[first:stop]
                fill_histograms(D, tiles, block, codes, n_bins, f, f + 1, work, W)
                scores = work.scores[: n * W.shape[2]].reshape(n, W.shape[2])
                score_tests(W, scale_of(scale, tiles, block), nominal[f], discrete, scores)
                sum_columns(scores, mine)
            keep_lowest(mine.reshape(n, 1), f, lowest, feature, test)
        first = stop
        first_test += n


@njit(cache=True)
def pick(totals, n_tests, feature, test):
    """The first of the lowest tests."""
    lowest = np.full(1, np.inf)
    first_test = 0
    for f in range(len(n_tests)):
        mine = totals[first_test : first_test + n_tests[f]]
        keep_lowest(mine.reshape(len(mine), 1), f, lowest, feature, test)
        first_test += n_tests[f]


@njit(cache=True)
def split(bins, nominal, test, sides):
    """sides[i] = 0 where the test is true, else 1; returns the side of fewer rows."""
    n_false = 0
    for i in range(len(bins)):
        side = side_of(bins[i], test, nominal)
        sides[i] = side
        n_false += side
    return 1 if 2 * n_false < len(bins) else 0


@njit(cache=True)
def rescale(scale, tiles, factor, small, ratio, kept_share):
    """Multiply the scales by the large side's factors; the small side still needs `ratio`."""
    for block in range(len(scale)):
        column_scale = scale_of(scale, tiles, block)
        for s in range(tiles.first[block], tiles.first[block + 1]):
            for g in range(2):
                column_scale[g, s - tiles.first[block]] *= factor[1 - small, g, s]
                ratio[g, s] = factor[small, g, s] / factor[1 - small, g, s]
                kept_share[g, s] *= min(ratio[g, s], 1.0)


@njit(cache=True)
def rewrite(D, tiles, codes, n_bins, work, sides, small, ratio):
    """D' *= ratio[sign, s] on the small side, and the kept histograms by the change."""
    slot_ratio = np.ones(tiles.column.shape[1])
    rows = np.empty(work.codes.shape[1], dtype=np.int64)
    for block in range(len(tiles.block) - 1):
        for t in range(tiles.block[block], tiles.block[block + 1]):
            for j in range(tiles.n_slots[t]):
                slot_ratio[j] = ratio[tiles.sign[t, j], tiles.first[block] + tiles.column[t, j]]
            n = 0
            for row in range(tiles.row[t], tiles.end[t]):
                if sides[row] == small:
                    rows[n] = row
                    n += 1
                if n == len(rows) or row + 1 == tiles.end[t]:
                    rewrite_rows(D, tiles, block, t, codes, n_bins, work, rows[:n], slot_ratio)
                    n = 0


@njit(cache=True)
def rewrite_rows(D, tiles, block, t, codes, n_bins, work, rows, slot_ratio):
    """The same for some rows of one tile."""
    A = weights_of(D, tiles, t)
    n, width = len(rows), A.shape[1]
    change = work.change[: n * width].reshape(n, width)
    for i in range(n):
        row = rows[i] - tiles.row[t]
        for j in range(width):
            d = A[row, j] * slot_ratio[j]
            d = d if d > LEAST else 0.0
            change[i, j] = d - A[row, j]
            A[row, j] = d
    if n > 0 and len(work.place):
        for f in range(len(codes)):
            for i in range(n):
                work.codes[f, i] = codes[f, rows[i]]
        W = kept_histograms(work, tiles, block)
        add_tile(change, work.codes[:, :n], 0, tiles, t, n_bins, work, W)


@njit(cache=True)
def step_table(cut_index, nominal, c, table):
    """The summed outputs of all stumps on one feature, per segment between the cuts they use.

    cut_index[t, s] is the cut that stump t of column s tests, or -1 if it tests another feature.
    """
    n_rounds, ell = cut_index.shape
    for t in range(n_rounds):
        for s in range(ell):
            k = cut_index[t, s]
            if k >= 0:
                for segment in range(len(table)):
                    true = segment == k if nominal else segment <= k
                    table[segment, s] += c[t, 0 if true else 1, s]


@njit(cache=True)
def add_steps(table, segments, F):
    """F[i] += table[segments[i]]."""
    for i in range(len(segments)):
        k = segments[i]
        for s in range(F.shape[1]):
            F[i, s] += table[k, s]
