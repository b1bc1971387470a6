"""Stored margins -> the rows of results.csv: every cell decoded by every decoder."""

import traceback
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from ..coding import decoders
from ..coding.boosting_margins import Boosting
from ..coding.bounds import average_binary_loss, cell_bounds
from ..coding.distances import rho
from ..coding.losses import LOSSES
from ..errors import ConfigError
from ..experiment.plan import Plan
from ..experiment.tasks import Cell, Context
from ..results.catalogue import JOINT
from ..results.failures import Failure
from ..seeds import digest
from .label_sets import asked, rows_of_sets
from .measure import Margins, Wanted, cell_calibration, criteria, measure
from .method_rows import labelled, margin_bounds, rounds
from .store import Store


class Decoded(NamedTuple):
    """What decoding returns: the rows of results.csv and of other files, and failures."""

    rows: list[dict]
    bounds: list[dict]
    calibration: list[dict]
    margin_bounds: list[dict]
    rounds: list[dict]
    failures: list[Failure]


def decode(plan: Plan, store: Store, jobs: int) -> Decoded:
    """Decode every complete cell at every stage by every decoder, in the order of the plan.

    In addition to its numbers for results.csv, a row holds what mistakes.csv needs for paired
    tests: the test examples, and which of them were mistaken. Threads are enough: decoding is
    matrix products and exponentials, which release Python's lock.
    """
    threads = Parallel(n_jobs=jobs, backend="threading")
    parts = threads(delayed(_decode_cell)(plan, store, cell) for cell in plan.cells)
    kinds = range(len(Decoded._fields))
    return Decoded(*(list(chain.from_iterable(part[i] for part in parts)) for i in kinds))


def _decode_cell(plan: Plan, store: Store, cell: Cell) -> Decoded:
    decoded = Decoded(*([] for _ in Decoded._fields))
    context, names, sign = plan.columns(cell)
    if not all(place in store for place in plan.places(cell)):
        return decoded
    loaded = [store.load(c.key, names) for c in plan.contexts(cell)]
    places, *inner = [[found[name] for name in names] for found in loaded]  # a name may come twice
    M = plan.matrices[cell.dataset, cell.code, cell.draw]
    margins = _margins(context, places, inner, sign)
    margins = margins._replace(boosting=_boosting(plan, cell, M.shape[1], places))
    shared = {
        **vars(cell),
        "n_classes": plan.datasets[cell.dataset].n_classes,
        "n_train": len(margins.y_train),
        "n_test": len(margins.y_test),
        "examples": _examples(plan, context),
        "unconverged": sum(not record.converged[j] for record, j in places),
    }
    sets = plan.datasets[cell.dataset].sets
    wanted = Wanted(asked(plan.experiment.measures, sets is not None), _known(plan, context))
    if sets is not None:
        decoded.rows.extend(rows_of_sets(plan, cell, shared, margins, wanted))
    elif cell.learner == JOINT:
        decoded.rows.extend(labelled(shared, margins, wanted))
        decoded.margin_bounds.extend(margin_bounds(plan.experiment, margins, decoded.rows[-1]))
        if plan.experiment.rounds:
            decoded.rounds.extend({**vars(cell), **row} for row in rounds(places[0][0]))
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
    test = np.stack([record.test[:, :, j] for record, j in places], axis=2) * sign
    first = places[0][0]
    n, y = context.n_validation, context.y_test
    parts = train, test[:, :n], test[:, n:], context.y_train, y[:n], y[n:]
    return Margins(
        first.stages,
        *parts,
        held_out[0] if held_out else None,
        np.stack(shifts, axis=1) if len(shifts) == len(places) else None,
        score_margins=first.score_margins,
        norms=first.norms,
    )


def _boosting(plan: Plan, cell: Cell, n_columns: int, places) -> tuple[Boosting, ...] | None:
    """What Section 5 of Allwein et al. needs, by stage; None if a column does not tell its eta."""
    if cell.learner == JOINT or any(record.eta is None for record, _ in places):
        return None
    data = plan.datasets[cell.dataset]
    learner = plan.resolved.learners[cell.learner]
    d = learner.vc_dimension(data.pca or data.X.shape[1], n_columns)
    etas = np.max([record.eta[:, j] for record, j in places], axis=0)  # so F/eta is in [-1, 1]
    told = [record.log_Z[:, j] for record, j in places if record.log_Z is not None]
    sums = told[0].tolist() if len(told) == len(places) else [None] * len(etas)
    return tuple(Boosting(eta, log_Z, d) for eta, log_Z in zip(etas.tolist(), sums, strict=True))


def _examples(plan: Plan, context: Context) -> str:
    rows = context.test[context.n_validation :]
    return digest(plan.datasets[context.dataset].sha256, rows.tolist())[:16]


def _known(plan: Plan, context: Context) -> dict:
    """What measures may need besides labels: see `coding.measures`."""
    data = plan.datasets[context.dataset]
    test = context.test[context.n_validation :]
    chains = None if data.sequences is None else data.sequences[test]
    return {"costs": data.costs, "sequences": chains}


def _decode_stages(
    plan: Plan, cell: Cell, M, margins: Margins, wanted: Wanted, shared, decoded: Decoded
) -> None:
    loss = plan.resolved.learners[cell.learner].loss
    specs = plan.experiment.decoders
    # All calibrated decoders have the same sigmoids: their calibration is noted once.
    first = next((spec for spec in specs if spec.call in decoders.CALIBRATED), None)
    for i, stage in enumerate(margins.stages):
        shared["stage"] = stage
        train, y_train = margins.train[i], margins.y_train
        epsilon = average_binary_loss(LOSSES[loss], M[y_train], train)
        shared["train_binary_loss"] = f"{epsilon:.6g}"
        boosting = None if margins.boosting is None else margins.boosting[i]
        decoded.bounds.append({**shared, **cell_bounds(M, train, y_train, loss, boosting)})
        for spec in specs:
            distances = plan.resolved.decoders[cell.learner, spec.name]
            try:
                if spec.call in decoders.CALIBRATED and margins.inner is not None:
                    given = margins.inner[i], M[y_train], None, wanted.known["costs"]
                    sigmoids = decoders.calibrated(spec.call, *given)
                    distances, found = sigmoids, sigmoids.keywords
                    trusted = cell_calibration(
                        M, margins.test[i], margins.y_test, found["A"], found["B"], loss
                    )
                    if spec is first:
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
