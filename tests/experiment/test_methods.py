"""Joint methods, parts, noise, sweeps and choices in a config: from the YAML to the rows."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from ecoc_bench.data.cards import load
from ecoc_bench.experiment.codebook import CodeBook
from ecoc_bench.experiment.config import parse_config, read_config
from ecoc_bench.experiment.plan import Plan
from ecoc_bench.joint import METHODS
from ecoc_bench.joint.boosting import AdaBoostECC
from ecoc_bench.learners.c45 import C45Classifier
from ecoc_bench.plugins import load_object

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
    """The folder of a run of the text above, with its config."""
    from click.testing import CliRunner

    from ecoc_bench.cli import main

    folder = tmp_path_factory.mktemp("noisy")
    (folder / "noisy.yaml").write_text(TEXT)
    result = CliRunner().invoke(
        main, ["run", str(folder / "noisy.yaml"), "--out", str(folder / "out"), "-j", "1"]
    )
    assert result.exit_code == 0, result.stderr
    (folder / "stdout").write_text(result.stdout)
    return folder


@pytest.fixture(scope="module")
def plan(noisy):
    path = noisy / "noisy.yaml"
    return Plan(read_config(path), str(path), CodeBook(noisy / "codes"))


def test_noise_and_sweeps_stand_for_several_data_sets_and_methods(plan):
    assert list(plan.datasets) == ["glass@0", "glass@0.2", "vowel@0", "vowel@0.2"]
    assert list(plan.resolved.methods) == [
        "adaboost_ecc",
        "adaboost_secc@0.5",
        "adaboost_secc@0.05",
    ]
    assert plan.resolved.methods["adaboost_secc@0.05"].method.eta == 0.05
    again = parse_config(plan.experiment.model_dump(mode="json"), "again", plan.experiment.folder)
    assert again == plan.experiment


def test_parts_are_disjoint_whole_and_alike_in_every_class(plan):
    y = load("glass").y
    for repeat in range(2):
        split = plan.splits["glass@0", repeat, 0]
        parts = split.train, split.validation, split.test
        np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(214))
        for r, n in enumerate(np.bincount(y)):
            shares = [(y[part] == r).sum() / n for part in parts]
            np.testing.assert_allclose(shares, [0.5, 0.2, 0.3], atol=1 / n)
    assert (
        plan.splits["glass@0", 0, 0].train[:50] != plan.splits["glass@0", 1, 0].train[:50]
    ).any()


def test_a_validation_part_can_be_taken_from_the_original_training_part(plan):
    data = load("vowel")
    split = plan.splits["vowel@0", 0, 0]
    assert len(split.validation) == 132  # a quarter of 48 examples of each of 11 classes
    np.testing.assert_array_equal(split.test, np.flatnonzero(~data.train))
    both = np.concatenate([split.train, split.validation])
    np.testing.assert_array_equal(np.sort(both), np.flatnonzero(data.train))


def test_noise_changes_its_share_of_training_and_validation_labels_and_no_test_label(plan):
    for name in ("glass", "vowel"):
        y = load(name).y
        clean, split = plan.splits[f"{name}@0", 0, 0], plan.splits[f"{name}@0.2", 0, 0]
        for part in ("train", "validation", "test"):
            np.testing.assert_array_equal(getattr(clean, part), getattr(split, part))
        np.testing.assert_array_equal(clean.labels, y)
        for part in (split.train, split.validation):
            assert (split.labels[part] != y[part]).sum() == round(0.2 * len(part))
        np.testing.assert_array_equal(split.labels[split.test], y[split.test])
        assert set(split.labels) == set(y)


def test_a_row_equals_the_same_thing_done_by_hand(noisy, plan):
    rows = pd.read_csv(noisy / "out" / "results.csv")
    cell = next(c for c in plan.cells if c.dataset == "vowel@0.2" and c.code == "adaboost_ecc")
    context, names, _ = plan.columns(cell)
    from ecoc_bench.seeds import seed_for

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
    validation = pd.read_csv(noisy / "out" / "validation.csv")
    selected = pd.read_csv(noisy / "out" / "selected.csv")
    results = pd.read_csv(noisy / "out" / "results.csv")
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
    table = (noisy / "stdout").read_text()
    assert "secc" in table
    assert "adaboost_ecc" in table
    assert "adaboost_secc@" not in table


def test_mistakes_are_kept_of_the_last_stage(noisy):
    assert set(pd.read_csv(noisy / "out" / "mistakes.csv")["stage"]) == {6}


def test_the_manifest_repeats_the_run(noisy, command, tmp_path):
    done = noisy / "out"
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


def test_numbers_can_be_taken_as_names(config, tmp_path):
    text = "name: n\ndatasets: [{name: letter, nominal: all}]\nmethods: [adaboost_ecc]"
    path = config(text)
    data = Plan(read_config(path), str(path), CodeBook(tmp_path)).datasets["letter"]
    assert data.nominal.all()
    plain = load("letter")
    values = [float(v) for v in data.categories[0]]
    np.testing.assert_array_equal(np.array(values)[data.X[:, 0].astype(int)], plain.X[:, 0])


@pytest.mark.parametrize("name", METHODS)
def test_every_method_says_where_it_comes_from(name):
    """The equation, exercise, figure or section of its paper, or the title of the slide."""
    doc = load_object(METHODS[name].path).__doc__
    places = r"Eqs?\. \d|[Ee]xercise 9|Section \d|Fig\. \d|\"[A-Z][^\"]+\""
    assert re.search(places, doc), doc


class Odd(ClassifierMixin, BaseEstimator):
    """A classifier whose predictions are not labels."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), 0.5)


