"""Training data laid out for the stump kernels: features as small integers, labels as tiles.

Every midpoint of two adjacent distinct training values is a test "x <= cut" (unless `bins` asks for
fewer); every training value of a nominal feature is a test "x = cut". A missing value makes no test
true: it has a separate bin, after all the others.
"""

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ._lanes import FOUR, LANES, with_room, zeros

CACHED = 1 << 20  # bytes of histograms that should stay in a core's cache
WIDE = 128  # slots: the weights of a few hundred rows of a tile should stay there, too
WHOLE = 1023  # whole numbers up to here have a table of their bins
AT_ONCE = 1024  # rows of Y handled at a time
CHUNK = 1 << 15  # weights handled at a time when only some rows change


class Binned(NamedTuple):
    """Features as bin numbers, and what each bin's test asks."""

    codes: np.ndarray  # d x m, the smallest unsigned integers that fit
    cuts: list[np.ndarray]  # the tests of each feature: test b is true for bins <= b, or = b
    n_bins: np.ndarray  # with the bin of the missing values, if any
    n_tests: np.ndarray
    nominal: np.ndarray

    def data(self) -> tuple[np.ndarray, ...]:
        """What the kernels read: the codes of one feature after the other, and the numbers."""
        return self.codes.reshape(-1), self.n_bins, self.n_tests, self.nominal


class Tiles(NamedTuple):
    """Weights D(i, s) stored by tile: the rows of one codeword x its non-zero columns.

    Column blocks (one, unless the code is wide or a feature has almost as many values as there are
    rows) keep tiles in the cache and histograms smaller than the weights. Tile t lies at
    `D[layout[t].offset:]`, row by row, `layout[t].width` apart; its slot j belongs to a column of
    its block and to a sign.
    """

    layout: np.recarray  # of LAYOUT, by tile
    place: np.ndarray  # by tile and slot: sign (0 for +1, 1 for -1) x span of the block + column
    share: np.ndarray  # tiles x 2 slots: 1 where the slot has sign +1, and then -1
    blocks: np.recarray  # of BLOCK, by column block, and one more: where the next would begin


LAYOUT = [  # a record is compiled once, an array with every call that it is handed to
    ("row", np.int64),  # the tile's first
    ("end", np.int64),  # one past its last row
    ("offset", np.int64),
    ("width", np.int64),  # padded number of slots
    ("n_slots", np.int64),
]
BLOCK = [
    ("tile", np.int64),  # the block's first
    ("column", np.int64),  # the block's first
    ("span", np.int64),  # padded number of columns
]


class Adding(NamedTuple):
    """Memory for adding the rows of a tile to histograms."""

    scratch: np.ndarray  # the histograms of one tile and four features with fewer bins than rows
    queue: np.ndarray  # which four, where their bins begin, and their histograms in W
    every_bin: np.ndarray  # 0, 1, 2, ...
    reach: np.ndarray  # of REACH, tiles x features


REACH = [  # of the bins of a tile's rows
    ("low", np.int64),
    ("high", np.int64),  # one past the highest
]


class Scoring(NamedTuple):
    """Memory for the scores of tests."""

    scale: np.ndarray  # blocks x sign and column: what the weights are to be multiplied by
    scores: np.ndarray  # of the tests of one feature, by column
    least: np.ndarray  # the lowest of them for each column
    totals: np.ndarray  # scores of all tests, if one is picked for all columns


class Work(NamedTuple):
    """Memory of the kernels, allocated once."""

    W: np.ndarray  # histograms of all features, or of as many as fit the cache
    place: np.ndarray  # if W has all, column block c is at W[place[c] : place[c + 1]]; else empty
    adding: Adding
    scoring: Scoring
    change: np.ndarray  # changed weights of some rows
    codes: np.ndarray  # and the bins of these rows, one feature after the other
    depth: int  # terms of the longest sum


