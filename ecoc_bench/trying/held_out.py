"""What a candidate predicted for rows that it had not seen, over all repeats."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .answer import Answer


@dataclass(frozen=True, eq=False)
class HeldOut:
    """One prediction after another: a row that was in test parts r times is here r times."""

    row: np.ndarray  # of the table
    y: np.ndarray
    P: np.ndarray  # predictions x classes

    @property
    def n_classes(self) -> int:
        return self.P.shape[1]

    @cached_property
    def predicted(self) -> np.ndarray:
        return self.P.argmax(axis=1)

    @cached_property
    def confidence(self) -> np.ndarray:
        return self.P.max(axis=1)

    @cached_property
    def weight(self) -> np.ndarray:
        """One over r, so that a row counts once: repeats bring no new rows."""
        return 1 / np.bincount(self.row)[self.row]


def held_out(answer: Answer, name: str) -> HeldOut | None:
    """The predictions of a candidate; None if it has none."""
    given = answer.entry(name).probabilities
    if given is None:
        return None
    repeat, row = np.nonzero(~np.isnan(given).any(axis=2))
    if not len(row):
        return None
    return HeldOut(row, answer.y[row], given[repeat, row])
