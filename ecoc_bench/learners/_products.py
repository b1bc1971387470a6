"""Products and triangular solves in which a column does not depend on the columns beside it.

A sum is taken in the order of its index, for each column in its lane. A product by BLAS will not
do: the last bits of a column depend on how many others there are and on its place among them, and
also in blocks of a fixed width.
"""

import numpy as np

from ._parts import entry

LANES = 64  # columns side by side: their sums stay in the nearest cache
DEPTH = 64  # indices of the sum at a time


@entry
def add_product(A, B, C):
    """C += A B; two rows and four indices of the sum at a time."""
    n, depth = A.shape
    for first in range(0, B.shape[1], LANES):
        # Unsigned: an index that may be negative is looked at each time.
        left, right = np.uint64(first), np.uint64(min(first + LANES, B.shape[1]))
        for start in range(0, depth, DEPTH):
            end = min(start + DEPTH, depth)
            fours = end - (end - start) % 4
            for i in range(0, n - n % 2, 2):
                c, f = C[i], C[i + 1]
                for j in range(start, fours, 4):
                    a0, a1, a2, a3 = A[i, j], A[i, j + 1], A[i, j + 2], A[i, j + 3]
                    e0, e1, e2, e3 = A[i + 1, j], A[i + 1, j + 1], A[i + 1, j + 2], A[i + 1, j + 3]
                    b0, b1, b2, b3 = B[j], B[j + 1], B[j + 2], B[j + 3]
                    for s in range(left, right):
                        c[s] = (((c[s] + a0 * b0[s]) + a1 * b1[s]) + a2 * b2[s]) + a3 * b3[s]
                        f[s] = (((f[s] + e0 * b0[s]) + e1 * b1[s]) + e2 * b2[s]) + e3 * b3[s]
                for j in range(fours, end):
                    a0, e0, b0 = A[i, j], A[i + 1, j], B[j]
                    for s in range(left, right):
                        c[s] += a0 * b0[s]
                        f[s] += e0 * b0[s]
            if n % 2:
                c = C[n - 1]
                for j in range(start, end):
                    a0, b0 = A[n - 1, j], B[j]
                    for s in range(left, right):
                        c[s] += a0 * b0[s]


@entry
def solve_lower(L, B):
    """B becomes the solution of L L' Z = B, for a lower triangle L."""
    d, m = B.shape
    for left in range(0, m, LANES):
        right = min(left + LANES, m)
        for i in range(d):
            for j in range(i):
                for s in range(left, right):
                    B[i, s] -= L[i, j] * B[j, s]
            for s in range(left, right):
                B[i, s] /= L[i, i]
        for i in range(d - 1, -1, -1):
            for j in range(i + 1, d):
                for s in range(left, right):
                    B[i, s] -= L[j, i] * B[j, s]
            for s in range(left, right):
                B[i, s] /= L[i, i]
