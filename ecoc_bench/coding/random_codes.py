"""The search for a random code: of many random matrices, the valid one of largest rho.

Matrices are drawn and compared in a stream: a few of them are held at a time, and nothing of size
k x k. A matrix is given up at the first rows that are too close for it to beat the best so far. The
products are small: callers set BLAS to one thread, because several would wait for each other.
"""

from collections.abc import Iterator

import numpy as np

BATCH = 500  # matrices drawn before any of their columns is drawn again
REDRAWS = 1000  # passes over invalid columns before a random matrix is given up
CHUNK = 2**20  # entries held at a time, or those of one matrix
HEAD = 64  # rows that show, nearly always, that a column is valid
BLOCK = 128  # rows compared with all earlier ones at a time


def best_draw(zeros: bool, k: int, ell: int, tries: int, rng) -> np.ndarray | None:
    """The valid matrix of largest rho among random ones, the first among equals; None if none is.

    Half of the entries are 0 if `zeros` is set; the others are -1 or +1 with the same chance.
    """
    best, found = None, (-1, 0)  # 2 rho, which is a whole number, and minus the number of the draw
    for numbers, matrices in _draws(zeros, k, ell, tries, rng):
        # Draws do not come in their order: an earlier one replaces an equal one.
        least = found[0] - (numbers < -found[1])
        for i, twice_rho in _distant(matrices, least):
            M, rank = matrices[i], (twice_rho, -int(numbers[i]))
            if rank > found and M.any(axis=1).all() and len(np.unique(M, axis=0)) == k:
                best, found = M.copy(), rank
    return best


def _draws(zeros: bool, k: int, ell: int, tries: int, rng) -> Iterator[tuple]:
    """The numbers of some random matrices, and the matrices, their invalid columns drawn again.

    The first rows show that nearly all columns of many classes have both signs and are different.
    Matrices with other columns are kept to the end of their batch.
    """
    weights = rng.integers(1, 2**62, size=k, dtype=np.int64) * 2 + 1
    size = max(1, CHUNK // (k * ell))
    for batch in range(0, tries, BATCH):
        end, unsure, kept = min(batch + BATCH, tries), [], []
        for start in range(batch, end, size):
            numbers = np.arange(start, min(start + size, end))
            matrices = _entries(zeros, (len(numbers), k, ell), rng)
            doubtful = _invalid_columns(matrices[:, :HEAD], weights).any(axis=1)
            unsure.append(numbers[doubtful])
            kept.append(matrices[doubtful])
            yield numbers[~doubtful], matrices[~doubtful]
        numbers, matrices = np.concatenate(unsure), np.concatenate(kept)
        valid = _redrawn(matrices, weights, zeros, rng)
        for start in range(0, len(valid), size):
            part = valid[start : start + size]
            yield numbers[part], matrices[part]


def _redrawn(matrices, weights, zeros: bool, rng) -> np.ndarray:
    """Draw invalid columns again, in place; which matrices are valid in the end.

    Columns are redrawn one by one, never whole matrices: 26 of the 31 dichotomies of six classes
    would not come up together in a lifetime.
    """
    unsure = np.arange(len(matrices))
    for _ in range(REDRAWS):
        bad = _invalid_columns(matrices[unsure], weights)
        t, s = np.nonzero(bad)
        if not len(t):
            return np.arange(len(matrices))
        matrices[unsure[t], :, s] = _entries(zeros, (len(t), matrices.shape[1]), rng)
        unsure = unsure[bad.any(axis=1)]
    return np.delete(np.arange(len(matrices)), unsure)


def _entries(zeros: bool, shape: tuple[int, ...], rng) -> np.ndarray:
    """What `rng.choice` draws from (-1, 1) or (-1, 0, 0, 1): the top bits of 32, in half the time.

    >>> _entries(True, (8,), np.random.default_rng(0)).tolist()
    [1, 0, 0, 0, 0, -1, -1, -1]
    >>> np.random.default_rng(0).choice((-1, 0, 0, 1), 8).tolist()
    [1, 0, 0, 0, 0, -1, -1, -1]
    """
    bits = rng.integers(0, 2**32, size=shape, dtype=np.uint32)
    side = 2**30 if zeros else 2**31
    return (bits >= 2**32 - side).view(np.int8) - (bits < side).view(np.int8)


def _invalid_columns(matrices, weights) -> np.ndarray:
    """Which columns (tries, ell) lack a sign, or repeat an earlier one of their matrix up to sign.

    Columns are compared by a random 64-bit linear hash. Its sign follows the column's, so the
    absolute value is the same for a column and its complement; a chance collision costs one redraw.
    """
    lacks = (matrices.max(axis=1) < 1) | (matrices.min(axis=1) > -1)
    hashes = np.zeros(lacks.shape, dtype=np.int64)
    for r in range(matrices.shape[1]):
        hashes += matrices[:, r] * weights[r]  # arrays of integers overflow as a hash should
    hashes = np.abs(hashes)
    order = np.argsort(hashes, axis=1, kind="stable")
    ranked = np.take_along_axis(hashes, order, axis=1)
    repeats = np.zeros_like(lacks)
    np.put_along_axis(repeats, order[:, 1:], ranked[:, 1:] == ranked[:, :-1], axis=1)
    return lacks | repeats


def _distant(matrices, least) -> Iterator[tuple[int, int]]:
    """Which matrices have 2 rho = min(ell - u.v) above their `least`, and their 2 rho."""
    tries, k, ell = matrices.shape
    left, twice_rho = np.arange(tries), np.full(tries, 2 * ell)
    for start in range(0, k, BLOCK):
        own = np.arange(min(BLOCK, k - start))
        # float32 is exact, and the fastest product.
        B = matrices[left, : start + BLOCK].astype(np.float32)
        G = B[:, start:] @ B.transpose(0, 2, 1)
        G[:, own, start + own] = -ell  # a row and itself
        twice_rho = np.minimum(twice_rho, ell - G.max(axis=(1, 2)))
        good = twice_rho > least[left]
        left, twice_rho = left[good], twice_rho[good]
        if not len(left):
            return
    yield from zip(left.tolist(), twice_rho.astype(int).tolist(), strict=True)
