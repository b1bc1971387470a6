"""Weston & Watkins' machine: against plain loops, a general solver, and Crammer & Singer's."""

import numpy as np
import oracles_crammer_singer
import oracles_weston_watkins as oracles
import pytest
from parts import called
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.utils.estimator_checks import parametrize_with_checks
from test_crammer_singer import compiled, draw, full_alpha, table

from ecoc_bench.joint import _crammer_singer as kernels
from ecoc_bench.joint.crammer_singer import MulticlassSVM
from ecoc_bench.joint.weston_watkins import WestonWatkinsSVM, all_slacks


@pytest.mark.parametrize("seed", range(12))
def test_one_example_is_solved_as_by_bisection(seed):
    rng = np.random.default_rng(seed)
    k, A, C = int(rng.integers(2, 7)), float(rng.uniform(0.1, 5)), float(rng.uniform(0.1, 3))
    B, y, a = rng.normal(size=k) * 3, int(rng.integers(k)), np.empty(k)
    called(kernels.solve_box_example)(B, A, y, C, a)
    np.testing.assert_allclose(a, oracles.solve_example(B.tolist(), A, y, C), atol=1e-9)
    assert a.sum() == pytest.approx(0, abs=1e-12)


def test_an_example_of_kernel_zero_gives_C_for_every_violated_margin():
    a = np.empty(4)
    called(kernels.solve_flat_box_example)(np.array([0.0, 1.0, 2.0, -1.0]), 0, 5.0, a)
    assert a.tolist() == [10.0, -5.0, -5.0, 0.0]


@pytest.mark.parametrize("seed", range(6))
def test_a_working_set_is_solved_as_in_plain_loops(seed):
    X, y = draw(seed, m=9, k=2 + seed % 3)
    k, C = 2 + seed % 3, (0.3, 3.0)[seed % 2]
    K = rbf_kernel(X, gamma=0.5)
    alpha, steps = oracles.solve(K.tolist(), y.tolist(), k, C, 1e-3, 500)
    ours, G = np.zeros((k, 9)), np.ones((k, 9))  # rows of neighbours, as `solve_dual` has them
    G[y, np.arange(9)] = 0
    down = kernels.floors(ours, y, C)
    assert kernels.solve_working_set(K, G, ours, y, C, down, 1e-3, 500) == steps
    assert 9 <= steps < 500
    np.testing.assert_allclose(ours.T, alpha, atol=1e-9)
    np.testing.assert_array_equal(down, kernels.floors(ours, y, C))
    each = [oracles.violation(*row, C) for row in zip(alpha, G.T.tolist(), y, strict=True)]
    np.testing.assert_allclose(kernels.violation_of(G, ours, y, C, True), each, atol=1e-9)


MACHINES = {
    "rbf": WestonWatkinsSVM(gamma=0.5),
    "rbf_soft": WestonWatkinsSVM(C=0.05),
    "poly": WestonWatkinsSVM(kernel="poly", degree=2, gamma=0.5),
    "linear_kernel": WestonWatkinsSVM(kernel=linear_kernel),
    "linear": WestonWatkinsSVM(kernel="linear", random_state=0),
}


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("k", [2, 4])
def test_the_optimum_is_that_of_a_general_solver(name, k):
    X, y = draw(k, m=10, k=k)
    clf = clone(MACHINES[name]).fit(X, y)
    best = oracles.quadratic_program(clf.kernel_matrix(X, X), y, k, clf.C)
    assert clf.converged_
    assert clf.objective_ - 1e-6 <= best <= clf.primal_objective_ + 1e-6
    # each of the k - 1 slacks of an example adds at most C times its violation
    assert 0 <= clf.duality_gap_ <= (k - 1) * clf.C * clf.tol * len(y)
    finer = clone(clf).set_params(tol=1e-7).fit(X, y)
    assert finer.primal_objective_ == pytest.approx(best, abs=1e-5)
    assert finer.objective_ == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("name", [name for name in MACHINES if name != "linear"])
