"""The committed run of the textbook's theory: bounds, exercise 9.6, and two multiclass SVMs."""

import json

import numpy as np
import pandas as pd
import pytest
from results_readme import PLAIN
from runs import REFERENCE, committed

from ecoc_bench.experiment.config import find_config, parse_config, read_config
from ecoc_bench.results.margin_bounds import means

FOLDER = REFERENCE / "mohri_theory"
CS_LINEAR, WW_LINEAR = "crammer_singer_linear", "weston_watkins_linear"
PAIRS = ["pairs3", "pairs3x3", "pairs3x9", "pairs5", "pairs8"]


@pytest.fixture(scope="module")
def bounds():
    return pd.read_csv(FOLDER / "margin_bounds.csv")


def test_the_run_is_that_of_the_shipped_config():
    facts = json.loads((FOLDER / "manifest.json").read_text())
    shipped = read_config(find_config("mohri_theory"))
    assert parse_config(facts["config"], "manifest", shipped.folder) == shipped
    assert facts["source"]["clean"]
    assert facts["exit_code"] == 0


def test_one_vs_one_errs_k_minus_1_times_as_often_as_its_pairs():
    rows = committed("mohri_theory").query("dataset in @PAIRS and code == 'all_pairs'")
    assert set(rows["dataset"]) == {*PAIRS}
    assert set(rows["binary_error_rate"]) == {0.02}
    assert rows["error_rate"].tolist() == pytest.approx((0.02 * (rows["n_classes"] - 1)).tolist())


def test_no_bound_is_below_the_test_error_and_the_theorems_is_the_lower_one(bounds):
    assert (bounds["corollary94"] >= bounds["theorem92"]).all()
    assert (bounds["theorem92"] >= bounds["errors"] / bounds["n_test"]).all()
    assert set(bounds["code"]) == {"crammer_singer", "weston_watkins", CS_LINEAR, WW_LINEAR}


def test_bounds_are_void_on_real_data_and_fall_with_the_rows_of_the_made_data(bounds):
    table = means(bounds)
    real = table[~table["dataset"].isin(PAIRS)]
    assert (real["theorem92"] > 1).all()
    at_1 = table[table["rho"] == 1].set_index(["code", "dataset"])["corollary94"]
    for code in set(table["code"]):
        values = at_1[code][["pairs3", "pairs3x3", "pairs3x9"]].to_numpy()
        assert values[2] < 0.66
        # all but the margin loss, 4%, falls with the root of the rows
        falling = (values[:-1] - 0.04) / (values[1:] - 0.04)
        np.testing.assert_allclose(falling, np.sqrt(3), rtol=1e-3)


def test_the_readme_says_what_the_run_says(bounds):
    table = means(bounds).query("rho == 1").set_index(["code", "dataset"])
    linear = table["corollary94"]["crammer_singer_linear"]
    first, second, third = (100 * linear[name] for name in ("pairs3", "pairs3x3", "pairs3x9"))
    assert f"is {first:.0f}%, {second:.0f}% and {third:.0f}% with 600, 1,800 and 5,400" in PLAIN
    norm = table["norm"]
    ww, cs = (norm[name]["vowel"] for name in ("weston_watkins", "crammer_singer"))
    assert f"({ww:.1f} where Crammer & Singer's has {cs:.1f}," in PLAIN
    for ours, theirs in (("weston_watkins", "crammer_singer"), (WW_LINEAR, CS_LINEAR)):
        assert (norm[ours] > norm[theirs]).all()
    for code, words in (("weston_watkins", "error of"), ("crammer_singer", "Singer's")):
        ecoli, glass, vowel = (
            100 * table["error_rate"][code][d] for d in ("ecoli", "glass", "vowel")
        )
        assert f"{words} {ecoli:.1f}, {glass:.1f} and {vowel:.1f}%" in PLAIN
