"""Cells that are decoded by sums over their columns: slab by slab of rows, then to rows of files.

A worker fits all columns again for each slab, some at a time, and keeps of their margins only what
`coding.column_sums` sums. A column of a code for many classes is fitted on few rows and has margins
on all of them: the fits are the smaller part.
"""

import json
from collections.abc import Iterable, Iterator
from math import fsum

import numpy as np

from ..coding.bounds import Means, bounds_of
from ..coding.column_sums import ColumnSums, Sums, used
from ..coding.decoders import DECODERS, hamming
from ..coding.distances import rho
from ..coding.losses import LOSSES
from ..data.inputs import prepare, projected
from ..experiment.tasks import Context, Decoding, Recipe, SlabTask
from ..learners.compiling import Stopwatch
from .cell_rows import Decoded, drop_mistakes, nothing, shared_by_rows
from .fit import Fitted, Problem, failure, fitted_groups, settings_for, usage
from .measure import Margins, Wanted, rates
from .record import Record

OWN = ("mistaken", "votes", "losses")  # what is summed of a row by its true class


def fit_slab(task: SlabTask, data, recipe: Recipe) -> Fitted:
    """Fit all columns of a cell, and keep the sums of their margins on some rows."""
    clock, at = Stopwatch(), task.context
    nominal, *rows = projected(data, at.train, at.test)
    X = prepare(recipe.inputs, nominal, *rows)
    parts = _parts(task.rows, len(at.train))
    y = [of[part] for of, part in zip((at.y_train, at.y_test), parts, strict=True)]
    has = [i for i, truth in enumerate(y) if len(truth)]  # a learner gets no part without rows
    given = [X[0], *(X[i][parts[i]] for i in has)]
    sums: list[list[ColumnSums]] = []
    stages: tuple[int, ...] = (0,)
    unconverged, failures = 0, []
    settings = settings_for(task, data, recipe, nominal)
    for columns, group in fitted_groups(task, recipe, settings, given, None, [{} for _ in has]):
        if isinstance(group, Problem):
            failures.append(failure(task, *group, task.names_of(columns)))
            continue
        stages, unconverged = group.stages, unconverged + sum(not ok for ok in group.converged)
        for i in range(len(stages)):
            if i == len(sums):
                sums.append([_empty(task, truth) for truth in y])
            for part, F in zip(has, (group.train[i], group.test[i]), strict=False):
                sums[i][part].add(columns.start, F)
        del group  # its margins must not outlive its turn
    if failures:
        return Fitted(None, failures, *usage(), clock.read())
    train, test = (np.stack([_packed(of[part].result()) for of in sums]) for part in (0, 1))
    record = _record(task, stages, train, test, unconverged, clock.read())
    return Fitted(record, [], *usage(), clock.read())


def _parts(rows: slice, n_train: int) -> tuple[slice, slice]:
    """The rows of a slab among the training rows, and among the test rows."""
    return (
        slice(min(rows.start, n_train), min(rows.stop, n_train)),
        slice(max(rows.start - n_train, 0), max(rows.stop - n_train, 0)),
    )


def _empty(task: SlabTask, y) -> ColumnSums:
    return ColumnSums(task.block, y, task.decoders, task.loss)


def _packed(sums: Sums) -> np.ndarray:
    """Sums as an array of rows: what is of the true class, labels, ties."""
    own = np.column_stack([getattr(sums, name) for name in OWN])
    return np.hstack([own, sums.labels, sums.tied])


def _unpacked(A: np.ndarray) -> Sums:
    n_decoders = (A.shape[1] - len(OWN)) // 2
    own, labels, tied = np.split(A, [len(OWN), len(OWN) + n_decoders], axis=1)
    mistaken, votes, losses = own.T
    return Sums(mistaken, votes, losses, labels.astype(np.int64), tied.astype(bool))


