"""Cells whose rows are kept in place of their margins (`keep: rows`): their keys and tasks.

`plan` is a `Plan`, whose module uses this one.
"""

from typing import Any

from ..coding.decoders import COSTED
from ..coding.measures import MEASURES
from ..results.catalogue import JOINT
from ..seeds import digest, matrix_digest
from .tasks import Cell, CellTask, Context, Decoding, Named

MOST_AT_ONCE = 10_000  # columns of a cell


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
        matrix_digest(plan.matrices[cell.dataset, cell.code, cell.draw]),
        [own[0].n_validation, [[spec.name, spec.call] for spec in plan.experiment.decoders]],
        [list(plan.experiment.measures), costs.tolist() if asked and costs is not None else None],
        [plan.resolved.learners[cell.learner].loss, list(vars(cell).values())],
    )


def decoding(plan, cell: Cell) -> Decoding:
    """What is needed to decode a cell that has a code."""
    M = plan.matrices[cell.dataset, cell.code, cell.draw]
    context, _, _ = plan.columns(cell)
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
