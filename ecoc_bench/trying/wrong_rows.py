"""The rows that are predicted wrongly with the most confidence: hard rows, or wrong labels."""

from typing import NamedTuple

import numpy as np

from .held_out import HeldOut


class WrongRow(NamedTuple):
    """A row of the table, its classes by number and their mean probabilities over repeats."""

    row: int
    true: int
    predicted: int
    p_predicted: float
    p_true: float


def confidently_wrong(held: HeldOut, most: int) -> list[WrongRow]:
    """The rows with the largest probability of a wrong class, the largest first."""
    rows, place = np.unique(held.row, return_inverse=True)
    P = np.zeros((len(rows), held.n_classes))
    np.add.at(P, place, held.P * held.weight[:, None])
    y = np.empty(len(rows), dtype=int)
    y[place] = held.y
    predicted = P.argmax(axis=1)
    wrong = np.flatnonzero(predicted != y)
    order = wrong[np.argsort(-P[wrong, predicted[wrong]], kind="stable")[:most]]
    return [
        WrongRow(
            int(rows[i]), int(y[i]), int(predicted[i]),
            float(P[i, predicted[i]]), float(P[i, y[i]]),
        )
        for i in order
    ]  # fmt: skip
