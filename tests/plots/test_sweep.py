"""Sweeps of any run: what is swept, and how it is drawn."""

import pandas as pd
import pytest
from drawn import drawn, points
from runs import made_up, row

from ecoc_bench.plots.style import lines
from ecoc_bench.plots.sweep import draw_bound, draw_sweep
from ecoc_bench.results.run import Run
from ecoc_bench.results.sweeps import curves, sweeps

# Sweeps of any run


def joint_run(folder):
    """A joint method whose error is ten times its depth, on four data sets."""
    members = {f"booster@{depth}": depth for depth in (1, 2, 3)}
    methods = [
        {"name": name, "type": "adaboost_oc", "of": "booster", "swept": {"depth": depth}}
        for name, depth in members.items()
    ]
    rows = [
        row(dataset=dataset, learner="joint", code=name, decoder="joint", n_test=10, errors=depth)
        for dataset in "abcd"
        for name, depth in members.items()
    ]
    config = {"datasets": [{"name": dataset} for dataset in "abcd"], "methods": methods}
    return Run(made_up(folder, rows, config))


def test_a_joint_method_has_a_panel_for_each_data_set(tmp_path):
    run = joint_run(tmp_path)
    [sweep] = sweeps(run.config)
    assert (sweep.axis, sweep.parameter) == ("code", "depth")
    assert set(curves(run.results, sweep)["code"]) == {"booster"}
    figure = drawn(run)["sweep_booster"]
    visible = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in visible] == ["a", "b", "c", "d"]
    assert points(visible[3])["joint"].tolist() == [[1, 10], [2, 20], [3, 30]]
    assert visible[0].get_xscale() == "linear"
    assert visible[2].get_xlabel() == "depth"


def test_sweeps_over_two_parameters_over_words_and_of_one_value_are_not_drawn():
    def learners(*swept):
        return [{"name": f"svm@{i}", "type": "svm", "of": "svm", "swept": s} for i, s in
                enumerate(swept)]  # fmt: skip

    assert sweeps({"learners": learners({"C": 1}, {"C": 2})})
    for swept in (
        [{"C": 1, "gamma": 1}, {"C": 2, "gamma": 1}],
        [{"kernel": "rbf"}, {"kernel": "poly"}],
        [{"prune": True}, {"prune": False}],
        [{"C": 1}],
    ):
        assert sweeps({"learners": learners(*swept)}) == []
    assert sweeps({"learners": [{"name": "svm", "type": "svm"}]}) == []


@pytest.mark.parametrize(
    ("values", "scale", "label"),
    [
        ([0.01, 0.1, 1.0, 100.0], "log", "0.1"),
        ([0.25, 1.0, 4.0], "log", "2⁻²"),
        ([1.0, 5.0, 10.0], "linear", None),
        ([0.0, 10.0, 100.0], "linear", None),
        ([-1.0, 1.0, 20.0], "linear", None),
    ],
)
def test_a_positive_parameter_over_more_than_a_decade_has_a_log_axis(values, scale, label):
    rows = [("a", "ova", "hamming", value, 5.0, 50.0) for value in values]
    table = pd.DataFrame(rows, columns=["dataset", "code", "decoder", "value", "error", "bound"])
    for figure in (
        draw_sweep(table, "C", lines(["hamming"]), "t"),
        draw_bound(table, "C", "t"),
    ):
        [axes] = figure.axes
        assert axes.get_xlabel() == ("C (log scale)" if scale == "log" else "C")
        assert axes.get_xscale() == scale
        if label is not None:
            formatted = axes.xaxis.get_major_formatter().format_ticks(values)
            assert label in formatted
