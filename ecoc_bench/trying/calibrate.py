"""Scores become probabilities: softmax(a S), with one temperature a for each candidate.

The temperature of a fold is fitted on the out-of-sample scores of the other folds: no row's own
label touches its probability.
"""

import numpy as np

from ..models.scoring import probabilities as softmax

ROWS = 2000  # one number needs no more rows to be fitted
STEPS = 50
FLATTEST, STEEPEST = 1e-3, 1e3  # of a times the mean range of a row's scores; never 0: see below
PARTS = 5  # of a single test part, so that each has others to be fitted on


def temperature(S: np.ndarray, y: np.ndarray) -> float:
    """The a > 0 of least log loss of softmax(a S), by safeguarded Newton steps on ln a.

    Labels are smoothed as in Platt 1999: a row has its class with (n + 1)/(n + 2), else any. So a
    stays finite when every row is right. It is never 0: the order of the scores must survive.
    """
    step = -(-len(y) // ROWS)
    S, y = S[::step], y[::step]
    spread = float(np.ptp(S, axis=1).mean()) or 1.0
    low, high = np.log(FLATTEST / spread), np.log(STEEPEST / spread)
    share = 1 / (len(y) + 2)
    due = float(((1 - share) * S[np.arange(len(y)), y] + share * S.mean(axis=1)).mean())
    at = np.clip(np.log(1 / spread), low, high)
    for _ in range(STEPS):
        P = softmax(S, float(np.exp(at)))
        mean = (P * S).sum(axis=1)
        slope = float(mean.mean()) - due
        curve = float(((P * S**2).sum(axis=1) - mean**2).mean())
        low, high = (low, at) if slope > 0 else (at, high)
        newton = np.exp(at) - slope / curve if curve > 0 else 0.0
        after = np.log(newton) if newton > 0 else low
        after = after if low < after < high else (low + high) / 2
        if abs(after - at) < 1e-6:
            break
        at = after
    return float(np.exp(at))


def probabilities(S: np.ndarray, y: np.ndarray, folds: np.ndarray) -> np.ndarray:
    """Rows x classes; NaN where the row is in no test part (fold -1)."""
    P = np.full(S.shape, np.nan)
    tested = np.flatnonzero(folds >= 0)
    part = folds[tested]
    if len(np.unique(part)) < 2:
        part = np.arange(len(tested)) % PARTS
    for f in np.unique(part):
        mine, others = tested[part == f], tested[part != f]
        P[mine] = softmax(S[mine], temperature(S[others], y[others]))
    return P
