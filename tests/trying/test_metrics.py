"""The metrics are scikit-learn's, on resamples counted by weights."""

import numpy as np
import pytest
from sklearn import metrics as sk

from ecoc_bench.trying.metrics import METRICS, score

REFERENCE = {
    "error": lambda y, P: 1 - sk.accuracy_score(y, P.argmax(axis=1)),
    "balanced_accuracy": lambda y, P: sk.balanced_accuracy_score(y, P.argmax(axis=1)),
    "macro_f1": lambda y, P: sk.f1_score(y, P.argmax(axis=1), average="macro"),
    "log_loss": lambda y, P: sk.log_loss(y, P, labels=range(P.shape[1])),
}


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=200)
    return y, rng.dirichlet(np.ones(4) + 2 * np.eye(4)[0]) * 0.2 + 0.8 * rng.dirichlet(
        np.ones(4), size=200
    )


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_scikit_learns(name, drawn):
    assert score(name, *drawn) == pytest.approx(REFERENCE[name](*drawn))


@pytest.mark.parametrize("name", METRICS)
def test_weights_are_rows_drawn_several_times(name, drawn):
    y, P = drawn
    rows = np.random.default_rng(1).integers(len(y), size=len(y))
    counts = np.bincount(rows, minlength=len(y)).astype(float)
    found = METRICS[name].of(y, P, counts[None])[0]
    assert found == pytest.approx(REFERENCE[name](y[rows], P[rows]))
