"""The honest number: it undoes what choosing among lucky candidates adds."""

import numpy as np
import pytest

from ecoc_bench.trying.choose import best, simplest
from ecoc_bench.trying.folds import make_folds
from ecoc_bench.trying.honest import Scorer, bootstrap


def guesses(n=100, k=2, candidates=20, seed=0):
    """Candidates that guess: each errs on half of the rows that are to come."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    folds = make_folds(y, None, None, seed, 0.0)
    return y, folds, [rng.dirichlet(np.ones(k), size=(1, n)) for _ in range(candidates)]


def test_the_best_of_many_guesses_is_no_better_than_chance():
    y, folds, P = guesses()
    honest, _ = bootstrap(Scorer("error", y, folds, P), best, None, 0)
    assert honest.naive < 0.45
    assert honest.optimism > 0.04
    assert honest.low < 0.5 < honest.high
    assert abs(honest.estimate - 0.5) < abs(honest.naive - 0.5)


def test_one_candidate_needs_no_correction():
    y, folds, P = guesses(candidates=1)
    honest, intervals = bootstrap(Scorer("error", y, folds, P), best, None, 0)
    assert honest.estimate == pytest.approx(honest.naive, abs=0.01)
    assert intervals[0][0] < honest.naive < intervals[0][1]


def test_an_accuracy_is_turned_around_and_back():
    y, folds, P = guesses()
    error, by_error = bootstrap(Scorer("error", y, folds, P), best, None, 0)
    right, by_right = bootstrap(Scorer("balanced_accuracy", y, folds, P), best, None, 0)
    assert right.naive == pytest.approx(1 - error.naive)
    assert right.low < right.estimate < right.high
    assert right.optimism < 0
    assert by_right[:, 0] == pytest.approx(1 - by_error[:, 1], abs=0.02)


def test_groups_that_err_together_widen_the_interval():
    y = np.arange(200) % 2
    groups = np.arange(200) // 20
    wrong = groups % 2 == 0
    P = np.eye(2)[np.where(wrong, 1 - y, y)][None]
    scorer = Scorer("error", y, make_folds(y, None, None, 0, 0.0), [P])
    alone, _ = bootstrap(scorer, simplest([0]), None, 0)
    together, _ = bootstrap(scorer, simplest([0]), groups, 0)
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_a_late_bootstrap_ends_after_its_fewest_resamples():
    y, folds, P = guesses(n=20_000, candidates=2)
    asked = []
    bootstrap(Scorer("error", y, folds, P), best, None, 0, lambda: asked.append(1) or True)
    assert len(asked) == 1
