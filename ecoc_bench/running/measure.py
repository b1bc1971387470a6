"""The numbers of a row: errors, criteria and calibration of a cell's margins by one decoder."""

from collections.abc import Callable, Iterator
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from ..coding import decoders
from ..coding.boosting_margins import Boosting
from ..coding.calibration import (
    brier_score,
    expected_calibration_error,
    log_loss,
    reliability_table,
    softmax_of_distances,
)
from ..coding.codes import pair_columns
from ..coding.coupling import couple, pair_probabilities
from ..coding.labels import Found, find, row_blocks
from ..coding.loo import is_bounded, loo_bound
from ..coding.measures import values
from ..errors import ConfigError


class Margins(NamedTuple):
    """A cell's margins, or a method's labels, as (stages, rows, columns), and the true classes."""

    stages: tuple[int, ...]
    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray
    y_train: np.ndarray
    y_validation: np.ndarray
    y_test: np.ndarray
    inner: np.ndarray | None  # margins of the training rows, each held out
    shift: np.ndarray | None  # (training rows, columns), for the leave-one-out bound
    boosting: tuple[Boosting, ...] | None = None  # by stage, for Section 5 of Allwein et al.
    score_margins: np.ndarray | None = None  # of the training rows, of a method: see margin_bound
    norms: np.ndarray | None = None


class Wanted(NamedTuple):
    """The further measures that a config asks for, and what a cell knows for them besides labels.

    `known` goes by the names in the docstring of `coding.measures`.
    """

    names: tuple[str, ...]
    known: dict[str, Any]

    def of(self, y, predicted, **more) -> dict:
        """The values as they are written; nothing where a measure is undefined."""
        found = values(self.names, y, predicted, {**self.known, **more})
        return {name: "" if isnan(value) else f"{value:.6f}" for name, value in found.items()}


def measure(
    decode, M, margins: Margins, i: int, wanted: Wanted, found_in_training: Callable[..., Found]
) -> dict:
    """Errors of one decoder at one stage, and the error of the binary problems on the test part.

    `found_in_training` gives the labels of the training rows by a decoder, which are found once.
    A margin of zero counts as a binary mistake, as in Section 2 of Allwein et al. 2000.
    """
    F, y = margins.test[i], margins.y_test
    found = find(decode, M, F)
    train = found_in_training(decode).labels != margins.y_train
    validation = np.zeros(0, dtype=bool)
    if len(margins.y_validation):
        validation = find(decode, M, margins.validation[i]).labels != margins.y_validation
    return {
        **rates(train, validation, found.labels != y),
        "measures": wanted.of(y, found.labels),
        "ties": found.ties,
        "binary_error_rate": f"{binary_error(M, F, y):.6f}",
    }


def binary_error(M, F, y) -> float:
    """The share of the pairs (i, s) with M(y_i, s) != 0 that are mistaken."""
    mistaken = used = 0
    for rows in row_blocks(M.shape, len(F)):
        Y = M[y[rows]]
        mistaken += int(((Y * F[rows] <= 0) & (Y != 0)).sum())
        used += int((Y != 0).sum())
    return mistaken / max(used, 1)


def criteria(name: str, decode, M, margins: Margins, i: int) -> dict:
    """The criteria of a choice: the error by inner folds, and the leave-one-out bound.

    Both use the sigmoids of all inner folds together.
    """
    found = {}
    if margins.inner is not None:
        wrong = find(decode, M, margins.inner[i]).labels != margins.y_train
        found["cv"] = f"{wrong.mean():.6f}"
    if margins.shift is not None and is_bounded(name, decode):
        bound = loo_bound(M, margins.y_train, margins.train[i], margins.shift, decode)
        found["loo_bound"] = f"{bound.value:.6f}"
    return found


def rates(train, validation, test) -> dict:
    """Which examples of each part are mistaken -> the numbers of a row."""
    rates = {
        "mistakes": np.packbits(test).tobytes().hex(),
        "errors": int(test.sum()),
        "error_rate": f"{test.mean():.6f}",
        "train_error_rate": f"{train.mean():.6f}",
    }
    if len(validation):
        rates["validation"] = {
            "n_validation": len(validation),
            "errors": int(validation.sum()),
            "error_rate": f"{validation.mean():.6f}",
        }
    return rates


def cell_calibration(M, F, y, A, B, loss: str) -> Iterator[dict]:
    """A row for each estimate of probabilities, on the test examples of one cell at one stage.

    `likelihood` is Eqs. 2 to 4 of Passerini et al. 2004, `softmax` is the plain softmax of the
    learner's loss-based distances, `coupling` (all-pairs only) is the coupling of the pairs'
    sigmoids.
    """
    for how, P in _ways(M, F, A, B, loss):
        table = reliability_table(y, P).fillna(0.0)
        sums = {
            "count": table["count"],
            "confidence": table["confidence"] * table["count"],
            "right": table["accuracy"] * table["count"],
        }
        bins = {f"{n}_{b}": f"{v:.6g}" for n, vs in sums.items() for b, v in enumerate(vs)}
        yield {
            "how": how,
            "n_test": len(y),
            "log_loss": f"{log_loss(y, P):.6f}",
            "brier": f"{brier_score(y, P):.6f}",
            "calibration_error": f"{expected_calibration_error(y, P):.6f}",
            **bins,
        }


def _ways(M, F, A, B, loss: str) -> Iterator[tuple[str, np.ndarray]]:
    from ..coding.likelihood import probabilities

    yield "likelihood", probabilities(M, F, A, B)
    yield "softmax", softmax_of_distances(decoders.resolve("loss", loss)(M, F))
    try:
        pair_columns(M)
    except ConfigError:
        return
    yield "coupling", couple(pair_probabilities(M, F, A, B))
