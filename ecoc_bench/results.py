"""Stored margins -> the rows of results.csv: every cell decoded by every decoder."""

import csv
import io
import traceback
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from . import decoders
from .bounds import average_binary_loss, cell_bounds
from .codes import rho
from .errors import ConfigError
from .failures import Failure
from .losses import LOSSES
from .plan import Cell, Plan
from .seeds import digest
from .store import Store

COLUMNS = (
    "dataset", "learner", "code", "draw", "stage", "decoder", "repeat", "fold",
    "n_classes", "n_columns", "rho", "n_train", "n_test", "errors", "error_rate", "ties",
    "train_error_rate", "binary_error_rate", "train_binary_loss", "unconverged",
)  # fmt: skip
MISTAKE_COLUMNS = (*COLUMNS[:8], "examples", "mistakes")
TIMING_COLUMNS = ("dataset", "learner", "repeat", "fold", "column", "seconds")


class Decoded(NamedTuple):
    """What decoding gave: rows for results.csv and mistakes.csv, for bounds.csv, and failures."""

    rows: list[dict]
    bounds: list[dict]
    failures: list[Failure]


def decode(plan: Plan, store: Store, jobs: int) -> Decoded:
    """Every complete cell of the plan at every stage by every decoder, in the order of the plan.

    Beside its numbers for results.csv a row holds what mistakes.csv needs for paired tests: which
    test examples these were, and which of them were mistaken. Threads are enough: decoding is
    matrix products and exponentials, which release Python's lock.
    """
    threads = Parallel(n_jobs=jobs, backend="threading")
    parts = threads(delayed(_decode_cell)(plan, store, cell) for cell in plan.cells)
    return Decoded(*(list(chain.from_iterable(part[i] for part in parts)) for i in range(3)))


def _decode_cell(plan: Plan, store: Store, cell: Cell) -> Decoded:
    decoded = Decoded([], [], [])
    context, names, sign = plan.columns(cell)
    if not all((context.key, name) in store for name in names):
        return decoded
    found = store.load(context.key, names)
    places = [found[name] for name in names]
    train = np.stack([record.train[:, :, j] for record, j in places], axis=2) * sign
    test = np.stack([record.test[:, :, j] for record, j in places], axis=2) * sign
    M = plan.matrices[cell.dataset, cell.code, cell.draw]
    y = plan.datasets[cell.dataset].y
    y_train, y_test = y[context.train], y[context.test]
    shared = {
        **vars(cell),
        "n_classes": M.shape[0],
        "n_columns": M.shape[1],
        "rho": f"{rho(M):g}",
        "n_train": len(context.train),
        "n_test": len(context.test),
        "examples": digest(plan.datasets[cell.dataset].sha256, context.test.tolist())[:16],
        "unconverged": sum(not record.converged[j] for record, j in places),
    }
    loss = plan.parts.learners[cell.learner].loss
    for i, stage in enumerate(places[0][0].stages):
        shared["stage"] = stage
        epsilon = average_binary_loss(LOSSES[loss], M[y_train], train[i])
        shared["train_binary_loss"] = f"{epsilon:.6g}"
        decoded.bounds.append({**shared, **cell_bounds(M, train[i], y_train, loss)})
        for spec in plan.experiment.decoders:
            distances = plan.parts.decoders[cell.learner, spec.name]
            try:
                measured = measure(distances, M, train[i], y_train, test[i], y_test)
            except ConfigError as error:  # a decoder of the user's own must not stop the others
                decoded.failures.append(_failure(cell, spec.name, error))
                continue
            decoded.rows.append({**shared, "decoder": spec.name, **measured})
    return decoded


def _failure(cell: Cell, decoder: str, error: ConfigError) -> Failure:
    why = str(error).rstrip(".")
    return Failure(**vars(cell), reason=why, details=traceback.format_exc(), decoder=decoder)


def measure(decode, M, F_train, y_train, F, y) -> dict:
    """Errors of one decoder, and the error of the binary problems on the test part.

    A margin of zero counts as a binary mistake, as in Section 2 of Allwein et al. 2000.
    """
    D = decode(M, F)
    mistakes = decoders.predict(D) != y
    errors = int(mistakes.sum())
    Y = M[y]
    wrong = ((Y * F <= 0) & (Y != 0)).sum() / max((Y != 0).sum(), 1)
    train_errors = (decoders.predict(decode(M, F_train)) != y_train).mean()
    return {
        "mistakes": np.packbits(mistakes).tobytes().hex(),
        "errors": errors,
        "error_rate": f"{errors / len(y):.6f}",
        "ties": decoders.ties(D),
        "train_error_rate": f"{train_errors:.6f}",
        "binary_error_rate": f"{wrong:.6f}",
    }


def timings(plan: Plan, store: Store) -> Iterator[dict]:
    """Seconds of every fitted column that the plan uses."""
    seen: set[tuple[str, str]] = set()
    for cell in plan.cells:
        context, names, _ = plan.columns(cell)
        for name in names:
            place = context.key, name
            if place in store and place not in seen:
                seen.add(place)
                yield {**vars(cell), "column": name, "seconds": f"{store.seconds[place]:.6f}"}


def to_csv(columns, table) -> str:
    """Rows as CSV text with those columns, in that order."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()
