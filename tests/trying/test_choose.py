"""Ties and picks: the tests of `results.significance`, on many resamples at once."""

import numpy as np

from ecoc_bench.results.significance.procedures import corrected_t, holm
from ecoc_bench.trying.choose import best, correlated_bayes, simplest, tied


def test_ties_are_those_of_the_corrected_t_test_with_holm():
    rng = np.random.default_rng(0)
    for _ in range(50):
        c, J = rng.integers(2, 7), rng.integers(3, 11)
        errors = rng.normal(size=(c, J)) * rng.choice([0.1, 1]) + rng.normal(size=(c, 1))
        scores = errors.mean(axis=1)
        first = int(scores.argmin())
        others = [i for i in range(c) if i != first]
        p = np.array([corrected_t(errors[first], errors[i], 0.25).p for i in others])
        expected = np.ones(c, dtype=bool)
        expected[others] = holm(p) > 0.05
        assert tied(scores[None], errors[None], 0.25)[0].tolist() == expected.tolist()


def test_a_constant_difference_is_no_chance_and_no_difference_is_a_tie():
    errors = np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.2, 0.3]])
    same = tied(errors.mean(axis=1)[None], errors[None], 0.25)[0]
    assert same.tolist() == [True, False, True]


def test_a_part_that_a_resample_left_empty_does_not_count():
    errors = np.array([[0.1, 0.2, 0.15, np.nan], [0.6, 0.6, 0.7, np.nan]])
    full = tied(np.array([[0.15, 0.6]]), errors[None, :, :3], 0.25)
    assert (tied(np.array([[0.15, 0.6]]), errors[None], 0.25) == full).all()


def test_the_simplest_is_tied_and_within_a_point():
    rule = simplest([0, 1, 2])
    assert rule(np.array([0.108, 0.12, 0.10]), np.array([True, True, True])) == 0
    assert rule(np.array([0.108, 0.105, 0.10]), np.array([False, True, True])) == 1
    assert best(np.array([0.108, 0.105, 0.10]), np.array([True, True, True])) == 2


def test_bayes_probabilities_sum_to_one_and_side_with_the_better():
    rng = np.random.default_rng(1)
    first = rng.normal(0.1, 0.01, size=10)
    found = correlated_bayes(first, first + rng.normal(0.05, 0.005, size=10), 0.25)
    assert abs(sum(found) - 1) < 1e-12
    assert found.first_better > 0.99
    assert correlated_bayes(first, first, 0.25).equal == 1
