"""The common figures: differences from a paper, errors, curves over rounds, margins."""

import numpy as np
import pandas as pd
import pytest
from drawn import drawn, pivoted, printed, summary_of
from runs import REFERENCE

from ecoc_bench.plots.compared import OURS, PAPER, beside
from ecoc_bench.plots.errors import draw_errors
from ecoc_bench.plots.heatmap import draw_differences
from ecoc_bench.plots.hidden import hidden_curves
from ecoc_bench.plots.looks import run_looks
from ecoc_bench.plots.margins import draw_margins
from ecoc_bench.plots.stages import draw_stages
from ecoc_bench.plots.style import CYCLE, HATCHES, lines, looks
from ecoc_bench.plots.time_error import draw_time_error
from ecoc_bench.published import load_table
from ecoc_bench.results.run import Run
from ecoc_bench.results.tables import signed

TABLE3 = load_table("allwein2000.table3")


def test_a_stand_in_counts_under_the_papers_name_unless_the_papers_set_is_there():
    svm = summary_of("uci_svm")
    stand_in = svm[svm["dataset"] == "dermatology"].assign(dataset="dermatology358", error=99.0)
    alone = beside(pd.concat([stand_in, svm[svm["dataset"] != "dermatology"]]), TABLE3)
    assert alone.loc[("dermatology", "ova", "loss"), OURS] == 99.0
    assert alone.loc[("dermatology", "ova", "loss"), PAPER] == 3.3
    both = beside(pd.concat([stand_in, svm]), TABLE3)
    assert both.loc[("dermatology", "ova", "loss"), OURS] != 99.0
    assert len(both) == len(alone) == len(TABLE3.entries)


def test_the_heat_map_prints_ours_minus_the_papers_in_every_entry():
    svm = summary_of("uci_svm")
    figure = draw_differences(beside(svm, TABLE3), TABLE3, "t")
    for axes, decoder in zip(figure.axes, ("hamming", "loss"), strict=False):
        difference = pivoted(svm, decoder) - printed(TABLE3, decoder)
        entries = difference.reindex(list(TABLE3.datasets), columns=list(TABLE3.code_titles))
        expected = ["–" if np.isnan(v) else signed(v) for v in entries.to_numpy().ravel()]
        assert [text.get_text() for text in axes.texts] == expected
        assert expected.count("–") == 1  # soybean has no complete code


SVM_LOOKS = run_looks(Run(REFERENCE / "uci_svm"))


def test_errors_are_dots_with_intervals_a_line_for_each_code_and_a_panel_for_each_data_set():
    svm = summary_of("uci_svm")
    figure = draw_errors(svm, SVM_LOOKS, "t")
    panels = {axes.get_title(): axes for axes in figure.axes if axes.get_visible()}
    assert list(panels) == list(svm["dataset"].unique())
    axes = panels["glass"]
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert sorted(names) == ["all_pairs", "complete", "dense", "ova", "sparse"]
    glass = svm[svm["dataset"] == "glass"]
    dots = {tuple(line.get_xydata()[0].round(6)) for line in axes.lines if len(line.get_xdata())}
    spans = {tuple(c.get_segments()[0][:, 0].round(6)) for c in axes.collections}
    for row in glass.itertuples():
        mine = [(x, y) for x, y in dots if round(y) == names.index(row.code)]
        assert pytest.approx(row.error, abs=1e-5) in [x for x, _ in mine]
        assert (round(row.lo, 6), round(row.hi, 6)) in spans


def test_a_code_without_a_number_has_a_cross_and_an_error_far_off_is_printed():
    svm = summary_of("uci_svm")
    svm = svm[svm["decoder"] == "loss"]
    far = svm.assign(
        error=svm["error"].where((svm["dataset"] != "glass") | (svm["code"] != "ova"), 99.0)
    )
    panels = {axes.get_title(): axes for axes in draw_errors(far, SVM_LOOKS, "t").axes}
    assert [text.get_text() for text in panels["glass"].texts] == ["99 →"]
    assert panels["glass"].get_xlim()[1] < 60
    crosses = {name: [len(line.get_xdata()) for line in axes.lines if line.get_marker() == "x"]
               for name, axes in panels.items()}  # fmt: skip
    assert crosses["soybean"] == [1]  # no complete code
    assert crosses["glass"] == [0]


