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


@part
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


@part
def side_of(bin_number, test, nominal):
    """0 where the test is true, else 1."""
    return int(bin_number != test) if nominal else int(bin_number > test)


@inlined
def side_weights(D, tiles, data, work, features, tests, W):
    """W[side, sign, s] for the picked tests, one or one per column.

    From the kept histograms of the picked features, which are fresh, or from the weights.
    """
    codes, n_bins, _, nominal = data
    W[:] = 0.0
    if len(work.place):
        read_side_weights(tiles, n_bins, nominal, work, features, tests, W)
    else:
        count_side_weights(D, tiles, codes, nominal, work, features, tests, W)


@inlined
def read_side_weights(tiles, n_bins, nominal, work, features, tests, W):
    """The same from the kept histograms of the picked features, which are fresh."""
    start = np.empty(len(n_bins), np.int64)
    n = 0
    for f in range(len(n_bins)):
        start[f] = n
        n += n_bins[f]
    for block in range(len(tiles.span)):
        span = tiles.span[block]
        for s in range(tiles.first[block], tiles.first[block + 1]):
            f, test = features[s % len(features)], tests[s % len(features)]
            j = s - tiles.first[block]
            w = work.place[block] + 2 * span * start[f] + j
            for i in range(n_bins[f]):
                side = side_of(i, test, nominal[f])
                W[side, 0, s] += work.scale[block, j] * work.W[w]
                W[side, 1, s] += work.scale[block, span + j] * work.W[w + span]
                w += 2 * span


@inlined
def count_side_weights(D, tiles, codes, nominal, work, features, tests, W):
    """The same from the weights."""
    for block in range(len(tiles.span)):
        for t in range(tiles.block[block], tiles.block[block + 1]):
            width = tiles.width[t]
            for j in range(tiles.n_slots[t]):
                s = tiles.first[block] + tiles.column[t, j]
                f, test = features[s % len(features)], tests[s % len(features)]
                d, true, false = tiles.offset[t] + j, 0.0, 0.0
                for i in range(tiles.row[t], tiles.end[t]):
                    if side_of(np.int64(codes[f, i]), test, nominal[f]) == 0:
                        true += D[d]
                    else:
                        false += D[d]
                    d += width
                g, share = tiles.sign[t, j], work.scale[block, tiles.place[t, j]]
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
