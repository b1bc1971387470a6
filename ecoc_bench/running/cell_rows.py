"""The rows of a cell with a code, from its margins; where rows are kept, a worker makes them."""

import json
import traceback
from dataclasses import asdict
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from ..coding import decoders
from ..coding.boosting_margins import Boosting
from ..coding.bounds import average_binary_loss, cell_bounds
from ..coding.distances import rho
from ..coding.labels import Found, find
from ..coding.losses import LOSSES
from ..errors import ConfigError
from ..experiment.tasks import ROWS, Cell, CellTask, Context, Decoding, Recipe, Task
from ..learners.compiling import Stopwatch
from ..results.failures import Failure
from .fit import NONE, Fitted, failure, fit_task, usage
from .measure import Margins, Wanted, cell_calibration, criteria, measure
from .record import Record


class Decoded(NamedTuple):
    """What decoding returns: the rows of results.csv and of other files, and failures."""

    rows: list[dict]
    bounds: list[dict]
    calibration: list[dict]
    margin_bounds: list[dict]
    rounds: list[dict]
    failures: list[Failure]


def nothing() -> Decoded:
    """No rows yet."""
    return Decoded(*([] for _ in Decoded._fields))


def to_text(decoded: Decoded) -> str:
    """The rows of a cell as JSON, for the store."""
    parts = {**decoded._asdict(), "failures": [asdict(found) for found in decoded.failures]}
    return json.dumps(parts, default=lambda number: number.item())


def from_text(text: str) -> Decoded:
    """The rows of a cell as they were stored."""
    parts = json.loads(text)
    failures = [Failure(**{**f, "columns": tuple(f["columns"])}) for f in parts["failures"]]
    return Decoded(**{**parts, "failures": failures})


def fit_and_decode(task: CellTask, data, recipe: Recipe) -> Fitted:
    """Fit all columns of a cell and decode their margins, which end here."""
    clock = Stopwatch()
    fits = [
        fit_task(Task(context, task.columns, task.block), data, recipe)
        for context in (task.context, *task.inner)
    ]
    if problems := [found for fitted in fits for found in fitted.failures]:
        failures = [failure(task, f.reason, f.details, f.columns) for f in problems]
        return Fitted(None, failures, *usage(), clock.read())
    places, *inner = [_places(fitted.record, task.names) for fitted in fits]
    assert task.decoding is not None
    decoded = decode_columns(task.decoding, task.context, task.sign, places, inner)
    record = Record(
        context=task.key,
        columns=(ROWS,),
        stages=(0,),
        converged=(True,),
        seconds=(sum(s for fitted in fits if fitted.record for s in fitted.record.seconds),),
        train=NONE,
        test=NONE,
        decoded=to_text(decoded),
    )
    return Fitted(record, [], *usage(), clock.read())


def _places(record, names) -> list[tuple[Record, int]]:
    where = {name: j for j, name in enumerate(record.columns)}
    return [(record, where[name]) for name in names]


def decode_columns(d: Decoding, context: Context, sign, places, inner) -> Decoded:
    """The rows of a cell at every stage by every decoder, from records and places in them."""
    decoded = nothing()
    margins = margins_of(context, places, inner, sign)
    margins = margins._replace(boosting=_boosting(d, places))
    unconverged = sum(not record.converged[j] for record, j in places)
    shared = shared_by_rows(d, len(margins.y_train), len(margins.y_test), unconverged)
    _decode_stages(d, margins, shared, decoded)
    drop_mistakes(decoded, margins.stages[-1])
    return decoded


def shared_by_rows(d: Decoding, n_train: int, n_test: int, unconverged: int) -> dict[str, Any]:
    """What all rows of a cell have."""
    return {
        **vars(d.cell),
        "n_classes": d.M.shape[0],
        "n_train": n_train,
        "n_test": n_test,
        "examples": d.examples,
        "unconverged": unconverged,
        "n_columns": d.M.shape[1],
        "rho": f"{rho(d.M):g}",
    }


def drop_mistakes(decoded: Decoded, last: int) -> None:
    """Only the last stage keeps them: at hundreds of stages they would fill the disk."""
    for row in decoded.rows:
        if row["stage"] != last:
            del row["mistakes"]


def margins_of(context: Context, places, inner, sign) -> Margins:
    """The margins of a cell, its columns with the signs that they have in its matrix."""
    train, test = (_signed(places, part, sign) for part in ("train", "test"))
    held_out = [_signed(found, "train", sign) for found in inner]
    shifts = [record.shift[:, j] for record, j in places if record.shift is not None]
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


def _signed(places, part: str, sign) -> np.ndarray:
    """Margins of all columns; those of a whole record are not copied.

    Where a sign turns, they are turned in place unless they were read from a store.
    """
    record = places[0][0]
    whole = all(r is record and j == s for s, (r, j) in enumerate(places))
    if whole and len(record.columns) == len(places):
        A = np.ascontiguousarray(getattr(record, part))
    else:
        A = np.stack([getattr(r, part)[:, :, j] for r, j in places], axis=2)
    if (sign == 1).all():
        return A
    return np.multiply(A, sign, out=A) if A.flags.writeable and A.dtype == float else A * sign


def _boosting(d: Decoding, places) -> tuple[Boosting, ...] | None:
    """What Section 5 of Allwein et al. needs, by stage; None if a column does not tell its eta."""
    if any(record.eta is None for record, _ in places):
        return None
    etas = np.max([record.eta[:, j] for record, j in places], axis=0)  # so F/eta is in [-1, 1]
    told = [record.log_Z[:, j] for record, j in places if record.log_Z is not None]
    sums = told[0].tolist() if len(told) == len(places) else [None] * len(etas)
    pairs = zip(etas.tolist(), sums, strict=True)
    return tuple(Boosting(eta, log_Z, d.vc_dimension) for eta, log_Z in pairs)


def _decode_stages(d: Decoding, margins: Margins, shared: dict, decoded: Decoded) -> None:
    M, loss, wanted = d.M, d.loss, Wanted(d.measures, d.known)
    # All calibrated decoders have the same sigmoids: their calibration is noted once.
    first = next((spec for spec in d.decoders if spec.call in decoders.CALIBRATED), None)
    for i, stage in enumerate(margins.stages):
        shared["stage"] = stage
        train, y_train = margins.train[i], margins.y_train
        found_in_training = cache(partial(_found, M, train))
        epsilon = average_binary_loss(LOSSES[loss], M, train, y_train)
        shared["train_binary_loss"] = f"{epsilon:.6g}"
        boosting = None if margins.boosting is None else margins.boosting[i]
        decoded.bounds.append(
            {**shared, **cell_bounds(M, train, y_train, loss, boosting, found_in_training)}
        )
        for spec in d.decoders:
            distances = spec.decode
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
                measured = measure(distances, M, margins, i, wanted, found_in_training)
                measured |= criteria(spec.call, distances, M, margins, i)
            except ConfigError as error:  # a fault of the user's decoder must not stop the others
                decoded.failures.append(_failure(d.cell, spec.name, error))
                continue
            decoded.rows.append({**shared, "decoder": spec.name, **measured})


def _found(M, F, decode) -> Found:
    return find(decode, M, F)


def _failure(cell: Cell, decoder: str, error: ConfigError) -> Failure:
    why = str(error).rstrip(".")
    return Failure(**vars(cell), reason=why, details=traceback.format_exc(), decoder=decoder)
