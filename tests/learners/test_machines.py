"""Machines of our SVM solver at their borders: weights, few rows, hard kernels, extreme C."""

import warnings

import numba
import numpy as np
import oracles_svm as oracles
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from ecoc_bench.coding.codes import all_pairs, one_vs_all
from ecoc_bench.data import cards
from ecoc_bench.data.inputs import prepare
from ecoc_bench.learners import kernels, machines
from ecoc_bench.learners.columns import Columns
from ecoc_bench.learners.machines import fit_machine
from ecoc_bench.learners.svm import SVM

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs compilation")
SVCS = [
    SVC(kernel="linear"),
    SVC(kernel="poly", degree=3, coef0=1.0, gamma=0.2),
    SVC(kernel="rbf", gamma=0.2),
]
by_kernel = pytest.mark.parametrize("svc", SVCS, ids=lambda svc: svc.kernel)


@pytest.fixture(scope="module")
def glass():
    ds = cards.load("glass")
    (X,) = prepare("standardize", ds.nominal, ds.X)
    return X, ds.y


def draw(seed, n=40, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


def fitted(svc, X, y):
    """A machine after its box, its optimality conditions and its objective have been checked."""
    machine = fit_machine(svc, X, y)
    K = oracles.kernel(svc, X)
    capped = clone(svc).set_params(max_iter=20_000)
    found = oracles.compared(machine, capped, X, y, K, sure=1e-2)
    b = oracles.coefficients(machine, len(y))
    lo, hi = oracles.bounds(y, svc.C)
    assert (lo <= b).all()
    assert (b <= hi).all()
    assert abs(b.sum()) <= 1e-6 * np.abs(b).sum()
    assert found.gap <= 1e-6 + found.allowed
    if machine.violation_ <= svc.tol:
        assert found.violation <= svc.tol
    return machine


@by_kernel
def test_a_weight_is_a_number_of_copies(svc, glass):
    X, r = glass
    y, weight = one_vs_all(6)[r, 0], np.arange(len(r)) % 3
    copies = np.repeat(np.arange(len(y)), weight)
    weighted = fit_machine(svc, X, y, weight)
    copied = fit_machine(svc, X[copies], y[copies])
    np.testing.assert_allclose(weighted.margins(X), copied.margins(X), atol=1e-4)
    assert not set(weighted.support_) & set(np.flatnonzero(weight == 0))
    assert (np.abs(weighted.dual_coef_) <= svc.C * weight[weighted.support_]).all()


def test_a_row_without_weight_is_absent_from_the_scale_of_gamma_too():
    X, y = draw(0)
    far = np.vstack([X, [[1e3, 1e3, 1e3]]])
    there = fit_machine(SVC(), far, np.append(y, 1.0), np.append(np.ones(len(y)), 0.0))
    assert there.formula == fit_machine(SVC(), X, y).formula
    left_out = fit_machine(SVC(), far, np.append(y, 0.0))
    assert there.margins(X).tobytes() == left_out.margins(X).tobytes()


def test_positive_weights_of_one_sign_are_refused_in_the_words_of_libsvm():
    X, y = draw(0)
    weight = (y > 0).astype(float)
    with pytest.raises(ValueError, match="positive weights belong to the same class") as theirs:
        SVC().fit(X, y, weight)
    for fit in (fit_machine, lambda *a: Columns(a[0]).fit(a[1], a[2][:, None], a[3])):
        with pytest.raises(ValueError, match="all samples with positive weights") as ours:
            fit(SVC(), X, y, weight)
        assert str(ours.value) == str(theirs.value)


@by_kernel
def test_columns_of_few_rows_are_the_same_in_the_whole_matrix(svc, glass, monkeypatch):
    X, r = glass
    made = []
    new = kernels.new_matrix

    def new_one(*a, shared=False):
        made.extend([] if shared else [1])
        return new(*a, shared=shared)

    monkeypatch.setattr(kernels, "new_matrix", new_one)
    for y in all_pairs(6)[r].T[-4:]:
        apart = fit_machine(svc, X, y)
        assert made
        made.clear()
        with monkeypatch.context() as patch:
            patch.setattr(machines, "FEW", 0.0)
            whole = fit_machine(svc, X, y)
        assert not made
        assert (y[apart.support_] != 0).all()
        assert (y[whole.support_] != 0).all()
        np.testing.assert_allclose(apart.margins(X), whole.margins(X), atol=1e-4)


@by_kernel
@pytest.mark.parametrize("code", [one_vs_all, all_pairs])
def test_a_precomputed_kernel_is_the_kernel_that_it_holds(svc, code, glass):
    X, r = glass
    Y, new = code(6)[r], X[::7] * 1.01
    direct = Columns(svc).fit(X, Y)
    held = Columns(SVC(kernel="precomputed")).fit(oracles.kernel(svc, X), Y)
    assert all(isinstance(e, machines.Machine) for e in held.estimators_)
    F = held.margins(oracles.kernel(svc, new, X))
    np.testing.assert_allclose(F, direct.margins(new), atol=1e-3)
    for e, d in zip(held.estimators_, direct.estimators_, strict=True):
        assert e.violation_ <= 1e-3
        np.testing.assert_allclose(e.intercept_, d.intercept_, atol=1e-3)


def test_gamma_has_the_meanings_of_scikit_learn(glass):
    X, r = glass
    y = one_vs_all(6)[r, 1]
    X = X[:, :5] * 2
    for gamma, number in [("scale", 1 / (5 * X.var())), ("auto", 1 / 5), (0.3, 0.3)]:
        svc = SVC(gamma=gamma, tol=1e-6)
        ours = fit_machine(svc, X, y)
        assert ours.formula.gamma == number
        np.testing.assert_allclose(ours.margins(X), svc.fit(X, y).decision_function(X), atol=1e-4)
    svm = SVM(kernel="rbf", gamma="1/d").fit(X, y[:, None])
    assert svm.estimators_[0].formula.gamma == 1 / 5
    assert fit_machine(SVC(), np.zeros((2, 3)), np.array([1, -1])).formula.gamma == 1.0


@by_kernel
@pytest.mark.parametrize("C", [1e-6, 0.3, 1.0, 1e5])
def test_small_problems_end_at_the_optimum_whatever_c(svc, C):
    for seed in range(5):
        X, y = draw(seed)
        machine = fitted(clone(svc).set_params(C=C), X, y)
        assert machine.violation_ <= svc.tol


@by_kernel
def test_duplicates_of_opposite_labels(svc):
    X, y = draw(3)
    X, y = np.vstack([X, X[:10], X[:10]]), np.concatenate([y, -y[:10], y[:10]])
    machine = fitted(clone(svc).set_params(C=10.0), X, y)
    assert machine.violation_ <= svc.tol


@by_kernel
def test_rows_in_one_place_and_one_row_of_each_sign(svc):
    for labels in ([1, 1, 1, -1, -1], [1, -1], [1, -1, -1, -1, -1, -1]):
        y = np.array(labels, dtype=float)
        same = np.full((len(y), 3), 0.7)
        flat = fitted(svc, same, y)
        assert np.ptp(flat.margins(same)) == 0
        assert abs(flat.margins(same)[0]) <= 1 + svc.tol
    machine = fitted(clone(svc).set_params(C=1e3), np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]))
    np.testing.assert_allclose(machine.margins(np.array([[1.0], [-1.0]])), [1, -1], atol=1e-5)


