"""Which attributes count: permuted on held-out rows and by split gains, from a run to its bars."""

import numpy as np
import pytest
from drawn import drawn
from runs import invoke, planned, ran
from sklearn.inspection import permutation_importance

from ecoc_bench.data.inputs import attributes_of, prepare
from ecoc_bench.joint.baselines import Bagging, RandomForest
from ecoc_bench.joint.boosting import AdaBoostECC
from ecoc_bench.learners.adaboost import AdaBoostLearner
from ecoc_bench.learners.c45 import C45Classifier
from ecoc_bench.learners.gains import split_gains
from ecoc_bench.results.run import Run

TEXT = """
name: counted
seed: 4
datasets: [{name: made, path: made.csv, nominal: [word]}]
evaluation: {folds: 2}
learners: {logistic: {}, c45: {}}
codes: [ova]
decoders: [hamming]
methods:
  forest: {type: random_forest, n_estimators: 8, record: [8]}
  kesler: {}
"""


def made():
    """A number and a word that decide the class together, and a number that does not matter."""
    rng = np.random.default_rng(0)
    x, noise, word = [*rng.normal(size=(2, 120)).tolist(), rng.integers(0, 2, 120).tolist()]
    rows = [
        f"{a:.4f},{'ab'[w]},{b:.4f},{'c' if w else 'de'[a > 0]}"
        for a, w, b in zip(x, word, noise, strict=True)
    ]
    return "\n".join(["x,word,noise,class", *rows]) + "\n"


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("counted")
    (folder / "made.csv").write_text(made())
    out = ran(TEXT, folder)
    result = invoke("importance", out, "--repeats", 3)
    assert result.exit_code == 0, result.output
    (folder / "printed").write_text(result.stdout)
    return out


def test_the_attribute_that_does_not_matter_counts_least(counted):
    means = Run(counted).rows("importance.csv").groupby(["code", "learner", "feature"], sort=False)
    table = means[["increase", "split_gain"]].mean()
    assert len(table) == 4 * 3
    for what, rows in table.groupby(["code", "learner"]):
        found = rows.droplevel(["code", "learner"])
        assert found["increase"]["x"] > 0.1 < found["increase"]["word"]
        assert abs(found["increase"]["noise"]) < 0.05
        if what[1] == "c45" or what[0] == "forest":
            assert found["split_gain"].sum() == pytest.approx(1, abs=1e-5)
            assert found["split_gain"]["noise"] < min(found["split_gain"][["x", "word"]])
        else:
            assert found["split_gain"].isna().all()


def test_errors_before_are_those_of_the_run(counted):
    run = Run(counted)
    key = ["learner", "code", "decoder", "fold"]
    before = run.rows("importance.csv").groupby(key)["error_rate"].first()
    np.testing.assert_allclose(before, run.results.groupby(key)["error_rate"].first())


def test_the_mean_increase_is_near_that_of_scikit_learn(counted):
    """Other permutations: the means over folds agree within their spread."""
    plan, differences = planned(counted.parent / "config.yaml"), []
    mine = (
        Run(counted).rows("importance.csv").query("code == 'forest'").set_index(["fold", "feature"])
    )
    for cell in (c for c in plan.cells if c.code == "forest"):
        context, _, _ = plan.columns(cell)
        data = plan.datasets["made"]
        train, test = prepare("raw", data.nominal, data.X[context.train], data.X[context.test])
        clf = RandomForest(8, record=[8], random_state=0).fit(train, context.y_train)
        theirs = permutation_importance(clf, test, context.y_test, n_repeats=10, random_state=0)
        differences.append(mine.loc[(cell.fold, "x"), "increase"] - theirs.importances_mean[0])
    assert abs(np.mean(differences)) < 0.1


def test_the_same_command_writes_the_same_bytes_and_the_page_shows_bars(counted):
    before = (counted / "importance.csv").read_bytes()
    only = ["--only", "method=forest"]
    assert invoke("importance", counted, "--repeats", 3).exit_code == 0
    assert (counted / "importance.csv").read_bytes() == before
    printed = (counted.parent / "printed").read_text()
    assert "made, forest: points of test error when permuted" in printed
    bars = drawn(Run(counted))["importance_made"].axes
    assert {axes.get_title() for axes in bars if axes.get_visible()} == {
        *["logistic, ova, hamming", "c45, ova, hamming", "forest", "kesler"]
    }
    forest = next(axes for axes in bars if axes.get_title() == "forest")
    widths = [patch.get_width() for patch in forest.containers[0].patches]
    rows = Run(counted).rows("importance.csv").query("code == 'forest'")
    means = rows.groupby("feature")["increase"].mean().mul(100).sort_values(ascending=False)
    np.testing.assert_allclose(widths, means)
    assert invoke("importance", counted, "--repeats", 1, *only).exit_code == 0
    assert set(Run(counted).rows("importance.csv")["code"]) == {"forest"}


def test_a_folder_without_a_run_is_named(tmp_path):
    result = invoke("importance", tmp_path)
    assert result.exit_code == 2
    assert "not the manifest of a run" in result.stderr


def test_gains_of_a_c45_tree_are_the_information_gains_of_its_splits():
    X = np.array([[0.0, 0], [0, 1], [0, 0], [1, 1], [1, 0], [1, 1], [1, 0], [1, 1]])
    y = np.array([0, 0, 0, 1, 2, 1, 2, 1])
    tree = C45Classifier(prune=False, min_cases=1).fit(X, y)
    entropy = [-sum(p * np.log2(p) for p in ps) for ps in ([3 / 8, 3 / 8, 2 / 8], [3 / 5, 2 / 5])]
    second = 5 * entropy[1]
    np.testing.assert_allclose(tree.split_gains_, [8 * entropy[0] - second, second], rtol=1e-6)


def test_gains_of_stumps_and_of_ensembles():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 4))
    y = (X[:, 2] > 0).astype(int) + (X[:, 0] > 1)
    stumps = AdaBoostLearner(rounds=12).fit(X, np.where(y[:, None] == [0, 1, 2], 1, -1))
    plain = [0.0] * 4
    for feature, Z in zip(stumps.features_[:, 0], stumps.normalizers_[:, 0], strict=True):
        plain[feature] -= np.log(Z)
    np.testing.assert_allclose(stumps.split_gains_, plain)
    forest = RandomForest(5, random_state=0).fit(X, y)
    np.testing.assert_allclose(split_gains(forest), forest.feature_importances_)
    bag = Bagging(n_estimators=5, random_state=0).fit(X, y)
    trees = np.mean([tree.feature_importances_ for tree in bag.estimators_], axis=0)
    np.testing.assert_allclose(split_gains(bag), trees)
    boosted = AdaBoostECC(C45Classifier(), rounds=4, random_state=0).fit(X, y)
    weighted = sum(
        a * split_gains(tree) for a, tree in zip(boosted.alphas_, boosted.estimators_, strict=True)
    )
    np.testing.assert_allclose(split_gains(boosted), weighted / weighted.sum())


def test_inputs_know_their_attributes():
    X = np.array([[0.0, 5.0, 1.0], [1.0, 6.0, np.nan], [2.0, 7.0, 0.0]])
    nominal = np.array([True, False, True])
    owners = attributes_of("raw", nominal, X)
    assert owners.tolist() == [1, 0, 0, 0, 2, 2]
    assert prepare("raw", nominal, X)[0].shape[1] == len(owners)
    assert attributes_of("coded", nominal, X).tolist() == [0, 1, 2]
