"""Products and triangular solves in which a column does not depend on the columns beside it.

A sum is taken in the order of its index, for each column in its lane. A product by BLAS will not do:
the last bits of a column depend on how many others there are and on its place among them, and also
in blocks of a fixed width.
"""

from ._parts import entry

LANES = 64  # columns side by side: their sums stay in the nearest cache
DEPTH = 64  # indices of the sum at a time


@entry
def add_product(A, B, C):
    """C += A B; two rows and four indices of the sum at a time."""
    n, depth = A.shape
    for left in range(0, B.shape[1], LANES):
        right = min(left + LANES, B.shape[1])
        for start in range(0, depth, DEPTH):
            end = min(start + DEPTH, depth)
            fours = end - (end - start) % 4
            for i in range(0, n - n % 2, 2):
                for j in range(start, fours, 4):
                    a0, a1, a2, a3 = A[i, j], A[i, j + 1], A[i, j + 2], A[i, j + 3]
                    e0, e1, e2, e3 = A[i + 1, j], A[i + 1, j + 1], A[i + 1, j + 2], A[i + 1, j + 3]
                    for s in range(left, right):
                        b0, b1, b2, b3 = B[j, s], B[j + 1, s], B[j + 2, s], B[j + 3, s]
                        C[i, s] = (((C[i, s] + a0 * b0) + a1 * b1) + a2 * b2) + a3 * b3
                        C[i + 1, s] = (((C[i + 1, s] + e0 * b0) + e1 * b1) + e2 * b2) + e3 * b3
                for j in range(fours, end):
                    for s in range(left, right):
                        C[i, s] += A[i, j] * B[j, s]
                        C[i + 1, s] += A[i + 1, j] * B[j, s]
            if n % 2:
                for j in range(start, end):
                    for s in range(left, right):
                        C[n - 1, s] += A[n - 1, j] * B[j, s]


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
