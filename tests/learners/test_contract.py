"""What the runner asks of a learner: `fit` and `margins`, and what it may say beyond them."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from runs import SMALL, SVM_LINE, invoke, planned, ran
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris

from ecoc_bench import ECOCClassifier
from ecoc_bench.coding.decoders import exponential, hamming, linear, predict
from ecoc_bench.data.inputs import prepare
from ecoc_bench.joint.adapter import Joint
from ecoc_bench.learners import LEARNERS, learner_class
from ecoc_bench.learners.adapt import Adapted, as_learner
from ecoc_bench.learners.contract import Learner
from ecoc_bench.learners.svm import SVM
from ecoc_bench.seeds import identity, seed_for
from ecoc_bench.synthetic import OneSidedAdaBoost, normals

TEXT = SMALL.replace("[glass, vowel]", "[vowel]").replace("[hamming, loss]", "[loss]")
ATTRIBUTES = (
    "loss", "single_call", "columns_at_once", "inputs", "version", "n_stages", "itemsize",
    "has_loo", "has_margin_bound",
)  # fmt: skip


class Plain:
    """All that a learner must have, and nothing else: the covariances of inputs and columns."""

    def fit(self, X, Y):
        self.w = X.T @ Y / len(X)

    def margins(self, X):
        return X @ self.w


class Weighted(Plain, BaseEstimator):
    """With parameters as scikit-learn has them, and weights."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def fit(self, X, Y, sample_weight=None):
        weight = np.ones(len(X)) if sample_weight is None else sample_weight
        self.w = self.scale * (X * weight[:, None]).T @ Y / len(X)


class Talkative(Plain):
    """Says all that can be said, and writes down what it was given."""

    loss = "exponential"
    single_call = True
    columns_at_once = 3
    inputs = "raw"
    version = "of today"
    n_stages = 2
    itemsize = 4.0
    seen: ClassVar[list] = []

    def fit(self, X, Y):
        Talkative.seen.append((X, Y))
        super().fit(X / 100, Y)
        self.converged_ = np.arange(Y.shape[1]) != 0

    def staged_margins(self, X):
        yield 1, super().margins(X / 200)
        yield 2, self.margins(X)

    def margins(self, X):
        return super().margins(X / 100)

    def room(self, n_train, n_test):
        return 1000.0 * n_train + n_test

    def vc_dimension(self, n_features, n_columns):
        return n_features * n_columns


class Seeded(Plain):
    """Depends on its seed, and writes it down."""

    seen: ClassVar[list] = []

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, Y):
        Seeded.seen.append(self.random_state)
        rng = np.random.default_rng(self.random_state)
        self.w = rng.normal(size=(X.shape[1], Y.shape[1]))


def text_of(name):
    return TEXT.replace(SVM_LINE, f'mine: {{type: "test_contract:{name}"}}')


def by_hand(path, learner, inputs, decode, code="ova"):
    """The test errors of a code, without the runner."""
    plan = planned(path)
    data, M = plan.datasets["vowel"], plan.matrices["vowel", code, 0]
    X, X_test = prepare(inputs, data.nominal, data.X[data.train], data.X[~data.train])
    learner.fit(X, M[data.y[data.train]])
    return (predict(decode(M, learner.margins(X_test))) != data.y[~data.train]).sum()


@pytest.mark.parametrize("name", ["Plain", "Weighted"])
def test_fit_and_margins_are_enough_for_a_run(name, tmp_path):
    out = ran(text_of(name), tmp_path)
    rows = pd.read_csv(out / "results.csv")
    assert set(rows["code"]) == {"ova", "all_pairs", "dense"}
    for code in ("ova", "all_pairs"):
        errors = by_hand(tmp_path / "config.yaml", Plain(), "standardize", hamming, code)
        assert rows.query("code == @code")["errors"].item() == errors
    assert set(rows["stage"]) == {0}
    assert set(rows["unconverged"]) == {0}


def test_a_learner_of_ones_own_gives_the_same_rows_in_two_workers(tmp_path):
    out = ran(text_of("Plain"), tmp_path)
    two = tmp_path / "two"
    ran_in_two = invoke("run", tmp_path / "config.yaml", "--out", two, "--jobs", 2)
    assert ran_in_two.exit_code == 0, ran_in_two.stderr
    assert (two / "results.csv").read_bytes() == (out / "results.csv").read_bytes()


