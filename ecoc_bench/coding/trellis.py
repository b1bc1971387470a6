"""Codes whose rows are paths in a trellis: W-LTLS of Evron, Moroshko & Crammer 2018.

The classes are the paths from source to sink, the columns are edges: M(r, e) = +1 if the path of
class r has the edge e, else -1. There are n = floor(log_b k) slices of b vertices, each vertex with
an edge to every vertex of the next slice. With the digits of k = sum_i a_i b^i, a_n auxiliary
vertices follow the last slice, and the first a_i vertices of slice i (from 0) have an edge right to
the sink: there are just k paths, for any k. With b = 2 this is LTLS (Jasinska & Karampatziakis
2016), with b = k one-vs-all, each column twice. Class numbers follow the paths: those by auxiliary
vertices first, then those by the edges to the sink; earlier vertices are higher digits.
Deviation: the paper deals paths to classes at random. An edge that all paths have is left out, as
it says nothing. Narrow trellises have the same dichotomy twice, which counts twice in decoding.
"""

import operator
from typing import NamedTuple

import numpy as np

from ..errors import CodeError, CodeTooLarge, ConfigError, shown

MOST_ENTRIES = 10**9  # a gigabyte


class Trellis(NamedTuple):
    """k classes as paths; column numbers are those of the edges, in this order.

    From the source to slice 0 (b edges); from slice to slice (b x b each); from the last slice to
    the auxiliary vertices (b x a_n); from these to the sink (a_n; none if all paths have that one
    edge); from slice i to the sink (a_i each, from the last slice to slice 0).
    """

    k: int
    width: int
    digits: tuple[int, ...]  # a_0, ..., a_n

    @property
    def slices(self) -> int:
        return len(self.digits) - 1

    @property
    def has_last(self) -> bool:
        """Whether the edges from auxiliary vertices to the sink are columns."""
        return self.k != self.width**self.slices

    @property
    def n_columns(self) -> int:
        b, top = self.width, self.digits[-1]
        inner = b + (self.slices - 1) * b * b + b * top
        return inner + top * self.has_last + sum(self.digits[:-1])

    def paths(self) -> tuple[np.ndarray, np.ndarray]:
        """The edges of each class's path as (class, column) pairs."""
        b, n, top = self.width, self.slices, self.digits[-1]
        rows, columns = [], []

        def add(classes, edges):
            rows.append(classes)
            columns.append(np.broadcast_to(edges, classes.shape))

        def add_slices(classes, vertices):
            """The edges up to slice len(vertices) - 1, by the vertex in each slice."""
            add(classes, vertices[0])
            for i in range(1, len(vertices)):
                add(classes, b + (i - 1) * b * b + vertices[i - 1] * b + vertices[i])

        start = b + (n - 1) * b * b
        first = top * b**n
        own = np.arange(first)
        vertices = [own // (top * b ** (n - 1 - i)) % b for i in range(n)]
        add_slices(own, vertices)
        add(own, start + vertices[-1] * top + own % top)
        start += b * top
        if self.has_last:
            add(own, start + own % top)
            start += top
        for i in reversed(range(n)):
            own = np.arange(self.digits[i] * b**i)
            ends = own // b**i  # the vertex of slice i; the others are the digits of the rest
            within = [own // b ** (i - 1 - j) % b for j in range(i)]
            if len(own):
                add_slices(first + own, [*within, ends])
                add(first + own, start + ends)
            start, first = start + self.digits[i], first + len(own)
        return np.concatenate(rows), np.concatenate(columns)


def trellis(n_classes: int, rng=None, width: int = 2) -> np.ndarray:
    """The paths of a trellis of slices of `width`: O(log k) columns; width at most k."""
    k = operator.index(n_classes)
    shape = shape_of(k, width)
    if k * shape.n_columns > MOST_ENTRIES:
        raise CodeTooLarge(
            f"a trellis of width {width} has {shape.n_columns:,} columns for {k:,} classes. "
            "Set a smaller width."
        )
    M = np.full((k, shape.n_columns), -1, dtype=np.int8)
    M[shape.paths()] = 1
    return M


def shape_of(k: int, width) -> Trellis:
    """The trellis of k classes; its number of columns before any matrix is made."""
    if not isinstance(width, int | np.integer) or isinstance(width, bool) or width < 2:
        raise ConfigError(f"width must be a whole number from 2 up. Got {shown(width)} instead.")
    width = operator.index(width)
    if width > k:
        raise CodeError(f"a trellis of width {width} has more than {k} paths. Set width: 2.")
    digits, rest = [], k
    while rest:
        rest, digit = divmod(rest, width)
        digits.append(digit)
    return Trellis(k, width, tuple(digits))


def recognised(M) -> Trellis | None:
    """The trellis that a matrix is of, if any."""
    M = np.asarray(M)
    for width in range(2, len(M) + 1):
        shape = shape_of(len(M), width)
        if shape.n_columns == M.shape[1] and np.array_equal(M, trellis(len(M), width=width)):
            return shape
    return None
