"""A run on label sets: its rows, measures and folds; what a config may not ask of them."""

import numpy as np
import pandas as pd
import pytest
from runs import invoke, planned, ran
from sklearn.metrics import hamming_loss, label_ranking_loss
from sklearn.utils import get_tags

from ecoc_bench.coding.measures import MEASURES
from ecoc_bench.errors import UserError
from ecoc_bench.experiment.splits import strata
from ecoc_bench.joint import METHODS, method_class
from ecoc_bench.notebook import Run

TEXT = """
name: sets
seed: 5
datasets: [{name: mine, path: mine.csv, target: tags, labels: {separator: ";"}}]
evaluation: {folds: 3}
learners:
  least_squares: {}
  stumps: {type: adaboost, rounds: 6, record: 3}
codes: [ova]
decoders: [hamming, loss]
methods:
  mr: {type: adaboost_mr, rounds: 6, record: 3}
  perceptron: {epochs: 2, record: 2}
"""
KEY = ["learner", "code", "stage", "decoder", "fold"]


def table(n=60, k=3):
    """Rows whose labels depend on two numbers; some have none, some all."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2)).round(3)
    Y = X @ rng.normal(size=(2, k)) + rng.normal(size=(n, k)) / 2 > 0.2
    tags = [";".join(f"t{a}" for a in np.flatnonzero(row)) for row in Y]
    rows = [f"{x[0]},{x[1]},{tag}" for x, tag in zip(X, tags, strict=True)]
    return "a,b,tags\n" + "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("sets")
    (place / "mine.csv").write_text(table())
    return ran(TEXT, place)


@pytest.fixture(scope="module")
def plan(folder):
    return planned(folder.parent / "config.yaml")


def test_every_cell_has_its_rows_and_five_measures_at_its_last_stage(folder):
    results = pd.read_csv(folder / "results.csv")
    due = {"least_squares": [0], "stumps": [3, 6], "joint": [2, 3, 6]}
    assert {n: sorted(set(rows.stage)) for n, rows in results.groupby("learner")} == due
    assert len(results) == 3 * (2 * 1 + 2 * 2 + 2 + 1)
    assert set(results.n_classes) == {3}
    measures = Run(folder).rows("measures.csv")
    sets = [name for name, measure in MEASURES.items() if measure.label_sets]
    assert len(measures) == 5 * 3 * (2 + 2 + 1 + 1)
    assert set(measures.measure) == set(sets)
    assert measures.value.notna().all()


def test_errors_are_sets_with_a_wrong_label_and_measures_those_of_the_margins(folder, plan):
    results, measures = pd.read_csv(folder / "results.csv"), Run(folder).rows("measures.csv")
    data = plan.datasets["mine"]
    for learner, code in (("least_squares", "ova"), ("joint", "mr")):
        found = Run(folder).margins("mine", learner, code, fold=1)
        F, Y = found.test, data.sets[found.y_test] > 0
        rows = results.query(f"learner == '{learner}' and code == '{code}' and fold == 1")
        last = rows[rows.stage == rows.stage.max()]
        assert set(last.errors) == {((F > 0) != Y).any(axis=1).sum()}
        own = measures.query(f"learner == '{learner}' and code == '{code}' and fold == 1")
        value = own.groupby("measure").value.first()
        assert value["hamming_loss"] == pytest.approx(hamming_loss(Y, F > 0), abs=1e-6)
        assert value["ranking_loss"] == pytest.approx(label_ranking_loss(Y, F), abs=1e-6)


def test_margins_are_those_of_the_learner_on_the_signs(folder, plan):
    cell = next(c for c in plan.cells if c.learner == "stumps" and c.fold == 2)
    own, data = plan.contexts(cell)[0], plan.datasets["mine"]
    learner = plan.recipes()["stumps"].learner.fresh()
    learner.fit(data.X[own.train], data.sets[own.y_train])
    found = Run(folder).margins("mine", "stumps", "ova", fold=2)
    np.testing.assert_allclose(found.test, learner.margins(data.X[own.test]), rtol=1e-12)


def test_all_decoders_give_the_same_set(folder):
    results = pd.read_csv(folder / "results.csv").query("learner != 'joint'")
    by_decoder = [rows.drop(columns="decoder") for _, rows in results.groupby("decoder")]
    pd.testing.assert_frame_equal(*(rows.reset_index(drop=True) for rows in by_decoder))


def test_a_manifest_repeats_the_run_and_tables_and_page_say_what_an_error_is(folder, tmp_path):
    again = invoke("run", folder / "manifest.json", "--out", tmp_path / "again", "--no-report")
    assert again.exit_code == 0, again.stderr
    first, second = (p / "results.csv" for p in (folder, tmp_path / "again"))
    assert first.read_bytes() == second.read_bytes()
    said = "rows have sets of 3 labels, and an error is a set with a wrong label"
    assert said in " ".join((folder.parent / "stdout").read_text().split())
    assert invoke("report", folder).exit_code == 0
    assert said in (folder / "report.html").read_text()
    assert invoke("show", "run", folder).exit_code == 0
    assert invoke("check", tmp_path / "again", "--against", folder).exit_code == 0


def test_folds_are_stratified_by_set_unless_there_are_too_many(plan, config, tmp_path):
    data = plan.datasets["mine"]
    assert len(data.sets) == 8
    assert strata(data, 3) is data.y
    counts = [np.bincount(s.labels[s.test], minlength=8) for s in plan.splits.values()]
    assert np.ptp(counts, axis=0).max() <= 1
    assert "too many" not in data.note
    (tmp_path / "mine.csv").write_text(table())
    path = config(TEXT.replace("folds: 3", "folds: 10"))
    many = planned(path)
    assert not strata(data, 10).any()
    assert many.datasets["mine"].note.endswith(
        "8 label sets are too many for folds with an even share of each"
    )
    assert {len(s.test) for s in many.splits.values()} == {6}
    again = planned(path)
    for name, split in many.splits.items():
        np.testing.assert_array_equal(split.test, again.splits[name].test)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "codes: [ova]",
            "codes: [ova, dense]",
            "codes[1]: 'dense' is a code of classes, but 'mine' has",
        ),
        ("[hamming, loss]", "[likelihood]", "decoders[0]: 'likelihood' is a decoder of classes"),
        ("[hamming, loss]", "[loss, majority]", "Use hamming, or a loss: each gives the sign"),
        (
            "mr: {",
            "tree: {type: greedy_tree}\n  mr: {",
            "These take sets: adaboost_mh, adaboost_mr,",
        ),
        (
            "methods:",
            "measures: [macro_f1]\nmethods:",
            "measures[0]: 'macro_f1' is for one label in",
        ),
        (
            "evaluation:",
            "noise: [0, 0.1]\nevaluation:",
            "noise turns a label into another, but 'mine@",
        ),
        (
            '";"}}]',
            '";"}, costs: {x: [t0, t1], y: [t2]}}]',
            "costs are those of classes, but 'mine'",
        ),
        ('separator: ";"', "columns: [a, b]", "'target' goes with labels in one column; remove it"),
        ('separator: ";"', "", "labels: give a 'separator' or 'columns', one of the two"),
        ('separator: ";"', 'seperator: ";"', "unknown key 'seperator'. Did you mean 'separator'?"),
        (
            "methods:",
            "select: {best: {among: [stumps], by: loo_bound}}\nmethods:",
            "the leave-one-out bound is for classes",
        ),
    ],
)
def test_what_sets_cannot_have_is_refused(old, new, message, config, tmp_path):
    (tmp_path / "mine.csv").write_text(table())
    assert old in TEXT
    with pytest.raises(UserError) as caught:
        planned(config(TEXT.replace(old, new)))
    assert message in str(caught.value)


def test_a_measure_of_sets_needs_sets(config):
    text = "name: x\ndatasets: [glass]\nmethods: {kesler: {}}\nmeasures: [coverage]\n"
    with pytest.raises(UserError, match="'coverage' is for label sets, and no data set has them"):
        planned(config(text))


def test_a_choice_by_inner_folds_or_a_validation_part(config, command, tmp_path):
    (tmp_path / "mine.csv").write_text(table())
    text = TEXT.replace("evaluation: {folds: 3}", "parts: {train: 5, validation: 2, test: 3}")
    chosen = "select: {best: {among: [stumps], by: cv}, valid: {among: [mr]}}\nmethods:"
    path = config(text.replace("methods:", chosen))
    assert command("run", path, "--out", tmp_path / "out", "--no-report").exit_code == 0
    run = Run(tmp_path / "out")
    assert len(run.rows("selected.csv")) == 3
    assert {"best", "valid"} <= {*run.rows("measures.csv").learner, *run.rows("measures.csv").code}


def test_the_list_says_which_methods_take_sets(command):
    for name, entry in METHODS.items():
        tags = get_tags(method_class(name)())
        takes = tags.classifier_tags.multi_label and not name.endswith(("forest", "tree"))
        assert entry.label_sets == bool(takes and hasattr(method_class(name), "decision_function"))
    listed = command("list", "methods").stdout.splitlines()
    said = {line.split()[0] for line in listed if line.endswith("; takes label sets")}
    assert said == {name for name, entry in METHODS.items() if entry.label_sets}
