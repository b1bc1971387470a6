"""What the rows of the trials come to: a line for each table, and the mean distances."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from tabulate import tabulate

from .peers import PEERS

SIMPLE = ("random forest", "LightGBM", "SVC with a grid")
BEST = "the best of the three"


class Distance(NamedTuple):
    """Our error minus another's, in points: the mean over the tables with its 95% interval."""

    mean: float
    low: float
    high: float
    n: int


def errors(path: Path) -> pd.DataFrame:
    """Tables x methods: test errors in percent, NaN where there is none."""
    rows = pd.read_csv(path)
    found = rows.pivot_table(index="table", columns="method", values="error", sort=False)
    return found.assign(**{BEST: found[list(SIMPLE)].min(axis=1)})


def distances(found: pd.DataFrame, ours: str = "try") -> dict[str, Distance]:
    """From each of the others, over the tables on which it has an error (Student's interval)."""
    others = [name for name in (*PEERS, BEST) if name in found]
    return {name: _distance((found[ours] - found[name]).dropna()) for name in others}


def _distance(gaps: pd.Series) -> Distance:
    half = stats.t.ppf(0.975, len(gaps) - 1) * gaps.std() / np.sqrt(len(gaps))
    return Distance(gaps.mean(), gaps.mean() - half, gaps.mean() + half, len(gaps))


def text(path: Path) -> str:
    """Errors with their 95% intervals, and the mean distances below."""
    rows = pd.read_csv(path)
    spans = [
        "–" if np.isnan(error) else f"{error:.1f} [{lo:.1f}, {hi:.1f}]"
        for error, lo, hi in rows[["error", "lo", "hi"]].itertuples(index=False)
    ]
    wide = rows.assign(span=spans).pivot_table(
        index="table", columns="method", values="span", aggfunc="first", sort=False
    )
    order = [name for name in ("try", "try --pick best", *PEERS) if name in wide]
    lines = [tabulate(wide[order].fillna("–"), headers=["Table", *order], stralign="left"), ""]
    for ours in order[: len(order) - len(PEERS)]:
        for name, gap in distances(errors(path), ours).items():
            lines.append(
                f"{ours} minus {name}: {gap.mean:+.2f} points "
                f"[{gap.low:+.2f}, {gap.high:+.2f}] over {gap.n} tables"
            )
    return "\n".join(lines) + "\n"
