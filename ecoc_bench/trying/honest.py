"""How good the choice is, with the choosing counted: bootstrap bias-corrected cross-validation.

Tsamardinos, Greasidou & Borboudakis 2018, Algorithm 3: rows are drawn with replacement, a candidate
is chosen by the same rule on the rows that were drawn, and scored on the others. Nothing is fitted.
"""

from collections.abc import Callable, Sequence

import numpy as np

from .answer import Honest
from .choose import Rule, tied
from .folds import compared_rows, ratio
from .metrics import METRICS

RESAMPLES = 500
CELLS = 5_000_000  # rows x resamples: fewer resamples of more rows
SCORED = 25_000_000  # ... times candidates, if the metric counts by class
FEWEST = 100
BLOCK = 1_000_000  # cells held at a time


class Scorer:
    """The candidates' probabilities by a metric, on any resample of the rows: lower is better."""

    def __init__(self, metric: str, y, folds, probabilities: Sequence[np.ndarray]):
        self.metric, self.y, self.folds, self.P = METRICS[metric], y, folds, probabilities
        self.sign = -1.0 if self.metric.higher_is_better else 1.0

    def overall(self, weights: np.ndarray) -> np.ndarray:
        """B x candidates: the metric of all tested rows, a mean over the repeats."""
        repeats = [(r, np.flatnonzero(row >= 0)) for r, row in enumerate(self.folds)]
        return self._of(repeats, weights).mean(axis=2)

    def by_part(self, weights: np.ndarray) -> np.ndarray:
        """B x candidates x parts that they are compared on."""
        return self._of(compared_rows(self.folds), weights)

    def _of(self, places, weights: np.ndarray) -> np.ndarray:
        """B x candidates x places, each a repeat and some of its rows."""
        found = np.empty((len(weights), len(self.P), len(places)))
        for i, (r, rows) in enumerate(places):
            W = weights if len(rows) == weights.shape[1] else weights[:, rows]
            for c, P in enumerate(self.P):
                found[:, c, i] = self.metric.of(self.y[rows], P[r][rows], W)
        return self.sign * found


def bootstrap(
    scorer: Scorer,
    rule: Rule,
    groups: np.ndarray | None,
    seed: int,
    late: Callable[[], bool] = lambda: False,
) -> tuple[Honest, np.ndarray]:
    """The honest number of the rule's choice, and the 95% interval of each candidate.

    The interval of a candidate is that of its metric on resamples of the rows; that of the choice
    is of the rows left out, which are fewer: it is on the safe side. If it is `late`, fewer
    resamples have to do.
    """
    n, test_ratio = len(scorer.y), ratio(scorer.folds)
    rng = np.random.default_rng(seed)
    every = np.ones((1, n))
    scores = scorer.overall(every)
    naive = scores[0, rule(scores[0], tied(scores, scorer.by_part(every), test_ratio)[0])]
    n_resamples = _n_resamples(n, len(scorer.P), scorer.metric.by_class)
    block = max(1, BLOCK // n)
    seen: list[np.ndarray] = []
    left_out: list[float] = []
    for start in range(0, n_resamples, block):
        if len(left_out) >= FEWEST and late():
            break
        counts = _counts(n, groups, min(block, n_resamples - start), rng)
        inside = scorer.overall(counts)
        same = tied(inside, scorer.by_part(counts), test_ratio)
        outside = scorer.overall((counts == 0).astype(float))
        picks = [rule(inside[b], same[b]) for b in range(len(counts))]
        seen.append(inside)
        left_out += outside[np.arange(len(counts)), picks].tolist()
    intervals = np.nanpercentile(np.concatenate(seen), [2.5, 97.5], axis=0).T
    low, high = np.nanpercentile(left_out, [2.5, 97.5])
    return _oriented(scorer.sign, float(np.nanmean(left_out)), low, high, naive, intervals)


def _oriented(sign, estimate, low, high, naive, intervals) -> tuple[Honest, np.ndarray]:
    """The numbers as the metric has them: accuracies are turned around again."""
    if sign < 0:
        estimate, low, high, naive = -estimate, -high, -low, -naive
        intervals = -intervals[:, ::-1]
    return Honest(estimate, float(low), float(high), float(naive)), intervals


def _n_resamples(n: int, n_candidates: int, by_class: bool) -> int:
    """As many as a few seconds allow."""
    most = min(CELLS // n, SCORED // (n * n_candidates) if by_class else RESAMPLES)
    return int(np.clip(most, FEWEST, RESAMPLES))


def _counts(n: int, groups: np.ndarray | None, B: int, rng) -> np.ndarray:
    """How often each row is drawn, B x n; the rows of a group are drawn together."""
    m = n if groups is None else int(groups.max()) + 1
    drawn = rng.integers(m, size=(B, m)) + m * np.arange(B)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=B * m).reshape(B, m).astype(float)
    return counts if groups is None else counts[:, groups]
