"""The leaderboard in words and as a table for the terminal, Markdown, LaTeX and CSV."""

from collections.abc import Sequence
from dataclasses import asdict
from textwrap import fill, wrap

import pandas as pd

from ..formats import Lines, Style, document, grid
from ..tables import DASH, tidy_csv
from .board import UNCLEAR, Leaderboard, Standing

WIDTH = 80
NAME = 24  # characters of a name in a line of the terminal
TOP = 10  # lines in the terminal; a board of a few more is shown whole
SPARE = 2
FEW = 14  # data sets that are named
SHARED = 3  # names of those who share the first place


def verdict(board: Leaderboard) -> str:
    """Who is best, and who cannot be told from it, in one or two sentences."""
    ranked = board.ranked
    if not ranked:
        return "Nothing can be ranked: no result has all its folds and draws."
    best = [standing for standing in ranked if standing.rank == 1]
    parts = [_first(best, board)]
    others = len(ranked) - len(best)
    if board.judged and others:
        parts.append(_others(board, others, len(best) > 1))
        parts += [board.judged.limit] if board.judged.limit else []
    return " ".join(parts)


def _first(best: Sequence[Standing], board: Leaderboard) -> str:
    shown, more = [standing.name for standing in best[:SHARED]], len(best) - SHARED
    names = _listed([*shown, f"{more} more"] if more > 0 else shown)
    errors = list(dict.fromkeys(f"{standing.error:.1f}%" for standing in best))
    error = errors[0]
    if len(board.ranked) == 1:
        return f"{names} has an error of {error} on {_on(board)}; there is nothing to compare."
    several = len(best) > 1
    if len(board.datasets) == 1:
        verb = "share" if several else "has"
        return f"{names} {verb} the lowest error of {len(board.ranked)} on {_on(board)}, {error}."
    verb = "share the first place" if several else "ranks first"
    text = (
        f"{names} {verb} of {len(board.ranked)}: average rank {best[0].average_rank:.2f} over "
        f"{_on(board)}, mean error {_listed(errors)}."
    )
    lowest = min(board.ranked, key=lambda standing: standing.error)
    if round(lowest.error, 1) < round(min(one.error for one in best), 1):
        text += f" The lowest mean error is that of {lowest.name}, {lowest.error:.1f}%."
    return text


def _on(board: Leaderboard) -> str:
    return board.datasets[0] if len(board.datasets) == 1 else f"{len(board.datasets)} data sets"


def _others(board: Leaderboard, others: int, several: bool) -> str:
    assert board.judged
    unclear = sum(standing.against_best == UNCLEAR for standing in board.ranked)
    them = "them" if several else "it"
    if unclear == 0:
        count = {1: "The other is", 2: "Both others are"}.get(others, f"All {others} others are")
        claim = f"{count} worse"
    elif unclear == others:
        none = {1: "The other cannot", 2: "Neither of the others can"}
        claim = f"{none.get(others, f'None of the {others} others can')} be told from {them}"
    else:
        claim = f"{unclear} of the {others} others cannot be told from {them}"
    return f"{claim} at {board.alpha:g} ({board.judged.test})."