def bin_features(X, nominal, bins: int | None) -> Binned:
    """Distinct values of each feature as bins; at most `bins` of them, by quantiles, if given."""
    features = np.ascontiguousarray(X.T)
    missing = np.isnan(features)
    lacks = missing.any(axis=1)
    cuts, n_bins = [], lacks.astype(np.int64)
    whole = [None if lacks[f] else _whole(x) for f, x in enumerate(features)]
    for f, x in enumerate(features):
        present = x[~missing[f]] if lacks[f] else x
        values = _distinct(present, whole[f])
        cuts.append(values if nominal[f] else _midpoints(*_sides(values, present, bins)))
        n_bins[f] += len(cuts[f]) + (not nominal[f] and len(values) > 0)
    codes = with_room(features.shape, np.min_scalar_type(int(n_bins.max()) - 1))
    for f, x in enumerate(features):
        codes[f] = _bins_of(x, whole[f], cuts[f], codes.dtype)
        if lacks[f]:
            codes[f][missing[f]] = n_bins[f] - 1
    n_tests = np.array([len(c) for c in cuts], dtype=np.int64)
    return Binned(codes, cuts, n_bins, n_tests, nominal)


def _whole(x) -> np.ndarray | None:
    """x as small whole numbers, which are counted and looked up faster than sorted and searched."""
    if not len(x) or not (x.min() >= 0 and x.max() <= WHOLE):
        return None
    numbers = x.astype(np.int64)
    return numbers if np.array_equal(numbers, x) else None


def _distinct(x, numbers):
    """The sorted distinct values; `numbers`: x as small whole numbers, if it is."""
    return np.unique(x) if numbers is None else np.flatnonzero(np.bincount(numbers)).astype(float)


def _bins_of(x, numbers, cuts, dtype):
    """How many cuts are below each value; a missing value is above them all."""
    if numbers is None:
        return np.searchsorted(cuts, x)
    return np.searchsorted(cuts, np.arange(numbers.max() + 1.0)).astype(dtype)[numbers]


