"""Four numbers at a time in one vector register, where numba's own loops are slower.

Numba vectorises a loop over the columns of a row, but tests anew for every row whether the arrays
overlap (and gives up if there are many): on rows of about thirty numbers the tests take as long as
the sums. All arrays are flat and of float64. Nothing checks that the places, and the three after
each, are inside.
"""

import math
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba import config, types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic

LANES = 4
FOUR = 4  # places that `add_lanes` adds to
LINE = 64  # bytes; vectors that begin at multiples of 32 never cross a line of the cache
LEAST = 1e-300  # smaller weights become 0: denormals are slow and weigh nothing
VECTOR, WHOLE = ir.VectorType(ir.DoubleType(), LANES), ir.VectorType(ir.IntType(64), LANES)


def zeros(n: int) -> np.ndarray:
    """n zeros that begin with a line of the cache."""
    room = np.zeros(n + LINE // 8)
    first = -room.ctypes.data % LINE // 8
    return room[first : first + n]


class _Builder:
    """Loads and stores vectors while the code of an intrinsic is generated."""

    def __init__(self, context, builder, signature, args):
        self.context, self.ir, self.kinds, self.args = context, builder, signature.args, args

    def data(self, array):
        """A pointer to the first entry of the array that is argument `array`."""
        kind = self.context.make_array(self.kinds[array])
        return kind(self.context, self.ir, self.args[array]).data

    def element(self, array):
        """The type of an entry of that array."""
        return self.data(array).type.pointee

    def at(self, array, *offsets, vector=VECTOR):
        """A pointer to a place in that array; the offsets are arguments, too."""
        place = self.args[offsets[0]]
        for offset in offsets[1:]:
            place = self.ir.add(place, self.args[offset])
        return self.ir.bitcast(self.ir.gep(self.data(array), [place]), vector.as_pointer())

    def load(self, pointer):
        values = self.ir.load(pointer)
        values.align = 8
        return values

    def add(self, pointer, values):
        """Add to what is there; returns the sum."""
        total = self.ir.fadd(self.load(pointer), values)
        self.ir.store(total, pointer).align = 8
        return total

    def call(self, name, values):
        kind = ir.FunctionType(VECTOR, [VECTOR])
        function = get_or_insert_function(self.ir.module, kind, f"llvm.{name}.v{LANES}f64")
        return self.ir.call(function, [values])


def _add_lanes(typing, H, h0, h1, h2, h3, A, a):
    """H[h : h + 4] += A[a : a + 4] for the four h, which must not overlap."""

    def generate(context, builder, signature, args):
        b = _Builder(context, builder, signature, args)
        places = [b.at(0, h) for h in range(1, 5)]
        values = b.load(b.at(5, 6))
        sums = [builder.fadd(b.load(place), values) for place in places]
        for place, total in zip(places, sums, strict=True):
            builder.store(total, place).align = 8
        return context.get_dummy_value()

    return types.void(H, *[types.intp] * 4, A, types.intp), generate


def _add_product_lanes(typing, H, h, A, a, B, b):
    """H[h : h + 4] += A[a : a + 4] * B[b : b + 4]."""

    def generate(context, builder, signature, args):
        b = _Builder(context, builder, signature, args)
        b.add(b.at(0, 1), builder.fmul(b.load(b.at(2, 3)), b.load(b.at(4, 5))))
        return context.get_dummy_value()

    return types.void(H, types.intp, A, types.intp, B, types.intp), generate


def _root(b, builder):
    """T[t] += S[t] W[w], the same `span` further on, and the root of the product of the two."""
    plus = builder.fmul(b.load(b.at(2, 1)), b.load(b.at(3, 4)))
    plus = b.add(b.at(0, 1), plus)
    minus = builder.fmul(b.load(b.at(2, 1, 5)), b.load(b.at(3, 4, 5)))
    minus = b.add(b.at(0, 1, 5), minus)
    return b.call("sqrt", b.call("fabs", builder.fmul(plus, minus)))


def _put_root_lanes(typing, T, t, S, W, w, span, out, o):
    """T[t] += S[t] W[w], the same `span` further on, and out[o] = the root of their product."""

    def generate(context, builder, signature, args):
        b = _Builder(context, builder, signature, args)
        builder.store(_root(b, builder), b.at(6, 7)).align = 8
        return context.get_dummy_value()

    place = types.intp
    return types.void(T, place, S, W, place, place, out, place), generate


def _add_root_lanes(typing, T, t, S, W, w, span, out, o, least):
    """The same, added to out[o]; least[t] becomes that sum if it is lower."""

    def generate(context, builder, signature, args):
        b = _Builder(context, builder, signature, args)
        total = b.add(b.at(6, 7), _root(b, builder))
        so_far = b.load(b.at(8, 1))
        is_lower = builder.fcmp_ordered("<", total, so_far)
        builder.store(builder.select(is_lower, total, so_far), b.at(8, 1)).align = 8
        return context.get_dummy_value()

    place = types.intp
    return types.void(T, place, S, W, place, place, out, place, least), generate


def _rewrite_lanes(typing, D, d, codes, row, start, first, more, true, false, j):
    """D[d : d + 4] *= the factors of the tests j to j + 3 for a row; LEAST and below become 0.

    The bins of a test's feature begin at codes[start[j]]; the test is true for the bin first[j] and
    as many as more[j] after it.
    """

    def generate(context, builder, signature, args):
        b = _Builder(context, builder, signature, args)
        code = b.element(2)
        bins = ir.Constant(ir.VectorType(code, LANES), ir.Undefined)
        for k in range(LANES):
            lane = ir.Constant(ir.IntType(64), k)
            start = builder.load(builder.gep(b.data(4), [builder.add(args[9], lane)]))
            bin_ = builder.load(builder.gep(b.data(2), [builder.add(start, args[3])]))
            bins = builder.insert_element(bins, bin_, ir.Constant(ir.IntType(32), k))
        bins = builder.zext(bins, WHOLE)
        past = builder.sub(bins, b.load(b.at(5, 9, vector=WHOLE)))
        is_false = builder.icmp_unsigned(">", past, b.load(b.at(6, 9, vector=WHOLE)))
        factor = builder.select(is_false, b.load(b.at(8, 9)), b.load(b.at(7, 9)))
        weights = builder.fmul(b.load(b.at(0, 1)), factor)
        least, zero = (ir.Constant(VECTOR, [x] * LANES) for x in (LEAST, 0.0))
        weights = builder.select(builder.fcmp_ordered(">", weights, least), weights, zero)
        builder.store(weights, b.at(0, 1)).align = 8
        return context.get_dummy_value()

    i = types.intp
    return types.void(D, i, codes, i, start, first, more, true, false, i), generate


def _add_slices(H, h0, h1, h2, h3, A, a):
    for h in (h0, h1, h2, h3):
        H[h : h + LANES] += A[a : a + LANES]


def _add_product_slices(H, h, A, a, B, b):
    H[h : h + LANES] += A[a : a + LANES] * B[b : b + LANES]


def _put_root_slices(T, t, S, W, w, span, out, o):
    for j in range(LANES):
        plus, minus = t + j, t + j + span
        T[plus] += S[plus] * W[w + j]
        T[minus] += S[minus] * W[w + j + span]
        out[o + j] = math.sqrt(abs(T[plus] * T[minus]))


def _add_root_slices(T, t, S, W, w, span, out, o, least):
    before = out[o : o + LANES].copy()
    _put_root_slices(T, t, S, W, w, span, out, o)
    out[o : o + LANES] += before
    least[t : t + LANES] = np.minimum(least[t : t + LANES], out[o : o + LANES])


def _rewrite_slices(D, d, codes, row, start, first, more, true, false, j):
    for k in range(j, j + LANES):
        past = int(codes[start[k] + row]) - first[k]
        weight = D[d + k - j] * (true[k] if 0 <= past <= more[k] else false[k])
        D[d + k - j] = weight if weight > LEAST else 0.0


def compiled(generated, plain) -> Any:
    """The intrinsic, or its slow twin where nothing is compiled."""
    return plain if config.DISABLE_JIT else intrinsic(generated)  # type: ignore[attr-defined]


add_lanes = compiled(_add_lanes, _add_slices)
add_product_lanes = compiled(_add_product_lanes, _add_product_slices)
put_root_lanes = compiled(_put_root_lanes, _put_root_slices)
add_root_lanes = compiled(_add_root_lanes, _add_root_slices)
rewrite_lanes = compiled(_rewrite_lanes, _rewrite_slices)