HEAD = "name: n\ndatasets: [glass]\n"
PARTS = "parts: {train: 2, validation: 1, test: 1}\n"
MISTAKES = {
    "methods: [adabost_ecc]": "methods.adabost_ecc: unknown method 'adabost_ecc'. Did you mean",
    "methods: {adaboost_ecc: {round: 5}}": "methods.adaboost_ecc: unknown parameter 'round'",
    "methods: {adaboost_ecc: {rounds: 0}}": "methods.adaboost_ecc: fails on a toy problem",
    "methods: {adaboost_ecc: {estimator: c4}}": "unknown estimator 'c4'. Did you mean 'c45'",
    "methods: {adaboost_ecc: {estimator: {prune: false}}}": "estimator must have a 'type'",
    "methods: {adaboost_secc: {sweep: [1]}}": "sweep must be a mapping",
    "methods: {adaboost_secc: {sweep: {eta: 1}}}": "sweep.eta must be a list of numbers or words",
    "methods: {adaboost_secc: {sweep: {eta: [2]}}}": "eta must be above 0 and not above 1",
    "methods: ['test_methods:Odd']": "predict must give one of the labels for each row",
    "learners: [svm]\nmethods: [adaboost_ecc]": "codes: this key is missing",
    "methods: [adaboost_ecc, adaboost_ecc]": "the name 'adaboost_ecc' is used twice",
    "methods: [adaboost_ecc]\nselect: {a: {among: [adaboost_ecc]}}": "needs 'parts'",
    PARTS + "methods: [adaboost_ecc]\nselect: {a: {among: [b]}}": "select.a: unknown learner 'b'",
    PARTS + "methods: [adaboost_ecc]\nselect: {a: {among: [adaboost_ecc], by: luck}}": "a.by",
    "parts: {train: 1}\nmethods: [adaboost_ecc]": "parts: 'train' and 'test' are needed",
    "parts: {validation: 2, of: train}\nmethods: [adaboost_ecc]": "above 0 and below 1",
    "parts: {validation: 0.5, of: train}\nmethods: [adaboost_ecc]": "has no original split",
    "parts: {trian: 1, test: 1}\nmethods: [adaboost_ecc]": "unknown key 'trian'. Did you mean",
    "parts: {train: 1, test: 0.00001}\nmethods: [adaboost_ecc]": "parts leave 'glass' no test rows",
    "noise: [1.5]\nmethods: [adaboost_ecc]": "datasets[0].noise: input should be less than 1",
    "noise: [much]\nmethods: [adaboost_ecc]": "noise",
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_gives_one_clear_message_and_exit_code_2(text, config, command, tmp_path):
    result = command("run", config(HEAD + text), "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert MISTAKES[text] in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out" / "results.csv").exists()


def test_nominal_and_components_do_not_go_together(config, command):
    text = "name: n\ndatasets: [{name: car, pca: 2}]\nmethods: [adaboost_ecc]"
    result = command("run", config(text))
    assert result.exit_code == 2
    assert "datasets[0]: pca needs numeric attributes" in result.stderr
