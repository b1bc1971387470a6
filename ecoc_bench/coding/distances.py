"""How far apart the rows of a coding matrix are, and how many wrong columns that corrects."""

from collections.abc import Iterator
from math import ceil

import numpy as np

ROWS = 512  # compared with all earlier ones at a time


def rho(M) -> float:
    """Minimum distance between two rows, Delta(u, v) = (ell - u.v)/2. Eq. 6."""
    M = M if _is_sparse(M) else np.asarray(M)
    ell = M.shape[1]
    largest = -ell
    for start, G in _products(M):
        own = np.arange(len(G))
        G[own, start + own] = -ell  # a row and itself
        largest = max(largest, int(G.max()))
    return (ell - largest) / 2


def correctable(M) -> int:
    """floor((d - 1)/2): how many wrong columns Hamming decoding survives. Mohri et al., 9.4.3.

    Without zeros d is rho. A column may say anything of a class whose entry is 0, at worst that it
    is another class. So d is the least over two rows of the columns where they have opposite signs,
    less half the difference of their numbers of zeros; where it is fractional, all e < d/2 count.

    >>> correctable([[1, 1, 1], [-1, -1, -1]]), correctable([[1, 1, 0], [-1, 0, 1], [0, -1, -1]])
    (1, 0)
    """
    M = np.asarray(M)
    used, least = np.count_nonzero(M, axis=1), float(M.shape[1])
    for (start, G), (_, both) in zip(_products(M), _products(np.abs(M)), strict=True):
        own = np.arange(len(G))
        d = (both - G - np.abs(used[start + own, None] - used[: G.shape[1]])) / 2
        d[own, start + own] = np.inf  # a row and itself
        least = min(least, float(d.min()))
    return max(ceil(least / 2) - 1, 0)


def _products(M) -> Iterator[tuple[int, np.ndarray]]:
    """Products of rows: the number of the first of some rows, and theirs with all up to the last.

    All-pairs codes of many classes are nearly empty: their zeros are skipped.
    """
    starts = range(0, M.shape[0], ROWS)
    if _is_sparse(M) or (M.size > 10**6 and np.count_nonzero(M) < M.size / 20):
        from scipy.sparse import csr_array  # not for small codes: the import takes time

        S = csr_array(M).astype(np.int32)
        yield from ((r, (S[r : r + ROWS] @ S[: r + ROWS].T).toarray()) for r in starts)
        return
    # Sums of up to 2^24 ones are exact in float32.
    B = M.astype(np.float32 if M.shape[1] < 2**24 else float)
    yield from ((r, B[r : r + ROWS] @ B[: r + ROWS].T) for r in starts)


def _is_sparse(M) -> bool:
    return hasattr(M, "tocsr")
