"""Inner folds, likelihood decoding, the leave-one-out bound and choices by them, through a run."""

import numpy as np
import pandas as pd
import pytest
from faults import records
from runs import planned, ran

from ecoc_bench.coding.boosting_margins import votes_margin
from ecoc_bench.coding.decoders import calibrated, exponential, hinge, predict
from ecoc_bench.coding.loo import loo_bound
from ecoc_bench.data.inputs import prepare
from ecoc_bench.learners.adaboost import AdaBoostLearner
from ecoc_bench.learners.kernel_svm import GaussianSVM
from ecoc_bench.report.figures import pictures
from ecoc_bench.results.calibration import pooled
from ecoc_bench.results.run import Run
from ecoc_bench.running.fit import inner_folds

TEXT = """
name: gammas
seed: 3
datasets: [glass]
evaluation: {folds: 3}
learners:
  gaussian_svm: {sweep: {gamma: [0.5, 8.0]}}
codes: [ova, all_pairs]
decoders: [loss, likelihood]
select:
  by_cv: {among: [gaussian_svm], by: cv}
  by_loo: {among: [gaussian_svm], by: loo_bound}
"""
CELL = ["dataset", "code", "decoder", "repeat", "fold"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run of the text above."""
    return ran(TEXT, tmp_path_factory.mktemp("gammas"))


def by_hand(plan, code):
    """The fits of one cell without the runner."""
    cell = next(
        c for c in plan.cells if c.code == code and c.learner == "gaussian_svm@8" and c.fold == 1
    )
    own, inner = plan.contexts(cell)
    data, M = plan.datasets["glass"], plan.matrices["glass", code, 0]
    X_train, X_test = prepare("minmax", data.nominal, data.X[own.train], data.X[own.test])
    Y, folds = M[own.y_train], inner_folds(inner)
    svm = GaussianSVM(gamma=8.0).fit(X_train, Y)
    held_out = np.empty(Y.shape)
    for j in range(3):
        fitted = GaussianSVM(gamma=8.0).fit(X_train[folds != j], Y[folds != j])
        held_out[folds == j] = fitted.margins(X_train[folds == j])
    return M, own, svm, X_train, X_test, held_out


@pytest.mark.parametrize("code", ["ova", "all_pairs"])
def test_rows_equal_the_same_thing_done_by_hand(run, code):
    plan = planned(run.parent / "config.yaml")
    M, own, svm, X_train, X_test, held_out = by_hand(plan, code)
    decoders = {"loss": hinge, "likelihood": calibrated("likelihood", held_out, M[own.y_train])}
    place = f"code == '{code}' and learner == 'gaussian_svm@8' and fold == 1"
    results, criteria = (pd.read_csv(run / f"{n}.csv") for n in ("results", "criteria"))
    for name, decode in decoders.items():
        mine = f"{place} and decoder == '{name}'"
        (row,), (found,) = results.query(mine).itertuples(), criteria.query(mine).itertuples()
        assert row.errors == (predict(decode(M, svm.margins(X_test))) != own.y_test).sum()
        wrong = predict(decode(M, held_out)) != own.y_train
        assert found.cv == pytest.approx(wrong.mean(), abs=1e-6)
        bound = loo_bound(M, own.y_train, svm.margins(X_train), svm.loo_shift_, decode)
        assert found.loo_bound == pytest.approx(bound.value, abs=1e-6)


def test_calibration_is_measured_three_ways(run):
    rows = pd.read_csv(run / "calibration.csv")
    ways = rows.groupby("code")["how"].unique().map(set).to_dict()
    assert ways == {"ova": {"likelihood", "softmax"}, "all_pairs": set(rows["how"])}
    assert set(rows["how"]) == {"likelihood", "softmax", "coupling"}
    counts = rows[[f"count_{b}" for b in range(10)]].sum(axis=1)
    np.testing.assert_array_equal(counts, rows["n_test"])
    right = rows[[f"right_{b}" for b in range(10)]].sum(axis=1)
    likelihood = rows["how"] == "likelihood"
    results = pd.read_csv(run / "results.csv").query("decoder == 'likelihood'")
    wrong = rows["n_test"][likelihood] - right[likelihood]
    assert abs(wrong.to_numpy() - results["errors"].to_numpy()).max() <= 1  # alpha may make ties
    table = pooled(rows[likelihood])
    assert table["count"].sum() == rows["n_test"][likelihood].sum()
    assert table["confidence"].dropna().between(table["low"].min(), table["high"].max()).all()
    names = {picture.name for picture in pictures(Run(run))}
    assert {"reliability_ova", "reliability_all_pairs"} <= names
    assert "coupling" in (run / "tables" / "calibration.txt").read_text()


def test_inner_folds_hold_every_class_alike():
    class Context:
        train = np.arange(30)
        y_train = np.repeat([0, 1, 2], [15, 9, 6])
        inner = 3

    counts = np.zeros((3, 3), dtype=int)
    np.add.at(counts, (Context.y_train, inner_folds(Context)), 1)
    np.testing.assert_array_equal(counts, [[5] * 3, [3] * 3, [2] * 3])


@pytest.mark.parametrize(("name", "criterion"), [("by_cv", "cv"), ("by_loo", "loo_bound")])
def test_each_training_part_has_the_choice_of_lowest_criterion(run, name, criterion):
    criteria = pd.read_csv(run / "criteria.csv")
    selected = pd.read_csv(run / "selected.csv").query("learner == @name")
    results = pd.read_csv(run / "results.csv").set_index(["learner", *CELL])
    lowest = criteria.groupby(CELL)[criterion].min()
    assert len(selected) == len(lowest) == 3 * 2 * 2
    known = criteria.set_index(["learner", *CELL])[criterion]
    for row in selected.itertuples():
        place = tuple(getattr(row, key) for key in CELL)
        assert known[(row.chosen, *place)] == lowest[place]
        assert row.errors == results.loc[(row.chosen, *place), "errors"]


def test_a_likelihood_decoder_added_later_fits_the_inner_folds_alone(config, command, tmp_path):
    plain = TEXT.replace(", likelihood", "").partition("select:")[0]
    out = tmp_path / "out"
    assert command("run", config(plain), "--out", out).exit_code == 0
    before = records(out)
    added = plain.replace("[loss]", "[loss, likelihood]")
    result = command("run", config(added), "--out", out)
    assert result.exit_code == 0
    # 2 gammas, 3 folds, 6 + 15 columns: their inner fits, and nothing else
    assert f"{2 * 3 * (6 + 15)} columns fitted" in result.stderr
    assert before <= records(out)
    assert "0 columns fitted" in command("run", config(added), "--out", out).stderr


def test_any_margin_learner_can_be_decoded_by_likelihood(config, command, tmp_path):
    text = """
    name: stumps
    datasets: [glass]
    evaluation: {folds: 3}
    learners:
      adaboost: {rounds: 20, record: [10]}
      logistic: {}
    codes: [ova]
    decoders: [likelihood]
    """
    assert command("run", config(text), "--out", tmp_path / "out").exit_code == 0
    rows = pd.read_csv(tmp_path / "out" / "results.csv")
    assert sorted(zip(rows["learner"], rows["stage"], strict=True))[::3] == [
        ("adaboost", 10),
        ("adaboost", 20),
        ("logistic", 0),
    ]
    assert rows["error_rate"].max() < 0.6


MISTAKES = {
    "learners: [svm]\ncodes: [ova]\ndecoders: [loss]\nselect: {a: {among: [svm], by: loo_bound}}": (
        "select.a: 'svm' has no leave-one-out bound"
    ),
    "methods: [adaboost_ecc]\nselect: {a: {among: [adaboost_ecc], by: cv}}": (
        "select.a: methods can be chosen by validation"
    ),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_criterion_that_a_learner_lacks_is_refused(text, config, command, tmp_path):
    result = command("run", config("name: n\ndatasets: [glass]\n" + text), "--out", tmp_path / "o")
    assert result.exit_code == 2
    assert MISTAKES[text] in result.stderr


def test_section_5_margins_are_scaled_by_the_sum_of_the_alphas(config, command, tmp_path):
    text = """
    name: alphas
    datasets: [glass]
    evaluation: {folds: 3}
    learners:
      adaboost: {rounds: 20, outputs: discrete, record: [10]}
    codes: [ova]
    decoders: [exponential]
    """
    path = config(text)
    assert command("run", path, "--out", tmp_path / "out").exit_code == 0
    rows = Run(tmp_path / "out").rows("bounds.csv").query("fold == 1")
    plan = planned(path)
    cell = next(c for c in plan.cells if c.fold == 1)
    own, data = plan.contexts(cell)[0], plan.datasets["glass"]
    M, X = plan.matrices["glass", "ova", 0], data.X[own.train]
    learner = AdaBoostLearner(20, [10], outputs="discrete").fit(X, M[own.y_train])
    for (_, row), (stage, F) in zip(rows.iterrows(), learner.staged_margins(X), strict=True):
        alphas = np.abs(learner.outputs_[:stage]).max(axis=(1, 2))
        eta = alphas.sum()
        assert row["eta"] == pytest.approx(eta, rel=1e-5)
        found = votes_margin(exponential(M, F), own.y_train, eta)
        median = np.percentile(found, 50, method="inverted_cdf")
        assert row["margin_50"] == pytest.approx(median, rel=1e-5)
        assert row["theta_share"] == pytest.approx((found <= row["theta"]).mean(), rel=1e-5)
        product = np.prod(np.exp(alphas * row["theta"]) / np.cosh(alphas))
        assert row["theorem6"] == pytest.approx(M.shape[1] / 2 * product, rel=1e-5)
        assert row["equation24"] == pytest.approx(row["theorem6"], rel=1e-5)
        # d of six columns and nine features is at most 19, and there are 142 >= 19 x 6 rows.
        assert row["theorem3"] > 1
    assert np.abs(F).max() < 0.99 * eta
