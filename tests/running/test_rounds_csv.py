"""rounds.csv: what methods tell of their training, from the fit to the file and the figures."""

import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from drawn import drawn
from runs import invoke, planned, ran
from sklearn.dummy import DummyClassifier

from ecoc_bench.joint.baselines import RandomForest
from ecoc_bench.joint.boosting import AdaBoostECC
from ecoc_bench.results.catalogue import FILES
from ecoc_bench.results.run import Run
from ecoc_bench.running.record import Record, decode, encode
from ecoc_bench.seeds import seed_for

TEXT = """
name: told
seed: 3
rounds: true
datasets: [glass]
evaluation: {folds: 2}
methods:
  adaboost_ecc: {rounds: 4, record: 2}
  random_forest: {n_estimators: 6, record: 3}
  adaboost_mr: {rounds: 5}
  kesler: {}
"""
MADE = {
    "adaboost_ecc": lambda seed: AdaBoostECC(rounds=4, record=2, random_state=seed),
    "random_forest": lambda seed: RandomForest(6, record=3, random_state=seed),
}


class Boastful(DummyClassifier):
    """Tells of its rounds what has no column, or too little of it."""

    def __init__(self, what="luck"):
        super().__init__()
        self.what = what

    def fit(self, X, y):
        arrays = {"round": np.ones(1), "luck": np.ones(1)}
        self.history_ = arrays if self.what == "luck" else {"round": [1, 2], "bound": [1]}
        return super().fit(X, y)


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    return ran(TEXT, tmp_path_factory.mktemp("told"))


@pytest.mark.parametrize("code", MADE)
def test_rows_are_what_a_fit_by_hand_tells(told, code):
    plan = planned(told.parent / "config.yaml")
    cell = next(c for c in plan.cells if (c.code, c.fold) == (code, 1))
    context, names, _ = plan.columns(cell)
    method = MADE[code](seed_for(3, context.key, tuple(names)))
    data = plan.datasets["glass"].X[context.train]
    history = method.fit(data, context.y_train).history_
    mine = Run(told).rows("rounds.csv").query("code == @code and fold == 1")
    assert list(mine["round"]) == list(history["round"])
    for name in FILES["rounds.csv"].columns[7:]:
        expected = history.get(name, np.full(len(mine), np.nan))
        np.testing.assert_allclose(mine[name], expected, rtol=1e-5, atol=1e-9)


def test_training_errors_are_those_of_the_results_at_their_stages(told):
    run = Run(told)
    stages = run.results.query("code == 'adaboost_ecc'").set_index(["fold", "stage"])
    rounds = run.rows("rounds.csv").query("code == 'adaboost_ecc'").set_index(["fold", "round"])
    assert len(rounds) == 2 * 4
    for place, row in stages.iterrows():
        assert rounds.loc[place, "train_error"] == pytest.approx(row["train_error_rate"], abs=1e-5)


def test_methods_without_rounds_have_no_rows_and_figures_show_the_others(told):
    run = Run(told)
    assert set(run.rows("rounds.csv")["code"]) == {"adaboost_ecc", "random_forest", "adaboost_mr"}
    figures = drawn(run)
    assert {"oob", "training_bound"} <= set(figures)
    [trees] = [axes for axes in figures["oob"].axes if axes.get_visible()]
    told_line, measured = trees.lines
    oob = run.rows("rounds.csv").query("code == 'random_forest'").groupby("round")["oob_error"]
    test = run.results.query("code == 'random_forest'").groupby("stage")["error_rate"]
    np.testing.assert_allclose(told_line.get_ydata(), 100 * oob.mean(), rtol=1e-9)
    np.testing.assert_allclose(measured.get_ydata(), 100 * test.mean(), rtol=1e-9)
    assert figures["training_bound"].axes[0].get_yscale() == "log"


def test_without_the_key_there_is_no_file_and_nothing_is_fitted_again(told, tmp_path):
    out = shutil.copytree(told, tmp_path / "out")
    before = (out / "results.csv").read_bytes()
    (tmp_path / "config.yaml").write_text(TEXT.replace("rounds: true\n", "", 1))
    result = invoke("run", tmp_path / "config.yaml", "--out", out)
    assert result.exit_code == 0, result.stderr
    assert not (out / "rounds.csv").exists()
    assert (out / "results.csv").read_bytes() == before
    assert "0 columns fitted" in result.stdout + result.stderr


@pytest.mark.parametrize("what", ["luck", "short"])
def test_a_history_that_the_file_cannot_hold_is_refused(what, config, tmp_path):
    text = f"""
    name: bad
    datasets: [glass]
    evaluation: {{folds: 2}}
    methods: {{boastful: {{type: "test_rounds_csv:Boastful", what: {what}}}}}
    """
    result = invoke("run", config(text), "--out", tmp_path / "out")
    assert result.exit_code == 1
    reasons = pd.read_csv(tmp_path / "out" / "failures.csv")["reason"]
    assert reasons.str.contains("history_ must").all()


def test_a_record_keeps_the_history():
    zeros = np.zeros((1, 2, 1))
    history = np.array([[1.0, 2.0], [0.5, np.nan]])
    plain = Record("c", ("labels",), (0,), (True,), (0.1,), zeros, zeros)
    again = decode(encode(replace(plain, history=history, told=("round", "step"))))
    assert again.told == ("round", "step")
    np.testing.assert_array_equal(again.history, history)
    assert decode(encode(replace(plain, history=history))) is None
