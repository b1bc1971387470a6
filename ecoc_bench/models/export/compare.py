"""Does an exported model predict what the model predicts? On its stored rows, and on drawn ones."""

from typing import NamedTuple

import numpy as np

from ..model import Model

DRAWN = 500  # rows
GAPS = 0.05  # share of missing values in these
ALIKE = 1e-5  # difference of probabilities; ONNX computes trees in single precision at the end


class Comparison(NamedTuple):
    """How many rows were compared, how many classes differ, and by how much probabilities do."""

    rows: int
    different: int
    largest: float

    @property
    def agrees(self) -> bool:
        return not self.different and self.largest <= ALIKE


def rows_to_compare(model: Model) -> np.ndarray:
    """The stored rows, and rows whose columns are drawn from the training data, one by one."""
    parts, rng = model.parts, np.random.default_rng(0)
    drawn = np.empty((DRAWN, len(parts.schema.columns)))
    for j in range(drawn.shape[1]):
        points, *_ = parts.reference.column(j)
        drawn[:, j] = rng.choice(points, DRAWN) if len(points) else np.nan
    drawn[rng.random(drawn.shape) < GAPS] = np.nan
    return np.vstack([parts.rows, drawn])


def compared(model: Model, coded: np.ndarray, labels: np.ndarray, P: np.ndarray) -> Comparison:
    """Of rows, what another program says of them: indices of classes, and probabilities.

    A row whose two most probable classes are alike may have either.
    """
    S = model.scores(coded)
    own = model.probabilities(S)
    best = S.argmax(axis=1)
    rows = np.arange(len(own))
    lead = own[rows, best] - own[rows, labels]
    different = (labels != best) & ~(lead <= ALIKE)
    return Comparison(len(own), int(different.sum()), float(np.abs(own - P).max()))
