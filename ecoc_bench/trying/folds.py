"""Which rows are tested when: repeated stratified folds, whole groups, or a test file."""

import numpy as np

from ..coding.folds import dealt, dealt_whole
from ..errors import DataError
from ..seeds import seed_for

FOLDS, FEW_FOLDS, REPEATS = 5, 3, 2
SMALL, LARGE = 2000, 20_000  # rows: below, the folds are repeated; above, there are three
RUSH = 300  # rows for each second of the time: with more, a fifth of them is the only test part
HURRY = 30.0  # seconds: with less, nothing is repeated
PIECES = 10  # of a single test part


def plan_folds(n: int, seconds: float) -> tuple[int, int]:
    """Folds and repeats for n rows: small tables need them and large ones cannot pay for them.

    >>> plan_folds(150, 60), plan_folds(6435, 60), plan_folds(25_000, 300), plan_folds(150, 10)
    ((5, 2), (5, 1), (3, 1), (5, 1))
    >>> plan_folds(100_000, 60)
    (1, 1)
    """
    if n > LARGE and n > RUSH * seconds:
        return 1, 1
    many = n < SMALL and seconds >= HURRY
    return (FEW_FOLDS if n > LARGE else FOLDS), (REPEATS if many else 1)


def make_folds(
    y: np.ndarray,
    groups: np.ndarray | None,
    train: np.ndarray | None,
    seed: int,
    seconds: float,
) -> np.ndarray:
    """The test fold of each row, repeats x rows; -1 where a row is never tested."""
    if train is not None:
        return np.where(train, -1, 0)[None, :]
    asked, repeats = plan_folds(len(y), seconds)
    folds = FOLDS if asked == 1 else asked
    if groups is not None:
        folds = min(folds, int(groups.max()) + 1)
        if folds < 2:
            raise DataError("--group: all rows are of one group. Choose another column.")
    draws = [np.random.default_rng(seed_for("try", seed, r)) for r in range(repeats)]
    if groups is None:
        dealt_out = np.array([dealt(y, folds, rng) for rng in draws])
    else:
        shares = np.full(folds, 1 / folds)
        dealt_out = np.array([dealt_whole(y, groups, shares, rng) for rng in draws])
    return np.where(dealt_out == 0, 0, -1) if asked == 1 else dealt_out


def parts(folds: np.ndarray) -> list[tuple[int, int]]:
    """(repeat, fold) of each test part."""
    return [(r, int(f)) for r, row in enumerate(folds) for f in np.unique(row[row >= 0])]


def compared_rows(folds: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """(repeat, rows) of the parts that candidates are compared on: the test parts.

    A single test part is dealt out: its pieces share one training part, so that their
    differences are independent.
    """
    found = [(r, np.flatnonzero(folds[r] == f)) for r, f in parts(folds)]
    if len(found) > 1:
        return found
    rows = found[0][1]
    return [(0, rows[i::PIECES]) for i in range(min(PIECES, len(rows)))]


def ratio(folds: np.ndarray) -> float:
    """n_test / n_train of the corrected t-test; 0 for the pieces of a single test part."""
    n_parts = len(np.unique(folds[0][folds[0] >= 0]))
    return 1 / (n_parts - 1) if n_parts > 1 else 0.0
