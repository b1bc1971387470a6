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
EIGHT = 2 * LANES  # one register of AVX-512, or two of any other processor
BITS = 64  # bins that a test is asked about at a time
LINE = 64  # bytes; vectors that begin at multiples of 32 never cross a line of the cache
LEAST = 1e-300  # smaller weights become 0: denormals are slow and weigh nothing
VECTOR, WHOLE = ir.VectorType(ir.DoubleType(), LANES), ir.VectorType(ir.IntType(64), LANES)
LONG = ir.VectorType(ir.DoubleType(), EIGHT)


def zeros(n: int) -> np.ndarray:
    """n zeros that begin with a line of the cache."""
    room = np.zeros(n + LINE // 8)
    first = -room.ctypes.data % LINE // 8
    return room[first : first + n]


def with_room(shape, dtype) -> np.ndarray:
    """Memory in which BITS numbers may be read from any entry on."""
    n = math.prod(shape)
    return np.zeros(n + BITS, dtype)[:n].reshape(shape)


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

    def spread(self, value, n):
        """A vector of n times this number."""
        vector = ir.VectorType(value.type, n)
        one = self.ir.insert_element(
            ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0)
        )
        order = ir.Constant(ir.VectorType(ir.IntType(32), n), [0] * n)
        return self.ir.shuffle_vector(one, ir.Constant(vector, ir.Undefined), order)

    def add(self, pointer, values):
        """Add to what is there; returns the sum."""
        total = self.ir.fadd(self.load(pointer), values)
        self.ir.store(total, pointer).align = 8
        return total

    def call(self, name, values):
        kind = ir.FunctionType(VECTOR, [VECTOR])
        function = get_or_insert_function(self.ir.module, kind, f"llvm.{name}.v{LANES}f64")
        return self.ir.call(function, [values])


def _adding(vector):
    """H[h : h + n] += A[a : a + n] for four h, which must not overlap, n numbers to a vector."""

    def _add(typing, H, h0, h1, h2, h3, A, a):
        def generate(context, builder, signature, args):
            b = _Builder(context, builder, signature, args)
            places = [b.at(0, h, vector=vector) for h in range(1, 5)]
            values = b.load(b.at(5, 6, vector=vector))
            sums = [builder.fadd(b.load(place), values) for place in places]
            for place, total in zip(places, sums, strict=True):
                builder.store(total, place).align = 8
            return context.get_dummy_value()

        return types.void(H, *[types.intp] * 4, A, types.intp), generate

    return _add


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


def _false_bits(typing, codes, at, first, more):
    """Whether a test is false for each of the BITS bins from codes[at] on: bit k is that of bin k.

    The test is true for the bin `first` and as many as `more` after it. What lies after the codes
    is read, too: there must be `room` for it.
    """

    def generate(context, builder, signature, args):
        b = _Builder(context, builder, signature, args)
        kind = ir.VectorType(b.element(0), BITS)
        bins = builder.load(b.at(0, 1, vector=kind))
        bins.align = 1
        first, more = (b.spread(builder.trunc(x, b.element(0)), BITS) for x in args[2:])
        is_false = builder.icmp_unsigned(">", builder.sub(bins, first), more)
        return builder.bitcast(is_false, ir.IntType(BITS))

    return types.uint64(codes, *[types.intp] * 3), generate


def _rewrite_lanes(typing, D, d, bits, row, true, false, j):
    """D[d : d + 4] *= the factors of the tests j to j + 3, whose bits are 1 in `row` if false.

    LEAST and below become 0.
    """

    def generate(context, builder, signature, args):
        b = _Builder(context, builder, signature, args)
        here = builder.and_(b.load(b.at(2, 6, vector=WHOLE)), b.spread(args[3], LANES))
        is_false = builder.icmp_unsigned("!=", here, ir.Constant(WHOLE, [0] * LANES))
        factor = builder.select(is_false, b.load(b.at(5, 6)), b.load(b.at(4, 6)))
        weights = builder.fmul(b.load(b.at(0, 1)), factor)
        least, zero = (ir.Constant(VECTOR, [x] * LANES) for x in (LEAST, 0.0))
        weights = builder.select(builder.fcmp_ordered(">", weights, least), weights, zero)
        builder.store(weights, b.at(0, 1)).align = 8
        return context.get_dummy_value()

    return types.void(D, types.intp, bits, types.uint64, true, false, types.intp), generate


def _add_slices(H, h0, h1, h2, h3, A, a):
    for h in (h0, h1, h2, h3):
        H[h : h + LANES] += A[a : a + LANES]


def _add_long_slices(H, h0, h1, h2, h3, A, a):
    for j in (0, LANES):
        _add_slices(H, h0 + j, h1 + j, h2 + j, h3 + j, A, a + j)


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


def _false_bits_plain(codes, at, first, more):
    bits = 0
    for k, code in enumerate(codes[at : at + BITS]):
        bits |= (not first <= int(code) <= first + more) << k
    return np.uint64(bits)


def _rewrite_slices(D, d, bits, row, true, false, j):
    for k in range(j, j + LANES):
        weight = D[d + k - j] * (false[k] if bits[k] & row else true[k])
        D[d + k - j] = weight if weight > LEAST else 0.0


def compiled(generated, plain) -> Any:
    """The intrinsic, or its slow twin where nothing is compiled."""
    return plain if config.DISABLE_JIT else intrinsic(generated)  # type: ignore[attr-defined]


add_lanes = compiled(_adding(VECTOR), _add_slices)
add_eight = compiled(_adding(LONG), _add_long_slices)
add_product_lanes = compiled(_add_product_lanes, _add_product_slices)
put_root_lanes = compiled(_put_root_lanes, _put_root_slices)
add_root_lanes = compiled(_add_root_lanes, _add_root_slices)
false_bits = compiled(_false_bits, _false_bits_plain)
rewrite_lanes = compiled(_rewrite_lanes, _rewrite_slices)
