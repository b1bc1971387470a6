"""The SVMs of Eqs. 9.22 and 9.23 against a QP, and against Crammer & Singer's without costs."""

import numpy as np
import pytest
from oracles_cost_svm import objective, quadratic_program
from parts import called

from ecoc_bench.joint._cost_svm import solve_example
from ecoc_bench.joint.cost_svm import MarginRescalingSVM, SlackRescalingSVM
from ecoc_bench.joint.crammer_singer import MulticlassSVM

MACHINES = {"margin": MarginRescalingSVM, "slack": SlackRescalingSVM}
L = np.array([[0, 1, 3, 0], [2, 0, 1, 1], [5, 1, 0, 0.5], [1, 1, 1, 0]])  # one mistake is free


def problem(seed=0, m=18, k=4):
    rng = np.random.default_rng(seed)
    y = np.arange(m) % k
    return np.column_stack([rng.normal(size=(m, 2)) + y[:, None] % 3, np.ones(m)]), y


@pytest.mark.parametrize("rescaling", MACHINES)
@pytest.mark.parametrize("C", [0.05, 2.0])
def test_the_optimum_is_that_of_a_general_solver(rescaling, C):
    X, y = problem()
    machine = MACHINES[rescaling](L, C, kernel="linear", tol=1e-8).fit(X, y)
    best = quadratic_program(X, y, L.tolist(), C, rescaling)
    assert machine.primal_objective_ == pytest.approx(best, rel=1e-6)
    assert machine.objective_ == pytest.approx(best, rel=1e-6)
    W = machine.dual_coef_.T @ machine.support_vectors_
    assert machine.primal_objective_ == pytest.approx(
        objective(W, X, y, L.tolist(), C, rescaling), rel=1e-9
    )
    assert machine.converged_


@pytest.mark.parametrize("rescaling", MACHINES)
@pytest.mark.parametrize("costs", [None, 1 - np.eye(4)])
def test_where_every_mistake_costs_1_it_is_crammer_and_singers_machine(rescaling, costs):
    X, y = problem(seed=1, m=40)
    ours = MACHINES[rescaling](costs, 3.0, gamma=0.5, tol=1e-7).fit(X, y)
    theirs = MulticlassSVM(3.0, gamma=0.5, tol=1e-8).fit(X, y)
    assert ours.primal_objective_ == pytest.approx(theirs.primal_objective_, rel=1e-6)
    np.testing.assert_allclose(ours.scores(X), theirs.scores(X), atol=1e-3)
    assert (ours.predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize("rescaling", MACHINES)
def test_the_duality_gap_is_the_tolerance_or_the_machine_says_that_it_is_not(rescaling):
    X, y = problem(seed=2, m=60)
    machine = MACHINES[rescaling](L, 10.0, gamma=2.0).fit(X, y)
    assert 0 <= machine.duality_gap_ <= 1e-3 * machine.primal_objective_ * (1 + 1e-6)
    with pytest.warns(UserWarning, match="did not reach tol"):
        stopped = MACHINES[rescaling](L, 10.0, gamma=2.0, max_iter=3).fit(X, y)
    assert not stopped.converged_
    assert stopped.duality_gap_ > 1e-3 * stopped.primal_objective_


def test_a_dear_mistake_becomes_rare():
    X, y = problem(seed=3, m=120)
    dear = 1 - np.eye(4)
    dear[:, 1] = [20, 0, 20, 20]
    for machine in MACHINES.values():
        even, costly = (machine(costs, 1.0).fit(X, y).predict(X) for costs in (None, dear))
        wrong = [((predicted == 1) & (y != 1)).sum() for predicted in (even, costly)]
        assert wrong[1] < wrong[0]


@pytest.mark.parametrize("seed", range(30))
def test_an_example_is_solved_to_its_optimality_conditions(seed):
    """h_r = c_r - A (b_r + sum b) is price/rho_r where b_r > 0 and no more elsewhere."""
    rng = np.random.default_rng(seed)
    k, A, C = int(rng.integers(2, 7)), rng.uniform(0.1, 3), rng.uniform(0.05, 2)
    c, rho, b = rng.normal(size=k) * 2, rng.uniform(0.2, 4, k), np.empty(k)
    rho[0] = 0  # the true class
    called(solve_example)(c, rho, A, C, b)
    assert b[0] == 0
    assert (b >= 0).all()
    used = (b[1:] / rho[1:]).sum()
    assert used <= C * (1 + 1e-12)
    h = rho * (c - A * (b + b.sum()))
    price = max(0.0, h[1:].max())
    assert (price == pytest.approx(0, abs=1e-9)) or used == pytest.approx(C, rel=1e-9)
    np.testing.assert_allclose(h[b > 0], price, atol=1e-9)


def test_a_flat_example_gives_all_to_the_dearest_class():
    b = np.empty(3)
    called(solve_example)(np.array([0.0, 1.0, 0.8]), np.array([0.0, 1.0, 2.0]), 0.0, 3.0, b)
    assert b.tolist() == [0, 0, 6]


def test_labels_that_are_numbers_of_classes_take_their_part_of_the_costs():
    X, y = problem(m=20)
    some = y != 2
    part = MarginRescalingSVM(L, tol=1e-6).fit(X[some], y[some])
    own = MarginRescalingSVM(np.delete(np.delete(L, 2, 0), 2, 1), tol=1e-6).fit(X[some], y[some])
    assert part.objective_ == own.objective_


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (np.ones((4, 4)), "0 on the diagonal"),
        (-L, "0 or more"),
        (L[:3], "classes x classes"),
        (np.where(L > 4, np.inf, L), "finite"),
        (L[:3, :3], "for 3 classes, y has 4"),
    ],
)
def test_bad_costs_are_refused(costs, message):
    with pytest.raises(ValueError, match=message):
        MarginRescalingSVM(costs).fit(*problem())
