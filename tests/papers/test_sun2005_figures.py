"""Figures 3 and 4 of Sun et al. 2005 on runs made up."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from drawn import drawn, points
from runs_sun2005 import ECC, OC, SECC, STAGES, boosted, curve, told_of, train_curve

from ecoc_bench.papers.sun2005.curves import draw_test_errors, draw_training_errors
from ecoc_bench.report.figures import pictures, write_figures
from ecoc_bench.results.run import Run


def test_a_run_of_table_3_gets_figures_3_and_4_and_the_heat_map(tmp_path):
    small = boosted(tmp_path / "small", ["car@0.2", "letter@0.1"])
    written = {figure.name: figure for figure in write_figures(Run(small))}
    assert list(written) == ["figure3", "figure4", "heatmap"]
    for figure in written.values():
        assert figure.title in figure.svg.read_text().replace("\n", " ")
        ElementTree.fromstring(figure.svg.read_text())
        assert figure.png.read_bytes().startswith(b"\x89PNG")
    shown = written["heatmap"].svg.read_text()
    assert "SECC" in shown
    assert f"{SECC}@" not in shown


def test_figure_3_draws_the_chosen_curve_and_marks_its_t_star(boosted_run):
    figures = drawn(Run(boosted_run))
    panels = {axes.get_title(): axes for axes in figures["figure3"].axes}
    assert len(panels) == 12
    axes = panels["Cars, 20% (η* 0.05, T* 20)"]
    shown = points(axes)
    secc = [curve(f"{SECC}@0.05", 0.2, stage) + 0.1 for stage in STAGES]
    assert shown["SECC"][:, 1] == pytest.approx(secc, abs=0.01)
    [ring] = [line for line in axes.lines if line.get_marker() == "o"]
    assert ring.get_xydata()[0] == pytest.approx([20, secc[1]], abs=0.01)
    same = points(panels["Cars, 0% (η* 1, T* 50)"])
    assert same["SECC"].tolist() == same["ECC"].tolist()


def test_the_panels_of_a_database_have_one_scale_and_hidden_curves_are_named(boosted_run):
    found = {picture.name: picture for picture in pictures(Run(boosted_run))}
    panels = found["figure3"].figure.axes
    for row in range(4):
        assert len({axes.get_ylim() for axes in panels[3 * row : 3 * row + 3]}) == 1
    assert "Hidden under another curve: ECC under SECC (" in found["figure3"].caption
    assert "Cars, 0%" in found["figure3"].caption
    assert found["figure4"].figure.axes[0].get_xlabel() == "round (log scale)"


def test_figure_4_draws_the_training_errors_of_letters(boosted_run):
    figures = drawn(Run(boosted_run))
    assert [axes.get_title() for axes in figures["figure4"].axes] == [
        *["0% noise", "10% noise", "20% noise", "30% noise"]
    ]
    shown = points(figures["figure4"].axes[1])
    assert shown["ECC"][:, 1] == pytest.approx([train_curve(ECC, 0.1, s) for s in STAGES])
    assert set(shown) == {"ECC", "OC", "SECC"}


def test_section_3_shows_cost_margins_and_errors_of_every_round(tmp_path):
    run = Run(boosted(tmp_path / "run", ["letter@0", "letter@0.1", "car@0"], runs=1))
    told = told_of(run.results)
    told.to_csv(run.folder / "rounds.csv", index=False)
    found = {picture.name: picture for picture in pictures(Run(run.folder))}
    assert list(found)[:3] == ["figure3", "figure4", "section3"]
    assert "G fell in 147 of 147 rounds of ECC" in found["section3"].caption
    axes = found["section3"].figure.axes
    assert len(axes) == 6  # two noise levels of Letters
    cost, margin, error = (points(a) for a in axes[3:])
    assert cost["ECC"][:, 1] == pytest.approx(1000 / np.arange(1, 51))
    assert margin["OC"][:, 1] == pytest.approx(1 - 1 / np.arange(1, 51))
    expected = [train_curve(f"{SECC}@0.05", 0.1, t) for t in range(1, 51)]
    assert error["SECC"][:, 1] == pytest.approx(expected)
    every = points(found["figure4"].figure.axes[1])
    assert every["OC"][:, 0].tolist() == list(range(1, 51))


def test_what_a_run_lacks_is_left_out_of_the_grid(tmp_path):
    part = boosted(tmp_path / "part", ["letter@0.2", "car@0"])
    figures = drawn(Run(part))
    visible = [axes.get_title() for axes in figures["figure3"].axes if axes.get_visible()]
    assert visible == ["Cars, 0% (η* 0.05, T* 50)", "Letters, 20% (η* 0.05, T* 50)"]
    assert len(figures["figure4"].axes) == 1
    usps = drawn(Run(boosted(tmp_path / "usps", ["usps@0"])))
    assert list(usps) == ["heatmap"]


def test_curves_look_different_in_colour_and_dash():
    curves = pd.DataFrame(
        [("car@0", "car", 0.0, code, s, 9.0) for code in (ECC, SECC, OC) for s in STAGES],
        columns=["dataset", "database", "noise", "code", "stage", "error"],
    )
    titles = {ECC: "ECC", SECC: "SECC", OC: "OC"}
    for figure in (
        draw_test_errors(curves, {}, titles, {"car": "Cars"}, "t"),
        draw_training_errors(curves, titles, "t"),
    ):
        [axes] = figure.axes
        assert len({line.get_color() for line in axes.lines}) == 3
        assert len({str(line._unscaled_dash_pattern) for line in axes.lines}) == 3
