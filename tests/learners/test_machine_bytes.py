"""A column by our SVM solver has the same bytes in any company; what libsvm still fits."""

import pickle

import numba
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC

from ecoc_bench import ECOCClassifier
from ecoc_bench.coding.codes import all_pairs, one_vs_all
from ecoc_bench.learners import columns, keeping, kernels, machines
from ecoc_bench.learners.columns import Columns
from ecoc_bench.learners.machines import Machine
from ecoc_bench.learners.svm import SVM

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs compilation")
by_kernel = pytest.mark.parametrize(
    "svc",
    [SVC(kernel="linear", C=100.0), SVC(kernel="poly", coef0=1.0), SVC(), SVC(C=1e5)],
    ids=["linear", "poly", "rbf", "rbf of float64"],
)


@pytest.fixture(scope="module")
def wine():
    X, r = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), r


@pytest.fixture
def signs(wine):
    """Columns without zeros, with many and with few."""
    r = wine[1]
    drawn = np.random.default_rng(0).choice([-1, 0, 0, 0, 1], size=(len(r), 3))
    return np.column_stack([one_vs_all(3)[r], all_pairs(3)[r], drawn])


@pytest.fixture(autouse=True)
def nothing_kept():
    keeping._kept.clear()


def bytes_of(learner, X, s):
    """What column s is."""
    e, f = learner.estimators_[s], learner.margins(X)[:, s]
    assert isinstance(e, Machine)
    return [part.tobytes() for part in (e.support_, e.dual_coef_, e.intercept_, f)]


@by_kernel
def test_a_column_has_the_same_bytes_in_any_company(svc, wine, signs):
    X, ell = wine[0], signs.shape[1]
    together = Columns(svc).fit(X, signs)
    due = [bytes_of(together, X, s) for s in range(ell)]
    keeping._kept.clear()
    backwards = Columns(svc).fit(X, signs[:, ::-1])
    assert due == [bytes_of(backwards, X, s) for s in reversed(range(ell))]
    for s in range(ell):
        alone = Columns(svc).fit(X, signs[:, [s]])  # some rows have been filled
        assert due[s] == bytes_of(alone, X, 0)
        keeping._kept.clear()
        alone = Columns(svc).fit(X, signs[:, [s]])
        assert due[s] == bytes_of(alone, X, 0)


@by_kernel
def test_threads_give_the_same_bytes(svc, wine, signs):
    X, ell = wine[0], signs.shape[1]
    one = Columns(svc).fit(X, signs)
    due = [bytes_of(one, X, s) for s in range(ell)]
    keeping._kept.clear()
    two = Columns(svc).fit(X, signs, n_jobs=2)
    assert due == [bytes_of(two, X, s) for s in range(ell)]


@by_kernel
def test_margins_do_not_depend_on_the_rows_that_are_predicted_together(svc, wine, signs):
    X = wine[0]
    learner = Columns(svc).fit(X, signs)
    due = learner.margins(X)
    for part in (slice(0, 1), slice(3, 50), slice(None, None, 7)):
        assert learner.margins(X[part]).tobytes() == due[part].tobytes()


def test_predictions_in_parts_are_those_of_all_rows(wine, signs, monkeypatch):
    X = wine[0]
    learner = Columns(SVC()).fit(X, signs)
    due, asked = learner.margins(X), []
    few = 4 * len(X) * 50
    monkeypatch.setattr(machines, "AT_ONCE", few)
    margins = Machine.margins
    monkeypatch.setattr(Machine, "margins", lambda e, Z: asked.append(len(Z)) or margins(e, Z))
    assert learner.margins(X).tobytes() == due.tobytes()
    assert sorted(set(asked)) == [28, 50]


def test_rows_are_computed_once_for_all_columns_and_for_the_same_inputs(wine, signs, monkeypatch):
    X, made = wine[0], []
    new = kernels.new_matrix
    monkeypatch.setattr(kernels, "new_matrix", lambda *a, **k: made.append(1) or new(*a, **k))
    for s in range(3):
        learner = Columns(SVC()).fit(X.copy(), signs[:, [s]])
        learner.margins(X.copy())
        learner.margins(X[:50] + 1)
    Columns(SVC(C=2.0)).fit(X, signs[:, :3])
    assert len(made) == 2
    Columns(SVC(kernel="linear")).fit(X, signs[:, :3])
    assert len(made) == 3
    assert len(keeping._kept) == keeping.KEPT


