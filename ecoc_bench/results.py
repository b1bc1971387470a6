"""Stored margins -> the rows of results.csv: every cell decoded by every decoder."""

import csv
import io
from collections.abc import Iterator
from itertools import chain

import numpy as np
from joblib import Parallel, delayed

from . import decoders
from .codes import rho
from .losses import LOSSES, Loss
from .plan import Cell, Plan
from .store import Store

COLUMNS = (
    "dataset", "learner", "code", "draw", "stage", "decoder", "repeat", "fold",
    "n_classes", "n_columns", "rho", "n_train", "n_test", "errors", "error_rate", "ties",
    "train_error_rate", "binary_error_rate", "train_binary_loss", "unconverged",
)  # fmt: skip
TIMING_COLUMNS = ("dataset", "learner", "repeat", "fold", "column", "seconds")


def rows(plan: Plan, store: Store, jobs: int) -> list[dict]:
    """One row per complete cell, stage and decoder, in the order of the plan.

    Threads are enough: decoding is matrix products and exponentials, which release Python's lock.
    """
    threads = Parallel(n_jobs=jobs, backend="threading")
    return list(chain(*threads(delayed(_cell_rows)(plan, store, cell) for cell in plan.cells)))


def _cell_rows(plan: Plan, store: Store, cell: Cell) -> list[dict]:
    return list(_decode_cell(plan, store, cell))


def _decode_cell(plan: Plan, store: Store, cell: Cell) -> Iterator[dict]:
    context, names, sign = plan.columns(cell)
    if not all((context.key, name) in store for name in names):
        return
    found = store.load(context.key, names)
    places = [found[name] for name in names]
    train = np.stack([record.train[:, :, j] for record, j in places], axis=2) * sign
    test = np.stack([record.test[:, :, j] for record, j in places], axis=2) * sign
    M = plan.matrices[cell.dataset, cell.code, cell.draw]
    y = plan.datasets[cell.dataset].y
    shared = {
        **vars(cell),
        "n_classes": M.shape[0],
        "n_columns": M.shape[1],
        "rho": f"{rho(M):g}",
        "n_train": len(context.train),
        "n_test": len(context.test),
        "unconverged": sum(not record.converged[j] for record, j in places),
    }
    L = LOSSES[plan.parts.learners[cell.learner].loss]
    for i, stage in enumerate(places[0][0].stages):
        shared["train_binary_loss"] = f"{average_binary_loss(L, M[y[context.train]], train[i]):.6g}"
        for spec in plan.experiment.decoders:
            decode = plan.parts.decoders[cell.learner, spec.name]
            measured = measure(decode, M, train[i], y[context.train], test[i], y[context.test])
            yield {**shared, "stage": stage, "decoder": spec.name, **measured}


def average_binary_loss(L: Loss, Y, F) -> float:
    """The mean of L(M(y_i, s) f_s(x_i)) over examples and columns; a zero counts L(0). Eq. 3."""
    with np.errstate(over="ignore"):
        return float(L(Y * F).mean())


def measure(decode, M, F_train, y_train, F, y) -> dict:
    """Errors of one decoder, and the error of the binary problems on the test part.

    A margin of zero counts as a binary mistake, as in Section 2 of Allwein et al. 2000.
    """
    D = decode(M, F)
    errors = int((decoders.predict(D) != y).sum())
    Y = M[y]
    wrong = ((Y * F <= 0) & (Y != 0)).sum() / max((Y != 0).sum(), 1)
    train_errors = (decoders.predict(decode(M, F_train)) != y_train).mean()
    return {
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
