"""The multiclass SVM: against plain loops, a general QP, liblinear and the binary machine."""

import numba
import numpy as np
import oracles_crammer_singer as oracles
import pytest
from parts import called
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench.data import cards as data
from ecoc_bench.data.inputs import prepare
from ecoc_bench.joint import _crammer_singer as kernels
from ecoc_bench.joint.crammer_singer import KERNELS, MulticlassSVM, slacks

compiled = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="takes minutes without compilation"
)


def draw(seed, m=12, k=3, d=2):
    """k overlapping classes in d dimensions."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(k), rng.integers(0, k, m - k)]
    return rng.normal(size=(k, d))[y] + rng.normal(size=(m, d)), y


def table(name):
    ds = data.load(name)
    train = slice(None) if ds.train is None else ds.train
    (X,) = prepare("standardize", ds.nominal, ds.X[train])
    return X, ds.y[train]


def full_alpha(clf, m):
    alpha = np.zeros((m, len(clf.classes_)))
    alpha[clf.support_] = clf.dual_coef_
    return alpha


def features(K):
    """Rows Phi(x_i) with Phi(x_i).Phi(x_j) = K(x_i, x_j), for solvers that are linear."""
    values, vectors = np.linalg.eigh(K)
    return vectors * np.sqrt(np.maximum(values, 0))


def liblinear_objective(Phi, y, C):
    w = LinearSVC(
        C=C,
        multi_class="crammer_singer",
        fit_intercept=False,
        tol=1e-5,
        max_iter=100_000,
        random_state=0,
    )
    w = w.fit(Phi, y).coef_
    return (w**2).sum() / 2 + C * slacks(w @ Phi.T, y).sum()


@pytest.mark.parametrize("seed", range(12))
def test_one_example_is_solved_as_by_bisection(seed):
    rng = np.random.default_rng(seed)
    k, A, C = int(rng.integers(2, 7)), float(rng.uniform(0.1, 5)), float(rng.uniform(0.1, 3))
    B, y, a = rng.normal(size=k) * 3, int(rng.integers(k)), np.empty(k)
    called(kernels.solve_example)(B, A, y, C, a)
    np.testing.assert_allclose(a, oracles.solve_example(B.tolist(), A, y, C), atol=1e-9)
    assert a.sum() == pytest.approx(0, abs=1e-9)


def test_an_example_of_kernel_zero_has_a_linear_objective():
    a = np.empty(3)
    called(kernels.solve_flat_example)(np.array([0.0, 1.0, 2.0]), 0, 5.0, a)
    assert a.tolist() == [5.0, 0.0, -5.0]
    called(kernels.solve_flat_example)(np.array([3.0, 1.0, 2.0]), 0, 5.0, a)
    assert a.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("seed", range(8))
def test_a_working_set_is_solved_as_in_plain_loops(seed):
    X, y = draw(seed, m=9, k=2 + seed % 3)
    k, C = 2 + seed % 3, (0.3, 3.0)[seed % 2]
    K = rbf_kernel(X, gamma=0.5)
    alpha, steps = oracles.solve(K.tolist(), y.tolist(), k, C, 1e-3, 500)
    ours, G = np.zeros((k, 9)), np.ones((k, 9))  # rows of neighbours, as `solve_dual` has them
    G[y, np.arange(9)] = 0
    assert kernels.solve_working_set(K, G, ours, y, C, None, 1e-3, 500) == steps
    assert 9 <= steps < 500
    np.testing.assert_allclose(ours.T, alpha, atol=1e-9)
    np.testing.assert_allclose(G - 1 + np.eye(k)[:, y], np.array(oracles.scores(alpha, K)).T)
    high, low = np.empty(9), np.empty(9)
    kernels.violations(G, kernels.bars(ours, y, C), None, high, low)
    each = [oracles.violation(*row, C) for row in zip(alpha, G.T.tolist(), y, strict=True)]
    np.testing.assert_allclose(high, each, atol=1e-9)


def test_rows_are_added_where_they_lie():
    rng = np.random.default_rng(0)
    rows, slots, change = rng.normal(size=(5, 7)), np.array([4, 0, 2]), rng.normal(size=(2, 3))
    change[0, 1] = 0
    G = np.ones((2, 7))
    kernels.add_rows(rows, slots, change, G)
    np.testing.assert_allclose(G, 1 + change @ rows[slots])


def test_rows_of_the_kernel_matrix_are_computed_once():
    calls = []

    def kernel(X, Z):
        calls.append(len(X))
        return linear_kernel(X, Z)

    X, _ = draw(0, m=20)
    rows = kernels.Rows(kernel, X)
    for W in ([3, 1], [1, 5, 3], [5, 1], list(range(20))):
        slots = rows.slots(np.array(W))
        np.testing.assert_allclose(rows.rows[slots], X[W] @ X.T)
    assert calls == [2, 1, 17]


def test_a_working_set_holds_the_worst_and_half_of_the_last():
    v = np.linspace(0, 1, 1000)
    first = kernels.next_working_set(v, np.arange(0), 0.5)
    assert first.tolist() == list(range(999, 999 - kernels.WORKING_SET, -1))
    second = kernels.next_working_set(v[::-1], first, 0.5)
    half = kernels.WORKING_SET // 2
    assert second.tolist() == [*range(half), *first[:half].tolist()]
    few = kernels.next_working_set(np.array([0.1, 0.9, 0.6]), np.array([0, 2]), 0.5)
    assert few.tolist() == [1, 2, 0]


MACHINES = {
    "rbf": MulticlassSVM(gamma=0.5),
    "rbf_soft": MulticlassSVM(C=0.05),
    "rbf_hard": MulticlassSVM(C=20.0, gamma="1/d"),
    "poly": MulticlassSVM(kernel="poly", degree=2, gamma=0.5),
    "linear": MulticlassSVM(kernel=linear_kernel),
}


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("k", [2, 4])
def test_the_optimum_is_that_of_a_general_qp(name, k):
    X, y = draw(k, m=10, k=k)
    clf = clone(MACHINES[name]).fit(X, y)
    best = oracles.quadratic_program(clf.kernel_matrix(X, X), y, k, clf.C)
    assert clf.objective_ == pytest.approx(best, rel=1e-4)
    assert clf.objective_ - 1e-6 <= best <= clf.primal_objective_ + 1e-6
    assert clf.duality_gap_ <= clf.C * clf.tol * len(y)  # each example adds C times its violation
    finer = clone(clf).set_params(tol=1e-7).fit(X, y)
    allowed = finer.C * finer.tol * len(y) + 1e-6  # the same for it, and the accuracy of the QP
    assert finer.primal_objective_ == pytest.approx(best, abs=allowed)


@pytest.mark.parametrize("name", MACHINES)
def test_objectives_and_conditions_are_those_of_the_dual_variables(name):
    """Feasible, and no violation above tol: the conditions of the optimum, example by example."""
    X, y = draw(7, m=25, k=4)
    clf = clone(MACHINES[name]).fit(X, y)
    alpha, K = full_alpha(clf, len(y)), clf.kernel_matrix(X, X)
    own = np.eye(4)[y] == 1
    assert (alpha[own] >= 0).all()
    assert (alpha[own] <= clf.C).all()
    assert (alpha[~own] <= 0).all()
    np.testing.assert_allclose(alpha.sum(axis=1), 0, atol=1e-12 * max(1, clf.C))
    G = K @ alpha + ~own
    each = [oracles.violation(*row, clf.C) for row in zip(alpha.tolist(), G, y, strict=True)]
    assert max(each) <= clf.tol * (1 + 1e-6)
    assert clf.objective_ == pytest.approx(oracles.dual(alpha.tolist(), K, y))
    assert clf.primal_objective_ == pytest.approx(oracles.primal(alpha.tolist(), K, y, clf.C))
    assert clf.duality_gap_ == clf.primal_objective_ - clf.objective_ >= 0
    assert clf.weight_norm_ == pytest.approx(np.sqrt(np.sum(alpha * (K @ alpha))))
    assert clf.converged_
    np.testing.assert_allclose(clf.scores(X), K @ alpha, atol=1e-9)


@compiled
def test_kernels_reach_the_objective_of_liblinear_on_their_features():
    X, y = table("glass")
    clf = MulticlassSVM(gamma="1/d").fit(X, y)
    theirs = liblinear_objective(features(clf.kernel_matrix(X, X)), y, 1.0)
    assert clf.objective_ == pytest.approx(theirs, rel=1e-4)
    assert clf.duality_gap_ < 1e-3 * clf.objective_
    assert clf.support_.size > kernels.WORKING_SET  # so that working sets take turns


@compiled
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_the_linear_machine_is_that_of_the_dual_solver(C):
    X, y = table("glass")
    linear = MulticlassSVM(C=C, kernel="linear", tol=1e-5, random_state=0).fit(X, y)
    dual = MulticlassSVM(C=C, kernel=linear_kernel).fit(X, y)
    assert linear.primal_objective_ == pytest.approx(dual.objective_, rel=1e-4)
    finer = clone(dual).set_params(tol=1e-5).fit(X, y)
    np.testing.assert_allclose(linear.scores(X), finer.scores(X), atol=1e-2)
    assert linear.weight_norm_ == pytest.approx(finer.weight_norm_, rel=1e-3)
    assert linear.coef_.shape == (6, 9)
    assert not hasattr(linear, "dual_coef_")


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_two_classes_are_the_binary_machine_without_bias_and_with_twice_the_C(kernel):
    X, y = load_breast_cancer(return_X_y=True)
    X, y = StandardScaler().fit_transform(X)[:120], y[:120]
    clf = MulticlassSVM(C=0.5, kernel=kernel, tol=1e-5, random_state=0).fit(X, y)
    Phi = features(clf.kernel_matrix(X, X))
    binary = LinearSVC(loss="hinge", C=1.0, fit_intercept=False, tol=1e-8, max_iter=10**6)
    f = binary.fit(Phi, y).decision_function(Phi)
    assert clf.decision_function(X).shape == (120,)
    np.testing.assert_allclose(clf.decision_function(X), f, atol=2e-3)
    hinge = np.maximum(0, 1 - np.where(y == 1, f, -f)).sum()
    objective = (binary.coef_**2).sum() / 4 + 0.5 * hinge  # half of the binary one
    assert clf.primal_objective_ == pytest.approx(objective, rel=1e-4)


def test_a_fit_is_the_same_every_time_and_in_any_order_of_labels():
    X, y = draw(3, m=60, k=4, d=3)
    one, two = (MulticlassSVM().fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(one.dual_coef_, two.dual_coef_)
    np.testing.assert_array_equal(one.support_, two.support_)
    named = MulticlassSVM().fit(X, np.array(["d", "b", "c", "a"])[y])
    assert named.objective_ == pytest.approx(one.objective_, rel=1e-5)
    assert set(named.predict(X)) <= set("abcd")
    linear = MulticlassSVM(kernel="linear", random_state=1)
    np.testing.assert_array_equal(clone(linear).fit(X, y).coef_, linear.fit(X, y).coef_)


def test_copies_of_the_sample_are_a_larger_C():
    X, y = draw(5, m=20, k=3)
    twice = MulticlassSVM(C=0.5, tol=1e-6).fit(np.r_[X, X], np.r_[y, y])
    once = MulticlassSVM(C=1.0, tol=1e-6, gamma=twice.gamma_).fit(X, y)
    assert twice.objective_ == pytest.approx(once.objective_, rel=1e-5)
    np.testing.assert_allclose(twice.scores(X), once.scores(X), atol=1e-4)


def test_rows_of_zeros_and_a_single_feature():
    """Without a bias the linear machine can do nothing for x = 0: its slack is 1, its alpha C."""
    X, y = np.array([[0.0], [0.0], [1.0], [-1.0], [2.0]]), np.array([0, 1, 2, 0, 2])
    clf = MulticlassSVM(kernel=linear_kernel, tol=1e-8).fit(X, y)
    alpha = full_alpha(clf, 5)
    assert alpha[0].tolist() == [1.0, -1.0, 0.0]
    assert alpha[1, 1] == 1.0
    assert clf.duality_gap_ == pytest.approx(0, abs=1e-6)
    assert clf.objective_ == pytest.approx(oracles.quadratic_program(X @ X.T, y, 3, 1.0), rel=1e-6)


def test_equal_examples_of_different_classes():
    X, y = np.ones((6, 2)), np.arange(6) % 3
    clf = MulticlassSVM().fit(X, y)
    np.testing.assert_allclose(clf.scores(X), np.zeros((6, 3)), atol=1e-3)
    assert clf.primal_objective_ == pytest.approx(6, rel=1e-3)


def test_ties_go_to_the_first_class():
    clf = MulticlassSVM(kernel="linear").fit([[1.0], [-1.0]], ["b", "a"])
    assert clf.predict([[0.0]]).tolist() == ["a"]


def test_a_cap_on_the_steps_is_told():
    X, y = draw(1, m=40, k=3)
    with pytest.warns(ConvergenceWarning, match=r"did not reach tol=0\.001 in 7 iterations"):
        clf = MulticlassSVM(max_iter=7).fit(X, y)
    assert not clf.converged_
    assert clf.n_iter_ == 7
    assert clf.duality_gap_ > MulticlassSVM().fit(X, y).duality_gap_


def test_gamma_is_a_number_or_a_rule():
    X, y = load_iris(return_X_y=True)
    values = {gamma: MulticlassSVM(gamma=gamma).fit(X, y).gamma_ for gamma in ("scale", "1/d", 0.1)}
    assert values == {"scale": pytest.approx(1 / (4 * X.var())), "1/d": 0.25, 0.1: 0.1}


def test_named_kernels_are_scikit_learns():
    X, y = draw(2, m=10)
    clf = MulticlassSVM(kernel="poly", degree=2, gamma=0.3, coef0=2.0).fit(X, y)
    K = polynomial_kernel(X, degree=2, gamma=0.3, coef0=2.0)
    np.testing.assert_allclose(clf.kernel_matrix(X, X), K)
    assert set(KERNELS) == {"rbf", "poly", "linear"}


def test_a_kernel_that_overflows_is_an_error():
    X, y = draw(0)
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="kernel must be finite"):
        MulticlassSVM(kernel="poly", degree=60, gamma=1e10).fit(X, y)


BAD = {
    "C": (0, -1.0, "1", True, float("nan"), float("inf")),
    "kernel": ("sigmoid", 3, None),
    "gamma": (0, "auto", None),
    "degree": (0, 2.5),
    "coef0": ("1", float("nan")),
    "tol": (0.0, None),
    "max_iter": (0, 1e3),
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in BAD.items() for v in values])
def test_bad_parameters_are_named(name, value):
    with pytest.raises(ValueError, match=rf"{name} must .* instead\."):
        MulticlassSVM(**{name: value}).fit(*load_iris(return_X_y=True))


@parametrize_with_checks(
    [
        MulticlassSVM(),
        MulticlassSVM(kernel="linear", C=0.01),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