def _record(task: SlabTask, stages, train, test, unconverged: int, seconds: float) -> Record:
    """The first column stands for the slab, and has its seconds."""
    numbers = [f"number {i}" for i in range(1, train.shape[2])]
    return Record(
        context=task.key,
        columns=(*task.names, *numbers),
        stages=stages,
        converged=(True,) * train.shape[2],
        seconds=(seconds,) + (0.0,) * len(numbers),
        train=train,
        test=test,
        decoded=json.dumps({"unconverged": unconverged}),
    )


def rows_of_slabs(
    d: Decoding, context: Context, decode: tuple, records: Iterable[Record]
) -> Decoded:
    """The rows of a cell from the records of its slabs, in their order."""
    records = list(records)
    first = records[0]
    stages = (
        (
            np.concatenate([record.train[i] for record in records]),
            np.concatenate([record.test[i] for record in records]),
        )
        for i in range(len(first.stages))
    )
    unconverged = json.loads(first.decoded)["unconverged"]
    return _rows(d, context, decode, first.stages, stages, unconverged)


def rows_of_margins(
    d: Decoding, at: Context, decode: tuple, margins: Margins, unconverged: int
) -> Decoded:
    """The same from margins that are stored, in the same order of summation."""

    def packed(F, y) -> np.ndarray:
        sums = ColumnSums(d.M, y, decode, d.loss)
        sums.add(0, F)
        return _packed(sums.result())

    stages = (
        (
            packed(margins.train[i], margins.y_train),
            packed(np.concatenate([margins.validation[i], margins.test[i]]), at.y_test),
        )
        for i in range(len(margins.stages))
    )
    return _rows(d, at, decode, margins.stages, stages, unconverged)


def _rows(
    d: Decoding,
    at: Context,
    decode: tuple,
    stages: tuple[int, ...],
    packed: Iterator[tuple[np.ndarray, np.ndarray]],
    unconverged: int,
) -> Decoded:
    decoded, n = nothing(), at.n_validation
    wanted, counts = Wanted(d.measures, d.known), used(d.M)
    shared = shared_by_rows(d, len(at.train), len(at.test) - n, unconverged)
    y = at.y_train, at.y_test[:n], at.y_test[n:]
    for stage, (train, test) in zip(stages, packed, strict=True):
        parts = [_unpacked(A) for A in (train, test[:n], test[n:])]
        means = _means(d, counts[at.y_train], parts[0])
        wrong = {
            by: [part.labels[:, j] != truth for part, truth in zip(parts, y, strict=True)]
            for j, by in enumerate(decode)
        }
        errors = float(wrong[DECODERS[d.loss]][0].mean()), float(wrong[hamming][0].mean())
        shared |= {"stage": stage, "train_binary_loss": f"{means.loss:.6g}"}
        decoded.bounds.append({**shared, **bounds_of(d.M, d.loss, means, errors)})
        mistaken = parts[2].mistaken.sum() / max(counts[y[2]].sum(), 1)
        for spec in d.decoders:
            by, j = spec.decode, decode.index(spec.decode)
            decoded.rows.append(
                {
                    **shared,
                    "decoder": spec.name,
                    **rates(*wrong[by]),
                    "measures": wanted.of(y[2], parts[2].labels[:, j]),
                    "ties": int(parts[2].tied[:, j].sum()),
                    "binary_error_rate": f"{mistaken:.6f}",
                }
            )
    drop_mistakes(decoded, stages[-1])
    return decoded


def _means(d: Decoding, counts: np.ndarray, sums: Sums) -> Means:
    """Means over the pairs of training rows and columns; `counts` are not left out, by row."""
    n, ell = len(counts), d.M.shape[1]
    n_used, n_pairs = int(counts.sum()), n * ell
    at_zero = float(LOSSES[d.loss](np.zeros(1))[0])
    losses = fsum(sums.losses)
    return Means(
        (n_pairs - n_used) / n_pairs,
        float(sums.mistaken.sum()) / n_used,
        (2 * float(sums.votes.sum()) + n_pairs - n_used) / (rho(d.M) * n),
        (losses + at_zero * (n_pairs - n_used)) / n_pairs,
        losses / n_used,
    )
