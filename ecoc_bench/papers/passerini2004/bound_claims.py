"""What Passerini, Pontil & Frasconi (2004) say about Figure 4, the leave-one-out bound.

Thresholds follow the claims' words. Curves are those of likelihood decoding, one per data set and
code. Among equally low bounds the lowest gamma is taken, as in a run. A gamma without a bound is
not chosen. A curve whose bound is the same at every gamma chooses nothing and is left out.
"""

import numpy as np
import pandas as pd

from ..evidence import ENOUGH, Finding, NotEnough, graded
from ..missing import Missing
from .decoding_claims import CLOSE
from .experiment import CODES, CURVE, LIKELIHOOD, NAMES, note_gaps

SLIGHT = 2.0  # steps of the grid of gammas


def minimum_close(rows: pd.DataFrame, missing: Missing) -> Finding:
    """The test error at the bound's minimum is within 1 point of the lowest on 3/4 of the curves,
    and its mean distance is at most a quarter of a random gamma's; partly: on half of them, and
    below a random gamma's."""
    curves = _minima(rows, missing)
    near, gap, random = (curves["gap"] <= CLOSE).mean(), curves["gap"].mean(), curves["random"]
    text = (
        f"within 1 point of the lowest test error on {(curves['gap'] <= CLOSE).sum()} of "
        f"{len(curves)} curves and {_sets(curves)}; {gap:.2f} above it on average, a random gamma "
        f"{random.mean():.2f}; the bound is {curves['bound'].mean():.1f} there, the error "
        f"{curves['error'].mean():.1f}"
    )
    very = near >= 0.75 and gap <= random.mean() / 4
    return Finding(graded(bool(very), bool(near >= 0.5 and gap < random.mean())), text)


def smaller_variance(rows: pd.DataFrame, missing: Missing) -> Finding:
    """The bound's gamma is above the gamma of the lowest test error (so its variance is smaller) on
    a quarter of the curves and more often than below, by at most 2 steps of the grid on average;
    partly: more often above than below. Among equally low test errors the nearest counts."""
    curves = _minima(rows, missing)
    steps = curves["steps"]
    above, below = (steps > 0).sum(), (steps < 0).sum()
    text = (
        f"above on {above}, below on {below}, the same on {(steps == 0).sum()} of {len(steps)} "
        f"curves; {steps.mean():+.1f} steps of the grid on average; the bound is lowest at an end "
        f"of the grid on {curves['edge'].sum()}"
    )
    often = above > below and above >= len(steps) / 4
    return Finding(graded(bool(often and steps.mean() <= SLIGHT), bool(above > below)), text)


def _minima(rows: pd.DataFrame, missing: Missing) -> pd.DataFrame:
    """The numbers of each curve at the gamma of the lowest bound."""
    part = rows[rows["decoder"] == LIKELIHOOD].sort_values("gamma", kind="stable")
    note_gaps(part, "error", missing)
    note_gaps(part[part["error"].notna()], "bound", missing)
    curves = {key: curve for key, curve in part.groupby(CURVE, sort=False) if _judged(curve)}
    found = {key: _minimum(curve) for key, curve in curves.items() if not _flat(curve)}
    flat = [f"{NAMES[str(d)]} with {CODES[str(c)]}" for d, c in curves if (d, c) not in found]
    missing.note(flat, "the same bound at every gamma")
    due = rows["dataset"].nunique() * len(CODES)
    if len(found) < ENOUGH * due:
        raise NotEnough(f"only {len(found)} of the figure's {due} curves have a bound that chooses")
    return pd.DataFrame.from_dict(found, orient="index")


def _judged(curve: pd.DataFrame) -> bool:
    """Whether it has all its errors, and bounds to choose among."""
    return bool(curve["error"].notna().all() and curve["bound"].notna().any())


def _flat(curve: pd.DataFrame) -> bool:
    return bool(curve["bound"].max() == curve["bound"].min())


def _minimum(curve: pd.DataFrame) -> dict[str, float]:
    error, bound = curve["error"].to_numpy(), curve["bound"].to_numpy()
    at = int(np.nanargmin(bound))
    steps = at - np.flatnonzero(error <= error.min() + 1e-9)
    return {
        "error": error[at],
        "bound": bound[at],
        "gap": error[at] - error.min(),
        "random": error.mean() - error.min(),
        "steps": steps[np.abs(steps).argmin()],
        "edge": at in (0, len(curve) - 1),
    }


def _sets(curves: pd.DataFrame) -> str:
    datasets = pd.Series([dataset for dataset, _ in curves.index], curves.index)
    means = curves["gap"].groupby(datasets).mean()
    return f"on average over the codes on {(means <= CLOSE).sum()} of {len(means)} data sets"
