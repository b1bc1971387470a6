import re
import shutil
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from runs import REFERENCE, SMALL, copied

from ecoc_bench.coding.codes import CODES, rho
from ecoc_bench.errors import CodeError, UserError
from ecoc_bench.papers.allwein2000.bars import (
    MATRIX_ORDER,
    OURS,
    PAPER,
    draw_codes,
    draw_decoders,
)
from ecoc_bench.papers.allwein2000.figure3 import draw_synthetic
from ecoc_bench.papers.allwein2000.losses import PANELS, draw_losses
from ecoc_bench.plots.code import COLOURS, draw_code
from ecoc_bench.plots.compared import beside
from ecoc_bench.plots.errors import draw_errors
from ecoc_bench.plots.heatmap import draw_differences
from ecoc_bench.plots.margins import draw_margins
from ecoc_bench.plots.stages import draw_stages
from ecoc_bench.plots.style import CYCLE, HATCHES, looks, render
from ecoc_bench.published import load_table
from ecoc_bench.report.figures import pictures, write_figures
from ecoc_bench.results.catalogue import RESULT_COLUMNS as COLUMNS
from ecoc_bench.results.run import Run
from ecoc_bench.results.summary import summarize
from ecoc_bench.results.tables import signed

TABLE2, TABLE3 = load_table("allwein2000.table2"), load_table("allwein2000.table3")


@pytest.fixture(scope="module")
def boosted():
    return summarize(Run(REFERENCE / "uci_adaboost").results)