def _sides(values, present, bins):
    """The values next to each cut, below and above: all neighbours, or those near the quantiles."""
    if bins is None or len(values) <= bins:
        return values[:-1], values[1:]
    quantiles = np.sort(present)[np.arange(1, bins) * len(present) // bins - 1]
    last = np.unique(np.minimum(np.searchsorted(values, quantiles), len(values) - 2))
    return values[last], values[last + 1]


def _midpoints(below, above):
    """Halfway, but never as high as the value above: rounding must not move an example."""
    middle = below / 2 + above / 2
    return np.where(middle < above, np.maximum(middle, below), below)


def codewords(Y) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of Y in groups of equal codewords: the order of the rows, group ends, the codewords."""
    group = _groups(Y)
    order = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group))
    return order, ends, Y[order[ends - 1]]


def _groups(Y) -> np.ndarray:
    """The number of each row's codeword, in order of their first rows.

    Rows of equal keys are compared, and looked up one by one if two codewords share a key.
    """
    keys = np.empty(len(Y), dtype=np.uint64)
    factors = _factors(-(-Y.shape[1] // 8))
    parts = [slice(i, i + AT_ONCE) for i in range(0, len(Y), AT_ONCE)]  # in a core's cache
    for part in parts:
        keys[part] = _eights(Y[part]) @ factors
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    words = _eights(Y[first])
    if all(np.array_equal(words[group[part]], _eights(Y[part])) for part in parts):
        return np.argsort(np.argsort(first))[group]
    known: dict[bytes, int] = {}
    return np.array([known.setdefault(row.tobytes(), len(known)) for row in Y])


def _eights(Y) -> np.ndarray:
    """The bytes of each row, eight to a number: compared much faster than single ones."""
    bytes_ = np.zeros((len(Y), -(-Y.shape[1] // 8) * 8), dtype=np.int8)
    bytes_[:, : Y.shape[1]] = Y
    return bytes_.view(np.uint64)


def _factors(n) -> np.ndarray:
    """n odd numbers without a pattern."""
    return np.random.default_rng(0).integers(2**64, size=n, dtype=np.uint64, endpoint=False) | 1


def tile(words, ends, most_bins: int) -> Tiles:
    """The tiles of these codewords; `most_bins` of any feature sets the number of column blocks."""
    ell, m = words.shape[1], int(ends[-1])
    histograms = 3 * 8 * most_bins * ell
    widest = int(np.count_nonzero(words, axis=1).max())
    n_blocks = min(ell, max(-(-histograms // max(CACHED, 8 * m * ell)), -(-widest // WIDE), 1))
    first = np.linspace(0, ell, n_blocks + 1).astype(np.int64)
    shapes, slots = [], []
    for a, b in pairwise(first):
        for start, end, word in zip(np.r_[0, ends[:-1]], ends, words[:, a:b], strict=True):
            columns = np.flatnonzero(word)
            width = padded(len(columns))
            if width == padded(b - a):
                columns = np.arange(b - a)
            shapes.append((start, end, width, len(columns)))
            slots.append((columns, word[columns]))
    layout: Any = np.zeros(len(shapes), dtype=LAYOUT).view(np.recarray)
    layout.row, layout.end, layout.width, layout.n_slots = np.array(shapes, dtype=np.int64).T
    sizes = (layout.end - layout.row) * layout.width
    layout.offset = np.cumsum(sizes) - sizes
    blocks: Any = np.zeros(n_blocks + 1, dtype=BLOCK).view(np.recarray)
    blocks.tile, blocks.column = np.arange(n_blocks + 1) * len(words), first
    blocks.span[:-1] = [padded(n) for n in np.diff(first)]
    n_slots = padded(layout.width.max(initial=1))
    place = np.zeros((len(layout), n_slots), dtype=np.uintp)  # unsigned: no wrap-around test
    share = np.zeros((len(layout), 2, n_slots))
    for t, (columns, signs) in enumerate(slots):
        place[t, : len(columns)] = (signs < 0) * blocks.span[t // len(words)] + columns
        share[t, 0, : len(columns)], share[t, 1, : len(columns)] = signs > 0, signs < 0
    return Tiles(layout, place, share.reshape(len(layout), -1), blocks)


def workspace(tiles: Tiles, binned: Binned, single: bool) -> Work:
    """All histograms are kept if they are no larger than 3/2 of the weights, or fit the cache."""
    m, bins, most = binned.codes.shape[1], int(binned.n_bins.sum()), int(binned.n_bins.max())
    spans, slots = tiles.blocks.span[:-1], tiles.place.shape[1]
    place, span = np.cumsum(np.r_[0, 2 * bins * spans]), int(spans.max())
    some = 2 * span * min(bins, max(most, CACHED // (16 * span)))
    keeps_all = place[-1] <= max(some, 1.5 * m * tiles.blocks.column[-1])
    largest = int((tiles.layout.end - tiles.layout.row).max())
    dense = int(binned.n_bins.max(where=binned.n_bins < largest, initial=0))
    rows = min(m, max(CHUNK // slots, 1)) if single else 0
    adding = Adding(
        scratch=zeros(FOUR * padded(dense) * slots),  # quarters begin with a line
        queue=np.zeros((3, FOUR), dtype=np.int64),
        every_bin=np.arange(most).astype(binned.codes.dtype),
        reach=_reach(binned.codes, tiles),
    )
    scoring = Scoring(
        scale=np.ones((len(spans), 2 * span)),
        scores=zeros(int(binned.n_tests.max()) * span),
        least=zeros(span),
        totals=np.zeros(int(binned.n_tests.sum())),
    )
    return Work(
        W=zeros(place[-1] if keeps_all else some),
        place=place if keeps_all else place[:0],
        adding=adding,
        scoring=scoring,
        change=zeros(rows * slots),
        codes=np.zeros(len(binned.codes) * rows, dtype=binned.codes.dtype),
        depth=largest + len(tiles.layout) + most,
    )


def size_of(tiles: Tiles) -> int:
    """How many weights the tiles have, padding included."""
    return int(((tiles.layout.end - tiles.layout.row) * tiles.layout.width).sum())


def weights_of(D, row: int, end: int, offset: int, width: int, n_slots: int) -> np.ndarray:
    """The weights of the tile of this LAYOUT, rows x slots; a view."""
    n = end - row
    return D[offset : offset + n * width].reshape(n, width)[:, :n_slots]


def _reach(codes, tiles) -> np.ndarray:
    """The bins of each tile's rows, tiles x features; the same in all blocks."""
    n_blocks, rows = len(tiles.blocks) - 1, tiles.layout.row[: tiles.blocks[1].tile]
    reach = np.zeros((len(tiles.layout), len(codes)), dtype=REACH).view(np.recarray)
    reach.low = np.tile(np.minimum.reduceat(codes, rows, axis=1).T, (n_blocks, 1))
    reach.high = np.tile(
        np.maximum.reduceat(codes, rows, axis=1).T.astype(np.int64) + 1, (n_blocks, 1)
    )
    return reach


def padded(width: int) -> int:
    """The next multiple of LANES: whole vector registers; padding holds weight 0."""
    return -(-int(width) // LANES) * LANES
