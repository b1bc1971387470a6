"""The leaderboard of a trial as the page shows it."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..plots.errors import far_end
from ..results.tables import DASH
from ..trying.answer import Answer, Entry
from .entries import BAR, Value
from .try_words import BASELINE, MEASURES


class BoardLine(NamedTuple):
    """A ranked candidate as it is shown."""

    kind: str  # best, unclear or worse: the classes of the board of a run
    rank: int
    title: str
    picked: bool
    score: Value
    interval: str
    bar: dict[str, str]  # empty if it is far off the scale
    against: str
    others: list[Value]
    costs: list[Value]


def board(answer: Answer) -> list[BoardLine]:
    """The ranked candidates, best first; all pictures of intervals have one scale."""
    sign = -1 if answer.higher_is_better else 1
    # Costs, lower is better: [better end, score, worse end] of each candidate.
    costs = np.array([sorted(sign * end for end in _ends(e, answer.metric)) for e in answer.ranked])
    if not len(costs):
        return []
    low, high = costs[:, 0].min(), _far_end(answer, costs)
    scale = (BAR - 8) / max(high - low, 1e-9)
    lines = []
    for rank, (entry, ends) in enumerate(zip(answer.ranked, costs, strict=True), start=1):
        places = 4 + scale * (np.minimum(ends, high) - low)
        places = BAR - places[::-1] if answer.higher_is_better else places
        bar = dict(zip(("lo", "error", "hi"), (f"{x:.1f}" for x in places), strict=True))
        lines.append(_line(answer, rank, entry, bar if ends[1] <= high else {}))
    return lines


def _far_end(answer: Answer, costs: np.ndarray) -> float:
    """Where the scale ends; a baseline would press the others together and does not count."""
    others = np.array([entry.name != BASELINE for entry in answer.ranked])
    counted = costs[others] if others.sum() > 1 else costs
    return far_end(pd.DataFrame({"error": 100 * counted[:, 1], "hi": 100 * counted[:, 2]})) / 100


def _ends(entry: Entry, metric: str) -> tuple[float, float, float]:
    """Score and interval; without an interval all three are the score."""
    score = entry.scores[metric]
    low, high = (score if math.isnan(end) else end for end in entry.interval)
    return score, min(low, score), max(high, score)


def _line(answer: Answer, rank: int, entry: Entry, bar: dict[str, str]) -> BoardLine:
    measure, is_best = MEASURES[answer.metric], entry.name == answer.best
    kind = "best" if is_best else "unclear" if entry.tied else "worse"
    words = {"best": "best", "unclear": "cannot be told from it", "worse": "worse"}
    costs = (entry.fit_seconds, entry.predict_us, entry.megabytes)
    return BoardLine(
        kind=kind,
        rank=rank,
        title=entry.title,
        picked=entry.name == answer.pick,
        score=Value(measure.bare(entry.scores[answer.metric]), entry.scores[answer.metric]),
        interval=measure.span(*entry.interval),
        bar=bar,
        against=words[kind],
        others=[
            value_or_dash(entry.scores.get(name, math.nan), MEASURES[name].bare)
            for name in other_metrics(answer)
        ],
        costs=[value_or_dash(cost, amount) for cost in costs],
    )


def other_metrics(answer: Answer) -> list[str]:
    """The metrics besides the chosen one that candidates have."""
    return [
        name
        for name in MEASURES
        if name != answer.metric and any(name in one.scores for one in answer.ranked)
    ]


def value_or_dash(number: float, text: Callable[[float], str]) -> Value:
    return Value(DASH) if math.isnan(number) else Value(text(number), number)


def amount(number: float) -> str:
    """Two digits, more where they stand before the point.

    >>> amount(0.01234), amount(12345.6)
    ('0.012', '12,346')
    """
    return f"{number:,.0f}" if number >= 99.5 else f"{number:.2g}"
