"""Decoding block by block of columns: sums for each class, and no margins that outlive their block.

The distances of Eqs. 4 and 5, Allwein et al. 2000, are sums over the columns, and so are the votes
and summed margins of `majority`. Columns are added one after the other, in their order: blocks of
any size give the same sums to the last bit. Not handled: decoders that need the order of almost
equal sums (`exponential`, `l1`), single matches (`tournament`) or sigmoids.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_array

from . import decoders
from .codes import kind
from .losses import LOSSES

WIDE = 10_000  # columns beyond which a code is decoded by sums
MOST_ENTRIES = 2**25  # of a code that are not zero: some 20 bytes each
ROWS, COLUMNS = 256, 1024  # margins added at a time
# The losses whose sums a decoder needs.
SUMMED: dict[decoders.Decoder, tuple[str, ...]] = {
    **{
        decode: (decode.__name__,)
        for decode in decoders.ADDITIVE
        if decode not in (decoders.exponential, decoders.l1)
    },
    decoders.majority: ("hamming", "linear"),
}


def is_wide(M) -> bool:
    """Whether a code has so many columns that it is decoded by sums."""
    return M.shape[1] > WIDE


def bare(decode: decoders.Decoder, M) -> decoders.Decoder:
    """What a decoder of the registry comes to for this code: `auto` goes by its kind."""
    if isinstance(decode, partial) and decode.func is decoders.auto:
        return decoders.resolve(decoders.DEFAULTS[kind(M)], *decode.args)
    return decode


def losses_of(decode: Sequence[decoders.Decoder], loss: str) -> list[str]:
    """The losses that are summed for these decoders and for the bounds of a learner's loss."""
    names = [name for d in decode for name in SUMMED[d]]
    return list(dict.fromkeys([*names, "hamming", loss]))


def used(entries: csc_array) -> np.ndarray:
    """How many columns each class is in."""
    return np.bincount(entries.indices, minlength=entries.shape[0])


class Sums(NamedTuple):
    """What is left of the margins of some rows: of each row, by its true class, and by decoder.

    `mistaken` counts the columns that do not leave the class out and that are wrong or 0; `votes`
    are the sums of (1 - sign z)/2 over these columns, `losses` those of the learner's loss.
    """

    mistaken: np.ndarray
    votes: np.ndarray
    losses: np.ndarray
    labels: np.ndarray  # rows x decoders
    tied: np.ndarray  # the same: whether several classes have the least distance


class ColumnSums:
    """Sums over the columns of a code for some rows with the true classes y.

    `entries` is the code as a sparse matrix; `loss` is the learner's.
    """

    def __init__(self, entries: csc_array, y, decode: Sequence[decoders.Decoder], loss: str):
        self.entries, self.y, self.loss, self.decode = entries, np.asarray(y), loss, decode
        shape = -(-len(self.y) // ROWS), entries.shape[0], ROWS  # rows by their blocks
        self.used = used(entries)
        self.ends, self.classes = (A.astype(np.int64) for A in (entries.indptr, entries.indices))
        self.positive = entries.data > 0
        self.sums = {name: np.zeros(shape) for name in losses_of(decode, loss)}
        self.mistaken = np.zeros(len(self.y))

    def add(self, start: int, F: np.ndarray) -> None:
        """Add the columns from `start` on, whose margins for all rows are F."""
        from ._column_sums import add_columns, count_mistaken  # numba: not for `--help`

        for block, rows in self._blocks():
            order = np.argsort(self.y[rows], kind="stable")
            edges = np.searchsorted(self.y[rows][order], np.arange(len(self.used) + 1))
            for left in range(0, F.shape[1], COLUMNS):
                Z = np.ascontiguousarray(F[rows, left : left + COLUMNS].T)
                code = self.ends[start + left :], self.classes, self.positive
                for name, sums in self.sums.items():
                    add_columns(sums[block], *code, LOSSES[name](Z), LOSSES[name](-Z))
                count_mistaken(self.mistaken[rows], *code, Z, order, edges)

    def result(self) -> Sums:
        """What is left when all columns are added."""
        n = len(self.y)
        labels, tied = np.empty((n, len(self.decode))), np.empty((n, len(self.decode)))
        votes, losses = np.empty(n), np.empty(n)
        for block, rows in self._blocks():
            y, own = self.y[rows], np.arange(rows.stop - rows.start)
            for name, found in (("hamming", votes), (self.loss, losses)):
                found[rows] = self.sums[name][block, y, own]
            for j, decode in enumerate(self.decode):
                D = self._distances(decode, block)[: len(y)]
                labels[rows, j] = decoders.predict(D)
                tied[rows, j] = (D.min(axis=1, keepdims=True) == D).sum(axis=1) > 1
        return Sums(self.mistaken, votes, losses, labels, tied)

    def _blocks(self) -> Iterator[tuple[int, slice]]:
        """The number of each block of rows, and the rows."""
        starts = range(0, len(self.y), ROWS)
        return enumerate(slice(start, min(start + ROWS, len(self.y))) for start in starts)

    def _distances(self, decode: decoders.Decoder, block: int) -> np.ndarray:
        sums = [np.ascontiguousarray(self.sums[name][block].T) for name in SUMMED[decode]]
        if decode is decoders.majority:
            return decoders.by_votes(self.used - sums[0], -sums[1])
        at_zero = LOSSES[SUMMED[decode][0]](np.zeros(1))
        return sums[0] + at_zero * (self.entries.shape[1] - self.used)
