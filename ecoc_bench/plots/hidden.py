"""Curves that lie under others: a caption names them, because no eye can find them."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import pandas as pd

NEAR = 0.01  # of the height of a panel: about the width of a line
FEW = 4  # panels that are named


def hidden_curves(
    curves: pd.DataFrame,
    panel: Sequence[str],
    name: str,
    x: str,
    titles: Mapping[str, str] | None = None,
) -> str:
    """A sentence on the curves that another covers, or nothing.

    `curves` has an `error` at each `x`, a curve for each `name` and a picture for each value of
    the columns `panel`; in a panel later names are drawn over earlier ones.

    >>> rows = [("glass", name, x, x) for name in ("linear", "loss") for x in (1, 2)]
    >>> table = pd.DataFrame(rows, columns=["dataset", "decoder", "value", "error"])
    >>> hidden_curves(table, ["dataset"], "decoder", "value")
    ' Hidden under another curve: linear under loss (glass).'
    """
    shown = {} if titles is None else titles
    found: dict[tuple[str, str], list[str]] = {}
    panels = list(curves.groupby(list(panel), sort=False))
    for place, rows in panels:
        where = ", ".join(shown.get(str(part), str(part)) for part in place)
        for pair in _covered(rows, name, x):
            found.setdefault(pair, []).append(where)
    parts = [
        f"{shown.get(under, under)} under {shown.get(over, over)} ({_places(where, len(panels))})"
        for (under, over), where in found.items()
    ]
    return f" Hidden under another curve: {'; '.join(parts)}." if parts else ""


def _covered(rows: pd.DataFrame, name: str, x: str) -> list[tuple[str, str]]:
    """Pairs (under, over) of curves that are as good as equal; each is named under one other."""
    wide = rows.pivot_table("error", x, name)[list(rows[name].unique())]
    near = NEAR * float(rows["error"].max() - rows["error"].min())
    pairs: dict[str, str] = {}
    for under, over in combinations(wide.columns, 2):
        mine = wide[[under, over]].dropna(subset=[under])
        if len(mine) > 1 and (mine[under] - mine[over]).abs().le(near).all():
            pairs[str(under)] = str(over)
    return list(pairs.items())


def _places(where: Sequence[str], panels: int) -> str:
    return "; ".join(where) if len(where) <= FEW else f"{len(where)} of {panels} panels"
