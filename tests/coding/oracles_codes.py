"""The slow twin of the search for random codes: all matrices of a batch at once, all of their rows.

The committed runs were drawn like this: the same generator must give the same matrix for ever.
"""

import numpy as np


def slow_best_draw(alphabet, k, ell, tries, rng, batch_size):
    """The valid matrix of largest rho, the first among equals; None if none is valid."""
    weights = rng.integers(1, 2**62, size=k, dtype=np.int64) * 2 + 1
    best, best_rho = None, -1.0
    for start in range(0, tries, batch_size):
        size = (min(batch_size, tries - start), k, ell)
        for M in _drawn_again(rng.choice(alphabet, size=size), alphabet, weights, rng):
            if _usable(M) and _rho(M) > best_rho:
                best, best_rho = M, _rho(M)
    return best


def _drawn_again(batch, alphabet, weights, rng, passes=1000):
    for _ in range(passes):
        bad = np.array([_invalid_columns(M, weights) for M in batch])
        t, s = np.nonzero(bad)
        if not len(t):
            return batch
        batch[t, :, s] = rng.choice(alphabet, size=(len(t), batch.shape[1]))
    return batch[~bad.any(axis=1)]


def _invalid_columns(M, weights):
    """Columns that lack a sign, or repeat an earlier one up to sign."""
    seen, invalid = set(), []
    with np.errstate(over="ignore"):
        hashes = np.abs(weights @ M.astype(np.int64)).tolist()
    for column, value in zip(M.T, hashes, strict=True):
        invalid.append(column.max() < 1 or column.min() > -1 or value in seen)
        seen.add(value)
    return invalid


def _usable(M):
    return M.any(axis=1).all() and len(set(map(bytes, M))) == len(M)


def _rho(M):
    G = M.astype(float) @ M.T
    return (M.shape[1] - G[np.triu_indices(len(M), 1)].max()) / 2
