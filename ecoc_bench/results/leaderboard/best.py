"""Which methods are worse than the best beyond chance, at one level for the whole leaderboard.

The best is chosen by the same numbers that are then tested, so every test is corrected for all
pairs of methods, not only for those with the best.
"""

from itertools import combinations
from math import isnan
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from ..significance.procedures import (
    average_ranks,
    corrected_t,
    critical_difference,
    friedman,
    holm,
    wilcoxon,
)
from ..significance.units import Folds


class Judged(NamedTuple):
    """The methods that are worse than the best, by which test, and what the test could not see."""

    worse: frozenset[str]
    test: str
    limit: str = ""  # a sentence if the test could not have told anything apart


def judged_over_datasets(errors: pd.DataFrame, alpha: float) -> Judged:
    """`errors`: data set x method, two or more of each. Demsar 2006, Section 3.2."""
    return _by_ranks(errors, alpha) if errors.shape[1] > 2 else _by_wilcoxon(errors, alpha)


def _by_ranks(errors: pd.DataFrame, alpha: float) -> Judged:
    """Average ranks further from the lowest than Nemenyi's CD, if Friedman's test rejects."""
    N, k = errors.shape
    ranks = average_ranks(errors.to_numpy())
    cd, p = critical_difference(k, N, alpha), friedman(errors.to_numpy()).p_F
    test = f"Friedman and Nemenyi: average ranks must differ by {cd:.1f}"
    if cd > k - 1:
        return Judged(
            frozenset(),
            "Friedman and Nemenyi",
            f"On {N} data sets these tests cannot tell any of {k} apart, however much they differ.",
        )
    if p >= alpha:
        return Judged(frozenset(), f"Friedman: as a whole they do not differ, p = {p:.2f}")
    worse = ranks - ranks.min() > cd
    return Judged(frozenset(map(str, errors.columns[worse])), test)


def _by_wilcoxon(errors: pd.DataFrame, alpha: float) -> Judged:
    """Two methods: the one with the higher average rank, if Wilcoxon's test rejects."""
    N = len(errors)
    test = f"Wilcoxon's signed-rank test over {N} data sets"
    if alpha < 2.0 ** (1 - N):
        limit = f"On {N} data sets this test cannot tell two apart, however much they differ."
        return Judged(frozenset(), test, limit)
    p = wilcoxon(*errors.to_numpy().T).p
    last = errors.columns[int(average_ranks(errors.to_numpy()).argmax())]
    return Judged(frozenset([str(last)] if p < alpha else []), test)


def judged_by_folds(errors: pd.Series, folds: Folds, alpha: float) -> Judged:
    """Within one cross-validated data set: Nadeau and Bengio's test, Holm over all pairs."""
    J, k = folds.errors.shape
    columns = {name: folds.errors[name].to_numpy() for name in folds.errors}
    p = {
        frozenset((a, b)): corrected_t(columns[a], columns[b], folds.ratio).p
        for a, b in combinations(columns, 2)
    }
    test = f"corrected resampled t-test over {J} folds, {_over_pairs(k)}"
    return Judged(_worse(errors, p, alpha), test)


def judged_by_rows(errors: pd.Series, n_test: pd.Series, alpha: float) -> Judged:
    """On one split: Fisher's exact test of two error counts, Holm over all pairs.

    It takes the two as if they had been tested on different rows, which is on the safe side.
    """
    wrong = (errors / 100 * n_test).round().astype(int)
    counts = {name: [wrong[name], n_test[name] - wrong[name]] for name in errors.index}
    p = {
        frozenset((a, b)): float(stats.fisher_exact(np.array([counts[a], counts[b]]))[1])
        for a, b in combinations(counts, 2)
    }
    test = f"Fisher's exact test on {n_test.max()} test rows, {_over_pairs(len(errors))}"
    return Judged(_worse(errors, p, alpha), test)


def _over_pairs(k: int) -> str:
    pairs = k * (k - 1) // 2
    return f"Holm over {pairs} pairs" if pairs > 1 else "one pair"


def _worse(errors: pd.Series, p: dict[frozenset, float], alpha: float) -> frozenset[str]:
    """The methods whose corrected p with the lowest error is below alpha."""
    # No p where all folds differ by the same number: then nothing is claimed.
    known = np.array([1.0 if isnan(one) else one for one in p.values()])
    corrected = dict(zip(p, holm(known), strict=True))
    best = errors.idxmin()
    others = [name for name in errors.index if name != best]
    return frozenset(str(name) for name in others if corrected[frozenset((best, name))] < alpha)