def test_objectives_and_conditions_are_those_of_the_dual_variables(name):
    X, y = draw(7, m=25, k=4)
    clf = clone(MACHINES[name]).fit(X, y)
    alpha, K = full_alpha(clf, len(y)), clf.kernel_matrix(X, X)
    own = np.eye(4)[y] == 1
    assert (alpha[own] >= 0).all()
    assert (alpha[~own] <= 0).all()
    assert (alpha[~own] >= -clf.C).all()
    assert (alpha[own] > clf.C).any()  # which Crammer & Singer's machine does not allow
    np.testing.assert_allclose(alpha.sum(axis=1), 0, atol=1e-12)
    G = K @ alpha + ~own
    each = [oracles.violation(*row, clf.C) for row in zip(alpha.tolist(), G, y, strict=True)]
    assert max(each) <= clf.tol * (1 + 1e-6)
    dual = oracles_crammer_singer.dual(alpha.tolist(), K, y)
    assert clf.objective_ == pytest.approx(dual)
    assert clf.primal_objective_ == pytest.approx(oracles.primal(alpha.tolist(), K, y, clf.C))
    assert clf.weight_norm_ == pytest.approx(np.sqrt(np.sum(alpha * (K @ alpha))))


@compiled
def test_the_linear_machine_is_that_of_the_dual_solver():
    X, y = table("glass")
    linear = WestonWatkinsSVM(C=0.1, kernel="linear", random_state=0).fit(X, y)
    dual = WestonWatkinsSVM(C=0.1, kernel=linear_kernel).fit(X, y)
    assert linear.converged_
    assert linear.primal_objective_ == pytest.approx(dual.objective_, rel=1e-3)
    np.testing.assert_allclose(linear.scores(X), dual.scores(X), atol=2e-2)
    assert linear.norms_.r == dual.norms_.r == pytest.approx(np.sqrt((X**2).sum(axis=1).max()))


@compiled
def test_working_sets_take_turns_on_more_rows_than_one_holds():
    X, y = table("glass")
    clf = WestonWatkinsSVM(gamma="1/d").fit(X, y)
    assert clf.support_.size > kernels.WORKING_SET
    assert clf.converged_
    assert clf.duality_gap_ < 1e-2 * clf.objective_
    xi = all_slacks(clf.scores(X).T, y)
    assert clf.primal_objective_ == pytest.approx(clf.weight_norm_**2 / 2 + xi.sum(), rel=1e-6)


@pytest.mark.parametrize("kernel", ["rbf", linear_kernel])
def test_two_classes_are_crammer_and_singers_machine(kernel):
    X, y = draw(3, m=30, k=2)
    one, other = (
        cls(kernel=kernel, tol=1e-7).fit(X, y) for cls in (WestonWatkinsSVM, MulticlassSVM)
    )
    assert one.objective_ == pytest.approx(other.objective_, rel=1e-9)
    np.testing.assert_allclose(one.scores(X), other.scores(X), atol=1e-5)


def test_more_classes_pay_for_every_slack():
    X, y = draw(4, m=30, k=4)
    ours, theirs = (cls(C=0.3, tol=1e-6).fit(X, y) for cls in (WestonWatkinsSVM, MulticlassSVM))
    assert ours.primal_objective_ > theirs.primal_objective_
    assert all_slacks(ours.scores(X).T, y).sum() < all_slacks(theirs.scores(X).T, y).sum()


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_a_cap_on_the_steps_is_told(kernel):
    X, y = draw(1, m=40, k=3)
    with pytest.warns(ConvergenceWarning, match=r"did not reach tol=0\.001 in 7 iterations"):
        clf = WestonWatkinsSVM(kernel=kernel, max_iter=7, random_state=0).fit(X, y)
    assert not clf.converged_


@parametrize_with_checks([WestonWatkinsSVM(), WestonWatkinsSVM(kernel="linear", C=1e-4)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
