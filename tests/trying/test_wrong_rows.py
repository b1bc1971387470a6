"""The rows that are wrong with the most confidence."""

from dataclasses import replace

import numpy as np
import pytest

from ecoc_bench.trying.held_out import HeldOut, held_out
from ecoc_bench.trying.wrong_rows import confidently_wrong


def test_probabilities_are_means_over_repeats_and_the_largest_comes_first():
    P = np.array([[0.3, 0.7], [0.1, 0.9], [0.6, 0.4], [0.9, 0.1]])
    held = HeldOut(np.array([4, 4, 7, 9]), np.array([0, 0, 1, 0]), P)
    first, second = confidently_wrong(held, 5)
    assert first == pytest.approx((4, 0, 1, 0.8, 0.2))
    assert second == pytest.approx((7, 1, 0, 0.6, 0.4))
    assert confidently_wrong(held, 1) == [first]


def test_rows_that_were_never_tested_are_no_predictions(answer):
    pick = answer.entry(answer.pick)
    P = pick.probabilities.copy()
    P[:, 10:] = np.nan
    some = replace(answer, entries=(replace(pick, probabilities=P),), pick=pick.name)
    assert set(held_out(some, pick.name).row.tolist()) == set(range(10))
    none = replace(some, entries=(replace(pick, probabilities=P * np.nan),))
    assert held_out(none, pick.name) is None
