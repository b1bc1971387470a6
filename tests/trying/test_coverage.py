"""The error of those answers that are confident."""

import numpy as np
import pytest

from ecoc_bench.trying.coverage import at_shares, coverage_curve, widest
from ecoc_bench.trying.held_out import HeldOut

P = np.array([[0.9, 0.1], [0.8, 0.2], [0.8, 0.2], [0.4, 0.6]])
HELD = HeldOut(np.arange(4), np.array([0, 0, 1, 0]), P)


def test_rows_of_equal_confidence_are_answered_together():
    curve = coverage_curve(HELD)
    assert curve.confidence.tolist() == [0.9, 0.8, 0.6]
    assert curve.share.tolist() == [0.25, 0.75, 1]
    assert curve.error == pytest.approx([0, 1 / 3, 0.5])


def test_a_share_is_reached_by_the_first_point_that_covers_it():
    points = at_shares(coverage_curve(HELD), (1.0, 0.7, 0.3))
    assert [(p.share, p.confidence) for p in points] == [(1.0, 0.6), (0.75, 0.8)]
    assert all(p.low <= p.error <= p.high for p in points)


def test_the_widest_share_within_an_error():
    curve = coverage_curve(HELD)
    assert curve.share[widest(curve, 0.4)] == 0.75
    assert widest(coverage_curve(HeldOut(HELD.row, 1 - HELD.y, P)), 0.2) is None


def test_a_row_tested_twice_counts_once():
    row = np.array([0, 0, 1])
    curve = coverage_curve(HeldOut(row, np.array([0, 0, 1]), P[:3]))
    assert curve.rows == 2
    assert curve.error[-1] == pytest.approx(0.5)
