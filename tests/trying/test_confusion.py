"""Counts of what is taken for what, and the order and the tree that they give."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from ecoc_bench.trying.confusion import (
    counts,
    merges,
    most_confused,
    neighbours,
    pairwise_errors,
    shares,
    top_confusions,
)
from ecoc_bench.trying.held_out import HeldOut, held_out

C = np.array([[8.0, 0, 2], [0, 10, 0], [5, 0, 5]])


def test_counts_are_the_mean_of_scikit_learns_matrices_of_the_repeats(answer):
    P = answer.entry(answer.pick).probabilities
    expected = np.mean([confusion_matrix(answer.y, one.argmax(axis=1)) for one in P], axis=0)
    np.testing.assert_allclose(counts(held_out(answer, answer.pick)), expected)


def test_the_most_frequent_confusions_come_first():
    first, second = top_confusions(C, 10)
    assert first == (2, 0, 5.0, 0.5)
    assert second == (0, 2, 2.0, 0.2)
    assert top_confusions(C, 1) == [first]


def test_classes_that_are_taken_for_each_other_are_neighbours():
    order = neighbours(C).tolist()
    assert abs(order.index(0) - order.index(2)) == 1
    assert most_confused(C, 2).tolist() == [0, 2]
    assert neighbours(C[:2, :2]).tolist() == [0, 1]


def test_a_class_without_rows_has_no_shares():
    assert shares(np.array([[0.0, 0], [1, 3]])).tolist() == [[0, 0], [0.25, 0.75]]


def test_the_error_of_a_pair_leaves_out_the_other_classes():
    """Row 1 is lost to class 2 alone, row 2 ties with class 0: rates 0 and 1/2 between 0 and 1."""
    P = np.array([[0.5, 0.3, 0.2], [0.3, 0.2, 0.5], [0.4, 0.4, 0.2], [0.1, 0.1, 0.8]])
    E = pairwise_errors(HeldOut(np.arange(4), np.array([0, 0, 1, 2]), P))
    assert E[0, 1] == E[1, 0] == pytest.approx(0.25)
    assert E[0, 2] == pytest.approx(0.25)
    assert np.diag(E).tolist() == [0, 0, 0]


def test_the_hardest_pair_is_joined_first_at_height_0():
    tree = merges(np.array([[0, 0.3, 0.0], [0.3, 0, 0.1], [0, 0.1, 0]]))
    assert sorted(tree[0, :2]) == [0, 1]
    assert tree[:, 2] == pytest.approx([0, 0.25])
