"""Is one error rate worse than another beyond the noise? One-sided tests that keep their level.

Each returns the p-value of "ours is no worse than the reference"; swap the two for "no better".
"""

from collections.abc import Sequence
from math import ceil, floor, sqrt

import numpy as np
from scipy.special import bdtrc, stdtr
from scipy.stats import hypergeom


def sign_test(change: np.ndarray) -> float:
    """Exact sign test: `change` is, per example, our mistakes minus the reference's.

    With one prediction of each example this is McNemar's exact test. Over several draws of a code
    an example still counts once, by the sign of its sum: its draws are not independent.
    """
    worse, better = int((change > 0).sum()), int((change < 0).sum())
    if worse == 0:
        return 1.0
    return float(bdtrc(worse - 1, worse + better, 0.5))


def over_repeats(p: Sequence[float]) -> float:
    """One p-value from several on the same examples: twice their mean, for any dependence.

    Vovk & Wang, Combining p-values via averaging, Biometrika 107 (2020).
    """
    return p[0] if len(p) == 1 else min(1.0, 2 * float(np.mean(p)))


def two_proportions(rate: float, reference: float, n: int) -> float:
    """Fisher's exact test of two error rates, each on n examples, as if on different examples.

    Both runs share most of their examples, so the test is conservative. Means over repeats are not
    whole counts: ours is rounded down, the reference's up.
    """
    errors, ref_errors = floor(rate * n + 1e-9), ceil(reference * n - 1e-9)
    return float(hypergeom.sf(errors - 1, 2 * n, errors + ref_errors, n))


def refitted(difference: float, variance: float, freedom: float) -> float:
    """Student's t of a difference of two rates whose variance has so many degrees of freedom."""
    if difference <= 0:
        return 1.0
    return float(stdtr(freedom, -difference / sqrt(variance)))


def shares(changed: np.ndarray, can_alarm: np.ndarray) -> np.ndarray:
    """How alpha is divided among the entries, by the share of predictions that changed in each.

    In an honest run a coin decides for each change whether it is for better or worse. How many
    there are says nothing of that, so alpha may be spent where it matters without any harm to the
    level: nothing on an entry with too few changes to ever raise an alarm; half of it in equal
    parts; half by the fourth power of `changed`, because an entry that became worse has more
    changes than the rest. NaN: not paired, an equal part.
    """
    weights = can_alarm.astype(float)
    paired = can_alarm & ~np.isnan(changed)
    if paired.any():
        power = changed[paired] ** 4
        weights[paired] = 0.5 + 0.5 * power / power.mean()
    return weights


def holm(p: Sequence[float], alpha: float, weights: np.ndarray) -> np.ndarray:
    """Which hypotheses Holm's procedure rejects; the chance of any false rejection is <= alpha.

    Each has alpha times its share of the weights of those not yet rejected; without a weight it is
    never rejected. Holm, A simple sequentially rejective multiple test procedure (1979), Section 4.
    """
    rejected = np.zeros(len(p), dtype=bool)
    weighted = np.flatnonzero(weights)
    ratios = np.asarray(p, dtype=float)[weighted] / weights[weighted]
    order = np.argsort(ratios)
    remaining = np.cumsum(weights[weighted][order][::-1])[::-1]
    passed = ratios[order] * remaining <= alpha
    rejected[weighted[order]] = np.logical_and.accumulate(passed)
    return rejected