def test_fit_and_margins_are_enough_for_the_classifier():
    X, y = load_iris(return_X_y=True)
    X = X - X.mean(axis=0)
    clf = ECOCClassifier(Plain(), code="ova").fit(X, y)
    w = X.T @ clf.code_matrix_[y] / len(X)
    np.testing.assert_allclose(clf.margins(X), X @ w)
    np.testing.assert_array_equal(clf.predict(X), predict(linear(clf.code_matrix_, X @ w)))
    given = Plain()
    ECOCClassifier(given).fit(X, y)
    assert not vars(given)  # as with scikit-learn: what is given is not fitted


def test_weights_reach_a_learner_that_takes_them():
    X, y = load_iris(return_X_y=True)
    weight = np.arange(len(y)) % 3
    weighted = ECOCClassifier(Weighted()).fit(X, y, sample_weight=weight)
    copied = ECOCClassifier(Weighted()).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    scale = weight.sum() / len(y)
    np.testing.assert_allclose(weighted.margins(X), scale * copied.margins(X))


def test_what_a_learner_does_not_say_is_the_contracts_default():
    learner = as_learner(Plain())
    assert {name: getattr(learner, name) for name in ATTRIBUTES} == {
        "loss": "hamming",
        "single_call": False,
        "columns_at_once": 1,
        "inputs": "standardize",
        "version": 1,
        "n_stages": 1,
        "itemsize": 8.0,
        "has_loo": False,
        "has_margin_bound": False,
    }
    assert all(getattr(learner, name) == getattr(Learner, name) for name in ATTRIBUTES)
    assert learner.room(100, 50) == 0
    assert learner.vc_dimension(4, 3) is None
    assert not learner.takes("random_state")
    X = np.eye(3)
    fitted = learner.fit(X, X)
    assert fitted is learner
    assert fitted.converged_ is fitted.loo_shift_ is fitted.score_margins_ is fitted.norms_ is None
    [(stage, margins)] = fitted.staged_margins(X)
    assert stage == 0
    np.testing.assert_array_equal(margins, X / 3)


def test_what_a_learner_says_of_itself_is_used():
    learner = as_learner(Talkative())
    said = ("exponential", True, 3, "raw", "of today", 2, 4.0, False, False)
    assert tuple(getattr(learner, name) for name in ATTRIBUTES) == said
    assert learner.room(3, 4) == 3004
    assert learner.vc_dimension(4, 3) == 12
    fitted = learner.fit(100 * np.eye(3), np.eye(3))
    assert [stage for stage, _ in fitted.staged_margins(np.eye(3))] == [1, 2]
    assert fitted.converged_.tolist() == [False, True, True]


def test_a_run_asks_the_learner_for_its_loss_inputs_stages_and_columns(tmp_path):
    Talkative.seen.clear()
    out = ran(text_of("Talkative"), tmp_path)
    rows = pd.read_csv(out / "results.csv").query("code == 'ova'")
    assert rows["stage"].tolist() == [1, 2]
    errors = by_hand(tmp_path / "config.yaml", Talkative(), "raw", exponential)
    assert rows["errors"].tolist()[-1] == errors
    assert set(rows["unconverged"]) == {1}
    sizes = [Y.shape for X, Y in Talkative.seen if len(X) == 528]
    # ova, all-pairs and two draws of dense, each in one call; the last one is done by hand
    assert sorted(sizes[:-1]) == [(528, 8), (528, 8), (528, 11), (528, 55)]


class Shared(Plain):
    """Takes three columns in a call, and fails where one of them has no class left out."""

    columns_at_once = 3
    seen: ClassVar[list] = []

    def fit(self, X, Y):
        Shared.seen.append(Y.shape)
        if (Y != 0).all(axis=0).any() and len(X) == 528:
            raise ValueError("a column with all rows")
        super().fit(X, Y)


