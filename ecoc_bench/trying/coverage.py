"""The error of a classifier that may abstain when it is not confident."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..results.summary import wilson
from .held_out import HeldOut


class Coverage(NamedTuple):
    """Answers of at least this confidence: their share of the rows, and their error."""

    confidence: float
    share: float
    error: float
    low: float
    high: float


class Curve(NamedTuple):
    """Arrays of one length, from the most confident answers to all of them."""

    confidence: np.ndarray
    share: np.ndarray
    error: np.ndarray
    rows: int  # of the table, behind a share of 1


def coverage_curve(held: HeldOut) -> Curve:
    """A point for each confidence that occurs: rows of equal confidence are answered together."""
    order = np.argsort(-held.confidence, kind="stable")
    sure, weight = held.confidence[order], held.weight[order]
    wrong = weight * (held.predicted != held.y)[order]
    last = np.append(np.flatnonzero(np.diff(sure)), len(sure) - 1)
    answered = np.cumsum(weight)
    error = np.cumsum(wrong)[last] / answered[last]
    return Curve(sure[last], answered[last] / answered[-1], error, round(answered[-1]))


def at_shares(curve: Curve, shares: Sequence[float]) -> list[Coverage]:
    """The first point of the curve that covers each share, without repetitions."""
    places = np.searchsorted(curve.share, np.asarray(shares) - 1e-9)
    return [at(curve, int(place)) for place in dict.fromkeys(places.tolist())]


def at(curve: Curve, place: int) -> Coverage:
    """A point of the curve with Wilson's interval of its error."""
    share, error = float(curve.share[place]), float(min(1.0, curve.error[place]))
    interval = wilson(error, max(1, round(share * curve.rows)))
    return Coverage(float(curve.confidence[place]), share, error, *interval)


def widest(curve: Curve, error: float) -> int | None:
    """The place of the largest share with at most that error; None if there is none."""
    found = np.flatnonzero(curve.error <= error)
    return int(found[-1]) if len(found) else None