class Subclass(SVC):
    """Its `fit` may do anything."""


@pytest.mark.filterwarnings("ignore:The `probability` parameter:FutureWarning")
@pytest.mark.parametrize(
    "estimator",
    [
        SVC(class_weight="balanced"),
        SVC(probability=True),
        SVC(kernel=lambda X, Z: X @ Z.T),
        SVC(kernel="sigmoid"),
        NuSVC(nu=0.1),
        Subclass(),
    ],
    ids=["class_weight", "probability", "callable", "sigmoid", "NuSVC", "subclass"],
)
def test_what_the_solver_does_not_handle_is_left_to_libsvm(estimator, wine):
    X, r = wine
    for e in Columns(estimator).fit(X, one_vs_all(3)[r]).estimators_:
        assert type(e) is type(estimator)


def test_sparse_inputs_and_too_many_rows_are_left_to_libsvm(wine, monkeypatch):
    X, r = wine
    Y = np.column_stack([one_vs_all(3)[r], all_pairs(3)[r]])
    due = Columns(SVC(gamma=0.1)).fit(X, Y)
    assert {type(e) for e in due.estimators_} == {Machine}
    assert {type(e) for e in SVM(solver="libsvm").fit(X, Y).estimators_} == {SVC}
    by_sparse = Columns(SVC(gamma=0.1)).fit(sparse.csr_array(X), Y)
    assert {type(e) for e in by_sparse.estimators_} == {SVC}
    monkeypatch.setattr(columns, "MOST", len(X) - 1)
    mixed = Columns(SVC(gamma=0.1)).fit(X, Y)
    assert [type(e) for e in mixed.estimators_] == 3 * [SVC] + 3 * [Machine]
    for other in (by_sparse.margins(sparse.csr_array(X)), mixed.margins(X)):
        np.testing.assert_allclose(other, due.margins(X), atol=5e-3)


def test_an_unknown_solver_is_named(wine):
    with pytest.raises(ValueError, match=r"one of own, libsvm\. Got 'smo' instead"):
        SVM(solver="smo").fit(wine[0], one_vs_all(3)[wine[1]])


def test_a_data_frame_has_the_predictions_of_its_values(wine):
    X, r = wine
    frame = pd.DataFrame(X, columns=[f"x{f}" for f in range(X.shape[1])])
    by_frame = ECOCClassifier(SVC(), code="ova").fit(frame, r)
    by_values = ECOCClassifier(SVC(), code="ova").fit(X, r)
    assert isinstance(by_frame.estimators_[0], Machine)
    assert by_frame.margins(frame).tobytes() == by_values.margins(X).tobytes()
    with pytest.raises(ValueError, match="feature"):
        by_frame.predict(frame.iloc[:, :5])


def test_a_pickled_classifier_predicts_the_same(wine):
    X, r = wine
    fitted = ECOCClassifier(SVC(), code="all_pairs").fit(X, r)
    due = fitted.margins(X)
    stored = pickle.dumps(fitted)
    keeping._kept.clear()
    again = pickle.loads(stored)
    assert again.margins(X).tobytes() == due.tobytes()
    assert (again.predict(X) == fitted.predict(X)).all()


def test_inputs_that_change_after_the_fit_do_not_change_predictions(wine):
    X, r = wine
    mine, new = X.copy(), X + 0.1
    fitted = ECOCClassifier(SVC(), code="ova").fit(mine, r)
    due = fitted.margins(new), fitted.margins(X)
    mine *= -3
    for clear in (False, True):
        if clear:
            keeping._kept.clear()
        assert fitted.margins(new).tobytes() == due[0].tobytes()
        assert fitted.margins(X).tobytes() == due[1].tobytes()
    new += 1  # the kept matrix of the rows predicted last is not that of their array
    assert not np.array_equal(fitted.margins(new), due[0])
