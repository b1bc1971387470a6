"""What the rows of the trials come to: a line for each table, and the mean distances."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from tabulate import tabulate

from .peers import PEERS

SIMPLE = ["random forest", "LightGBM", "SVC with a grid"]
BEST = "the best of the three"


class Distance(NamedTuple):
    """Our error minus another's, in points: the mean over the tables with its 95% interval."""

    mean: float
    low: float
    high: float
    n: int


def errors(rows: pd.DataFrame) -> pd.DataFrame:
    """(table, split) x methods: test errors in percent, NaN where there is none.

    The best of the three is the one with the lowest mean over the splits of a table: it is chosen
    on the test rows, which nobody can do who has to choose.
    """
    found = rows.pivot_table("error", ["table", "split"], "method", sort=False)
    best = found[SIMPLE].groupby("table").mean().idxmin(axis=1)
    chosen = [found.loc[place, best[place[0]]] for place in found.index]
    return found.assign(**{BEST: chosen})


def distances(found: pd.DataFrame, ours: str = "try") -> dict[str, Distance]:
    """From each of the others, over the splits that both have (Student's interval, tables)."""
    others = [name for name in (*PEERS, BEST) if name in found]
    return {name: _distance((found[ours] - found[name]).dropna()) for name in others}


def _distance(gaps: pd.Series) -> Distance:
    means = gaps.groupby("table").mean()
    half = stats.t.ppf(0.975, len(means) - 1) * means.std() / np.sqrt(len(means))
    return Distance(means.mean(), means.mean() - half, means.mean() + half, len(means))


def text(path: Path) -> str:
    """Errors with the 95% intervals of one test part, and the mean distances below."""
    rows = pd.read_csv(path)
    error, lo, hi = (
        rows.pivot_table(column, "table", "method", sort=False) for column in ("error", "lo", "hi")
    )
    wide = error.map("{:.1f}".format) + lo.map(" [{:.1f}, ".format) + hi.map("{:.1f}]".format)
    splits = rows.groupby("method")["split"].nunique()
    heads = [f"{name} ({splits[name]})" for name in wide]
    lines = ["Means over the splits, whose number is behind the name.", ""]
    lines += [tabulate(wide, headers=["Table", *heads], stralign="left"), ""]
    for ours in [name for name in wide if name not in PEERS]:
        for name, gap in distances(errors(rows), ours).items():
            lines.append(
                f"{ours} minus {name}: {gap.mean:+.2f} points "
                f"[{gap.low:+.2f}, {gap.high:+.2f}] over {gap.n} tables"
            )
    return "\n".join(lines) + "\n"
