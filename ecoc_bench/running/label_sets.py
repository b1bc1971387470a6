"""Margins of label sets -> the rows of a cell: the set of an example are its positive margins.

The nearest of all 2^k sets, by Hamming distance or by any loss, has the sign of every margin: no
matrix is decoded. An error is a set with any wrong label, so that all that is made of errors works.
"""

from collections.abc import Iterator

from ..coding.bounds import average_binary_loss
from ..coding.losses import LOSSES
from ..coding.measures import MEASURES
from ..experiment.plan import Plan
from ..experiment.tasks import Cell
from ..results.catalogue import JOINT
from .measure import Margins, Wanted, rates


def asked(names: tuple[str, ...], label_sets: bool) -> tuple[str, ...]:
    """Those of the config's measures that a cell can have; label sets have all of theirs if none.

    >>> asked(("macro_f1", "coverage"), True), asked((), False), len(asked((), True))
    (('coverage',), (), 5)
    """
    chosen = names or (tuple(MEASURES) if label_sets else ())
    return tuple(name for name in chosen if MEASURES[name].label_sets == label_sets)


def rows_of_sets(
    plan: Plan, cell: Cell, shared: dict, margins: Margins, wanted: Wanted
) -> Iterator[dict]:
    """The rows of a cell: every decoder that label sets may have gives the same ones."""
    sets, is_joint = plan.datasets[cell.dataset].sets, cell.learner == JOINT
    assert sets is not None
    loss = "" if is_joint else plan.resolved.learners[cell.learner].loss
    names = [JOINT] if is_joint else [spec.name for spec in plan.experiment.decoders]
    shared |= {"n_columns": 0 if is_joint else sets.shape[1]}
    for row in set_rows(sets, margins, wanted, loss, bool(plan.experiment.select)):
        yield from ({**shared, **row, "decoder": name} for name in names)


def set_rows(sets, margins: Margins, wanted: Wanted, loss: str, every: bool) -> Iterator[dict]:
    """The numbers of each stage; `loss` is the learner's, a method has none.

    A tie is an example with a margin of zero, whose label is left out. Measures take time: only the
    last stage has them, unless `every` stage may be chosen.
    """
    for i, stage in enumerate(margins.stages):
        parts = zip(margins[1:4], margins[4:7], strict=True)
        wrong = [((part[i] > 0) != (sets[y] > 0)).any(axis=1) for part, y in parts]
        F, Y = margins.test[i], sets[margins.y_test]
        row = {
            "stage": stage,
            "ties": int((F == 0).any(axis=1).sum()),
            "binary_error_rate": f"{(Y * F <= 0).mean():.6f}",
            "measures": {},
            **rates(*wrong),
        }
        if every or stage == margins.stages[-1]:
            row["measures"] = wanted.of((Y > 0).astype(int), (F > 0).astype(int), scores=F)
        if loss:
            epsilon = average_binary_loss(LOSSES[loss], sets, margins.train[i], margins.y_train)
            row["train_binary_loss"] = f"{epsilon:.6g}"
        if margins.inner is not None:
            held_out = (margins.inner[i] > 0) != (sets[margins.y_train] > 0)
            row["cv"] = f"{held_out.any(axis=1).mean():.6f}"
        yield row
