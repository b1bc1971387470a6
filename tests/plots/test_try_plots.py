"""Pictures of a trial's page that could lie."""

import numpy as np

from ecoc_bench.plots.confusion import draw_confusion
from ecoc_bench.plots.coverage import draw_coverage
from ecoc_bench.plots.dendrogram import draw_dendrogram
from ecoc_bench.plots.gaps import draw_gaps
from ecoc_bench.trying.confusion import merges


def test_the_hardest_pair_is_joined_at_its_error_and_only_leaves_reach_the_names():
    E = np.array([[0, 0.3, 0.02], [0.3, 0, 0.08], [0.02, 0.08, 0]])
    axes = draw_dendrogram(merges(E), 0.3, ["a", "b", "c"]).axes[0]
    first, last = sorted((line.get_xdata() for line in axes.lines), key=lambda x: -x[1])
    np.testing.assert_allclose(first, [33, 30, 30, 33])
    np.testing.assert_allclose(sorted(last), [5, 5, 30, 33])


def test_small_shares_are_dots_and_zeros_are_empty():
    percent = np.array([[99.6, 0.4, 0], [0, 100, 0], [0, 1, 99]])
    axes = draw_confusion(percent, ["a", "b", "c"]).axes[0]
    assert [text.get_text() for text in axes.texts] == ["100", "100", "1", "99"]
    assert axes.collections[0].get_offsets().tolist() == [[1, 0]]


def test_a_dot_is_full_within_its_critical_difference_and_far_ones_are_numbers():
    figure = draw_gaps(["a", "b", "c"], [1, 3, 60], [2, 2, 2], 4, "behind the best")
    axes = figure.axes[0]
    full, hollow = axes.lines[1:]
    assert full.get_xdata().tolist() == [1]
    assert hollow.get_xdata().tolist() == [3]
    assert [text.get_text() for text in axes.texts] == ["60 →"]


def test_the_interval_of_few_answers_does_not_set_the_scale():
    figure = draw_coverage([1, 50, 100], [0, 1, 4], [0, 0, 2], [90, 5, 6])
    assert figure.axes[0].get_ylim()[1] < 10