def _listed(words: Sequence[str]) -> str:
    """
    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def notes(board: Leaderboard) -> list[str]:
    """What the columns are, and what was not ranked or not counted."""
    found = _how(board) if board.standings else []
    lacking: dict[tuple[str, ...], list[str]] = {}
    for standing in board.standings:
        if standing.missing:
            lacking.setdefault(standing.missing, []).append(standing.name)
    for missing, names in lacking.items():
        found.append(
            f"Not ranked, with the error on what there is: {', '.join(names)} "
            f"(no result on {', '.join(missing)})."
        )
    gaps: dict[tuple[str, ...], list[str]] = {}
    for dataset, lacked in board.left_out.items():
        gaps.setdefault(lacked, []).append(dataset)
    for lacked, datasets in gaps.items():
        found.append(f"Not counted: {', '.join(datasets)} (no result of {', '.join(lacked)}).")
    if board.unfinished:
        found.append(f"Folds or draws are missing: {_some(board.unfinished)}. Run again.")
    return found


def _how(board: Leaderboard) -> list[str]:
    several = len(board.datasets) > 1
    names = ", ".join(board.datasets) if len(board.datasets) <= FEW else _on(board)
    over = f", the mean over {names}" if several else ""
    found = [f"Error: test error in percent{over}; its 95% interval is over test rows."]
    if several:
        found.append("Rank: the average over data sets, where 1 is the lowest error.")
    if board.sources < len(board.datasets):
        found.append(
            f"The {len(board.datasets)} data sets are versions of {board.sources}: they are not "
            "independent, and the tests are too sure of themselves."
        )
    if any(standing.against_best == UNCLEAR for standing in board.ranked):
        found.append(f"Unclear: cannot be told from the best at {board.alpha:g}.")
    if any(standing.seconds is not None for standing in board.standings):
        over = ", geometric mean over data sets" if several else ""
        found.append(f"Seconds: all the fits of one training part{over}; decoders share them.")
    return found


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more


def opening(board: Leaderboard) -> str:
    """What the terminal shows first: the verdict and the first lines."""
    return render(board, top=TOP)


def render(board: Leaderboard, style: Style = "terminal", top: int | None = None) -> str:
    """The verdict, the table and its notes, or as CSV the table; `top`: only the first lines."""
    if style == "csv":
        return tidy_csv(frame(board))
    shown = board.standings[:top] if top and len(board.standings) > top + SPARE else board.standings
    hidden = len(board.standings) - len(shown)
    head = _head(board)
    body = [_row(standing, head, style) for standing in shown]
    table = grid(list(head), body, style) if body else ""
    more = [f"And {hidden} more: tables/leaderboard.txt, report.html."] if hidden else []
    foot = [*more, *notes(board)]
    if style != "terminal":
        return document("Leaderboard", [(verdict(board), table)], foot, style)
    wrapped = [fill(f"- {n}", WIDTH, subsequent_indent="  ", break_on_hyphens=False) for n in foot]
    parts = [fill(verdict(board), WIDTH, break_on_hyphens=False), table, "\n".join(wrapped)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _head(board: Leaderboard) -> dict[str, str]:
    """The columns that the board needs: title -> field of a standing."""
    columns = {"#": "rank", "Method": "name", "Error [95%]": "error"}
    if len(board.datasets) > 1:
        columns["Rank"] = "average_rank"
    if board.judged:
        columns["Vs best"] = "against_best"
    if any(standing.seconds is not None for standing in board.standings):
        columns["Seconds"] = "seconds"
    return columns


def _row(standing: Standing, head: dict[str, str], style: Style) -> list[Lines]:
    texts = entry_texts(standing)
    texts["error"] += f" [{standing.lo:.1f}, {standing.hi:.1f}]"
    name = wrap(standing.name, NAME) if style == "terminal" else [standing.name]
    return [name if field == "name" else [texts[field]] for field in head.values()]


def entry_texts(standing: Standing) -> dict[str, str]:
    """The fields of a standing as they are shown; a dash for what it does not have."""
    average, seconds = standing.average_rank, standing.seconds
    return {
        "rank": DASH if standing.rank is None else str(standing.rank),
        "name": standing.name,
        "error": f"{standing.error:.1f}",
        "average_rank": DASH if average is None else f"{average:.2f}",
        "against_best": standing.against_best or DASH,
        "seconds": DASH if seconds is None else f"{seconds:.3g}",
    }


def frame(board: Leaderboard) -> pd.DataFrame:
    """A row per standing."""
    rows = [asdict(one) | {"missing": " ".join(one.missing)} for one in board.standings]
    table = pd.DataFrame(rows, columns=list(Standing.__dataclass_fields__))
    return table.astype({"rank": "Int64"})
