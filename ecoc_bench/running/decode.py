"""Stored margins -> the rows of results.csv: every cell decoded by every decoder."""

import traceback
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from ..coding import decoders
from ..coding.bounds import average_binary_loss, cell_bounds
from ..coding.codes import rho
from ..coding.losses import LOSSES
from ..errors import ConfigError
from ..experiment.plan import Plan
from ..experiment.tasks import Cell, Context
from ..results.catalogue import JOINT
from ..results.failures import Failure
from ..seeds import digest
from .measure import Margins, Wanted, cell_calibration, criteria, measure, rates
from .store import Store


class Decoded(NamedTuple):
    """What decoding returns: the rows of results.csv and of two other files, and failures."""

    rows: list[dict]
    bounds: list[dict]
    calibration: list[dict]
    failures: list[Failure]


def decode(plan: Plan, store: Store, jobs: int) -> Decoded:
    """Decode every complete cell at every stage by every decoder, in the order of the plan.

    In addition to its numbers for results.csv, a row holds what mistakes.csv needs for paired
    tests: the test examples, and which of them were mistaken. Threads are enough: decoding is
    matrix products and exponentials, which release Python's lock.
    """
    threads = Parallel(n_jobs=jobs, backend="threading")
    parts = threads(delayed(_decode_cell)(plan, store, cell) for cell in plan.cells)
    return Decoded(*(list(chain.from_iterable(part[i] for part in parts)) for i in range(4)))


def _decode_cell(plan: Plan, store: Store, cell: Cell) -> Decoded:
    decoded = Decoded([], [], [], [])
    context, names, sign = plan.columns(cell)
    if not all(place in store for place in plan.places(cell)):
        return decoded
    loaded = [store.load(c.key, names) for c in plan.contexts(cell)]
    places, *inner = [[found[name] for name in names] for found in loaded]  # a name may come twice
    margins = _margins(context, places, inner, sign)
    M = plan.matrices[cell.dataset, cell.code, cell.draw]
    shared = {
        **vars(cell),
        "n_classes": M.shape[0],
        "n_train": len(margins.y_train),
        "n_test": len(margins.y_test),
        "examples": _examples(plan, context),
        "unconverged": sum(not record.converged[j] for record, j in places),
    }
    wanted = Wanted(plan.experiment.measures, _known(plan, context))
    if cell.learner == JOINT:
        decoded.rows.extend(_labelled(shared, margins, wanted))
    else:
        shared |= {"n_columns": M.shape[1], "rho": f"{rho(M):g}"}
        _decode_stages(plan, cell, M, margins, wanted, shared, decoded)
    for row in decoded.rows:
        if row["stage"] != margins.stages[-1]:
            del row["mistakes"]  # at hundreds of stages they would fill the disk
    return decoded


def _margins(context: Context, places, inner, sign) -> Margins:
    train = np.stack([record.train[:, :, j] for record, j in places], axis=2) * sign
    held_out = [np.stack([r.train[:, :, j] for r, j in found], axis=2) * sign for found in inner]
    shifts = [record.shift[:, j] for record, j in places if record.shift is not None]
    etas = [record.eta[:, j] for record, j in places if record.eta is not None]
    test = np.stack([record.test[:, :, j] for record, j in places], axis=2) * sign
    n, y = context.n_validation, context.y_test
    parts = train, test[:, :n], test[:, n:], context.y_train, y[:n], y[n:]
    return Margins(
        places[0][0].stages,
        *parts,
        held_out[0] if held_out else None,
        np.stack(shifts, axis=1) if len(shifts) == len(places) else None,
        np.max(etas, axis=0) if len(etas) == len(places) else None,  # F/eta in [-1, 1]
    )


def _examples(plan: Plan, context: Context) -> str:
    rows = context.test[context.n_validation :]
    return digest(plan.datasets[context.dataset].sha256, rows.tolist())[:16]


