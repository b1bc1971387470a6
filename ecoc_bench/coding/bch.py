"""Dense codes of 3k columns from BCH codes, as Passerini et al. 2004 took them from Dietterich.

The paper's generator was never published. Here the codewords come from a cyclic BCH code; a search
keeps k rows and 3k columns and swaps one at a time for the largest rho. Nothing is random. Above
170 classes or 511 columns the search would weigh too many pairs of rows: rows and columns are taken
as they come.
"""

import operator

import numpy as np

from ..errors import CodeError, CodeTooLarge, ConfigError, shown
from .distances import rho

# Primitive polynomials over GF(2) by degree; bit i is the coefficient of x^i.
PRIMITIVE = {2: 0x7, 3: 0xB, 4: 0x13, 5: 0x25, 6: 0x43, 7: 0x83, 8: 0x11D, 9: 0x211}
PRIMITIVE |= {10: 0x409, 11: 0x805, 12: 0x1053, 13: 0x201B, 14: 0x4443}
LONGEST = 2 ** max(PRIMITIVE) - 1
MOST_CLASSES = LONGEST // 3
SEARCHED = 511  # columns of the longest code that is searched
MOST_WORDS = 4096  # codewords among which rows are searched
BASE, SPAN = 4.0, 12  # a pair of rows d above rho has the weight BASE^(SPAN - d), at least 1


def bch(n_classes: int, rng=None, columns: int | None = None) -> np.ndarray:
    """Rows and columns of a BCH code, chosen for the largest rho: 3k columns; k >= 5."""
    k = operator.index(n_classes)
    ell = 3 * k if columns is None else columns
    _check_size(k, ell)
    ell = operator.index(ell)
    m = next(m for m in PRIMITIVE if 2**m > ell)
    G = bch_generator(m, k)
    by_label = np.argsort((1 << np.arange(len(G))) @ G, kind="stable")
    # Columns in cyclic order, and in an order whose leading columns form shorter BCH codes.
    starts = (np.arange(G.shape[1])[:ell], by_label[:ell])
    if ell > SEARCHED or k > SEARCHED // 3:
        found = [_unsearched(G[:, start], k) for start in starts]
    else:
        words, basis = _codewords(G, MOST_WORDS)
        others = np.setdiff1d(np.arange(len(words)), basis)
        rows = np.concatenate([basis, others])[:k]
        found = [_search(words, rows, start, len(basis)) for start in starts]
    M, (least, _) = max(found, key=lambda result: result[1])  # the first among equals
    if least == 0:
        raise _too_few(k, ell)
    return M


def _check_size(k: int, ell) -> None:
    if not isinstance(ell, int | np.integer) or isinstance(ell, bool) or ell < 1:
        raise ConfigError(
            f"columns must be a whole number from 1 to {LONGEST}. Got {shown(ell)} instead."
        )
    if k > MOST_CLASSES or ell > LONGEST:
        raise CodeTooLarge(
            f"a bch code has at most {MOST_CLASSES} classes and {LONGEST} columns. Got {k} classes "
            f"and {ell} columns. Use 'dense' instead."
        )
    exist = 2 ** (k - 1) - 1
    if ell > exist:
        raise CodeError(
            f"a bch code of {ell} columns cannot exist for {k} classes: there are only {exist} "
            f"different columns. Use 'complete', or set columns: {exist} or less."
        )
    if ell == 1 or 2 ** (ell - 1) < k:
        raise _too_few(k, ell)


def _too_few(k, ell) -> CodeError:
    return CodeError(f"no bch code of {ell} columns separates {k} classes. Set more columns.")


def bch_generator(m: int, words: int) -> np.ndarray:
    """Generator matrix over GF(2) of the BCH code of length 2^m - 1 with at least `words` words.

    The designed distance delta is the largest for which there are enough words. The zeros of the
    code are alpha^0, ..., alpha^(delta-2), so that all its words have even weight: no two of them
    are complements. By Mattson and Solomon, its words are the sums of the bits of alpha^(-jt),
    t = 0, 1, ..., over the j for which alpha^j is not a zero.

    >>> bch_generator(3, 8).tolist()
    [[1, 0, 0, 1, 0, 1, 1], [0, 1, 0, 1, 1, 1, 0], [0, 0, 1, 0, 1, 1, 1]]
    """
    n = 2**m - 1
    zeros: set[int] = set()
    for j in range(n):  # the zeros of delta = j + 2
        more = zeros | {j * 2**i % n for i in range(m)}
        if 2 ** (n - len(more)) < max(words, 2):
            break
        zeros = more
    powers = [1]
    while len(powers) < n:
        shifted = powers[-1] << 1
        powers.append(shifted ^ PRIMITIVE[m] if shifted >> m else shifted)
    t, bits = np.arange(n), np.arange(m)[:, None]
    rest = sorted(set(range(n)) - zeros)
    return _reduced(np.vstack([np.array(powers)[-j * t % n] >> bits & 1 for j in rest]))


