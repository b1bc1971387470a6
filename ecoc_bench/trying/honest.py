"""How good the choice is, with the choosing counted: bootstrap bias-corrected cross-validation.

Tsamardinos, Greasidou & Borboudakis 2018, Algorithm 3: rows are drawn with replacement, a candidate
is chosen by the same rule on the rows that were drawn, and scored on the others. Nothing is fitted.
"""

from collections.abc import Sequence

import numpy as np

from .answer import Honest
from .choose import Rule, tied
from .folds import compared_rows, ratio
from .metrics import METRICS

RESAMPLES = 500
CELLS = 50_000_000  # of the counts: fewer resamples of more rows
FEWEST = 100
BLOCK = 2_000_000  # cells held at a time


class Scorer:
    """The candidates' probabilities by a metric, on any resample of the rows: lower is better."""

    def __init__(self, metric: str, y, folds, probabilities: Sequence[np.ndarray]):
        self.metric, self.y, self.folds, self.P = METRICS[metric], y, folds, probabilities
        self.sign = -1.0 if self.metric.higher_is_better else 1.0

    def overall(self, weights: np.ndarray) -> np.ndarray:
        """B x candidates: the metric of all tested rows, a mean over the repeats."""
        repeats = [np.flatnonzero(row >= 0) for row in self.folds]
        found = [[self._of(P[r], rows, weights) for P in self.P] for r, rows in enumerate(repeats)]
        return np.array(found).mean(axis=0).T

    def by_part(self, weights: np.ndarray) -> np.ndarray:
        """B x candidates x parts that they are compared on."""
        found = [
            [self._of(P[r], rows, weights) for P in self.P] for r, rows in compared_rows(self.folds)
        ]
        return np.array(found).transpose(2, 1, 0)

    def _of(self, P, rows, weights) -> np.ndarray:
        return self.sign * self.metric.of(self.y[rows], P[rows], weights[:, rows])


def bootstrap(
    scorer: Scorer, rule: Rule, groups: np.ndarray | None, seed: int
) -> tuple[Honest, np.ndarray]:
    """The honest number of the rule's choice, and the 95% interval of each candidate.

    The interval of a candidate is that of its metric on resamples of the rows; that of the choice
    is of the rows left out, which are fewer: it is on the safe side.
    """
    n, test_ratio = len(scorer.y), ratio(scorer.folds)
    rng = np.random.default_rng(seed)
    every = np.ones((1, n))
    chosen = rule(scorer.overall(every)[0], _tied(scorer, every, test_ratio)[0])
    naive = scorer.overall(every)[0, chosen]
    n_resamples = int(np.clip(CELLS // n, FEWEST, RESAMPLES))
    block = max(1, BLOCK // n)
    seen, left_out = [], []
    for start in range(0, n_resamples, block):
        counts = _counts(n, groups, min(block, n_resamples - start), rng)
        inside, same = scorer.overall(counts), _tied(scorer, counts, test_ratio)
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


def _tied(scorer: Scorer, weights: np.ndarray, test_ratio: float) -> np.ndarray:
    return tied(scorer.overall(weights), scorer.by_part(weights), test_ratio)


def _counts(n: int, groups: np.ndarray | None, B: int, rng) -> np.ndarray:
    """How often each row is drawn, B x n; the rows of a group are drawn together."""
    unit = np.arange(n) if groups is None else groups
    m = int(unit.max()) + 1
    drawn = rng.integers(m, size=(B, m)) + m * np.arange(B)[:, None]
    return np.bincount(drawn.ravel(), minlength=B * m).reshape(B, m).astype(float)[:, unit]