def test_fewer_features_than_free_vectors():
    """The linear kernel of 2 inputs has rank 2, 3 with the bias: 200 rows on a grid, many tied."""
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, size=(200, 2)).astype(float)
    y = np.where(X.sum(axis=1) + rng.normal(size=200) > 0, 1.0, -1.0)
    for C in (0.01, 1.0, 100.0):
        machine = fitted(SVC(kernel="linear", C=C), X, y)
        assert machine.violation_ <= 1e-3


def test_kernel_values_of_1e15_end_at_least_as_high_as_libsvm():
    X, y = draw(4)
    svc = SVC(kernel="poly", degree=4, coef0=1.0, gamma=1 / 3, max_iter=10**5)
    assert oracles.kernel(svc, 3e3 * X).max() > 1e15
    fitted(svc, 3e3 * X, y)


@pytest.mark.parametrize("scale", [1e5, 1e10, 1e30])
def test_kernels_beyond_float32_come_to_an_end(scale):
    """Entries are above 3e38, where libsvm refuses its coefficients; a failure is counted."""
    for seed in range(3):
        X, y = draw(seed)
        X *= scale
        svc = SVC(kernel="poly", degree=4, coef0=1.0, gamma=1e5, max_iter=10**5)
        machine = fit_machine(svc, X, y)
        b = oracles.coefficients(machine, len(y))
        assert (b * y >= 0).all()
        assert (np.abs(b) <= svc.C).all()
        assert np.isfinite(machine.margins(X)).all()
        if machine.violation_ <= svc.tol:
            lo, hi = oracles.bounds(y, svc.C)
            assert oracles.violation(oracles.kernel(svc, X), y, b, lo, hi) <= 2 * svc.tol


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("rows", [slice(None), slice(7, 8)])
@by_kernel
def test_a_kernel_beyond_float64_is_refused_as_libsvm_refuses_it(svc, rows):
    X, y = draw(0)
    X[rows] *= 1e200
    for fit in (SVC(kernel="linear").fit, lambda *a: fit_machine(svc, *a)):
        with pytest.raises(ValueError, match=r"not finite\. The input data may contain large"):
            fit(X, y)


def test_the_cap_is_kept_and_told(glass):
    X, r = glass
    for cap in (0, 1, 5, 20):
        svm = SVM(kernel="linear", C=100.0, max_iter=cap)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            svm.fit(X, one_vs_all(6)[r])
        assert all(e.n_iter_ <= cap for e in svm.estimators_)
        failed = sum(e.violation_ > 1e-3 for e in svm.estimators_)
        assert failed == (~svm.converged_).sum() > 0
        assert [str(w.message) for w in caught] == [f"{failed} of 6 columns did not converge"]
        assert caught[0].category is ConvergenceWarning
        assert np.isfinite(svm.margins(X)).all()


def test_other_numbers_of_features_are_refused():
    X, y = draw(0)
    for svc in (*SVCS, SVC(kernel="precomputed")):
        X = X if svc.kernel != "precomputed" else oracles.kernel(SVCS[0], X)
        learner = Columns(svc).fit(X, y[:, None])
        for wrong in (X[:, :2], np.hstack([X, X])):
            said = f"X has {wrong.shape[1]} features, but Machine is expecting {X.shape[1]} "
            with pytest.raises(ValueError, match=said):
                learner.margins(wrong)
            with pytest.raises(ValueError, match=said):
                learner.estimators_[0].decision_function(wrong)
