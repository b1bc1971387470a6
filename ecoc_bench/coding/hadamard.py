"""Codes from Hadamard matrices: square, over -1 and +1, any two rows orthogonal.

Two rows of a matrix of order n differ in n/2 places. The first column, made all +1, says nothing;
without it the distance stays: k classes have n - 1 columns and rho = n/2, where Plotkin's bound for
many classes is near half of the columns. Any k rows will do as long as 2k > n: two columns agree in
just n/2 of the n rows, and so are neither equal nor complements of each other among k > n/2.
"""

import operator
from itertools import count

import numpy as np

from ..errors import CodeError, CodeTooLarge

LARGEST = 10_000  # classes: a hundred million entries


def hadamard(n_classes: int, rng=None) -> np.ndarray:
    """Rows of a Hadamard matrix of order n >= k, the least at hand: n - 1 columns, rho = n/2.

    >>> hadamard(4).tolist()
    [[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]]
    """
    k = operator.index(n_classes)
    if k < 3:
        raise CodeError("a Hadamard code of two classes has a column twice. Use 'ova'.")
    if k > LARGEST:
        raise CodeTooLarge(
            f"a Hadamard code has at most {LARGEST:,} classes. Use 'trellis' or 'dense'."
        )
    doublings, prime = _least_order(k)
    H = paley(prime) if prime else np.ones((1, 1), dtype=np.int8)
    for _ in range(doublings):
        H = np.block([[H, H], [H, -H]])  # Sylvester 1867
    return H[:k, 1:].astype(np.int8)


def _least_order(k: int) -> tuple[int, int]:
    """The least order 2^a or 2^a (q + 1) from k up, as (a, q); q = 0 stands for 2^a.

    >>> _least_order(1000), _least_order(100), _least_order(64)
    ((1, 499), (0, 103), (6, 0))
    """
    for order in count(k):
        twos = (order & -order).bit_length() - 1
        if order == 1 << twos:
            return twos, 0
        for doublings in range(twos):
            if _is_paley((order >> doublings) - 1):
                return doublings, (order >> doublings) - 1
    raise AssertionError("a power of two comes up")


def _is_paley(q: int) -> bool:
    """Whether q is a prime that leaves 3 when divided by 4."""
    return q % 4 == 3 and all(q % p for p in range(3, int(q**0.5) + 1, 2))


def paley(q: int) -> np.ndarray:
    """Paley 1933, first construction: the matrix of order q + 1, q a prime with q % 4 = 3.

    H = I + S, where S has a skew frame of ones around Q, and Q[i, j] is whether j - i is a square
    modulo q (1) or not (-1). Rows are then multiplied by signs, so that the first column is +1.
    """
    squares = np.full(q, -1, dtype=np.int8)
    squares[np.unique(np.arange(1, q) ** 2 % q)] = 1
    squares[0] = 0
    at = np.arange(q)
    H = np.ones((q + 1, q + 1), dtype=np.int8)
    H[1:, 0] = -1
    H[1:, 1:] = squares[(at[None, :] - at[:, None]) % q] + np.eye(q, dtype=np.int8)
    return H * H[:, :1]
