"""The figures of a run: which it gets, and how they are written."""

import re
from xml.etree import ElementTree

import pandas as pd
import pytest
from drawn import drawn
from runs import SMALL, SVM_LINE, copied

from ecoc_bench.errors import UserError
from ecoc_bench.report.figures import write_figures
from ecoc_bench.results.catalogue import RESULT_COLUMNS as COLUMNS
from ecoc_bench.results.run import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A copy of a committed run, to draw into."""
    return copied("uci_svm", tmp_path_factory.mktemp("uci_svm"))


@pytest.fixture(scope="module")
def written(run):
    return write_figures(Run(run))


def test_a_run_over_rounds_gets_its_margins_drawn(config, command, tmp_path):
    text = SMALL.replace(SVM_LINE, "adaboost: {rounds: 20, record: [5]}").replace(
        "[glass, vowel]", "[vowel]"
    )
    command("run", config(text), "--out", tmp_path / "out", "-j", 1)
    names = {figure.name for figure in write_figures(Run(tmp_path / "out"))}
    assert {"margins", "rounds_hamming", "rounds_loss", "errors"} == names


def test_a_run_of_table_3_gets_figures_1_2_5_6_and_the_heat_map(run, written):
    names = ["figure1", "figure2", "figure5", "figure6", "heatmap"]
    assert [f.name for f in written] == names
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


def test_figures_written_twice_are_the_same_bytes(run, written, svm):
    """Once by themselves, and once with the page of another copy."""
    again = svm.parent / "figures"
    paths = [path for figure in written for path in (figure.svg, figure.png)]
    assert {path.name for path in paths} == {path.name for path in again.iterdir()}
    for path in paths:
        assert path.read_bytes() == (again / path.name).read_bytes()
        assert not re.search(rb"<dc:date>|Matplotlib", path.read_bytes())


def test_a_partial_run_of_table_2_shows_what_is_there(tmp_path):
    def glass(r):
        return (r["dataset"] == "glass") & (r["code"] != "sparse")

    folder = copied("uci_adaboost", tmp_path, glass)
    assert list(drawn(Run(folder))) == ["figure1", "figure2", "figure4", "figure7", "heatmap"]


def test_without_hamming_decoding_there_is_nothing_to_subtract(tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["decoder"] != "hamming")
    assert list(drawn(Run(folder))) == ["figure1", "figure2", "figure6", "heatmap"]


def test_a_run_of_no_paper_gets_dots_and_curves_over_its_rounds(tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["dataset"] == "glass", paper=None)
    assert list(drawn(Run(folder))) == ["errors"]
    results = pd.read_csv(folder / "results.csv")
    pd.concat([results, results.assign(stage=10)]).to_csv(folder / "results.csv", index=False)
    assert list(drawn(Run(folder))) == ["errors", "rounds_hamming", "rounds_loss"]


def test_several_learners_share_the_figure_of_errors(tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["dataset"] == "glass", paper=None)
    results = pd.read_csv(folder / "results.csv")
    pd.concat([results, results.assign(learner="b")]).to_csv(folder / "results.csv", index=False)
    figures = drawn(Run(folder))
    assert list(figures) == ["errors"]
    labels = [label.get_text() for label in figures["errors"].axes[0].get_yticklabels()]
    assert {"ova (svm)", "ova (b)"} <= set(labels)


def test_synthetic_data_are_known_by_the_function_that_made_them(tmp_path):
    made = [{"name": "glass", "make": "ecoc_bench.synthetic:normals"}]
    folder = copied(
        "uci_svm", tmp_path, lambda r: r["dataset"] == "glass",
        paper=None, datasets=made,
    )  # fmt: skip
    assert list(drawn(Run(folder))) == ["figure3"]


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
        (
            lambda f: (f / "costs.csv").write_text(
                "dataset,learner,code,draw,repeat,fold,seconds\n" * 2
            ),
            "costs.csv: words among the numbers of draw, repeat, fold, seconds",
        ),
        (
            lambda f: write_rows(f, (f / "results.csv").read_text()[:-9] + "\n"),
            r"results.csv: line \d+: too few cells. Run its config again",
        ),
        (lambda f: (f / "figures").write_text(""), "cannot be written"),
    ],
)
def test_a_malformed_folder_is_a_user_error(spoil, message, tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["dataset"] == "glass", paper=None)
    spoil(folder)
    with pytest.raises(UserError, match=message):
        write_figures(Run(folder))


def test_the_command_prints_the_paths(command, tmp_path):
    folder = copied("uci_svm", tmp_path, lambda r: r["dataset"] == "glass", paper=None)
    lines = command("figures", folder).stdout.split()
    assert lines == [str(folder / "figures" / f"errors.{kind}") for kind in ("svg", "png")]
    assert command("figures", tmp_path / "nowhere").exit_code == 2
