"""What the rounds of boosting with stumps share. Allwein et al. 2000, Sections 5 and 6.

The outputs of the picked tests, the weights on their sides, and the sums of stumps in predictions.
"""

import math

import numpy as np

from ._parts import entry, inlined, part
from ._stumps import BEAT

LEAST_ERROR = 1e-12  # eps_t = 0 would make alpha_t infinite


@part
def confident_outputs(W, smoothing, c):
    """c_js = 1/2 ln((W+_js + e)/(W-_js + e))."""
    for j in range(2):
        for s in range(c.shape[1]):
            c[j, s] = 0.5 * math.log((W[j, 0, s] + smoothing[s]) / (W[j, 1, s] + smoothing[s]))


@part
def discrete_outputs(W, single, c):
    """alpha_t h_t(x, s) with alpha_t = 1/2 ln((1 - eps_t)/eps_t), Eq. 13.

    h is the heavier sign of its side; if both are equal, of the whole column; if these are equal,
    too, +1. Deviations: eps_t is at least LEAST_ERROR, and a column without weight gets 0.
    """
    ell = c.shape[1]
    error, whole = 0.0, 0.0
    for s in range(ell if single else 0):
        of_column = error_and_weight(W, s)
        error, whole = error + of_column[0], whole + of_column[1]
    for s in range(ell):
        if not single:
            error, whole = error_and_weight(W, s)
        plus, minus = W[0, 0, s] + W[1, 0, s], W[0, 1, s] + W[1, 1, s]
        weighs = plus + minus != 0.0
        eps = max(error / whole, LEAST_ERROR) if weighs else 0.5
        alpha = 0.5 * math.log((1 - eps) / eps)
        for j in range(2):
            a, b = W[j, 0, s], W[j, 1, s]
            tie = min(a, b) >= max(a, b) * BEAT
            heavier = plus >= minus * BEAT if tie else a > b
            c[j, s] = (alpha if heavier else -alpha) if weighs else 0.0


@part
def error_and_weight(W, s):
    """The weight of the lighter signs of column s, and of all."""
    true, false = W[0, 0, s] + W[0, 1, s], W[1, 0, s] + W[1, 1, s]
    return min(W[0, 0, s], W[0, 1, s]) + min(W[1, 0, s], W[1, 1, s]), true + false


@part
def answers(W, smoothing, discrete, c, Z, factor):
    """Outputs c_js, Z_t = sum D_t exp(-M h_t) over all columns or for each, and exp(-M h_t)/Z_t."""
    if discrete:
        discrete_outputs(W, len(Z) == 1, c)
    else:
        confident_outputs(W, smoothing, c)
    for s in range(len(Z)):
        Z[s] = 0.0
    for s in range(c.shape[1]):
        of = s % len(Z)
        for j in range(2):
            plus, minus = math.exp(-c[j, s]), math.exp(c[j, s])
            factor[j, 0, s], factor[j, 1, s] = plus, minus
            Z[of] += W[j, 0, s] * plus + W[j, 1, s] * minus
    for s in range(len(Z)):
        if Z[s] == 0.0:
            Z[s] = 1.0  # no weight in this column, and none to scale
    for s in range(c.shape[1]):
        whole = Z[s % len(Z)]
        for j in range(2):
            factor[j, 0, s] /= whole
            factor[j, 1, s] /= whole


@part
def side_of(bin_number, test, nominal):
    """0 where the test is true, else 1."""
    return int(bin_number != test) if nominal else int(bin_number > test)


@part
def sign_and_column(place, block):
    """Which sign (0 for +1, 1 for -1) and which column of the code a slot belongs to."""
    at = np.int64(place)
    g = int(at >= block.span)
    return g, block.column + at - g * block.span


@inlined
def side_weights(D, tiles, data, H, place, scale, features, tests, W):
    """W[side, sign, s] for the picked tests, one or one per column.

    From the kept histograms H of the picked features, which are fresh, or from the weights.
    """
    codes, n_bins, _, nominal = data
    W[:] = 0.0
    if len(place):
        read_side_weights(tiles, n_bins, nominal, H, place, scale, features, tests, W)
    else:
        m = len(codes) // len(n_bins)
        count_side_weights(D, tiles, codes, m, nominal, scale, features, tests, W)


@inlined
def read_side_weights(tiles, n_bins, nominal, H, place, scale, features, tests, W):
    """The same from the kept histograms of the picked features, which are fresh."""
    start = np.empty(len(n_bins), np.int64)
    n = 0
    for f in range(len(n_bins)):
        start[f] = n
        n += n_bins[f]
    for block in range(len(scale)):
        span, first = tiles.blocks[block].span, tiles.blocks[block].column
        for s in range(first, tiles.blocks[block + 1].column):
            f, test = features[s % len(features)], tests[s % len(features)]
            j = s - first
            w = place[block] + 2 * span * start[f] + j
            for i in range(n_bins[f]):
                side = side_of(i, test, nominal[f])
                W[side, 0, s] += scale[block, j] * H[w]
                W[side, 1, s] += scale[block, span + j] * H[w + span]
                w += 2 * span


@inlined
def count_side_weights(D, tiles, codes, m, nominal, scale, features, tests, W):
    """The same from the weights."""
    for block in range(len(scale)):
        for t in range(tiles.blocks[block].tile, tiles.blocks[block + 1].tile):
            tile = tiles.layout[t]
            width = tile.width
            for j in range(tile.n_slots):
                g, s = sign_and_column(tiles.place[t, j], tiles.blocks[block])
                f, test = features[s % len(features)], tests[s % len(features)]
                d, true, false = tile.offset + j, 0.0, 0.0
                for i in range(tile.row, tile.end):
                    if side_of(np.int64(codes[f * m + i]), test, nominal[f]) == 0:
                        true += D[d]
                    else:
                        false += D[d]
                    d += width
                share = scale[block, tiles.place[t, j]]
                W[0, g, s] += share * true
                W[1, g, s] += share * false


@entry
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


@entry
def add_steps(table, segments, F):
    """F[i] += table[segments[i]]."""
    for i in range(len(segments)):
        k = segments[i]
        for s in range(F.shape[1]):
            F[i, s] += table[k, s]
