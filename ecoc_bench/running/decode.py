"""Stored margins -> the rows of results.csv: every cell decoded by every decoder."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np
from joblib import Parallel, delayed

from ..coding.column_sums import bare
from ..coding.decoders import Decoder
from ..experiment.kept import decoding, examples, keeps_rows, known, slabs, summed_decoders
from ..experiment.plan import Plan
from ..experiment.tasks import Cell, Context, Decoding
from ..results.catalogue import JOINT
from .cell_rows import Decoded, decode_columns, drop_mistakes, from_text, margins_of, nothing
from .label_sets import asked, rows_of_sets
from .measure import Wanted
from .method_rows import labelled, margin_bounds, rounds
from .slab_rows import rows_of_margins, rows_of_slabs
from .store import Store


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
    decoded = nothing()
    if not all(place in store for place in plan.places(cell)):
        return decoded
    if keeps_rows(plan, cell) and plan.by_sums(cell):
        from_slabs = [store.load(key, [name])[name][0] for key, name in slabs(plan, cell)]
        return rows_of_slabs(*_summed(plan, cell), from_slabs)
    if keeps_rows(plan, cell):
        [(key, name)] = plan.places(cell)
        record, _ = store.load(key, [name])[name]
        return from_text(record.decoded)
    context, names, sign = plan.columns(cell)
    loaded = [store.load(c.key, names) for c in plan.contexts(cell)]
    places, *inner = [[found[name] for name in names] for found in loaded]  # a name may come twice
    sets = plan.datasets[cell.dataset].sets
    if plan.by_sums(cell):
        margins = margins_of(context, places, inner, np.ones_like(sign))
        unconverged = sum(not record.converged[j] for record, j in places)
        return rows_of_margins(*_summed(plan, cell), margins, unconverged)
    if sets is None and cell.learner != JOINT:
        return decode_columns(decoding(plan, cell), context, sign, places, inner)
    margins = margins_of(context, places, inner, sign)
    shared = {
        **vars(cell),
        "n_classes": plan.datasets[cell.dataset].n_classes,
        "n_train": len(margins.y_train),
        "n_test": len(margins.y_test),
        "examples": examples(plan, context),
        "unconverged": sum(not record.converged[j] for record, j in places),
    }
    wanted = Wanted(asked(plan.experiment.measures, sets is not None), known(plan, context))
    if sets is not None:
        decoded.rows.extend(rows_of_sets(plan, cell, shared, margins, wanted))
    else:
        decoded.rows.extend(labelled(shared, margins, wanted))
        decoded.margin_bounds.extend(margin_bounds(plan.experiment, margins, decoded.rows[-1]))
        if plan.experiment.rounds:
            decoded.rounds.extend({**vars(cell), **row} for row in rounds(places[0][0]))
    drop_mistakes(decoded, margins.stages[-1])
    return decoded


def _summed(plan: Plan, cell: Cell) -> tuple[Decoding, Context, tuple[Decoder, ...]]:
    """What decoding by sums needs, with no zeros in M, whose columns have the signs of the fits."""
    d, M = decoding(plan, cell), plan.matrices[cell.dataset, cell.code, cell.draw]
    named = tuple(spec._replace(decode=bare(spec.decode, M)) for spec in d.decoders)
    d = replace(d, M=plan.entries(cell), decoders=named)
    return d, plan.context(cell), summed_decoders(plan, cell)


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
        for place in _own_places(plan, cell):
            if place in store and place not in seen:
                seen.add(place)
                what = {"learner": _fitter(cell), "column": place[1]}
                yield {**vars(cell), **what, "seconds": f"{store.seconds(*place):.6f}"}


def costs(plan: Plan, store: Store) -> Iterator[dict]:
    """Seconds of all the fits that each cell is decoded from, shared or not."""
    for cell in plan.cells:
        places = plan.places(cell)
        if all(place in store for place in places):
            seconds = sum(store.seconds(*place) for place in sorted(places))
            yield {**vars(cell), "seconds": f"{seconds:.6f}"}


def _own_places(plan: Plan, cell: Cell) -> list[tuple[str, str]]:
    """Where the fits of a cell on its whole training part are, column by column."""
    if keeps_rows(plan, cell):
        return list(slabs(plan, cell) if plan.by_sums(cell) else plan.places(cell))
    context, names, _ = plan.columns(cell)
    return [(context.key, name) for name in names]


def _fitter(cell: Cell) -> str:
    return cell.code if cell.learner == JOINT else cell.learner
