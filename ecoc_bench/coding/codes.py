"""Code families: coding matrices M over {-1, 0, +1}, k classes x ell columns (Allwein et al. 2000).

Every family is a function `(n_classes, rng, **params) -> M` in int8. A matrix is valid when its
rows are distinct and non-zero, every column has both signs, and no two columns are the same
dichotomy; a family says so where it deviates. Counts may be numpy's integers: `operator.index`
makes Python's of them, which do not overflow.
"""

import operator
from collections.abc import Callable
from math import ceil, log2
from typing import NamedTuple

import numpy as np

from ..errors import CodeError, CodeTooLarge, ConfigError, shown
from .bch import bch
from .hadamard import hadamard
from .random_codes import BATCH, best_draw
from .trellis import trellis

LARGEST_COMPLETE = 11  # 1,023 columns; for more classes the paper has no complete code
MOST_COLUMNS = 10_000  # of a random code
MOST_TRIES = 1_000_000
MOST_BITS = 8 * 10**9  # of a batch of random codes: a gigabyte, or two if entries may be 0
MANY = 64  # classes that have more dichotomies than any random code has columns
MOST_ENTRIES = 10**9  # of a fixed code: a gigabyte


def canonical(M) -> tuple[np.ndarray, np.ndarray]:
    """Columns with their first non-zero entry made +1, and the sign that each was multiplied by.

    >>> canonical([[0, 1], [-1, -1], [1, 1]])[0].tolist()
    [[0, 1], [1, -1], [-1, 1]]
    """
    M = np.asarray(M, dtype=np.int8)
    first = M[(M != 0).argmax(axis=0), np.arange(M.shape[1])]
    sign = np.where(first < 0, np.int8(-1), np.int8(1))
    return M * sign, sign


