"""Cells whose rows are kept in place of their margins (`keep: rows`): their keys and tasks.

`plan` is a `Plan`, whose module uses this one.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from ..coding import column_sums
from ..coding.codes import kind
from ..coding.column_sums import SUMMED, bare, losses_of
from ..coding.decoders import COSTED, DECODERS, PAIRWISE, hamming
from ..coding.measures import MEASURES
from ..results.catalogue import JOINT
from ..seeds import digest
from .tasks import ROWS, Cell, CellTask, Context, Decoding, Named, SlabTask

SLAB = 400 * 10**6  # bytes of sums that a worker holds


def keeps_rows(plan, cell: Cell) -> bool:
    """Whether a cell's rows are kept. Labels of methods and margins of label sets are small."""
    return (
        plan.experiment.keep == "rows"
        and cell.learner != JOINT
        and plan.datasets[cell.dataset].sets is None
    )


def rows_key(plan, cell: Cell) -> str:
    """A key of all that the rows of a cell depend on: its fits, matrix, decoders and measures."""
    own = plan.contexts(cell)
    costs = plan.datasets[cell.dataset].costs
    costed = any(spec.call in COSTED for spec in plan.experiment.decoders)
    asked = costed or "mean_cost" in plan.experiment.measures
    return digest(
        [context.key for context in own],
        plan.digest(cell),
        [own[0].n_validation, [[spec.name, spec.call] for spec in plan.experiment.decoders]],
        [list(plan.experiment.measures), costs.tolist() if asked and costs is not None else None],
        [plan.resolved.learners[cell.learner].loss, list(vars(cell).values())],
    )


def decoding(plan, cell: Cell) -> Decoding:
    """What is needed to decode a cell that has a code."""
    M = plan.matrices[cell.dataset, cell.code, cell.draw]
    context = plan.context(cell)
    data, learner = plan.datasets[cell.dataset], plan.resolved.learners[cell.learner]
    asked = (name for name in plan.experiment.measures if not MEASURES[name].label_sets)
    return Decoding(
        cell,
        M,
        learner.loss,
        tuple(
            Named(spec.name, spec.call, plan.resolved.decoders[cell.learner, spec.name])
            for spec in plan.experiment.decoders
        ),
        tuple(asked),
        known(plan, context),
        examples(plan, context),
        learner.vc_dimension(data.pca or data.X.shape[1], M.shape[1]),
    )


def examples(plan, context: Context) -> str:
    """A digest of the test rows."""
    rows = context.test[context.n_validation :]
    return digest(plan.datasets[context.dataset].sha256, rows.tolist())[:16]


def known(plan, context: Context) -> dict[str, Any]:
    """What measures may need besides labels: see `coding.measures`."""
    data = plan.datasets[context.dataset]
    test = context.test[context.n_validation :]
    chains = None if data.sequences is None else data.sequences[test]
    return {"costs": data.costs, "sequences": chains}


def cell_task(plan, cell: Cell) -> CellTask:
    """The fits of all columns of a cell, and how they are decoded."""
    own, *inner = plan.contexts(cell)
    _, names, sign = plan.columns(cell)
    places = {name: s for s, name in enumerate(names)}  # one for each name
    block = plan.matrices[cell.dataset, cell.code, cell.draw][:, list(places.values())]
    return CellTask(
        own,
        tuple(places),
        block * sign[list(places.values())],
        key=rows_key(plan, cell),
        names=tuple(names),
        sign=sign,
        inner=tuple(inner),
        decoding=decoding(plan, cell),
    )


def no_sums(plan, dataset: str, M) -> str:
    """Why the cells of a code cannot be decoded by sums over its columns; empty if they can."""
    if np.count_nonzero(M) > column_sums.MOST_ENTRIES:
        return f"More than {column_sums.MOST_ENTRIES:,} of its entries are not zero"
    for name, learner in plan.resolved.learners.items():
        if learner.single_call:
            return f"The learner '{name}' fits all columns as one problem"
        if learner.has_loo:
            return f"The leave-one-out bound of the learner '{name}' needs all margins of a row"
        if learner.takes_sequences and plan.datasets[dataset].sequences is not None:
            return f"The learner '{name}' sees rows in sequences, which must not be cut"
        if DECODERS[learner.loss] not in SUMMED:
            return f"The {learner.loss} loss of the learner '{name}' needs all margins of a row"
        for spec in plan.experiment.decoders:
            decode = bare(plan.resolved.decoders[name, spec.name], M)
            if decode not in SUMMED:
                return f"The decoder '{spec.name}' needs all margins of a row"
            if decode in PAIRWISE.values() and kind(M) != "all_pairs":
                return f"The decoder '{spec.name}' needs a column for each pair of classes"
    return "A choice by cv needs held-out margins of all columns" if plan.inner else ""


def summed_decoders(plan, cell: Cell) -> tuple:
    """The functions that label the rows of a cell by sums, each once: `bounds.csv` needs two."""
    M, name = plan.matrices[cell.dataset, cell.code, cell.draw], cell.learner
    asked = [bare(plan.resolved.decoders[name, spec.name], M) for spec in plan.experiment.decoders]
    loss = DECODERS[plan.resolved.learners[name].loss]
    return tuple(dict.fromkeys([hamming, loss, *asked]))


def slabs(plan, cell: Cell) -> dict[tuple[str, str], slice]:
    """The slabs of a cell's rows, training and then test, by their places in the store."""
    at, learner = plan.context(cell), plan.resolved.learners[cell.learner]
    n, k = len(at.train) + len(at.test), plan.datasets[cell.dataset].n_classes
    n_sums = len(losses_of(summed_decoders(plan, cell), learner.loss)) * learner.n_stages
    count = -(-n * 8 * k * n_sums // SLAB)
    edges = np.linspace(0, n, min(count, n) + 1).astype(int).tolist()
    key = rows_key(plan, cell)
    return {
        (digest(key, start, end), f"{ROWS} {start}-{end}"): slice(start, end)
        for start, end in pairwise(edges)
    }


def slab_tasks(plan, cell: Cell, stored) -> list[SlabTask]:
    """The fits of a cell for those of its slabs that are not stored."""
    block = plan.entries(cell)
    return [
        SlabTask(
            plan.context(cell),
            range(block.shape[1]),
            block,
            key=place[0],
            names=(place[1],),
            rows=rows,
            decoders=summed_decoders(plan, cell),
            loss=plan.resolved.learners[cell.learner].loss,
        )
        for place, rows in slabs(plan, cell).items()
        if place not in stored
    ]
