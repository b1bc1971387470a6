"""The common figures: differences from a paper, errors, curves over rounds, margins."""

import numpy as np
import pandas as pd
import pytest
from drawn import bars, pivoted, printed, summary_of

from ecoc_bench.plots.compared import OURS, PAPER, beside
from ecoc_bench.plots.errors import draw_errors
from ecoc_bench.plots.heatmap import draw_differences
from ecoc_bench.plots.margins import draw_margins
from ecoc_bench.plots.stages import draw_stages
from ecoc_bench.plots.style import CYCLE, HATCHES, looks
from ecoc_bench.published import load_table
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


def test_error_bars_of_a_run_without_a_paper_are_its_intervals():
    svm = summary_of("uci_svm")
    figure = draw_errors(svm, "t")
    assert len(figure.axes) == 2
    row = svm[(svm["decoder"] == "hamming")].iloc[0]
    whiskers = figure.axes[0].collections[0].get_segments()
    assert whiskers[0][:, 1].tolist() == pytest.approx([row["lo"], row["hi"]])
    assert bars(figure.axes[0])["ova"][0] == pytest.approx(row["error"])


def test_curves_over_rounds_have_a_panel_for_each_data_set_and_a_line_for_each_code():
    points = [(d, c, s) for d in ("a", "b") for c in ("ova", "dense") for s in (50, 1, 10)]
    errors = pd.DataFrame(points, columns=["dataset", "code", "stage"]).assign(error=5.0)
    figure = draw_stages(errors, "t")
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
