"""The leaderboard of the page: a line for each method, with a small picture of its error."""

from typing import NamedTuple

import pandas as pd

from ..plots.errors import far_end
from ..results.leaderboard import Leaderboard, Standing
from ..results.leaderboard.text import entry_texts
from .entries import BAR, Value


class BoardLine(NamedTuple):
    """A standing as it is shown."""

    kind: str  # best, unclear or worse; empty without a rank
    rank: Value
    name: str
    error: Value
    interval: str
    average_rank: Value
    against_best: Value
    seconds: Value
    bar: dict[str, str]  # empty if its error is far off the scale


def board_lines(board: Leaderboard) -> list[BoardLine]:
    """The lines in the order of the board; all pictures have one scale, and none is too far off."""
    if not board.standings:
        return []
    low = min(standing.lo for standing in board.standings)
    high = far_end(
        pd.DataFrame([(s.error, s.hi) for s in board.standings], columns=["error", "hi"])
    )
    return [_line(*numbered, low, max(high, low + 1)) for numbered in enumerate(board.standings)]


def _line(place: int, standing: Standing, low: float, high: float) -> BoardLine:
    texts, scale = entry_texts(standing), (BAR - 8) / (high - low)
    places = {"lo": standing.lo, "hi": min(standing.hi, high), "error": standing.error}
    bar = {name: f"{4 + scale * (percent - low):.1f}" for name, percent in places.items()}
    return BoardLine(
        kind=standing.against_best,
        rank=Value(texts["rank"], standing.rank),
        name=standing.name,
        error=Value(texts["error"], standing.error),
        interval=f"{standing.lo:.1f} to {standing.hi:.1f}",
        average_rank=Value(texts["average_rank"], standing.average_rank),
        against_best=Value(standing.against_best or "not ranked", float(place)),
        seconds=Value(texts["seconds"], standing.seconds),
        bar=bar if standing.error <= high else {},
    )
