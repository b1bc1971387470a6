"""Figures 2 to 4 of Passerini et al. 2004 on runs made up."""

from xml.etree import ElementTree

import pytest
from drawn import drawn, points
from runs_passerini2004 import GAMMAS, bound, error, swept

from ecoc_bench.papers.passerini2004 import PASSERINI_2004
from ecoc_bench.report.figures import write_figures
from ecoc_bench.results.run import Run


def of_paper(run):
    """The paper's figures alone: bars take their time."""
    return {picture.name: picture.figure for picture in PASSERINI_2004.figures(run)}


def test_a_run_gets_the_papers_figures(tmp_path):
    run = swept(tmp_path / "run", ["glass", "letter"], folds=1, codes=["ova"])
    written = {figure.name: figure for figure in write_figures(Run(run))}
    assert list(written) == ["figure2", "figure3", "figure4", "errors"]
    svg = written["figure2"].svg.read_text()
    assert written["figure2"].title in svg.replace("\n", " ")
    ElementTree.fromstring(svg)


def test_figure_2_is_a_grid_of_data_sets_and_codes_with_a_curve_for_each_decoder(small):
    figure = of_paper(Run(small))["figure2"]
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == [
        f"{name}, {code}"
        for name in ("Glass", "Yeast")
        for code in ("One-vs-all", "All-pairs", "Dense")
    ]
    shown = points(figure.axes[1])
    assert list(shown) == ["Hamming", "Linear", "Soft-margin", "Likelihood"]
    assert shown["Likelihood"][:, 0].tolist() == GAMMAS
    expected = [error("glass", "all_pairs", "likelihood", step) + 0.5 for step in range(11)]
    assert shown["Likelihood"][:, 1] == pytest.approx(expected, abs=0.06)
    assert figure.axes[0].get_xscale() == "log"
    assert len({line.get_color() for line in figure.axes[0].lines}) == 4
    assert len({line.get_marker() for line in figure.axes[0].lines}) == 4
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == list(shown)


def test_figure_4_rings_the_lowest_error_dashed_and_the_lowest_bound_solid(tmp_path):
    run = swept(tmp_path / "run", ["letter"], folds=1)
    axes = of_paper(Run(run))["figure4"].axes[0]
    shown = {line.get_label(): line for line in axes.lines}
    assert shown["test error"].get_linestyle() == "--"
    assert shown["leave-one-out bound"].get_linestyle() == "-"
    assert shown["leave-one-out bound"].get_ydata().tolist() == pytest.approx(
        [bound("letter", "ova", "likelihood", step) for step in range(11)]
    )
    rings = [line.get_xydata()[0].tolist() for line in axes.lines if line.get_linestyle() == "None"]
    assert rings == [pytest.approx([2, 30]), pytest.approx([1, 5])]


def test_data_sets_of_ones_own_are_in_a_figure_of_their_own(tmp_path):
    run = Run(swept(tmp_path / "run", ["mine", "glass"], folds=1, codes=["ova", "bch"]))
    figures = drawn(run)
    assert list(figures)[:2] == ["figure2", "sweep_gaussian_svm"]
    titles = [axes.get_title() for axes in figures["sweep_gaussian_svm"].axes]
    assert titles == ["mine, ova", "mine, bch"]
