"""Labels and ties of many margins, block by block of rows: never all distances at once.

For one-vs-all and trellis codes of many classes and decoders that are sums of losses, the class of
least distance is found without the distances. Only where the next class is so near that rounding
might turn the two round, all distances of the row are computed: labels and ties are those of the
decoder.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from . import decoders
from .codes import kind
from .exact_order import EPS
from .losses import Loss
from .trellis import recognised

ENTRIES = 2**23  # distances or margins of a block: 64 MB
MANY = 64  # classes from which on a shortcut is worth it
EXACT = (decoders.hamming, decoders.exponential, decoders.l1)  # also of equal distances

# (L(F) - L(-F)) -> the best class of each row, and how far the next one is
Search = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


class Found(NamedTuple):
    """The class of each row of margins, and how many rows have several of the least distance."""

    labels: np.ndarray
    ties: int


def find(decode: decoders.Decoder, M, F) -> Found:
    """`predict` and `ties` of the distances. A user's decoder gets all rows at once."""
    if not _is_ours(decode):
        D = decode(M, F)
        return Found(decoders.predict(D), decoders.ties(D))
    if isinstance(decode, partial) and decode.func is decoders.auto:
        decode = decoders.resolve(decoders.DEFAULTS[kind(M)], *decode.args)
    loss, search = decoders.ADDITIVE.get(decode), _search(M)
    parts = []
    for rows in row_blocks(M.shape, len(F)):
        if loss is None or search is None:
            parts.append(_by_distances(decode, M, F[rows]))
        else:
            parts.append(_shortcut(search, decode, loss, M, F[rows]))
    labels = [part.labels for part in parts]
    return Found(np.concatenate(labels) if labels else np.empty(0, int), sum(p.ties for p in parts))


def row_blocks(shape: tuple[int, int], n: int) -> Iterator[slice]:
    """Blocks of n rows of which neither margins nor distances are many; `shape` is the code's."""
    size = max(1, ENTRIES // max(shape))
    return (slice(start, start + size) for start in range(0, n, size))


def _is_ours(decode) -> bool:
    """Whether the distances of a row depend on that row only, as those of our decoders do."""
    bare = decode.func if isinstance(decode, partial) else decode
    return bare is decoders.auto or any(bare is own for own in decoders.DECODERS.values())


def _by_distances(decode, M, F) -> Found:
    D = decode(M, F)
    return Found(decoders.predict(D), decoders.ties(D))


def _shortcut(search: Search, decode, L: Loss, M, F) -> Found:
    """The search's classes; rows where rounding might matter are decoded by all distances.

    Distances are sums of ell losses, and so are paths: both are off by a few last digits of the sum
    of all losses at most. A row's last digits depend on the rows that are multiplied with it, so
    all rows of the block are, but where the order is exact.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        right, wrong = L(F), L(-F)
        labels, gaps = search(right - wrong)
        whole = np.abs(right).sum(axis=1) + np.abs(wrong).sum(axis=1)
        sure = gaps > 8 * EPS * (F.shape[1] + 8) * whole
    if sure.all():
        return Found(labels, 0)
    D = decode(M, F[~sure]) if decode in EXACT else decode(M, F)[~sure]
    labels[~sure] = decoders.predict(D)
    return Found(labels, decoders.ties(D))


def _search(M) -> Search | None:
    """A shortcut for this matrix, if there is one."""
    M = np.asarray(M)
    if len(M) < MANY:
        return None
    from ._shortest import least_columns, shortest_paths  # numba: not for `--help` and `list`

    if M.shape[0] == M.shape[1] and np.array_equal(M, 2 * np.eye(len(M), dtype=np.int8) - 1):
        return least_columns
    shape = recognised(M)
    if shape is None:
        return None
    digits = np.array(shape.digits)
    return lambda W: shortest_paths(W, shape.width, digits, shape.has_last)
