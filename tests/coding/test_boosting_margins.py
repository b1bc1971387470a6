"""Section 5 of Allwein et al. 2000: margins, and Theorems 3 and 6 against their proofs."""

from itertools import product

import numpy as np
import pytest
from fits import fitted

from ecoc_bench.coding import boosting_margins as section5
from ecoc_bench.coding.boosting_margins import Boosting
from ecoc_bench.coding.bounds import cell_bounds, mean_loss, theorem1
from ecoc_bench.coding.codes import all_pairs, complete, one_vs_all
from ecoc_bench.coding.decoders import exponential, predict
from ecoc_bench.coding.distances import rho
from ecoc_bench.coding.losses import LOSSES

SLACK = 1 + 1e-9
EXP = LOSSES["exponential"]


def slow_margin(M, F, y, eta):
    """M_{f,eta}(x, y), word for word, one example at a time."""
    found = []
    for f, label in zip(F / eta, y, strict=True):
        votes = [-np.log(np.mean([np.exp(-eta * m * v) for m, v in zip(row, f, strict=True)])) / eta
                 for row in M]  # fmt: skip
        others = [vote for r, vote in enumerate(votes) if r != label]
        found.append((votes[label] - max(others)) / 2)
    return np.array(found)


def slow_theorem6(M, errors, theta):
    """The product of Theorem 6 as it is printed, round by round."""
    bound = M.shape[1] / rho(M)
    for eps in errors:
        bound *= 2 * np.sqrt(eps ** (1 - theta) * (1 - eps) ** (1 + theta))
    return bound


def log_eq22(m, ell, d, theta, epsilon):
    """The logarithm of Eq. 22."""
    power = 32 * d / theta**2 * np.log(16 * ell / epsilon)
    return (
        np.log(16 * np.log(ell) / theta**2)
        + power * np.log(2 * np.e * ell * m / d)
        - m * epsilon**2 / 32
    )


def test_margins_are_those_of_section_5():
    rng = np.random.default_rng(0)
    for M in (one_vs_all(4), complete(4), all_pairs(5)):
        y = rng.integers(0, len(M), 30)
        F = M[y] + 3 * rng.normal(size=(30, M.shape[1]))
        eta, D = np.abs(F).max() * 1.5, exponential(M, F)
        found = section5.votes_margin(D, y, eta)
        np.testing.assert_allclose(found, slow_margin(M, F, y, eta), atol=1e-9)
        assert (np.abs(found) <= 1).all()
        wrong = predict(D) != y
        assert wrong.any()
        assert (found[wrong] <= 1e-12).all()
        assert (found[~wrong] >= -1e-12).all()


def test_quantiles_are_margins_that_occur():
    numbers = section5.margin_quantiles(np.array([0.5, -0.25, 0.75, 0.0]))
    assert list(numbers) == list(section5.MARGINS)
    assert numbers["margin_0"] == numbers["margin_25"] == -0.25
    assert numbers["margin_50"] == 0.0
    assert numbers["margin_100"] == 0.75


@pytest.mark.parametrize("code", ["ova", "complete"])
def test_theorem_6_and_eq_24_bound_the_margins_of_discrete_adaboost(code):
    M, F, y, learner = fitted("glass", "single discrete", code)
    errors = 1 / (1 + np.exp(2 * np.abs(learner.outputs_).max(axis=(1, 2))))
    eta, log_Z = learner.eta_[-1, 0], learner.log_Z_[-1, 0]
    assert log_Z == pytest.approx(np.log(learner.normalizers_[:, 0]).sum(), rel=1e-9)
    found, epsilon = slow_margin(M, F, y, eta), mean_loss(EXP, M[y] * F)
    for theta in (0.0, 0.01, 0.3, 1.0):
        bound = section5.theorem6(M, log_Z, eta, theta)
        assert bound == pytest.approx(slow_theorem6(M, errors, theta), rel=1e-9)
        assert section5.equation24(M, epsilon, eta, theta) == pytest.approx(bound, rel=1e-6)
        assert (found <= theta).mean() <= bound * SLACK
    assert section5.theorem6(M, log_Z, eta, 0.0) == pytest.approx(theorem1(M, epsilon, EXP))


