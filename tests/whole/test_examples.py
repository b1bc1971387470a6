"""The worked examples run as their headers say, and show what they claim to show."""

import sys

import numpy as np
import pandas as pd
import pytest
from runs import invoke

from ecoc_bench.experiment.config import example_names, find_config, read_config
from ecoc_bench.files import shipped

EXAMPLES = [
    "made_data",
    "mistaken_pairs",
    "own_code",
    "own_data",
    "own_decoder",
    "own_learner",
    "sklearn_learner",
]


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Runs an example by its name, once; its rows, the command's result and the command."""
    known, path, modules = {}, [*sys.path], set(sys.modules)

    def run(name):
        if name not in known:
            out = tmp_path_factory.mktemp(name) / "out"
            call = ["run", f"examples/{name}", "--out", str(out), "--jobs", "1"]
            result = invoke(*call)
            assert result.exit_code == 0, result.stderr
            known[name] = pd.read_csv(out / "results.csv"), result, call
        return known[name]

    yield run
    sys.path[:] = path
    for module in set(sys.modules) - modules:
        if module.startswith("my_"):
            del sys.modules[module]


def test_these_are_all_the_examples():
    assert example_names() == [f"examples/{name}" for name in EXAMPLES]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_says_what_it_shows_and_how_to_run_it(name):
    path = find_config(f"examples/{name}")
    header = path.read_text().split("name:")[0]
    assert all(line.startswith("#") for line in header.splitlines())
    assert f"#   ecoc-bench run examples/{name}\n" in header
    experiment = read_config(path)
    assert experiment.name == name
    assert experiment.title


def test_a_file_of_that_name_goes_before_the_example(tmp_path, monkeypatch):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "own_data").touch()
    monkeypatch.chdir(tmp_path)
    assert not find_config("examples/own_data").suffix
    assert find_config("examples/own_code") == shipped("configs") / "examples" / "own_code.yaml"


def test_one_vs_one_errs_k_minus_1_times_as_often_as_each_of_its_pairs(ran):
    rows, _, _ = ran("mistaken_pairs")
    assert sorted(set(rows.n_classes)) == [3, 5, 8]
    assert set(rows.learner) == {"logistic", "tree"}
    assert rows.binary_error_rate.tolist() == [0.02] * len(rows)
    assert rows.error_rate.tolist() == pytest.approx((0.02 * (rows.n_classes - 1)).tolist())
    assert (rows.ties == 0).all()


def test_own_decoder_stands_beside_the_others_and_fits_nothing_anew(ran):
    rows, _, call = ran("own_decoder")
    assert set(rows.decoder) == {"hamming", "loss", "weighted"}
    errors = rows.pivot_table(
        index=["dataset", "code", "fold"], columns="decoder", values="error_rate"
    )
    assert (errors.weighted != errors.loss).any()
    assert errors.weighted.max() < 0.5
    assert "0 columns fitted" in invoke(*call).stderr


def test_own_decoder_has_ten_lines():
    text = (shipped("configs") / "examples" / "my_decoder.py").read_text()
    assert len(text.splitlines()) <= 10


def test_own_code_comes_from_a_csv_and_from_a_function(ran):
    rows, _, _ = ran("own_code")
    facts = rows.groupby("code")[["n_columns", "draw", "rho"]].max()
    matrix = np.loadtxt(shipped("configs") / "examples" / "iris_code.csv", delimiter=",")
    assert matrix.shape == (3, facts.n_columns["by_hand"])
    assert facts.n_columns.to_dict() == {"all_pairs": 3, "by_hand": 4, "ova": 3, "peel": 4}
    assert facts.draw.to_dict() == {"all_pairs": 0, "by_hand": 0, "ova": 0, "peel": 1}
    assert rows[rows.code != "ova"].error_rate.mean() < 0.1


def test_own_data_is_cross_validated_twice(ran):
    rows, _, _ = ran("own_data")
    assert set(rows.dataset) == {"iris"}
    assert set(rows.n_classes) == {3}
    tested = rows.groupby(["learner", "code", "decoder", "repeat"]).n_test.sum()
    assert set(tested) == {150}
    assert set(rows.repeat) == {0, 1}
    assert rows[rows.learner == "svm"].error_rate.mean() < 0.06


def test_estimators_of_scikit_learn_do_better_than_the_largest_class(ran):
    rows, result, _ = ran("sklearn_learner")
    assert set(rows.learner) == {"tree", "bayes", "linear"}
    totals = rows.groupby(["learner", "code", "decoder"])[["errors", "n_test"]].sum()
    assert set(totals.n_test) == {214}
    assert (totals.errors < 214 - 76).all()
    assert "Test error (%) of tree" in result.stdout


def test_made_data_are_three_sets_of_rings_that_a_line_cannot_part(ran):
    rows, _, _ = ran("made_data")
    assert sorted(set(rows.dataset)) == ["rings.1", "rings.2", "rings.3"]
    assert set(rows.n_test) == {240}
    pairs = rows[(rows.code == "all_pairs") & (rows.decoder == "loss")]
    errors = pairs.pivot_table(index="dataset", columns="learner", values="error_rate")
    assert (errors.rbf < 0.03).all()
    assert (errors.line > 0.4).all()
    assert errors.line.nunique() == 3


def test_a_class_with_fit_and_margins_alone_is_a_learner(ran):
    """A plane by least squares is ours, but for its ridge on the constant: it comes near."""
    rows, _, _ = ran("own_learner")
    errors = rows.groupby(["dataset", "learner", "code", "decoder"])["errors"].sum()
    assert errors["glass", "plane", "all_pairs", "loss"] < 0.45 * 214
    assert rows.query("learner == 'plane'")["train_binary_loss"].between(0, 1).all()
