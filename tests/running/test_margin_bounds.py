"""margin_bounds.csv: from the key of a config to rows, table and page."""

import numpy as np
import pandas as pd
import pytest
from runs import invoke, planned, ran

from ecoc_bench.coding.margin_bound import corollary94
from ecoc_bench.data.inputs import prepare
from ecoc_bench.errors import ConfigError
from ecoc_bench.experiment.config import parse_config
from ecoc_bench.joint.crammer_singer import MulticlassSVM

PLAIN = """
name: bounded
seed: 3
datasets: [{name: ecoli, parts: {train: 1, test: 1}}]
evaluation: {repeats: 2}
methods:
  machine: {type: crammer_singer, kernel: poly, degree: 2, C: 0.5}
  tree: {type: "sklearn.tree:DecisionTreeClassifier", max_depth: 2}
"""
TEXT = PLAIN + "margin_bounds: {rho: [2, 0.5, 1000000], delta: 0.1}\n"


@pytest.fixture(scope="module")
def bounded(tmp_path_factory):
    return ran(TEXT, tmp_path_factory.mktemp("bounded"), "--report")


@pytest.fixture(scope="module")
def rows(bounded):
    return pd.read_csv(bounded / "margin_bounds.csv")


def test_a_row_is_corollary_9_4_of_the_machine_fitted_by_hand(bounded, rows):
    plan = planned(bounded.parent / "config.yaml")
    assert list(rows["rho"]) == [2, 0.5, 1e6] * 2
    assert set(rows["code"]) == {"machine"}  # a tree has no norm
    for repeat, mine in rows.groupby("repeat"):
        data, split = plan.datasets["ecoli"], plan.splits["ecoli", repeat, 0]
        X, _ = prepare("standardize", data.nominal, data.X[split.train], data.X[split.test])
        clf = MulticlassSVM(kernel="poly", degree=2, C=0.5).fit(X, data.y[split.train])
        r = np.sqrt(clf.kernel_matrix(X, X).diagonal().max())
        for row in mine.itertuples():
            terms = clf.score_margins_, row.rho, 8, clf.weight_norm_, r, 0.1
            bound = corollary94(*terms)
            assert row.corollary94 == pytest.approx(bound.value, rel=1e-5)
            assert row.margin_loss == pytest.approx(bound.margin_loss, rel=1e-5)
            assert row.void == ("both" if row.theorem92 > 1 else "none")


def test_the_rows_of_the_run_are_the_same_without_the_bounds(bounded, rows, tmp_path):
    plain = ran(PLAIN, tmp_path)
    assert not (plain / "margin_bounds.csv").exists()
    assert (plain / "results.csv").read_bytes() == (bounded / "results.csv").read_bytes()
    results = pd.read_csv(bounded / "results.csv").query("code == 'machine'")
    assert list(rows["errors"]) == list(np.repeat(results["errors"], 3))


def test_table_and_page_say_void_where_a_bound_exceeds_1(bounded, rows):
    text = (bounded / "tables" / "margin_bounds.txt").read_text()
    assert text.count("void") == 1 + 6  # two bounds at each of three rho, and a note
    assert "Margin losses and bounds" in (bounded.parent / "stdout").read_text()
    assert "Of 3 entries: Theorem 9.2 in 3, Corollary 9.4 in 3." in text
    loss = rows.loc[rows["rho"] == 0.5, "margin_loss"].mean()
    assert f"{100 * loss:.1f}" in text
    assert "Margin losses and bounds" in invoke("show", "run", bounded).stdout
    page = (bounded / "report.html").read_text()
    assert 'href="#margin-bounds"' in page
    assert page.count('<span class="small">void</span>') == 6


def test_other_runs_have_no_such_part_of_the_page(tmp_path):
    out = ran(PLAIN, tmp_path, "--report")
    assert "margin-bounds" not in (out / "report.html").read_text()


def test_bounds_that_no_method_has_are_refused(tmp_path):
    without = TEXT.replace("machine: {type: crammer_singer, kernel: poly, degree: 2, C: 0.5}", "")
    (tmp_path / "config.yaml").write_text(without)
    refused = invoke("run", tmp_path / "config.yaml", "--out", tmp_path / "out")
    assert refused.exit_code == 2
    assert "margin_bounds: no method is a kernel machine without a bias" in refused.stderr


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rho": [0]}, r"margin_bounds\.rho\[0\]: .*greater than 0"),
        ({"rho": []}, r"margin_bounds\.rho: must hold at least one"),
        ({"rho": [1, 1.0]}, r"margin_bounds\.rho: must hold each value once"),
        ({"delta": 1}, r"margin_bounds\.delta: .*less than 1"),
        ({"deltas": 1}, r"margin_bounds: unknown key 'deltas'. Did you mean 'delta'"),
    ],
)
def test_bad_values_are_named(given, told, tmp_path):
    raw = {"name": "x", "datasets": ["ecoli"], "methods": ["crammer_singer"]}
    with pytest.raises(ConfigError, match=told):
        parse_config({**raw, "margin_bounds": given}, "x.yaml", tmp_path)
