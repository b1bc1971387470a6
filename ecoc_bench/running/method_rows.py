"""The rows of a method: labels that need no decoding, and what it told of its training."""

from collections.abc import Iterator
from math import isnan

from ..coding.margin_bound import Norms, cell_margin_bounds
from ..experiment.config import Experiment
from ..results.catalogue import JOINT
from .measure import Margins, Wanted, rates
from .record import Record


def labelled(shared: dict, margins: Margins, wanted: Wanted) -> Iterator[dict]:
    """The rows of results.csv: a method has no columns."""
    for i, stage in enumerate(margins.stages):
        wrong = [part[i, :, 0] != y for part, y in zip(margins[1:4], margins[4:7], strict=True)]
        further = wanted.of(margins.y_test, margins.test[i, :, 0])
        measured = {"stage": stage, "decoder": JOINT, "n_columns": 0, "ties": 0}
        measured |= {"measures": further}
        yield {**shared, **measured, **rates(*wrong)}


def margin_bounds(experiment: Experiment, margins: Margins, last: dict) -> Iterator[dict]:
    """The rows of margin_bounds.csv of a kernel machine, if they are asked for."""
    asked = experiment.margin_bounds
    if asked is None or margins.score_margins is None or margins.norms is None:
        return
    found = margins.score_margins, last["n_classes"], Norms(*margins.norms)
    for row in cell_margin_bounds(*found, asked.rho, asked.delta):
        yield {**last, **row}


def rounds(record: Record) -> Iterator[dict]:
    """What a method told of its rounds, for rounds.csv; nothing if it told nothing."""
    for numbers in [] if record.history is None else record.history.T:
        told = dict(zip(record.told, numbers.tolist(), strict=True))
        yield {name: "" if isnan(value) else f"{value:.6g}" for name, value in told.items()}
