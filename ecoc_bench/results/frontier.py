"""Error against cost as the classes grow: the table of `frontier`, and where codes pay in it.

A code pays where it has softmax boosting's error within half a point in a fifth of its time, or the
error of one-vs-all over the same learner with a fifth of its columns.
"""

from collections.abc import Iterator
from math import sqrt
from statistics import NormalDist

import numpy as np
import pandas as pd

from .formats import Style, document, grid
from .tables import DASH

COLUMNS = (
    "data", "classes", "attributes", "rows", "test_rows", "contender", "models", "fit_seconds",
    "microseconds", "megabytes", "peak_megabytes", "errors", "error", "low", "high",
    "to_best", "to_best_low", "to_best_high", "to_boosting", "to_boosting_low", "to_boosting_high",
    "note",
)  # fmt: skip
HALF_A_POINT, A_FIFTH = 0.5, 0.2
BOOSTING = ("lightgbm", "xgboost")
ONE_VS_ALL = "ova"
HEAD = (
    "Contender", "Models", "Training s", "µs a row", "Model MB", "Peak MB", "Error %",
    "Less the best", "Less boosting",
)  # fmt: skip


def paired(wrong: np.ndarray, other: np.ndarray, level: float = 0.95) -> tuple[float, ...]:
    """The difference of two error rates on the same rows, and its interval.

    Agresti and Min (2005), Statistics in Medicine 24: half a row is added to each kind of row.

    >>> a, b = np.arange(100) < 30, np.arange(100) < 20
    >>> [round(end, 3) for end in paired(a, b)]
    [0.1, 0.037, 0.159]
    """
    n, worse, better = len(wrong), int((wrong & ~other).sum()), int((other & ~wrong).sum())
    shift = (worse - better) / (n + 2)
    spread = sqrt((worse + better + 1) / (n + 2) - shift**2) / sqrt(n + 2)
    half = NormalDist().inv_cdf((1 + level) / 2) * spread
    return (worse - better) / n, shift - half, shift + half


def render(table: pd.DataFrame, titles: dict[str, str], style: Style) -> str:
    """A block for each data set and number of classes, and where codes pay."""
    blocks = []
    for (data, k), rows in table.groupby(["data", "classes"], sort=False):
        first = rows.iloc[0]
        title = f"{titles.get(str(data), str(data))}: {k} classes, {first.rows:,} training rows"
        lines = [[[cell] for cell in _line(row)] for row in rows.itertuples(index=False)]
        blocks.append((f"{title}, {first.test_rows:,} test rows", grid(HEAD, lines, style)))
    notes = [*NOTES, *_settings(table), *(pays(table) or ["Codes pay nowhere in this table."])]
    return document("Many classes: error against cost", blocks, notes, style)


def _line(row) -> list[str]:
    if np.isnan(row.errors):
        return [row.contender, *[DASH] * 5, row.note, DASH, DASH]
    costs = (row.fit_seconds, row.microseconds, row.megabytes, row.peak_megabytes)
    error = f"{row.error:.1f} [{row.low:.1f}, {row.high:.1f}]"
    best = _points(row.to_best, row.to_best_low, row.to_best_high)
    boosting = _points(row.to_boosting, row.to_boosting_low, row.to_boosting_high)
    numbers = (f"{cost:.3g}" for cost in costs)
    return [row.contender, f"{row.models:.0f}", *numbers, error, best, boosting]


def _points(value: float, low: float, high: float) -> str:
    if np.isnan(value):
        return DASH
    return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]".replace("-", "−")


def _settings(table: pd.DataFrame) -> Iterator[str]:
    done = table[table["errors"].notna() & table["note"].notna()]
    told = {_whose(str(row.contender)): str(row.note) for row in done.itertuples()}
    yield "; ".join(f"{who}: {note}" for who, note in told.items()) + "."


def _whose(contender: str) -> str:
    """Whom a note is about: the learner, whatever the code over it."""
    code, _, learner = contender.partition(" ")
    return f"codes over {learner}" if learner and code in (ONE_VS_ALL, *CODES) else contender


def pays(table: pd.DataFrame) -> list[str]:
    """A sentence for each place where a code has either advantage."""
    found = []
    for (data, k), rows in table.groupby(["data", "classes"], sort=False):
        done = rows[rows["errors"].notna()].set_index("contender")
        for name in [name for name in done.index if _is_code(name)]:
            for against in (_beats_boosting(done, name), _beats_one_vs_all(done, name)):
                if against:
                    found.append(f"{data}, {k} classes: {name} {against}.")
    return found


def _is_code(name: str) -> bool:
    """Whether it is a code of ours, other than one-vs-all: `code learner`."""
    code, _, learner = name.partition(" ")
    return code in CODES and bool(learner)


def _beats_boosting(done: pd.DataFrame, name: str) -> str | None:
    mine, peers = done.loc[name], done.loc[[peer for peer in BOOSTING if peer in done.index]]
    if peers.empty:
        return None
    peer = peers.iloc[int(peers["error"].to_numpy().argmin())]
    share = mine.fit_seconds / peer.fit_seconds
    if mine.error > peer.error + HALF_A_POINT or share > A_FIFTH:
        return None
    return f"has {mine.error:.1f}% to {peer.name}'s {peer.error:.1f}% in {share:.2g} of its time"


def _beats_one_vs_all(done: pd.DataFrame, name: str) -> str | None:
    own = f"{ONE_VS_ALL} {name.partition(' ')[2]}"
    if own not in done.index:
        return None
    mine, base = done.loc[name], done.loc[own]
    if mine.error > base.error or mine.models > A_FIFTH * base.models:
        return None
    columns = f"{mine.models:.0f} columns to {base.models:.0f}"
    return f"has {mine.error:.1f}% to one-vs-all's {base.error:.1f}% with {columns}"


CODES = ("dense", "hadamard", "trellis")
NOTES = (
    "Models: columns of a code, or the peer's binary models, weight vectors or trees. Training: "
    "seconds of one core's processor. µs a row: to predict one. Model: pickled, or as its library "
    "writes it. Peak: memory in the fit beyond what there was before.",
    "Intervals are of 95%: Wilson's for the error, Agresti and Min's for the differences on the "
    "same test rows. Less boosting: less the better of LightGBM and XGBoost.",
)