def _reduced(rows: np.ndarray) -> np.ndarray:
    """A basis of the rows over GF(2), in reduced echelon form."""
    rows, rank = rows.copy(), 0
    for s in range(rows.shape[1]):
        pivots = rank + np.flatnonzero(rows[rank:, s])
        if len(pivots):
            rows[[rank, pivots[0]]] = rows[[pivots[0], rank]]
            others = np.flatnonzero(rows[:, s])
            rows[others[others != rank]] ^= rows[rank]
            rank += 1
    return rows[:rank]


def _codewords(G, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The first words of the code as -1 and +1, and which of them are the zero word and the basis.

    If these are among the rows, every column has both signs and no two are the same dichotomy.
    """
    units = 1 << np.arange(len(G), dtype=np.int64)
    messages = np.union1d(np.arange(min(2 ** len(G), most)), units)
    words = np.zeros((len(messages), G.shape[1]), dtype=np.int8)
    for i, row in enumerate(G.astype(np.int8)):
        words[messages >> i & 1 == 1] ^= row
    basis = np.asarray(np.searchsorted(messages, np.r_[0, units]))
    return 1 - 2 * words, basis


def _unsearched(G, k: int) -> tuple[np.ndarray, tuple[float, float]]:
    """The zero word, the basis and the first other words of a linear code: k of them, their rho."""
    words, basis = _codewords(G, k)
    others = np.setdiff1d(np.arange(len(words)), basis)
    M = words[np.concatenate([basis, others])[:k]]
    return M, (rho(M), 0.0)


def _search(words, rows, columns, kept: int) -> tuple[np.ndarray, tuple[float, float]]:
    """Swap columns, then rows except for the first `kept`, as long as either helps."""
    rows, columns = rows.copy(), columns.copy()
    while True:
        _swap_columns(words[rows], columns)
        if not _swap_row(words[:, columns], rows, kept):
            break
    M = words[np.ix_(rows, columns)]
    D = _distances(M)
    return M, (D.min(), -_weights(D, D.min()).sum())


def _distances(M) -> np.ndarray:
    """Hamming distances of all pairs of rows."""
    a, b = np.triu_indices(len(M), 1)
    return (M[a] != M[b]).sum(axis=1)


def _weights(D, rho) -> np.ndarray:
    """The nearest pairs weigh most. Weights are whole: their sums are exact in any order."""
    return BASE ** (SPAN - np.minimum(D - rho, SPAN))


def _swap_columns(C, columns) -> None:
    """Exchange a column for an unused one, in place, while this lowers the weight of all pairs.

    Removing a column in which a pair differs multiplies the pair's weight by BASE, adding one
    divides it: one matrix product gives the outcome of every exchange.
    """
    a, b = np.triu_indices(len(C), 1)
    differ = (C[a] != C[b]).astype(float)
    while len(columns) < C.shape[1]:
        out = np.setdiff1d(np.arange(C.shape[1]), columns)
        D = differ[:, columns].sum(axis=1)
        w = _weights(D, D.min())
        less = w[:, None] * (1 + (BASE - 1) * differ[:, columns])
        after = BASE * less.sum(axis=0)[:, None] - (BASE - 1) * (less.T @ differ[:, out])
        i, j = np.unravel_index(after.argmin(), after.shape)
        if after[i, j] >= BASE * w.sum():
            return
        columns[i] = out[j]


def _swap_row(C, rows, kept: int) -> bool:
    """Exchange, in place, the row and the codeword that lower the weight of all pairs most."""
    spare = np.setdiff1d(np.arange(len(C)), rows)
    if kept >= len(rows) or not len(spare):
        return False
    ell, chosen = C.shape[1], C[rows].astype(float)
    D = (ell - chosen @ chosen.T) / 2
    np.fill_diagonal(D, ell)
    rho = D.min()
    now = _weights(D, rho).sum(axis=1) - _weights(ell, rho)
    E = _weights(np.maximum((ell - C[spare] @ chosen.T) / 2, rho - 1), rho)
    gain = (now - (E.sum(axis=1)[:, None] - E))[:, kept:]
    i, r = np.unravel_index(gain.argmax(), gain.shape)
    if gain[i, r] > 0:
        rows[kept + r] = spare[i]
    return bool(gain[i, r] > 0)
