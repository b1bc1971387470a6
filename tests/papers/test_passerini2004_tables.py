"""Passerini et al. 2004: Table I as data, the points of a run, and the tables of runs made up."""

import numpy as np
import pandas as pd
import pytest
from judged import text_of
from runs import reconfigured
from runs_passerini2004 import LARGE, N_TEST, SMALL, error, swept

from ecoc_bench.experiment.config import table_names
from ecoc_bench.papers.passerini2004.experiment import chosen, experiment, in_full, own_sweeps
from ecoc_bench.papers.passerini2004.tables import choices, decoders, table1
from ecoc_bench.published import load_paper
from ecoc_bench.report.tables import write_further_tables
from ecoc_bench.results.run import Run

# Typed from the printed page.
TABLE_I = """
Anneal 5 898 - 38
Ecoli 8 336 - 7
Glass 6 214 - 9
Letter 26 15000 5000 16
Optdigits 10 3823 1797 64
Pendigits 10 7494 3498 16
Satimage 6 4435 2000 36
Segment 7 1540 770 19
Soybean 19 683 - 35
Yeast 10 1484 - 8
"""


def test_table_i_is_that_of_print_and_no_table_of_errors_is_claimed():
    paper = load_paper("passerini2004")
    names = {name: dataset for dataset, name in paper["names"].items()}
    lines = TABLE_I.split("\n")[1:-1]
    assert len(lines) == len(paper["datasets"]["rows"]) == 10
    for line in lines:
        name, *numbers = line.split()
        expected = [None if number == "-" else int(number) for number in numbers]
        assert paper["datasets"]["rows"][names[name]] == expected
    assert paper["figures"]["figure2"] == SMALL
    assert paper["figures"]["figure3"] == paper["figures"]["figure4"] == LARGE
    assert not [name for name in table_names() if name.startswith("passerini2004")]


@pytest.fixture(scope="module")
def text(large):
    return text_of(large)


# The points of a run


def test_points_are_pooled_over_folds_and_criteria_averaged(small):
    [sweep] = own_sweeps(Run(small))
    points = experiment(Run(small), sweep).set_index(["dataset", "code", "decoder", "gamma"])
    assert len(points) == 2 * 3 * 4 * 11
    at = points.loc[("glass", "ova", "linear", 2.0)]
    assert at["error"] == pytest.approx(error("glass", "ova", "linear", 6) + 0.5, abs=0.06)
    assert at["bound"] == pytest.approx(30)
    assert at["cv"] == pytest.approx(error("glass", "ova", "linear", 6) + 0.1)


def test_a_bound_that_a_fold_lacks_is_no_bound(tmp_path):
    run = swept(tmp_path / "run", ["glass"])
    table = pd.read_csv(run / "criteria.csv")
    gone = (table["fold"] == 1) & (table["decoder"] == "hamming")
    table["loo_bound"] = table["loo_bound"].mask(gone)
    table.to_csv(run / "criteria.csv", index=False)
    [sweep] = own_sweeps(Run(run))
    points = experiment(Run(run), sweep)
    assert points.loc[points["decoder"] == "hamming", "bound"].isna().all()
    assert points.loc[points["decoder"] != "hamming", "bound"].notna().all()
    assert points["cv"].notna().all()


def test_a_gamma_with_missing_folds_is_left_out_and_nan_in_full(small):
    run = Run(small)
    gone = run.results.eval("dataset == 'glass' and learner == 'gaussian_svm@2' and fold == 1")
    run.results = run.results[~gone]
    [sweep] = own_sweeps(run)
    points = experiment(run, sweep)
    assert 2.0 not in set(points.loc[points["dataset"] == "glass", "gamma"])
    assert 2.0 in set(points.loc[points["dataset"] == "yeast", "gamma"])
    full = in_full(points, sweep, SMALL)
    assert len(full) == 5 * 3 * 4 * 11
    assert full["error"].count() == 2 * 3 * 4 * 11 - 12


# Tables