def test_columns_that_share_work_come_together_and_fail_alone(tmp_path):
    Shared.seen.clear()
    path = tmp_path / "config.yaml"
    path.write_text(text_of("Shared"))
    result = invoke("run", path, "--out", tmp_path / "out")
    assert result.exit_code == 1, result.stderr
    sizes = [size for n, size in Shared.seen if n == 528]
    assert max(sizes) == 3
    rows = pd.read_csv(tmp_path / "out" / "results.csv")
    assert set(rows["code"]) == {"all_pairs"}
    errors = by_hand(path, Plain(), "standardize", hamming, "all_pairs")
    assert rows["errors"].item() == errors


def test_a_random_state_is_seeded_for_each_fit_by_what_is_fitted(tmp_path):
    Seeded.seen.clear()
    ran(text_of("Seeded"), tmp_path / "one")
    plan = planned(tmp_path / "one" / "config.yaml")
    expected = {
        seed_for(7, task.context.key, (name,))
        for task in plan.tasks(plan.cells, ())
        for name in task.columns
    }
    assert set(Seeded.seen) - {None} == expected  # None: on the toy problem
    assert len(expected) == sum(seed is not None for seed in Seeded.seen)
    first = pd.read_csv(tmp_path / "one" / "out" / "results.csv")
    again = pd.read_csv(ran(text_of("Seeded"), tmp_path / "two") / "results.csv")
    pd.testing.assert_frame_equal(first, again)
    other = ran(text_of("Seeded").replace("seed: 7", "seed: 8"), tmp_path / "other")
    assert (pd.read_csv(other / "results.csv")["errors"] != first["errors"]).any()


def test_a_fresh_learner_has_the_settings_and_nothing_of_the_fit():
    learner = Adapted(Seeded, {"random_state": 1})
    fresh = learner.fit(np.eye(2), np.eye(2)).fresh(random_state=5)
    assert learner.learner_.random_state == 1
    assert not hasattr(fresh, "learner_")
    assert fresh.fit(np.eye(2), np.eye(2)).learner_.random_state == 5
    assert fresh.described() == ("test_contract:Seeded", {"random_state": 5})


IDENTITIES = {
    "adaboost": "ecoc_bench.learners.adaboost:AdaBoostLearner",
    "svm": "ecoc_bench.learners.svm:SVM",
    "gaussian_svm": "ecoc_bench.learners.kernel_svm:GaussianSVM",
    "logistic": "ecoc_bench.learners.linear:LogisticRegressions",
    "least_squares": "ecoc_bench.learners.linear:LeastSquares",
    "c45": "ecoc_bench.learners.c45:C45",
    "lightgbm": "ecoc_bench.learners.boosted_trees:LightGBM",
    "xgboost": "ecoc_bench.learners.boosted_trees:XGBoost",
    "sklearn": "ecoc_bench.learners.columns:Columns",
}


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_declares_the_name_that_keys_and_seeds_know_it_by(name):
    cls = learner_class(name)
    assert vars(cls)["identity"] == identity(cls) == IDENTITIES[name]
    assert issubclass(cls, Learner)


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (Joint, "ecoc_bench.joint.adapter:Joint"),
        (OneSidedAdaBoost, "ecoc_bench.synthetic:OneSidedAdaBoost"),
        (normals, "ecoc_bench.synthetic:normals"),
    ],
)
def test_what_else_is_in_keys_declares_its_name(thing, name):
    assert vars(thing)["identity"] == identity(thing) == name


def test_a_subclass_does_not_inherit_the_name():
    class Mine(SVM):
        """Another kernel, perhaps: its margins must not be taken for those of SVM."""

    assert identity(Mine).endswith(":test_a_subclass_does_not_inherit_the_name.<locals>.Mine")
    assert Mine().described()[0] == identity(Mine) != SVM().described()[0]


class MySVM(SVM):
    """The same as ours, but known by its place."""


def test_a_subclass_shares_no_stored_margins_with_its_parent(config):
    plain = planned(config(TEXT))
    mine = planned(config(TEXT.replace("svm: {", 'mine: {type: "test_contract:MySVM", ')))
    found, own = ({plan.columns(cell)[0].key for cell in plan.cells} for plan in (plain, mine))
    assert len(found) == len(own) == 1
    assert found.isdisjoint(own)
