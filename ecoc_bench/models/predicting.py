"""New rows of a file become the same rows with predictions, and some lines about them."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TextIO

import numpy as np

from ..data.csvfile import MISSING
from ..errors import DataError
from ..results.summary import wilson
from .drift import NOTABLE, Drift
from .model import Model, TooLarge
from .rows import Chunk, Rows
from .sources import opened


@dataclass(frozen=True)
class Wanted:
    """What is asked of a prediction: `abstain` leaves out what is less probable than this."""

    proba: bool = False
    abstain: float = 0.0
    unseen: str = "missing"
    drift: bool = False


@dataclass
class Score:
    """How the predictions fare where the label is known; rows without an answer do not count."""

    classes: dict[str, int]
    right: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)

    def add(self, labels: list[str], predicted: np.ndarray, answered: np.ndarray) -> None:
        for i in np.flatnonzero(answered).tolist():
            label = labels[i]
            if label in MISSING and label not in self.classes:
                continue
            self.rows[label] = self.rows.get(label, 0) + 1
            hit = self.classes.get(label) == predicted[i]
            self.right[label] = self.right.get(label, 0) + hit

    def lines(self) -> Iterator[str]:
        n = sum(self.rows.values())
        if not n:
            return
        error = 1 - sum(self.right.values()) / n
        low, high = (100 * bound for bound in wilson(error, n))
        recall = np.mean([self.right[label] / count for label, count in self.rows.items()])
        yield (
            f"{n} rows have a label: error {100 * error:.2f}% [{low:.2f}, {high:.2f}], balanced "
            f"accuracy {100 * recall:.2f}%"
        )
        strange = {label: count for label, count in self.rows.items() if label not in self.classes}
        if strange:
            names = ", ".join(map(repr, sorted(strange)[:5]))
            yield f"{sum(strange.values())} rows have labels that the model does not know: {names}"


def predict_file(model: Model, path: Path, out: TextIO, wanted: Wanted) -> Iterator[str]:
    """Write the rows with their predictions to `out`; then yield what there is to say, by lines."""
    schema = model.parts.schema
    with opened(path) as source:
        rows = Rows(source, schema)
        yield from rows.notes()
        writer = csv.writer(out, delimiter=source.separator, lineterminator="\n")
        writer.writerow(_header(rows, wanted))
        score = Score({name: c for c, name in enumerate(schema.classes)})
        drift = Drift(schema, model.parts.reference)
        n = n_left_out = 0
        for chunk in rows.chunks():
            coded = rows.coded(chunk, wanted.unseen)
            S = _scores(model, rows, chunk, coded)
            P, predicted = model.probabilities(S), S.argmax(axis=1)
            answered = P.max(axis=1) >= wanted.abstain
            writer.writerows(_written(model, chunk, P, predicted, answered, wanted.proba))
            n, n_left_out = n + len(P), n_left_out + int((~answered).sum())
            if rows.target is not None:
                labels = [record[rows.target].strip() for record in chunk.records]
                score.add(labels, predicted, answered)
            if wanted.drift:
                drift.add(coded)
    yield f"{n} rows predicted"
    if wanted.abstain:
        share = 100 * n_left_out / max(n, 1)
        yield f"{n_left_out} rows ({share:.1f}%) are less sure than {wanted.abstain:g}: left empty"
    yield from _unseen(rows)
    yield from score.lines()
    if wanted.drift:
        yield from _drifted(drift)


def _scores(model: Model, rows: Rows, chunk: Chunk, coded: np.ndarray) -> np.ndarray:
    try:
        return model.scores(coded)
    except TooLarge as error:
        raise DataError(f"{rows.at(chunk, error.row)}: {error.what} Check them.") from None


def _header(rows: Rows, wanted: Wanted) -> list[str]:
    added = ["predicted"]
    if wanted.proba:
        added += [f"p_{name}" for name in rows.schema.classes]
    for i, name in enumerate(added):
        while name in rows.header:
            name = f"{name}_"
        added[i] = name
    return [*rows.header, *added]


def _written(
    model: Model,
    chunk: Chunk,
    P: np.ndarray,
    predicted: np.ndarray,
    answered: np.ndarray,
    proba: bool,
) -> Iterator[list[str]]:
    names = model.parts.schema.classes
    for i, record in enumerate(chunk.records):
        shares = [f"{p:.6g}" for p in P[i]] if proba else []
        yield [*record, names[predicted[i]] if answered[i] else "", *shares]


def _unseen(rows: Rows) -> Iterator[str]:
    for column, counter in rows.unseen.items():
        names = ", ".join(repr(name[:50]) for name, _ in counter.most_common(3))
        yield (
            f"column '{column}': {counter.total()} values that were not in the training data "
            f"count as missing: {names}{', ...' if len(counter) > 3 else ''}"
        )


def _drifted(drift: Drift) -> Iterator[str]:
    shifts = drift.shifts()
    unlike = [shift for shift in shifts if shift.unlike]
    if not unlike:
        yield f"no column looks unlike the training data ({len(shifts)} tests, Holm, level 1%)"
    for shift in unlike:
        size = "" if shift.effect >= NOTABLE else ", a small difference"
        before, now = (100 * share for share in shift.missing)
        gaps = f", missing {before:.1f}% then {now:.1f}%" if before or now else ""
        name = "D" if shift.test == "KS" else "V"
        yield (
            f"column '{shift.column}' looks unlike the training data: {name} = "
            f"{shift.effect:.2f}, p = {shift.p:.1g}{size}{gaps}"
        )


def text_file(binary: BinaryIO) -> io.TextIOWrapper:
    """A file of bytes to write text to; the bytes of lines are the same on every system."""
    return io.TextIOWrapper(binary, encoding="utf-8", newline="", write_through=True)
