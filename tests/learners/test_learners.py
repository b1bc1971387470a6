import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from ecoc_bench.coding.codes import all_pairs, complete
from ecoc_bench.coding.losses import LOSSES
from ecoc_bench.data.cards import load
from ecoc_bench.data.inputs import INPUTS, prepare
from ecoc_bench.errors import ConfigError
from ecoc_bench.learners import LEARNERS, learner_class
from ecoc_bench.learners.columns import Columns
from ecoc_bench.learners.linear import LeastSquares, LogisticRegressions
from ecoc_bench.learners.svm import SVM

MULTI_CALL = [SVM(), LogisticRegressions(), LeastSquares(), Columns(SVC())]


@pytest.fixture(scope="module")
def glass():
    data = load("glass")
    return StandardScaler().fit_transform(data.X), data.y


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_every_learner_of_the_registry_can_be_loaded(name):
    cls = learner_class(name)
    assert callable(cls.fit)
    assert callable(cls.margins)
    assert hasattr(cls, "single_call")
    assert cls.inputs in INPUTS


def test_an_unknown_learner_names_the_nearest():
    with pytest.raises(ConfigError, match="Did you mean 'svm'"):
        learner_class("svmm")


@pytest.mark.parametrize("learner", MULTI_CALL, ids=lambda e: type(e).__name__)
def test_a_column_sees_only_the_classes_it_does_not_leave_out(learner, glass):
    X, y = glass
    M = all_pairs(6)
    moved = X.copy()
    moved[y == 5] += 100.0
    before = learner.fit(X, M[y]).margins(X)[y != 5]
    after = learner.fit(moved, M[y]).margins(X)[y != 5]
    same = np.isclose(before, after).all(axis=0)
    np.testing.assert_array_equal(same, M[5] == 0)


@pytest.mark.parametrize("learner", MULTI_CALL, ids=lambda e: type(e).__name__)
def test_a_complementary_column_has_minus_the_margins(learner, glass):
    X, y = glass
    Y = complete(6)[y][:, [7]]
    plus, minus = (learner.fit(X, sign * Y).margins(X) for sign in (1, -1))
    np.testing.assert_allclose(plus, -minus, atol=0.01)


@pytest.mark.parametrize("learner", MULTI_CALL, ids=lambda e: type(e).__name__)
def test_a_column_left_with_one_sign_is_constant(learner, glass):
    X, y = glass
    Y = np.column_stack([np.ones(len(y)), -np.ones(len(y)), np.zeros(len(y))]).astype(np.int8)
    F = learner.fit(X, Y).margins(X)
    np.testing.assert_array_equal(F, np.tile([1.0, -1.0, 0.0], (len(y), 1)))


def test_the_polynomial_kernel_is_that_of_the_config(glass):
    X, y = glass
    Y = complete(6)[y][:, [3]]
    d = X.shape[1]
    gram = (X @ X.T / d + 1) ** 4
    byhand = SVC(kernel="precomputed", C=1, tol=1e-9).fit(gram, Y[:, 0]).decision_function(gram)
    ours = SVM(kernel="poly", degree=4, coef0=1, gamma="1/d", C=1).fit(X, Y).margins(X)[:, 0]
    np.testing.assert_allclose(ours, byhand, atol=1e-5)


@pytest.mark.parametrize(
    ("learner", "loss"),
    [(LogisticRegressions(C=1e6, max_iter=10_000), "logistic"), (LeastSquares(1e-9), "square")],
)
def test_a_learner_minimises_its_own_loss(learner, loss, glass):
    X, y = glass
    Y = complete(6)[y][:, [3]]
    F = learner.fit(X, Y).margins(X)
    best = LOSSES[loss](Y * F).mean()
    for factor in (0.9, 1.1):
        assert LOSSES[loss](Y * F * factor).mean() > best


def test_standardizing_uses_the_training_part_only():
    X = np.array([[0.0], [2.0], [100.0]])
    train, test = prepare("standardize", np.array([False]), X[:2], X[2:])
    np.testing.assert_allclose(train, [[-1.0], [1.0]])
    np.testing.assert_allclose(test, [[99.0]])


def test_minmax_uses_the_training_part_only():
    train, test = prepare("minmax", np.array([False]), np.array([[1.0], [3.0]]), np.array([[5.0]]))
    assert train.ravel().tolist() == [0.0, 1.0]
    assert test.ravel().tolist() == [2.0]


def test_nominal_values_become_indicators_and_missing_or_unseen_ones_none():
    X = np.array([[0.0, 1.0], [1.0, np.nan], [0.0, 3.0]])
    train, test = prepare(
        "raw", np.array([True, False]), X, np.array([[np.nan, np.nan], [2.0, 5.0]])
    )
    np.testing.assert_array_equal(train, [[1, 1, 0], [2, 0, 1], [3, 1, 0]])
    np.testing.assert_array_equal(test, [[2, 0, 0], [5, 0, 0]])


def test_an_attribute_without_any_number_in_training_is_a_constant():
    X = np.array([[np.nan, 1.0], [np.nan, 2.0]])
    train, test = prepare("standardize", np.array([False, False]), X, np.array([[7.0, 1.5]]))
    assert np.isfinite(train).all()
    assert np.isfinite(test).all()
    assert len(set(train[:, 0])) == 1


def test_coded_inputs_are_left_alone():
    X = np.array([[0.0, np.nan]])
    assert prepare("coded", np.array([True, False]), X)[0] is X