def distinct_dichotomies(M) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The distinct columns of M up to sign; M = columns[:, index] * sign."""
    columns, sign = canonical(M)
    _, first, index = np.unique(columns, axis=1, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return columns[:, first[order]], rank[np.ravel(index)], sign


def check_code(M) -> np.ndarray:
    """M as int8; raises a CodeError that names the first invalid row or column."""
    try:
        M = np.asarray(M)
    except ValueError:
        raise CodeError("a code must be a matrix. Got rows of different lengths.") from None
    if M.ndim != 2 or min(M.shape) < 1:
        raise CodeError(f"a code must be a classes x columns matrix. Got shape {M.shape} instead.")
    if M.dtype.kind not in "biuf" or not np.isin(M, (-1, 0, 1)).all():
        raise CodeError("a code must hold only -1, 0 and +1.")
    M = M.astype(np.int8)
    for r in np.flatnonzero(~M.any(axis=1)):
        raise CodeError(f"row {r} of the code is all zeros: no column would ever see its class.")
    for s in np.flatnonzero((M.max(axis=0) < 1) | (M.min(axis=0) > -1)):
        raise CodeError(
            f"column {s} of the code lacks a sign: it needs both +1 and -1 to be trained."
        )
    _, first, same = np.unique(M, axis=0, return_index=True, return_inverse=True)
    for b in np.flatnonzero(first[np.ravel(same)] != np.arange(len(M))):
        a = first[np.ravel(same)[b]]
        raise CodeError(
            f"rows {a} and {b} of the code are equal: no decoder could tell them apart."
        )
    return M


def pair_columns(M) -> tuple[np.ndarray, np.ndarray]:
    """The columns of an all-pairs code: column[a, b], and the sign of class a in it; 0 if a = b.

    >>> pair_columns(all_pairs(3))[0].tolist()
    [[0, 0, 1], [0, 0, 2], [1, 2, 0]]
    """
    M = np.asarray(M)
    k, ell = M.shape
    column, sign = np.zeros((k, k), dtype=np.int64), np.zeros((k, k), dtype=np.int8)
    if ell == k * (k - 1) // 2:
        r, s = np.nonzero(M)
        (plus, of_plus), (minus, of_minus) = ((r[M[r, s] == z], s[M[r, s] == z]) for z in (1, -1))
        every = np.arange(ell)
        if np.array_equal(np.sort(of_plus), every) and np.array_equal(np.sort(of_minus), every):
            plus, minus = plus[np.argsort(of_plus)], minus[np.argsort(of_minus)]
            column[plus, minus] = column[minus, plus] = every
            sign[plus, minus], sign[minus, plus] = 1, -1
    if np.count_nonzero(sign) != k * (k - 1):
        raise ConfigError(
            "votes, tournaments and coupling need a code with one column for each pair of classes, "
            f"one +1 against one -1. Got another code of {k} classes and {ell} columns instead. "
            "Use 'all_pairs'."
        )
    return column, sign


def kind(M) -> str:
    """`ova` and `all_pairs`, up to order and signs; `binary` (others without zeros) or `ternary`.

    >>> [kind(M) for M in (one_vs_all(4), -all_pairs(4), complete(4), [[1, 0], [-1, 1], [0, -1]])]
    ['ova', 'all_pairs', 'binary', 'ternary']
    """
    M = np.asarray(M)
    try:
        pair_columns(M)
        return "all_pairs"
    except ConfigError:
        if (M == 0).any():
            return "ternary"
    plus, minus = ((sign == M).sum(axis=0) == 1 for sign in (1, -1))
    alone = np.where(plus, M.argmax(axis=0), M.argmin(axis=0))
    each_once = M.shape[1] == len(M) == len(np.unique(alone))
    return "ova" if each_once and (plus | minus).all() else "binary"


def _refuse_huge(k: int, ell: int) -> None:
    if k * ell > MOST_ENTRIES:
        raise CodeTooLarge(
            f"a code of {k} classes and {ell} columns has more than {MOST_ENTRIES:,} entries. "
            "Use a random code, such as 'dense'."
        )


def one_vs_all(n_classes: int, rng=None) -> np.ndarray:
    """+1 on the diagonal, -1 elsewhere: k columns, rho = 2."""
    n_classes = operator.index(n_classes)
    _refuse_huge(n_classes, n_classes)
    return (2 * np.eye(n_classes, dtype=np.int8) - 1).astype(np.int8)


def all_pairs(n_classes: int, rng=None) -> np.ndarray:
    """One column for each pair of classes, +1 against -1, zeros elsewhere: k(k-1)/2 columns."""
    n_classes = operator.index(n_classes)
    _refuse_huge(n_classes, n_classes * (n_classes - 1) // 2)
    plus, minus = np.triu_indices(n_classes, 1)
    M = np.zeros((n_classes, len(plus)), dtype=np.int8)
    every = np.arange(len(plus))
    M[plus, every], M[minus, every] = 1, -1
    return M


def complete(n_classes: int, rng=None) -> np.ndarray:
    """Every split of the classes into two sides: 2^(k-1) - 1 columns, rho = 2^(k-2); k <= 11."""
    n_classes = operator.index(n_classes)
    if n_classes > LARGEST_COMPLETE:
        raise CodeTooLarge(
            f"the complete code has 2^(k-1) - 1 columns, too many above k = {LARGEST_COMPLETE}. "
            "Use 'dense' instead."
        )
    masks = np.arange(1, 2 ** (n_classes - 1))
    bits = (masks[None, :] >> np.arange(n_classes - 1)[:, None]) & 1
    return np.vstack([np.ones_like(masks), 1 - 2 * bits]).astype(np.int8)


def dense(n_classes: int, rng, columns: int | None = None, tries: int = 10_000) -> np.ndarray:
    """Entries -1 or +1 at random: ceil(10 log2 k) columns, the largest rho of `tries` draws."""
    n_classes = operator.index(n_classes)
    ell = ceil(10 * log2(n_classes)) if columns is None else columns
    exist = 2 ** (min(n_classes, MANY) - 1) - 1
    return _random("dense", n_classes, ell, exist, tries, rng)


def sparse(n_classes: int, rng, columns: int | None = None, tries: int = 10_000) -> np.ndarray:
    """Entries 0 with probability 1/2: ceil(15 log2 k) columns, the largest rho of `tries` draws."""
    n_classes = operator.index(n_classes)
    ell = ceil(15 * log2(n_classes)) if columns is None else columns
    k = min(n_classes, MANY)
    return _random("sparse", n_classes, ell, (3**k - 2 ** (k + 1) + 1) // 2, tries, rng)


def _random(family: str, k: int, ell, exist: int, tries, rng) -> np.ndarray:
    """The best of `tries` random matrices, or a message on why there is none."""
    for name, value, most in (("columns", ell, MOST_COLUMNS), ("tries", tries, MOST_TRIES)):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or not 1 <= value <= most:
            raise ConfigError(
                f"{name} must be a whole number from 1 to {most}. Got {shown(value)} instead."
            )
    ell, tries = operator.index(ell), operator.index(tries)
    if ell > exist:
        raise CodeError(
            f"a {family} code of {ell} columns cannot exist for {k} classes: there are only "
            f"{exist} different columns. Use 'complete', or set columns: {exist} or less."
        )
    if min(tries, BATCH) * k * ell > MOST_BITS:
        raise CodeTooLarge(
            f"{min(tries, BATCH)} random {family} codes of {k} classes and {ell} columns have more "
            f"than {MOST_BITS:,} entries. Set fewer columns or tries."
        )
    best = best_draw(family == "sparse", k, ell, tries, rng)
    if best is None:
        raise CodeError(
            f"none of {tries} random {family} codes of {ell} columns for {k} classes is valid. "
            f"Set more tries, or another number of columns."
        )
    return best


class Family(NamedTuple):
    """A way to make codes; a random code is drawn again for each draw of an experiment."""

    make: Callable[..., np.ndarray]
    random: bool


CODES: dict[str, Family] = {
    "ova": Family(one_vs_all, random=False),
    "all_pairs": Family(all_pairs, random=False),
    "complete": Family(complete, random=False),
    "dense": Family(dense, random=True),
    "sparse": Family(sparse, random=True),
    "bch": Family(bch, random=False),
    "hadamard": Family(hadamard, random=False),
    "trellis": Family(trellis, random=False),
}
