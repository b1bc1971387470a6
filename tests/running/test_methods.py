"""Joint methods, parts, noise, sweeps and choices: from the YAML to the rows."""

import json

import numpy as np
import pandas as pd
import pytest
from runs import planned, ran

from ecoc_bench.experiment.config import parse_config
from ecoc_bench.joint.boosting import AdaBoostECC
from ecoc_bench.learners.c45 import C45Classifier
from ecoc_bench.seeds import seed_for

TEXT = """
name: noisy
seed: 5
noise: [0, 0.2]
parts: {train: 5, validation: 2, test: 3}
datasets: [glass, {name: vowel, repeats: 1, parts: {validation: 0.25, of: train}}]
evaluation: {repeats: 2}
methods:
  adaboost_ecc: &boosting {estimator: {type: c45, prune: false}, rounds: 6, record: 2}
  adaboost_secc:
    <<: *boosting
    sweep: {eta: [0.5, 0.05]}
select:
  secc: {among: [adaboost_ecc, adaboost_secc]}
"""


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    """The folder of a run of the text above; its config and what it printed lie next to it."""
    return ran(TEXT, tmp_path_factory.mktemp("noisy"))


@pytest.fixture(scope="module")
def plan(noisy):
    return planned(noisy.parent / "config.yaml")


def test_the_normal_form_of_parts_sweeps_and_choices_reads_back_the_same(plan):
    again = parse_config(plan.experiment.model_dump(mode="json"), "again", plan.experiment.folder)
    assert again == plan.experiment


def test_a_row_equals_the_same_thing_done_by_hand(noisy, plan):
    rows = pd.read_csv(noisy / "results.csv")
    cell = next(c for c in plan.cells if c.dataset == "vowel@0.2" and c.code == "adaboost_ecc")
    context, names, _ = plan.columns(cell)
    data, seed = plan.datasets["vowel@0.2"], seed_for(5, context.key, tuple(names))
    split = plan.splits["vowel@0.2", 0, 0]
    method = AdaBoostECC(C45Classifier(prune=False), rounds=6, record=2, random_state=seed)
    method.fit(data.X[split.train], split.labels[split.train])
    mine = rows[(rows.dataset == "vowel@0.2") & (rows.code == "adaboost_ecc")]
    assert list(mine.stage) == [2, 4, 6]
    errors = [
        int((labels != data.y[split.test]).sum())
        for labels in method.staged_predict(data.X[split.test])
    ]
    assert list(mine.errors) == errors
    told = split.labels[split.train]
    wrong = [(labels != told).mean() for labels in method.staged_predict(data.X[split.train])]
    np.testing.assert_allclose(mine.train_error_rate, wrong, atol=1e-6)


def test_the_choice_is_the_lowest_mean_validation_error_of_learners_and_rounds(noisy):
    validation = pd.read_csv(noisy / "validation.csv")
    selected = pd.read_csv(noisy / "selected.csv")
    results = pd.read_csv(noisy / "results.csv")
    means = validation.groupby(["dataset", "code", "stage"])["error_rate"].mean()
    assert set(selected["dataset"]) == {"glass@0", "glass@0.2", "vowel@0", "vowel@0.2"}
    assert set(selected["code"]) == {"secc"}
    for dataset, rows in selected.groupby("dataset"):
        (chosen,), (stage,) = set(rows["chosen"]), set(rows["stage"])
        assert means[dataset, chosen, stage] == means[dataset].min()
        np.testing.assert_allclose(rows["criterion"], means[dataset].min(), atol=1e-6)
        same = results.query("dataset == @dataset and code == @chosen and stage == @stage")
        assert list(rows["errors"]) == list(same["errors"])


def test_the_table_shows_the_choice_in_the_place_of_the_sweep(noisy):
    table = (noisy.parent / "stdout").read_text()
    assert "secc" in table
    assert "adaboost_ecc" in table
    assert "adaboost_secc@" not in table


def test_mistakes_are_kept_of_the_last_stage(noisy):
    assert set(pd.read_csv(noisy / "mistakes.csv")["stage"]) == {6}


def test_the_manifest_repeats_the_run(noisy, command, tmp_path):
    done = noisy
    assert command("run", done / "manifest.json", "--out", tmp_path / "again").exit_code == 0
    for name in ("results.csv", "validation.csv", "selected.csv"):
        assert (tmp_path / "again" / name).read_bytes() == (done / name).read_bytes()
    facts = json.loads((done / "manifest.json").read_text())
    assert facts["data"]["vowel@0"]["parts"] == {"train": 396, "validation": 132, "test": 462}


def test_codes_and_methods_share_folds_noise_and_choices(config, command, tmp_path):
    text = """
    name: both
    parts: {train: 2, validation: 1, test: 1}
    noise: [0.1]
    datasets: [glass]
    learners:
      svm: {sweep: {C: [0.1, 10]}}
    codes: [ova, all_pairs]
    decoders: [hamming, loss]
    methods:
      forest: {type: "sklearn.ensemble:RandomForestClassifier", n_estimators: 5}
    select: {tuned: {among: [svm]}}
    """
    out = tmp_path / "out"
    result = command("run", config(text), "--out", out)
    assert result.exit_code == 0, result.stderr
    rows = pd.read_csv(out / "results.csv")
    assert set(rows["learner"]) == {"svm@0.1", "svm@10", "joint"}
    assert set(rows[rows["learner"] == "joint"]["code"]) == {"forest"}
    assert pd.read_csv(out / "mistakes.csv")["examples"].duplicated().sum() == 8
    selected = pd.read_csv(out / "selected.csv")
    assert set(selected["learner"]) == {"tuned"}
    assert len(selected) == 4  # two codes, two decoders
    assert "Test error (%) of tuned" in result.stdout
    assert "svm@" not in result.stdout


def test_principal_components_are_those_of_the_training_part(config, command, tmp_path):
    text = """
    name: projected
    datasets: [{name: vowel, pca: 3}]
    learners: [logistic]
    codes: [ova]
    decoders: [loss]
    """
    out = tmp_path / "out"
    assert command("run", config(text), "--out", out).exit_code == 0
    whole = text.replace("{name: vowel, pca: 3}", "vowel")
    assert command("run", config(whole), "--out", tmp_path / "whole").exit_code == 0
    errors = [pd.read_csv(f / "results.csv")["errors"].item() for f in (out, tmp_path / "whole")]
    assert errors[0] > errors[1]


def test_a_method_that_stops_early_is_counted_as_unconverged(tmp_path):
    text = """
name: early
datasets: [glass]
evaluation: {folds: 2}
methods:
  crammer_singer: {kernel: rbf}
  early: {type: crammer_singer, kernel: rbf, max_iter: 3}
"""
    rows = pd.read_csv(ran(text, tmp_path / "early") / "results.csv")
    assert rows.groupby("code")["unconverged"].unique().map(list).to_dict() == {
        "early": [1],
        "crammer_singer": [0],
    }