@pytest.mark.parametrize("learner", ["single", "multi", "multi discrete"])
def test_eq_24_bounds_the_margins_of_any_outputs(learner):
    M, F, y, model = fitted("ecoli", learner, "ova")
    eta, epsilon = model.eta_.max(), mean_loss(EXP, M[y] * F)
    assert model.log_Z_ is None
    found = section5.votes_margin(exponential(M, F), y, eta)
    for theta in (0.0, 0.01, 0.05):
        assert (found <= theta).mean() <= section5.equation24(M, epsilon, eta, theta) * SLACK


def test_a_wrong_normalizer_would_be_caught():
    """One round of eps_t = 1/2 has Z_t = 1 and alpha_t = 0: all margins are 0, and ell/rho = 1."""
    M = np.array([[1, 1], [-1, -1]])
    assert section5.theorem6(M, np.log(2 * np.sqrt(0.5 * 0.5)), 0.0, 0.0) == pytest.approx(1.0)


@pytest.mark.parametrize("theta", [0.2, 1.0])
@pytest.mark.parametrize(("m", "ell", "d"), [(500, 6, 13), (10**4, 26, 60), (10**7, 2, 5)])
def test_the_epsilon_of_theorem_3_makes_eq_22_at_most_delta(m, ell, d, theta):
    epsilon = section5.theorem3_epsilon(m, ell, d, theta)
    assert log_eq22(m, ell, d, theta, epsilon) <= np.log(section5.DELTA)
    assert log_eq22(m, ell, d, theta, epsilon / 3) > np.log(section5.DELTA)


def test_theorem_3_says_something_only_of_very_many_examples():
    assert section5.theorem3(0.0, 16_000, 26, stumps(16, 26), theta=1.0) > 1
    assert section5.theorem3(0.1, 10**8, 26, stumps(16, 26), theta=0.5) < 1


def stumps(n_features, ell):
    return section5.stumps_dimension(n_features, ell)


def is_shattered(pairs, X, ell):
    """Whether single-call stumps on these examples give all labels to these pairs (x, s)."""
    labels = set()
    for f, cut in product(range(X.shape[1]), (-0.5, 0.5, 1.5, 2.5)):
        side = X[:, f] > cut
        for signs in product((-1, 1), repeat=2 * ell):
            labels.add(tuple(signs[2 * s + side[i]] for i, s in pairs))
    return len(labels) == 2 ** len(pairs)


@pytest.mark.parametrize("ell", [1, 2])
def test_no_set_larger_than_the_dimension_of_stumps_is_shattered(ell):
    X = np.array([[0, 1], [1, 2], [2, 0]])
    pairs = list(product(range(3), range(ell)))
    sizes = [
        len(chosen)
        for mask in product((False, True), repeat=len(pairs))
        if is_shattered(chosen := [p for p, used in zip(pairs, mask, strict=True) if used], X, ell)
    ]
    assert 2 * ell <= max(sizes) <= stumps(2, ell)


def test_each_bound_is_there_only_where_its_theorem_speaks():
    M, ternary, y = one_vs_all(3), all_pairs(3), np.repeat(np.arange(3), 20)

    def given(code, *boosting):
        numbers = cell_bounds(code, code[y].astype(float), y, "exponential", Boosting(*boosting))
        return {"theorem6", "equation24", "theorem3", "eta"} & set(numbers)

    assert given(M, 4.0, -1.0, 20) == {"theorem6", "equation24", "theorem3", "eta"}
    assert given(M, 4.0, -1.0, 21) == {"theorem6", "equation24", "eta"}  # 60 < 21 x 3
    assert given(M, 4.0) == {"equation24", "eta"}
    assert given(ternary, 4.0, -1.0, 20) == {"theorem3", "eta"}
    assert "eta" not in cell_bounds(M, M[y].astype(float), y, "exponential")
    assert "eta" not in cell_bounds(M, M[y].astype(float), y, "hinge", Boosting(4.0))


def test_the_share_counts_margins_up_to_theta():
    M, y = one_vs_all(3), np.arange(3)
    F = np.array([0.0, 1e-3, 3.0])[:, None] * M[y]
    numbers = cell_bounds(M, F, y, "exponential", Boosting(3.0))
    assert numbers["theta"] == section5.THETA
    assert numbers["theta_share"] == pytest.approx(2 / 3, abs=1e-6)


def test_bounds_of_huge_margins_do_not_overflow():
    M = one_vs_all(3)
    assert section5.theorem6(M, -900.0, 1e6) == np.inf
    assert 0 < section5.theorem6(M, -900.0, 80_000.0) < 1
    assert section5.equation24(M, 0.0, 1e5) == 0.0
