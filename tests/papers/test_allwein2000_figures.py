"""Figures 1 to 7 of Allwein et al. 2000: what is drawn is what the tables and decoders say."""

import numpy as np
import pandas as pd
import pytest
from drawn import bars, pivoted, printed, summary_of

from ecoc_bench.papers.allwein2000 import figure2
from ecoc_bench.papers.allwein2000.bars import MATRIX_ORDER, OURS, PAPER, draw_codes, draw_decoders
from ecoc_bench.papers.allwein2000.figure3 import draw_synthetic
from ecoc_bench.papers.allwein2000.losses import PANELS, draw_losses
from ecoc_bench.plots.compared import beside
from ecoc_bench.published import load_table

TABLE2, TABLE3 = load_table("allwein2000.table2"), load_table("allwein2000.table3")


def test_bars_of_figure_4_are_loss_based_minus_hamming_of_both_tables():
    boosted = summary_of("uci_adaboost")
    losses = {"l1": "L1", "exponential": "Exp"}
    figure = draw_decoders(beside(boosted, TABLE2), TABLE2, losses, "t")
    assert [axes.get_title("left") for axes in figure.axes] == list(TABLE2.code_titles.values())
    for axes, code in zip(figure.axes, TABLE2.code_titles, strict=True):
        shown = bars(axes)
        assert len(shown) == 4
        for decoder, label in losses.items():
            ours = (pivoted(boosted, decoder) - pivoted(boosted, "hamming"))[code]
            ours = ours.reindex(list(TABLE2.datasets)).dropna()
            theirs = (printed(TABLE2, decoder) - printed(TABLE2, "hamming"))[code].dropna()
            assert shown[f"{label}, this run"] == pytest.approx(ours.tolist())
            assert shown[f"{label}, paper"] == pytest.approx(theirs.tolist())


def test_figure_2_shows_the_distances_of_eqs_4_and_5_and_two_winners():
    entries = [list(zip(row, figure2.F[0], strict=True)) for row in figure2.M]
    hamming = [sum((1 - np.sign(m * f)) / 2 for m, f in row) for row in entries]
    loss = [sum(np.exp(-m * f) for m, f in row) for row in entries]
    top, bottom = figure2.draw_decoding("t").axes
    for axes, values in ((top, hamming), (bottom, loss)):
        texts = {t.get_text(): t.get_weight() for t in axes.texts if len(t.get_text()) > 1}
        written = [f"d = {v:.1f}" if v < 100 else f"d = {v:,.0f}" for v in values]
        assert set(written) <= set(texts)
        bold = {text for text, weight in texts.items() if weight == "bold"}
        assert bold == {written[np.argmin(values)], f"class {np.argmin(values) + 1}"}
    assert np.argmin(hamming) != np.argmin(loss)


def test_vowel_in_figure_5_is_the_papers_minus_9_5_points():
    svm = summary_of("uci_svm")
    figure = draw_decoders(beside(svm, TABLE3), TABLE3, {"loss": "hinge loss"}, "t")
    heights = bars(figure.axes[0])["hinge loss, paper"]
    assert heights[TABLE3.datasets.index("vowel")] == pytest.approx(50.9 - 60.4)


@pytest.mark.parametrize(("table", "decoder"), [(TABLE2, "exponential"), (TABLE3, "loss")])
def test_bars_of_figures_6_and_7_are_differences_of_codes(table, decoder):
    summary = summary_of("uci_adaboost" if table is TABLE2 else "uci_svm")
    figure = draw_codes(beside(summary, table), table, decoder, "t")
    assert len(figure.axes) == 25
    errors = {PAPER: printed(table, decoder), OURS: pivoted(summary, decoder)}
    for n, axes in enumerate(figure.axes):
        i, j = MATRIX_ORDER[n // 5], MATRIX_ORDER[n % 5]
        if i == j:
            assert not bars(axes)
            assert axes.texts[0].get_text() == table.code_titles[i]
            continue
        for side, table_of_side in errors.items():
            difference = (table_of_side[i] - table_of_side[j]).reindex(list(table.datasets))
            assert bars(axes)[side] == pytest.approx(difference.dropna().tolist())


def test_bars_stand_at_the_papers_number_of_their_data_set():
    boosted = summary_of("uci_adaboost")
    errors = beside(boosted, TABLE2)
    figure = draw_codes(errors, TABLE2, "exponential", "t")
    axes = figure.axes[1]  # one-vs-all minus all-pairs: the paper has none for thyroid and isolet
    [paper] = [c for c in axes.containers if c.get_label() == PAPER]
    places = [round(p.get_x() + p.get_width() / 2 + 0.21) for p in paper.patches]
    known = printed(TABLE2, "exponential")[["ova", "all_pairs"]].notna().all(axis=1)
    assert places == np.flatnonzero(known).tolist()


def test_panels_that_are_compared_have_one_scale():
    errors = beside(summary_of("uci_adaboost"), TABLE2)
    decoders = draw_decoders(errors, TABLE2, {"l1": "L1", "exponential": "Exp"}, "t")
    for figure in (decoders, draw_codes(errors, TABLE2, "exponential", "t")):
        assert len({axes.get_ylim() for axes in figure.axes}) == 1
    [(low, high)] = {axes.get_ylim() for axes in figure.axes}
    assert low == -high


def test_missing_bars_are_crosses():
    boosted = summary_of("uci_adaboost")
    losses = {"l1": "L1", "exponential": "Exp"}
    axes = draw_decoders(beside(boosted, TABLE2), TABLE2, losses, "t").axes[1]
    crosses = sum(len(line.get_xdata()) for line in axes.lines if line.get_marker() == "x")
    assert crosses == 4 * 5  # the complete code was left out of five problems


def test_figure_1_shows_the_four_losses_of_the_caption_never_below_their_middle():
    figure = draw_losses("t")
    assert [axes.get_title() for axes in figure.axes] == list(PANELS.values())
    for axes in figure.axes:
        lines = {line.get_label(): np.asarray(line.get_ydata()) for line in axes.lines}
        assert (lines["(L(z) + L(−z))/2"] >= lines["L(0)"][0] - 1e-12).all()
        assert lines["L(z)"].min() < lines["L(0)"][0]


def synthetic_rows():
    rows = [
        {"dataset": f"n{k}.{i}", "learner": "a", "code": code, "decoder": decoder, "n_classes": k,
         "error_rate": base * k / 100 + i / 100, "binary_error_rate": k / 200}
        for k in (3, 4) for i in (1, 3) for code in ("complete", "ova")
        for decoder, base in (("hamming", 4), ("loss", 2))
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_figure_3_shows_means_over_the_sets_of_each_k():
    figure = draw_synthetic(synthetic_rows(), "t")
    assert [axes.get_title() for axes in figure.axes] == [
        "Complete code, a",
        "One-against-all code, a",
    ]
    for axes in figure.axes:
        lines = {c.get_label(): c.lines[0].get_xydata().tolist() for c in axes.containers}
        assert lines["average binary error"] == [[3, 1.5], [4, 2]]
        assert np.allclose(lines["Hamming decoding"], [[3, 14], [4, 18]])
        assert np.allclose(lines["loss-based decoding"], [[3, 8], [4, 10]])


def test_no_panel_of_figure_3_cuts_off_a_line():
    rows = synthetic_rows()
    rows.loc[(rows["code"] == "ova") & (rows["decoder"] == "hamming"), "error_rate"] = 0.9
    for axes in draw_synthetic(rows, "t").axes:
        top = axes.get_ylim()[1]
        assert all(container.lines[0].get_ydata().max() < top for container in axes.containers)