def test_a_name_has_one_look_in_all_figures_of_a_run(tmp_path):
    textbook = Run(REFERENCE / "textbook")
    looks = run_looks(textbook)
    shapes = [
        (look["color"], look["marker"])
        for look in [*looks.codes.values(), *looks.decoders.values()]
    ]
    assert len(set(shapes)) == len(shapes) == 18
    figures = drawn(textbook)
    _, side = figures["time_error"].axes
    listed = [t.get_text() for t in side.texts]
    first = next(line for line in side.lines)  # the lowest error: random_forest
    assert listed[listed.index("1") + 1] == "random_forest"
    forest = looks.codes["random_forest"]
    assert (first.get_color(), first.get_marker()) == (forest["color"], forest["marker"])
    for axes in figures["rounds_methods"].axes:
        for line in axes.lines:
            look = looks.codes[line.get_label()]
            assert (line.get_color(), line.get_marker()) == (look["color"], look["marker"])


def test_a_log_axis_has_small_ticks_and_says_so():
    points = pd.DataFrame(
        {"method": ["a", "b"], "code": ["a", "b"], "seconds": [0.1, 20.0], "error": [1.0, 2.0]}
    )
    axes = draw_time_error(points, lines(["a", "b"]), "t").axes[0]
    assert axes.get_xlabel().endswith("log scale)")
    small = axes.xaxis.get_minorticklocs()
    assert {0.3, 0.4, 3.0, 7.0} <= set(small.round(6))


def test_curves_under_others_are_named():
    rows = [
        (dataset, name, x, error)
        for dataset in ("glass", "vowel")
        for name, errors in {"a": [1, 5], "b": [2, 9], "c": [1, 5]}.items()
        for x, error in enumerate(errors)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "code", "stage", "error"])
    said = " Hidden under another curve: a under c (glass; vowel)."
    assert hidden_curves(table, ["dataset"], "code", "stage") == said
    table.loc[(table["code"] == "c") & (table["dataset"] == "vowel"), "error"] += 1
    assert hidden_curves(table, ["dataset"], "code", "stage").endswith("a under c (glass).")
    assert hidden_curves(table[table["code"] != "c"], ["dataset"], "code", "stage") == ""


def test_curves_over_rounds_have_a_panel_for_each_data_set_and_a_line_for_each_code():
    points = [(d, c, s) for d in ("a", "b") for c in ("ova", "dense") for s in (50, 1, 10)]
    errors = pd.DataFrame(points, columns=["dataset", "code", "stage"]).assign(error=5.0)
    figure = draw_stages(errors, lines(["ova", "dense"]), "t")
    assert [axes.get_title() for axes in figure.axes] == ["a", "b"]
    for axes in figure.axes:
        assert [line.get_label() for line in axes.lines] == ["ova", "dense"]
        assert axes.lines[0].get_xdata().tolist() == [1, 10, 50]


def test_margins_are_drawn_as_cumulative_shares_a_line_per_round():
    points = [(stage, share, stage * share) for stage in (10, 100) for share in (0.0, 0.5, 1.0)]
    table = pd.DataFrame(points, columns=["stage", "share", "margin"])
    table = table.assign(dataset="glass", code="ova")
    [axes] = draw_margins(table, "margins").axes
    first, second = axes.lines[:2]
    assert first.get_xydata().tolist() == [[0, 0], [5, 0.5], [10, 1]]
    assert second.get_ydata()[-1] == 1


def test_bars_of_up_to_64_names_look_different():
    shown = looks([str(n) for n in range(len(CYCLE) * len(HATCHES))])
    assert len({tuple(look.values()) for look in shown.values()}) == 64
