"""The leaderboard of the page: a line for each method, with a small picture of its error."""

from typing import NamedTuple

from ..results.leaderboard import Leaderboard, Standing
from ..results.leaderboard.text import entry_texts
from .entries import BAR, Value

# Best, and what the other kinds are called where there is room for words.
WORDS = {
    "best": "best",
    "unclear": "cannot be told from the best",
    "worse": "worse",
    "": "not ranked",
}


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
    bar: dict[str, str]


def board_lines(board: Leaderboard) -> list[BoardLine]:
    """The lines in the order of the board; all pictures have the same scale, from 0."""
    top = max((standing.hi for standing in board.standings), default=1.0) or 1.0
    return [_line(place, standing, top) for place, standing in enumerate(board.standings)]


def _line(place: int, standing: Standing, top: float) -> BoardLine:
    texts, scale = entry_texts(standing), (BAR - 8) / top
    places = {"lo": standing.lo, "hi": standing.hi, "error": standing.error}
    return BoardLine(
        kind=standing.against_best,
        rank=Value(texts["rank"], standing.rank),
        name=standing.name,
        error=Value(texts["error"], standing.error),
        interval=f"{standing.lo:.1f} to {standing.hi:.1f}",
        average_rank=Value(texts["average_rank"], standing.average_rank),
        against_best=Value(WORDS[standing.against_best], float(place)),
        seconds=Value(texts["seconds"], standing.seconds),
        bar={name: f"{4 + scale * percent:.1f}" for name, percent in places.items()},
    )