def test_choices_are_set_beside_the_best_gamma(large, text):
    run = Run(large)
    [sweep] = own_sweeps(run)
    table = choices(run, sweep).set_index(["dataset", "code", "decoder", "by"])
    assert len(table) == 5 * 3 * 4 * 2
    bounds = table.loc[("letter", "ova", "likelihood", "loo_bound")]
    assert (bounds["best_gamma"], bounds["gamma"], bounds["share"]) == (1, 2, 1)
    assert bounds["gap"] == pytest.approx(0.1)
    assert table.loc[("letter", "ova", "likelihood", "cv"), "gap"] == 0
    assert "bound +0.1 (γ 2)" in text
    assert "cv 0.0 (γ 1)" in text
    assert "bound +0.3 (15 of 15)" in text


def test_with_several_folds_the_gamma_chosen_most_often_is_shown(tmp_path):
    run = swept(tmp_path / "run", ["glass"], folds=4)
    rows = pd.read_csv(run / "selected.csv")
    one = (rows["learner"] == "by_loo") & (rows["fold"] == 0)
    rows["chosen"] = rows["chosen"].mask(one, "gaussian_svm@32")
    rows.to_csv(run / "selected.csv", index=False)
    [sweep] = own_sweeps(Run(run))
    found = chosen(Run(run), sweep).set_index(["dataset", "code", "decoder", "by"])
    assert found.loc[("glass", "bch", "loss", "loo_bound"), "gamma"] == 2
    assert found.loc[("glass", "bch", "loss", "loo_bound"), "share"] == 0.75
    assert "(γ 2, 75%)" in text_of(run)


def test_decoders_count_wins_ties_and_losses_and_the_spread_over_gamma(tmp_path):
    def errors(dataset, code, decoder, step):
        return {"likelihood": 10.0, "linear": 8.0 + step, "loss": 10.0, "hamming": 9.0}[decoder]

    codes = ["ova", "all_pairs"]
    run = Run(swept(tmp_path / "run", ["glass"], errors, folds=1, codes=codes))
    [sweep] = own_sweeps(run)
    table = decoders(run, sweep).set_index(["dataset", "code", "decoder"])
    linear = table.loc[("glass", "ova", "linear")]
    assert linear[["wins", "ties", "losses"]].tolist() == [8, 1, 2]
    expected = [11, 13.0, np.std(range(11)), 10.0, 8.0]
    assert linear[["gammas", "mean", "sd", "range", "best"]].tolist() == pytest.approx(expected)
    assert table.loc[("glass", "ova", "loss"), "ties"] == 11
    assert table.loc[("glass", "ova", "hamming"), "losses"] == 11
    assert pd.isna(table.loc[("glass", "ova", "likelihood"), "wins"])
    text = text_of(run.folder)
    assert "16, 2, 4" in text
    assert "at least as good 82%" in text


def test_table_i_has_the_runs_numbers_above_the_papers(large, small, text):
    [sweep] = own_sweeps(Run(large))
    table = table1(Run(large), sweep).set_index(["dataset", "quantity"])
    assert table.loc[("satimage", "train")].tolist() == [4435, 4435]
    assert table.loc[("satimage", "test")].tolist() == [N_TEST, 2000]
    assert table.loc[("segmentation", "inputs")].tolist() == [19, 19]
    assert "7 of 20 numbers are the paper's" in text
    folded = table1(Run(small), sweep).set_index(["dataset", "quantity"])
    assert folded.loc[("glass", "train")].tolist() == [4435 + N_TEST, 214]
    assert folded.loc[("glass", "test")].isna().all()


def test_tables_are_written_in_three_styles_and_for_these_runs_alone(tmp_path):
    run = swept(tmp_path / "run", ["glass"])
    write_further_tables(Run(run))
    assert sorted(p.name for p in (run / "tables").iterdir()) == sorted(
        f"{name}{suffix}"
        for name in ("choices", "decoders", "table1")
        for suffix in (".txt", ".md", ".csv")
    )
    assert len(pd.read_csv(run / "tables" / "choices.csv")) == 3 * 4 * 2
    assert len(pd.read_csv(run / "tables" / "decoders.csv")) == 3 * 4
    assert "| Glass " in (run / "tables" / "table1.md").read_text()
    assert text_of(reconfigured(run, decoders=[{"name": "hamming"}])) == ""
