"""A run with costs: mean_cost, decoding by expected cost, and methods that know the costs."""

import json

import numpy as np
import pandas as pd
import pytest
from runs import planned, ran

from ecoc_bench.errors import UserError
from ecoc_bench.joint.cost_svm import SlackRescalingSVM
from ecoc_bench.notebook import Run

TREE = "{windows: {float: [1, 3], other: 2}, rest: [5, 6, 7]}"
TEXT = f"""
name: costly
seed: 3
datasets: [{{name: glass, costs: {TREE}}}, ecoli]
evaluation: {{folds: 3}}
learners: {{least_squares: {{}}}}
codes: [ova]
decoders: [likelihood, expected_cost]
methods:
  slack_rescaling_svm: {{}}
  crammer_singer: {{}}
measures: [mean_cost]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ran(TEXT, tmp_path_factory.mktemp("costly"))


@pytest.fixture(scope="module")
def plan(folder):
    return planned(folder.parent / "config.yaml")


def test_a_data_set_without_costs_has_no_mean_cost(folder):
    rows = Run(folder).rows("measures.csv")
    assert set(rows.dataset) == {"glass"}
    assert len(rows) == 3 * (2 + 2)


def test_the_mean_cost_of_a_method_is_that_of_its_labels(folder, plan):
    cell = next(c for c in plan.cells if c.code == "slack_rescaling_svm" and c.fold == 1)
    own, data = plan.contexts(cell)[0], plan.datasets["glass"]
    mean, sd = data.X[own.train].mean(axis=0), data.X[own.train].std(axis=0)
    X = (data.X - mean) / np.where(sd > 0, sd, 1)
    machine = SlackRescalingSVM(data.costs).fit(X[own.train], own.y_train)
    cost = data.costs[own.y_test, machine.predict(X[own.test])].mean()
    rows = Run(folder).rows("measures.csv").query("code == 'slack_rescaling_svm' and fold == 1")
    assert rows.value.item() == pytest.approx(cost, abs=1e-6)


def test_costs_are_part_of_the_key_of_what_uses_them_and_of_nothing_else(plan, config):
    without = planned(config(TEXT.replace(f", costs: {TREE}", ", costs: [1, 2, 3, 5, 6, 7]")))
    keys = [{c: one.columns(c)[0].key for c in one.cells} for one in (plan, without)]
    changed = {(c.dataset, c.code) for c in keys[0] if keys[0][c] != keys[1][c]}
    assert changed == {("glass", "slack_rescaling_svm")}


def test_expected_cost_decodes_by_the_costs_and_without_them_by_probability(folder):
    rows = pd.read_csv(folder / "results.csv").query("learner != 'joint'")
    errors = rows.pivot_table("errors", ["dataset", "fold"], "decoder", aggfunc="sum")
    even = errors.loc["ecoli"]
    assert (even["likelihood"] == even["expected_cost"]).all()
    costly = errors.loc["glass"]
    assert (costly["likelihood"] != costly["expected_cost"]).any()
    trusted = Run(folder).rows("calibration.csv")
    assert not trusted.duplicated(["dataset", "code", "fold", "how"]).any()


def test_the_table_and_the_manifest_know_the_costs(folder):
    table = Run(folder).table("markdown", measure="mean_cost")
    assert "Cost per 100 test rows" in table
    facts = json.loads((folder / "manifest.json").read_text())["data"]
    assert facts["glass"]["costs"][0] == [0, 3, 2, 5, 5, 5]
    assert "costs" not in facts["ecoli"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f", costs: {TREE}", "", "measures: 'mean_cost' needs the costs of a data set."),
        (TREE, "[1, 2]", "datasets[0]: costs: the tree: without class '3'."),
        (TREE, "7", "datasets[0].costs: must be the path of a CSV file, or a tree of classes"),
        (TREE, "none.csv", "none.csv"),
    ],
)
def test_missing_and_bad_costs_are_said_before_anything_is_fitted(old, new, message, config):
    with pytest.raises(UserError) as caught:
        planned(config(TEXT.replace(old, new)))
    assert message in str(caught.value)


def test_a_decoder_that_needs_costs_says_so(config):
    text = TEXT.replace(f", costs: {TREE}", "").replace("measures: [mean_cost]", "")
    with pytest.raises(UserError, match="decoders: 'expected_cost' needs the costs"):
        planned(config(text))