def _known(plan: Plan, context: Context) -> dict:
    """What measures may need besides labels: see `coding.measures`."""
    chains = plan.datasets[context.dataset].sequences
    test = context.test[context.n_validation :]
    return {"sequences": None if chains is None else chains[test]}


def _labelled(shared: dict, margins: Margins, wanted: Wanted) -> Iterator[dict]:
    """The rows of a method: its labels need no decoding, and it has no columns."""
    for i, stage in enumerate(margins.stages):
        wrong = [part[i, :, 0] != y for part, y in zip(margins[1:4], margins[4:7], strict=True)]
        further = wanted.of(margins.y_test, margins.test[i, :, 0])
        measured = {"stage": stage, "decoder": JOINT, "n_columns": 0, "ties": 0}
        measured |= {"measures": further}
        yield {**shared, **measured, **rates(*wrong)}


def _decode_stages(
    plan: Plan, cell: Cell, M, margins: Margins, wanted: Wanted, shared, decoded: Decoded
) -> None:
    loss = plan.resolved.learners[cell.learner].loss
    for i, stage in enumerate(margins.stages):
        shared["stage"] = stage
        train, y_train = margins.train[i], margins.y_train
        epsilon = average_binary_loss(LOSSES[loss], M[y_train], train)
        shared["train_binary_loss"] = f"{epsilon:.6g}"
        eta = None if margins.eta is None else margins.eta[i]
        decoded.bounds.append({**shared, **cell_bounds(M, train, y_train, loss, eta)})
        for spec in plan.experiment.decoders:
            distances = plan.resolved.decoders[cell.learner, spec.name]
            try:
                if spec.call in decoders.CALIBRATED and margins.inner is not None:
                    sigmoids = decoders.calibrated(spec.call, margins.inner[i], M[y_train])
                    distances, found = sigmoids, sigmoids.keywords
                    trusted = cell_calibration(
                        M, margins.test[i], margins.y_test, found["A"], found["B"], loss
                    )
                    decoded.calibration.extend({**shared, **row} for row in trusted)
                measured = measure(distances, M, margins, i, wanted)
                measured |= criteria(spec.call, distances, M, margins, i)
            except ConfigError as error:  # a fault of the user's decoder must not stop the others
                decoded.failures.append(_failure(cell, spec.name, error))
                continue
            decoded.rows.append({**shared, "decoder": spec.name, **measured})


def _failure(cell: Cell, decoder: str, error: ConfigError) -> Failure:
    why = str(error).rstrip(".")
    return Failure(**vars(cell), reason=why, details=traceback.format_exc(), decoder=decoder)


def validation_rows(rows: list[dict]) -> list[dict]:
    """The rows of validation.csv: the same fits, measured on the validation part."""
    return [{**row, **row["validation"]} for row in rows if "validation" in row]


def measure_rows(rows: list[dict], selected: list[dict]) -> list[dict]:
    """The rows of measures.csv: of every cell at its last stage, and of what was chosen."""
    last = [row for row in rows if "mistakes" in row]
    return [
        {**row, "measure": name, "value": value}
        for row in (*last, *selected)
        for name, value in row["measures"].items()
    ]


def timings(plan: Plan, store: Store) -> Iterator[dict]:
    """Seconds of every fitted column that the plan uses."""
    seen: set[tuple[str, str]] = set()
    for cell in plan.cells:
        context, names, _ = plan.columns(cell)
        for name in names:
            place = context.key, name
            if place in store and place not in seen:
                seen.add(place)
                what = {"learner": context.learner, "column": name}
                yield {**vars(cell), **what, "seconds": f"{store.seconds(*place):.6f}"}


def costs(plan: Plan, store: Store) -> Iterator[dict]:
    """Seconds of all the fits that each cell is decoded from, shared or not."""
    for cell in plan.cells:
        places = plan.places(cell)
        if all(place in store for place in places):
            seconds = sum(store.seconds(*place) for place in sorted(places))
            yield {**vars(cell), "seconds": f"{seconds:.6f}"}
