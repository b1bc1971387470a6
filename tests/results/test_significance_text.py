"""What `stats` prints and draws of real runs."""

import io

import numpy as np
import pandas as pd
import pytest
from runs import REFERENCE, committed

from ecoc_bench.errors import UserError
from ecoc_bench.plots.critical_difference import draw_cd
from ecoc_bench.results.significance import blocks, compare, render

# --- what is printed and drawn


@pytest.fixture(scope="module")
def adaboost():
    return compare(committed("uci_adaboost"), "decoder")


def test_every_style_holds_the_numbers(adaboost):
    p = f"{adaboost.pairs[0].wilcoxon.p:.3f}"
    for style in ("terminal", "markdown", "latex"):
        text = render(adaboost, style)
        assert p in text
        assert f"{adaboost.joint.cd:.2f}" in text
        assert "1.25" in text  # the average rank of exponential
    assert max(map(len, render(adaboost).splitlines())) <= 120


def test_csv_is_tidy_and_complete(adaboost):
    table = pd.read_csv(io.StringIO(render(adaboost, "csv")))
    assert list(table) == ["measure", "first", "second", "dataset", "value"]
    assert not table.duplicated(["measure", "first", "second", "dataset"]).any()
    value = table.set_index("measure")["value"]
    assert value["critical_difference"] == pytest.approx(adaboost.joint.cd, rel=1e-5)
    assert len(value["error"]) == 36
    assert len(value["nemenyi_p"]) == len(value["holm_p"]) == 3
    sums = sum(value[f"bayes_{n}"].to_numpy() for n in ("first_better", "equal", "second_better"))
    assert sums == pytest.approx(np.ones(3))


def test_blocks_are_rectangles_of_text(adaboost):
    for block in blocks(adaboost):
        assert all(len(row) == len(block.head) for row in block.rows)


def test_the_diagram_names_all_and_its_bytes_repeat(adaboost, tmp_path):
    draw_cd(adaboost, tmp_path / "a.svg")
    draw_cd(adaboost, tmp_path / "b.svg")
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    for word in [*adaboost.methods, "CD = 0.96", "1.25", "12 data sets"]:
        assert word in text
    draw_cd(adaboost, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UserError, match=r"\.svg, \.pdf or \.png"):
        draw_cd(adaboost, tmp_path / "a.gif")
    with pytest.raises(UserError, match="cannot be written"):
        draw_cd(adaboost, tmp_path / "a.svg" / "b.svg")


def test_stats_command(command, tmp_path):
    run = REFERENCE / "uci_adaboost"
    plot = tmp_path / "cd.svg"
    result = command("stats", run, "--compare", "decoder", "--code", "dense", "--plot", plot)
    assert result.exit_code == 0
    assert result.stdout.startswith("Decoders compared: ")
    assert "code dense" in result.stdout
    assert plot.exists()
    assert "cd.svg" in result.stderr
    nothing = command("stats", run, "--compare", "learner")
    assert nothing.exit_code == 4
    assert nothing.stderr.startswith("Error: not enough data")
    assert command("stats", tmp_path, "--compare", "code").exit_code == 2


def test_level_and_rope_change_what_is_said(command):
    run = REFERENCE / "uci_adaboost"
    call = ["stats", run, "--compare", "decoder", "--style", "csv"]
    tables = {
        options: pd.read_csv(io.StringIO(command(*call, *options).stdout)).set_index("measure")
        for options in [(), ("--alpha", 0.01), ("--rope", 3)]
    }
    usual, strict, wide = (table["value"] for table in tables.values())
    assert strict["critical_difference"] > usual["critical_difference"]
    assert wide["bayes_equal"].max() > usual["bayes_equal"].min()
    assert wide["bayes_equal"].sum() > usual["bayes_equal"].sum()
