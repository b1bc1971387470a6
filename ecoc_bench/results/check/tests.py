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


def holm(p: Sequence[float], alpha: float) -> np.ndarray:
    """Which hypotheses Holm's procedure rejects; the chance of any false rejection is <= alpha."""
    order, m = np.argsort(p), len(p)
    passed = np.array(p)[order] <= alpha / (m - np.arange(m))
    rejected = np.zeros(m, dtype=bool)
    rejected[order] = np.logical_and.accumulate(passed)
    return rejected
