"""measures.csv: further numbers of every cell and decoder at its last stage, and of choices."""

import pandas as pd
import pytest
from runs import planned, ran

from ecoc_bench.coding.measures import balanced_error
from ecoc_bench.errors import UserError
from ecoc_bench.notebook import Run

TEXT = """
name: measured
seed: 3
datasets: [glass]
evaluation: {folds: 5}
learners:
  stumps: {type: adaboost, rounds: 20, record: 10}
  least_squares: {}
codes: [ova]
decoders: [hamming, linear]
methods: {tree: {type: "sklearn.tree:DecisionTreeClassifier"}}
measures: [balanced_error, macro_f1]
"""
CHOICE = """
name: chosen
seed: 3
datasets: [glass]
parts: {train: 5, validation: 2, test: 3}
learners: {adaboost: {rounds: 20, record: 1}}
codes: [ova]
decoders: [exponential]
select: {best: {among: [adaboost]}}
measures: [balanced_error]
"""
KEY = ["dataset", "learner", "code", "draw", "stage", "decoder", "repeat", "fold"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ran(TEXT, tmp_path_factory.mktemp("measured"))


@pytest.fixture(scope="module")
def rows(folder):
    return Run(folder).rows("measures.csv")


def test_every_cell_and_decoder_has_each_measure_at_its_last_stage(folder, rows):
    results = pd.read_csv(folder / "results.csv")
    last = results[(results.stage == 20) | (results.learner != "stumps")]
    assert len(results) > len(last)
    due = last.loc[last.index.repeat(2), KEY].assign(measure=["balanced_error", "macro_f1"] * 25)
    pd.testing.assert_frame_equal(rows[[*KEY, "measure"]], due.reset_index(drop=True))
    assert rows.value.between(0, 1).all()


def test_a_value_is_the_measure_of_the_decoded_labels(folder, rows):
    cell = rows.query("learner == 'least_squares' and decoder == 'linear' and fold == 2")
    found = Run(folder).margins("glass", "least_squares", "ova", fold=2)
    value = balanced_error(found.y_test, found.test.argmax(axis=1))
    assert cell.query("measure == 'balanced_error'").value.item() == pytest.approx(value, abs=1e-6)


def test_a_choice_has_the_measures_of_the_stage_that_was_chosen(tmp_path):
    run = Run(ran(CHOICE, tmp_path))
    stage = run.rows("selected.csv").stage.item()
    assert stage not in (1, 20)
    plan = planned(tmp_path / "config.yaml")
    own = plan.contexts(plan.cells[0])[0]
    learner = plan.recipes()["adaboost"].learner.fresh()
    data, M = plan.datasets["glass"], plan.matrices["glass", "ova", 0]
    learner.fit(data.X[own.train], M[own.y_train])
    test = slice(own.n_validation, None)
    F = dict(learner.staged_margins(data.X[own.test[test]]))[stage]
    chosen = run.rows("measures.csv").query("learner == 'best'")
    value = balanced_error(own.y_test[test], F.argmax(axis=1))
    assert chosen.value.item() == pytest.approx(value, abs=1e-6)


def test_measures_can_be_added_to_a_run_without_a_fit(folder, command, monkeypatch, tmp_path):
    monkeypatch.setattr("ecoc_bench.running.workers.pool.fit_in_worker", None)
    path = folder.parent / "config.yaml"
    path.write_text(TEXT.replace("balanced_error, ", ""))
    assert command("run", path, "--out", folder).exit_code == 0
    assert set(Run(folder).rows("measures.csv").measure) == {"macro_f1"}
    path.write_text(TEXT)
    assert command("run", path, "--out", folder).exit_code == 0
    assert set(Run(folder).rows("measures.csv").measure) == {"balanced_error", "macro_f1"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[macro_f]", "measures[0]: unknown measure 'macro_f'. Did you mean 'macro_f1'?"),
        ("[macro_f1, macro_f1]", "measures: the name 'macro_f1' is there twice; keep one."),
        ("macro_f1", "measures: must be a list. Got 'macro_f1' instead."),
    ],
)
def test_a_wrong_measure_is_said_before_anything_is_fitted(text, message, config):
    with pytest.raises(UserError) as caught:
        planned(config(TEXT.replace("[balanced_error, macro_f1]", text)))
    assert message in str(caught.value)
