"""One temperature: it is the best one, and no row's own label touches its probability."""

import numpy as np

from ecoc_bench.models.scoring import probabilities as softmax
from ecoc_bench.trying.calibrate import probabilities, temperature


def drawn(n=300, k=3, a=2.0):
    rng = np.random.default_rng(0)
    S = rng.normal(size=(n, k))
    P = softmax(S, a)
    return S, np.array([rng.choice(k, p=p) for p in P]), rng.integers(5, size=n)


def test_the_temperature_minimises_the_log_loss():
    S, y, _ = drawn()
    grid = np.exp(np.linspace(-3, 3, 2001))
    losses = [-np.log(softmax(S, a)[np.arange(len(y)), y]).mean() for a in grid]
    assert abs(temperature(S, y) / grid[np.argmin(losses)] - 1) < 0.03


def test_scores_without_a_mistake_have_a_finite_temperature():
    S = np.array([[1.0, 0.0], [0.0, 1.0]] * 20)
    assert 0 < temperature(S, np.array([0, 1] * 20)) < 1e4
    assert np.isfinite(temperature(np.zeros((4, 2)), np.array([0, 1, 0, 1])))


def test_no_label_touches_the_probabilities_of_its_own_fold():
    S, y, folds = drawn()
    other = np.where(folds == 2, (y + 1) % 3, y)
    before, after = probabilities(S, y, folds), probabilities(S, other, folds)
    assert (before[folds == 2] == after[folds == 2]).all()
    assert (before[folds != 2] != after[folds != 2]).any()


def test_rows_that_are_never_tested_have_no_probability():
    S, y, _ = drawn()
    P = probabilities(S, y, np.where(np.arange(len(y)) < 100, -1, 0))
    assert np.isnan(P[:100]).all()
    assert np.isfinite(P[100:]).all()
