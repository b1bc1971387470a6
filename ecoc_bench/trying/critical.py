"""By how much a candidate must be worse than the best to be told from it."""

from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy import stats

from ..results.significance.procedures import corrected_t
from .answer import Answer
from .choose import ALPHA
from .folds import ratio


class Gap(NamedTuple):
    """A candidate next to the best, in units of the chosen metric."""

    name: str
    worse: float  # mean over the test parts; above 0: the best is better
    critical: float  # it is told from the best if it is worse by more than this


def gaps(answer: Answer) -> list[Gap]:
    """The ranked candidates but the best, by the corrected t-test at the levels of Holm.

    From the first test that rejects nothing the level stays: Holm's procedure stops there, and
    later candidates are within the critical difference of that level.
    """
    best, sign = answer.entry(answer.best), -1 if answer.higher_is_better else 1
    tests = [
        (entry.name, *_test(sign * entry.by_fold, sign * best.by_fold, ratio(answer.folds)))
        for entry in answer.ranked
        if entry is not best and entry.by_fold is not None and best.by_fold is not None
    ]
    found: dict[str, Gap] = {}
    level = ALPHA
    for done, (name, worse, error, freedom, _) in enumerate(sorted(tests, key=lambda t: t[-1])):
        if all(abs(gap.worse) > gap.critical for gap in found.values()):
            level = ALPHA / (len(tests) - done)
        found[name] = Gap(name, worse, float(stats.t.isf(level / 2, freedom)) * error)
    return [found[name] for name, *_ in tests if not np.isnan(found[name].critical)]


def _test(one: np.ndarray, best: np.ndarray, test_ratio: float) -> tuple[float, float, int, float]:
    """Mean difference, its standard error, degrees of freedom and p, over the parts both have."""
    known = np.isfinite(one) & np.isfinite(best)
    J = int(known.sum())
    if J < 2:
        return np.nan, np.nan, 1, 1.0
    difference = (one - best)[known]
    error = sqrt((1 / J + test_ratio) * float(difference.var(ddof=1)))
    p = corrected_t(one[known], best[known], test_ratio).p
    return float(difference.mean()), error, J - 1, 0.0 if np.isnan(p) else p
