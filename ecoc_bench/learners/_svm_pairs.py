"""Pair steps for the dual of the SVM with bias: libsvm's method (Fan, Chen & Lin 2005).

    max_b  sum_j y_j b_j - 1/2 sum_jk b_j b_k K_jk,  lo_j <= b_j <= hi_j,  sum_j b_j = 0

with b_j = alpha_j y_j, so that labels do not appear in the inner loops. The gradient is
g_j = y_j - sum_k b_k K_jk; at the optimum no g_i of a coordinate that may grow exceeds a g_j of one
that may shrink. A step takes the i of the largest g that may grow, and the j that gains most with
it. Loops are split so that each is vectorised by the compiler: a maximum of floats is not, one of
integers is, and so choices are made in float32, read as integers. Sums are float64.
"""

import numpy as np
from numba import types

from ._kernel_rows import row
from ._lanes import compiled
from ._parts import part

TINY = np.float32(1e-12)  # curvature of a pair in one place
LOWEST = np.int32(-(2**31) + 1)


def _rank(typingctx, x):
    """An int32 that has the order of the float32 x."""

    def codegen(context, builder, signature, args):
        i32 = context.get_value_type(types.int32)
        bits = builder.bitcast(args[0], i32)
        flip = builder.and_(builder.ashr(bits, i32(31)), i32(0x7FFFFFFF))
        return builder.xor(bits, flip)

    return types.int32(types.float32), codegen


def _rank_and_place(typingctx, x, mask, k):
    """The rank of a float32 x >= 0 with its lowest bits, those of the mask, replaced by k."""

    def codegen(context, builder, signature, args):
        i32 = context.get_value_type(types.int32)
        bits = builder.and_(builder.bitcast(args[0], i32), builder.not_(args[1]))
        return builder.or_(bits, builder.trunc(args[2], i32))

    return types.int32(types.float32, types.int32, types.int64), codegen


def _of_rank(typingctx, bits):
    """The float32 x >= 0 of its rank."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(types.float32))

    return types.float32(types.int32), codegen


def _plain_rank(x):
    bits = np.float32(x).view(np.int32)
    return bits ^ ((bits >> np.int32(31)) & np.int32(0x7FFFFFFF))


def _plain_rank_and_place(x, mask, k):
    return (np.float32(x).view(np.int32) & ~mask) | np.int32(k)


def _plain_of_rank(bits):
    return bits.view(np.float32)


rank = compiled(_rank, _plain_rank)
rank_and_place = compiled(_rank_and_place, _plain_rank_and_place)
of_rank = compiled(_of_rank, _plain_of_rank)


@part
def pair_steps(rows, diagonal, b, g, lo, hi, tol, max_iter):
    """Move b and its gradient g until no pair violates by more than tol; the steps taken."""
    n = len(g)
    mask = np.int32(1)
    while mask < n:
        mask = np.int32(2 * mask + 1)
    rough, curvature = np.empty(n, np.float32), np.empty(n, np.float32)
    up, down = np.empty(n, np.float32), np.empty(n, np.float32)
    for k in range(n):
        rough[k], curvature[k] = g[k], diagonal[k]
        mark(k, b, lo, hi, up, down)
    K, have = rows.K, rows.have
    i = first_to_grow(rough, up)
    for step in range(max_iter):
        if not have[i]:
            row(rows, i)
        row_i = K[i]
        j, worst = partner(rough, down, row_i, curvature, rough[i], curvature[i], mask)
        if worst <= tol:
            return step
        t = (g[i] - g[j]) / max(diagonal[i] + diagonal[j] - 2.0 * row_i[j], np.float64(TINY))
        t = min(t, min(hi[i] - b[i], b[j] - lo[j]))
        b[i] = hi[i] if t == hi[i] - b[i] else b[i] + t
        b[j] = lo[j] if t == b[j] - lo[j] else b[j] - t
        mark(i, b, lo, hi, up, down)
        mark(j, b, lo, hi, up, down)
        if not have[j]:
            row(rows, j)
        move(g, rough, row_i, K[j], t)
        i = first_to_grow(rough, up)
    return max_iter


@part
def mark(k, b, lo, hi, up, down):
    """0 where b_k may grow or shrink, minus infinity where it may not."""
    up[k] = 0.0 if b[k] < hi[k] else -np.inf
    down[k] = 0.0 if b[k] > lo[k] else -np.inf


@part
def move(g, rough, row_i, row_j, t):
    """The gradient after b_i has grown and b_j has shrunk by t."""
    for k in range(len(g)):
        g[k] -= t * (np.float64(row_i[k]) - np.float64(row_j[k]))
        rough[k] = g[k]


@part
def first_to_grow(rough, up):
    """The first place of the largest gradient among the coordinates that may grow."""
    best = LOWEST
    for k in range(len(rough)):
        best = max(best, rank(rough[k] + up[k]))
    at, nowhere = np.int32(len(rough)), np.int32(len(rough))
    for k in range(len(rough)):
        is_best = rank(rough[k] + up[k]) == best
        at = min(at, np.int32(k) if is_best else nowhere)
    return at


@part
def partner(rough, down, row_i, curvature, g_i, k_ii, mask):
    """The j that gains most with i, up to the bits lost to its place, and the largest violation."""
    top, worst = np.int32(0), np.int32(0)
    for k in range(len(rough)):
        d = g_i - rough[k] + down[k]
        d = d if d > np.float32(0.0) else np.float32(0.0)
        q = k_ii + curvature[k] - np.float32(2.0) * np.float32(row_i[k])
        q = q if q > TINY else TINY
        worst = max(worst, rank(d))
        top = max(top, rank_and_place(d * d / q, mask, k))
    return top & mask, of_rank(worst)