@pytest.fixture(scope="module")
def svm():
    return summarize(Run(REFERENCE / "uci_svm").results)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A copy of a committed run, to draw into."""
    folder = tmp_path_factory.mktemp("runs") / "uci_svm"
    shutil.copytree(REFERENCE / "uci_svm", folder)
    return folder


@pytest.fixture(scope="module")
def written(run):
    return write_figures(Run(run))


def pivoted(summary, decoder):
    """Errors of a run by plain pandas: data sets down, codes across."""
    return summary[summary["decoder"] == decoder].pivot_table("error", "dataset", "code")


def printed(paper, decoder):
    return pd.DataFrame(
        {c: {d: paper.error(d, c, decoder) for d in paper.datasets} for c in paper.code_titles},
        dtype=float,
    )


def bars(axes):
    """The heights of the bars of each label, from left to right."""
    found = axes.containers
    return {c.get_label(): [patch.get_height() for patch in c.patches] for c in found}


def test_bars_of_figure_4_are_loss_based_minus_hamming_of_both_tables(boosted):
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


def test_vowel_in_figure_5_is_the_papers_minus_9_5_points(svm):
    figure = draw_decoders(beside(svm, TABLE3), TABLE3, {"loss": "hinge loss"}, "t")
    heights = bars(figure.axes[0])["hinge loss, paper"]
    assert heights[TABLE3.datasets.index("vowel")] == pytest.approx(50.9 - 60.4)


@pytest.mark.parametrize(("table", "decoder"), [(TABLE2, "exponential"), (TABLE3, "loss")])
def test_bars_of_figures_6_and_7_are_differences_of_codes(table, decoder, boosted, svm):
    summary = boosted if table is TABLE2 else svm
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


def test_bars_stand_at_the_papers_number_of_their_data_set(boosted):
    errors = beside(boosted, TABLE2)
    figure = draw_codes(errors, TABLE2, "exponential", "t")
    axes = figure.axes[1]  # one-vs-all minus all-pairs: the paper has none for thyroid and isolet
    [paper] = [c for c in axes.containers if c.get_label() == PAPER]
    places = [round(p.get_x() + p.get_width() / 2 + 0.21) for p in paper.patches]
    known = printed(TABLE2, "exponential")[["ova", "all_pairs"]].notna().all(axis=1)
    assert places == np.flatnonzero(known).tolist()


def test_missing_bars_are_crosses(boosted):
    losses = {"l1": "L1", "exponential": "Exp"}
    axes = draw_decoders(beside(boosted, TABLE2), TABLE2, losses, "t").axes[1]
    crosses = sum(len(line.get_xdata()) for line in axes.lines if line.get_marker() == "x")
    assert crosses == 4 * 5  # the complete code was left out of five problems


def test_a_stand_in_counts_under_the_papers_name_unless_the_papers_set_is_there(svm):
    stand_in = svm[svm["dataset"] == "dermatology"].assign(dataset="dermatology358", error=99.0)
    alone = beside(pd.concat([stand_in, svm[svm["dataset"] != "dermatology"]]), TABLE3)
    assert alone.loc[("dermatology", "ova", "loss"), OURS] == 99.0
    assert alone.loc[("dermatology", "ova", "loss"), PAPER] == 3.3
    both = beside(pd.concat([stand_in, svm]), TABLE3)
    assert both.loc[("dermatology", "ova", "loss"), OURS] != 99.0
    assert len(both) == len(alone) == len(TABLE3.cells)


def test_the_heat_map_prints_ours_minus_the_papers_in_every_cell(svm):
    figure = draw_differences(beside(svm, TABLE3), TABLE3, "t")
    for axes, decoder in zip(figure.axes, ("hamming", "loss"), strict=False):
        difference = pivoted(svm, decoder) - printed(TABLE3, decoder)
        cells = difference.reindex(list(TABLE3.datasets), columns=list(TABLE3.code_titles))
        expected = ["–" if np.isnan(v) else signed(v) for v in cells.to_numpy().ravel()]
        assert [text.get_text() for text in axes.texts] == expected
        assert expected.count("–") == 1  # soybean has no complete code


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


def test_error_bars_of_a_run_without_a_paper_are_its_intervals(svm):
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


def test_a_run_over_rounds_gets_its_margins_drawn(config, command, tmp_path):
    text = SMALL.replace(
        "svm: {kernel: poly, degree: 2, gamma: 1/d}", "adaboost: {rounds: 20, record: [5]}"
    ).replace("[glass, vowel]", "[vowel]")
    command("run", config(text), "--out", tmp_path / "out", "-j", 1)
    names = {figure.name for figure in write_figures(Run(tmp_path / "out"))}
    assert {"margins", "rounds_hamming", "rounds_loss", "errors"} == names


@pytest.mark.parametrize("k", [3, 6, 10])
@pytest.mark.parametrize("name", CODES)
def test_every_code_can_be_drawn(name, k):
    try:
        M = CODES[name].make(k, np.random.default_rng(0))
    except CodeError:
        assert (name, k) in {("dense", 3), ("sparse", 3), ("bch", 3)}
        return
    figure = draw_code(M, name)
    images = [axes.get_images()[0].get_array() for axes in figure.axes]
    assert np.array_equal(np.hstack(images), M)
    assert figure.get_suptitle() == f"{name}: {k} classes, {M.shape[1]} columns, rho {rho(M):g}"
    assert b"classes" in render(figure, "svg")


def test_the_colours_of_a_code_differ_in_grey_too():
    def grey(colour):
        red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.3 * red + 0.59 * green + 0.11 * blue

    dark, middle, light = sorted(map(grey, COLOURS.values()))
    assert min(middle - dark, light - middle) > 0.2


def test_bars_of_up_to_64_names_look_different():
    shown = looks([str(n) for n in range(len(CYCLE) * len(HATCHES))])
    assert len({tuple(look.values()) for look in shown.values()}) == 64


def test_a_run_of_table_3_gets_figures_1_5_6_and_the_heat_map(run, written):
    assert [f.name for f in written] == ["figure1", "figure5", "figure6", "heatmap"]
    assert sorted(p.name for p in (run / "figures").iterdir()) == sorted(
        f"{f.name}.{kind}" for f in written for kind in ("svg", "png")
    )
    for figure in written:
        svg = figure.svg.read_text()
        assert figure.caption
        assert figure.title in svg
        assert len(svg) < 150_000
        assert figure.png.read_bytes().startswith(b"\x89PNG")
        # A bare & or < of a name would break the report that holds the picture.
        ElementTree.fromstring(svg)


def names(folder):
    """What would be drawn; putting it on paper is what takes time."""
    return [picture.name for picture in pictures(Run(folder))]


def test_figures_written_twice_are_the_same_bytes(run, written, tmp_path):
    again = copied("uci_svm", tmp_path)
    for first, second in zip(written, write_figures(Run(again)), strict=True):
        for path, twin in ((first.svg, second.svg), (first.png, second.png)):
            assert path.read_bytes() == twin.read_bytes()
            assert not re.search(rb"<dc:date>|Matplotlib", path.read_bytes())


def test_a_partial_run_of_table_2_shows_what_is_there(tmp_path):
    def glass(r):
        return (r["dataset"] == "glass") & (r["code"] != "sparse")

    folder = copied("uci_adaboost", tmp_path, glass)
    assert names(folder) == ["figure1", "figure4", "figure7", "heatmap"]


def test_without_hamming_decoding_there_is_nothing_to_subtract(tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["decoder"] != "hamming")
    assert names(folder) == ["figure1", "figure6", "heatmap"]


def test_a_run_of_no_paper_gets_bars_and_curves_over_its_rounds(tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["dataset"] == "glass", paper=None)
    assert names(folder) == ["errors"]
    results = pd.read_csv(folder / "results.csv")
    pd.concat([results, results.assign(stage=10)]).to_csv(folder / "results.csv", index=False)
    assert names(folder) == ["errors", "rounds_hamming", "rounds_loss"]


def test_figures_of_several_learners_have_their_names(tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["dataset"] == "glass", paper=None)
    results = pd.read_csv(folder / "results.csv")
    pd.concat([results, results.assign(learner="b")]).to_csv(folder / "results.csv", index=False)
    assert names(folder) == ["errors_svm", "errors_b"]


def test_synthetic_data_are_known_by_the_function_that_made_them(tmp_path):
    made = [{"name": "glass", "make": "ecoc_bench.synthetic:normals"}]
    folder = copied(
        "uci_svm", tmp_path, lambda r: r["dataset"] == "glass",
        paper=None, datasets=made,
    )  # fmt: skip
    assert names(folder) == ["figure3"]


def write_rows(folder, text):
    (folder / "results.csv").write_text(text)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda f: (f / "results.csv").unlink(), "results.csv: cannot be read"),
        (lambda f: (f / "manifest.json").write_text("[]"), "no 'ecoc_bench'"),
        (lambda f: (f / "manifest.json").write_text("{"), "not the folder of a run"),
        (lambda f: write_rows(f, "dataset,code\nglass,ova\n"), "results.csv: no column learner"),
        (lambda f: write_rows(f, ",".join(COLUMNS) + "\n"), "no rows"),
        (lambda f: write_rows(f, f"{','.join(COLUMNS)}\n{'x,' * 19}x\n"), "words among the numb"),
        (lambda f: (f / "figures").write_text(""), "cannot be written to"),
    ],
)
def test_a_malformed_folder_is_a_user_error(spoil, message, tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["dataset"] == "glass")
    spoil(folder)
    with pytest.raises(UserError, match=message):
        write_figures(Run(folder))


def test_the_command_prints_the_paths(command, tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["dataset"] == "glass", paper=None)
    lines = command("figures", folder).stdout.split()
    assert lines == [str(folder / "figures" / f"errors.{kind}") for kind in ("svg", "png")]
    assert command("figures", tmp_path / "nowhere").exit_code == 2


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_show_code_draws_a_matrix(kind, command, tmp_path):
    path = tmp_path / f"code.{kind}"
    result = command("show", "code", "all_pairs", "--classes", 4, "--plot", path)
    assert result.stdout.strip() == str(path)
    assert path.read_bytes().startswith(b"\x89PNG" if kind == "png" else b"<?xml")
    if kind == "svg":
        assert "all_pairs: 4 classes, 6 columns, rho 3.5" in path.read_text()


@pytest.mark.parametrize(
    ("name", "file", "message"),
    [
        ("dens", "code.png", "Did you mean 'dense'"),
        ("ova", "code.gif", "must end in .png or .svg"),
        ("ova", "nowhere/code.png", "there is no folder"),
    ],
)
def test_show_code_says_what_it_cannot_draw(name, file, message, command, tmp_path):
    result = command("show", "code", name, "-k", 4, "--plot", tmp_path / file)
    assert result.exit_code == 2
    assert message in result.stderr
