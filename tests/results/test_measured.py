"""Further measures in tables, statistics, `show run` and the page; their means by hand."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest
from runs import made_up, row

from ecoc_bench.errors import UserError
from ecoc_bench.notebook import Run
from ecoc_bench.report.page import render_page
from ecoc_bench.results.measure_tables import overview

CONFIG = {
    "datasets": [{"name": name} for name in ("big", "small")],
    "learners": [{"name": "svm"}],
    "codes": [{"name": name} for name in ("ova", "dense")],
    "decoders": [{"name": "loss"}],
    "measures": ["macro_f1", "balanced_error"],
}
PLACE = {"learner": "svm", "decoder": "loss", "repeat": 0, "draw": 0, "stage": 0}
F1 = {  # data set, code -> value and rows of each fold; one is undefined
    ("big", "ova"): [(0.8, 30), (0.5, 10)],
    ("big", "dense"): [(0.9, 30), (0.7, 10)],
    ("small", "ova"): [(0.6, 10), (np.nan, 10)],
    ("small", "dense"): [(0.4, 10), (0.2, 10)],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two data sets of two folds; dense has the higher F1 on one, the lower error on neither."""
    rows, values = [], []
    for (dataset, code), folds in F1.items():
        for fold, (value, n) in enumerate(folds):
            at = {**PLACE, "dataset": dataset, "code": code, "fold": fold}
            errors = n // 10 if code == "ova" else n // 5
            rows.append(row(**at, n_test=n, n_train=90, errors=errors))
            values.append({**at, "measure": "macro_f1", "value": value})
            values.append({**at, "measure": "balanced_error", "value": errors / n})
    place = tmp_path_factory.mktemp("measured") / "run"
    return made_up(place, rows, CONFIG, measures=pd.DataFrame(values))


@pytest.fixture(scope="module")
def run(folder):
    return Run(folder)


def test_folds_count_by_their_rows_and_undefined_ones_do_not(run):
    table = pd.read_csv(StringIO(run.table("csv", measure="macro_f1"))).set_index(
        ["dataset", "code"]
    )["value"]
    assert table["big", "ova"] == pytest.approx(100 * (0.8 * 30 + 0.5 * 10) / 40, abs=1e-4)
    assert table["small", "ova"] == 60
    assert table["small", "dense"] == pytest.approx(30)


def test_the_table_says_what_it_shows_and_how_many_cells_are_undefined(run):
    text = run.table(measure="macro_f1")
    assert text.startswith("Macro-averaged F1 (%) of svm\n")
    assert "72.5" in text
    assert "The highest value is best." in text
    assert "Undefined in 1 cell, left out of the means." in text
    assert "interval" not in text
    assert "*" not in text


def test_the_overview_has_the_order_of_the_leaderboard_and_stars_the_best(run):
    found = overview(run)
    assert list(found.index) == ["ova loss (svm)", "dense loss (svm)"]
    assert list(found["error"]) == [10, 20]
    assert list(found["macro_f1"]) == [(72.5 + 60) / 2, (85 + 30) / 2]
    assert list(found["balanced_error"]) == [10, 20]


def test_statistics_by_a_measure_whose_highest_value_wins_rank_it_first(run):
    by_error, by_f1 = run.stats("code"), run.stats("code", measure="macro_f1")
    assert by_error.errors.loc["big"].to_dict() == {"ova": 10, "dense": 20}
    assert by_f1.errors.loc["big"].to_dict() == {"ova": 27.5, "dense": 15}
    [pair] = by_f1.pairs
    assert (pair.wins, pair.losses) == (1, 1)
    # The fold that is undefined for one of the two counts for neither.
    assert {one.dataset: one.folds for one in by_f1.within} == {"big": 2, "small": 1}


def test_the_commands_take_a_measure(folder, command):
    shown = command("table", folder, "--measure", "macro_f1")
    assert shown.stdout.startswith("Macro-averaged F1 (%) of svm")
    tested = command("stats", folder, "--compare", "code", "--measure", "macro_f1").stdout
    assert "100 minus macro-averaged F1 (%), the lowest average rank first" in tested
    numbers = command("stats", folder, "--compare", "code", "--measure", "balanced_error",
                      "--style", "csv").stdout  # fmt: skip
    assert "balanced_error,ova,,big,10\n" in numbers
    assert "macro_f1, balanced_error" in command("show", "run", folder).stdout
    assert "macro_f1" in command("list", "measures").stdout


@pytest.mark.parametrize(
    "words",
    [
        ["stats", "--compare", "code", "--measure", "macro_f1", "--stage", 5],
        ["table", "--measure", "macro_f1", "--stage", 5],
    ],
)
def test_a_measure_at_a_stage_is_refused(words, folder, command):
    result = command(words[0], folder, *words[1:])
    assert result.exit_code == 2
    assert "--stage" in result.stderr


def test_an_unknown_measure_and_a_run_without_measures_are_said(run, folder, tmp_path):
    with pytest.raises(UserError, match="unknown measure of the run 'macro_f'"):
        run.measured("macro_f")
    bare = made_up(tmp_path / "bare", run.results, CONFIG)
    with pytest.raises(UserError, match="Add `measures: \\[macro_f1\\]` to the config"):
        Run(bare).measured("macro_f1")


def test_the_page_has_a_section_of_measures(run):
    run.facts["machine"] = dict.fromkeys(("system", "processor", "cores", "python"), "any")
    page = render_page(run, [], [])
    section = page[page.index('<section id="measures"') :].split("</section>")[0]
    assert "<summary>Macro-averaged F1 (%)</summary>" in section
    assert "72.5" in section
    assert "66.2*" in section
