"""Section 4 of Allwein et al. 2000: no error exceeds its bound, and some reach it."""

import numpy as np
import pytest
from fits import fitted

from ecoc_bench.coding import bounds
from ecoc_bench.coding.codes import all_pairs, complete, one_vs_all
from ecoc_bench.coding.distances import rho
from ecoc_bench.coding.losses import LOSSES

SLACK = 1 + 1e-9
PAIRS = [
    ("loss_error", "theorem1"),
    ("loss_error", "theorem1_q"),
    ("hamming_error", "equation10"),
    ("hamming_error", "equation10_q"),
    ("hamming_error", "equation11"),
]


def violations(numbers):
    """The pairs (error, bound) in which the error is above the bound."""
    return [
        (error, bound)
        for error, bound in PAIRS
        if bound in numbers and numbers[error] > numbers[bound] * SLACK
    ]


def mean_loss(M, F, y, loss):
    """Eq. 3, pair by pair."""
    pairs = [(i, s) for i in range(len(y)) for s in range(M.shape[1])]
    return np.mean([float(LOSSES[loss](np.array(M[y[i], s] * F[i, s]))) for i, s in pairs])


def random_problem(seed):
    """Any code, ternary or not, any margins (some zero), any loss that the theory takes."""
    rng = np.random.default_rng(seed)
    k, ell = rng.integers(3, 8), rng.integers(3, 20)
    while True:
        M = rng.choice([-1, 0, 1], size=(k, ell), p=[[0.5, 0, 0.5], [0.25, 0.5, 0.25]][seed % 2])
        if M.any(axis=1).all() and len(np.unique(M, axis=0)) == k:
            break
    y = rng.integers(0, k, size=40)
    F = cheap_mistakes(M, y, rng) if seed % 4 < 2 else noisy(M, y, rng)
    return M.astype(np.int8), F, y, rng.choice(bounds.BOUNDED)


def noisy(M, y, rng):
    F = M[y] * rng.uniform(0, 2) + rng.normal(size=(len(y), M.shape[1])) * rng.choice([0.2, 1, 4])
    F[rng.random(F.shape) < 0.05] = 0.0
    return F * rng.choice([0.1, 1.0, 10.0])


def cheap_mistakes(M, y, rng):
    """Some examples as near to another codeword as to their own, the rest as good as can be."""
    gaps = ((M[y][:, None, :] - M[None]) ** 2).sum(axis=2)
    gaps[np.arange(len(y)), y] = gaps.max() + 1
    near = M[gaps.argmin(axis=1)]
    mixed = (rng.random(len(y)) < rng.random())[:, None] & (M[y] != near)
    flipped = mixed & (np.cumsum(mixed, axis=1) % 2 == 1)  # every other column in which they differ
    return np.where(flipped, -1.0, 1.0) * M[y] * np.where(mixed, rng.choice([1e-3, 1.0]), 20.0)


# Training error


@pytest.mark.parametrize("learner", ["svm", "single", "multi", "single discrete", "multi discrete"])
@pytest.mark.parametrize("code", ["ova", "all_pairs", "dense", "sparse"])
@pytest.mark.parametrize("name", ["glass", "vowel", "ecoli"])
def test_no_training_error_exceeds_its_bound_on_real_data(name, code, learner):
    M, F, y, model = fitted(name, learner, code)
    numbers = bounds.cell_bounds(M, F, y, model.loss)
    assert set(dict(PAIRS).values()) <= set(numbers)
    assert violations(numbers) == []


def test_no_training_error_exceeds_its_bound_on_random_problems():
    losses, ternary = set(), 0
    for seed in range(400):
        M, F, y, loss = random_problem(seed)
        numbers = bounds.cell_bounds(M, F, y, loss)
        assert violations(numbers) == [], (seed, loss)
        losses.add(loss)
        ternary += (M == 0).any()
    assert losses == set(bounds.BOUNDED)
    assert 100 < ternary < 300


@pytest.mark.parametrize("wrong", [lambda M: M.shape[1], lambda M: 2 * rho(M)])
def test_a_wrong_rho_would_be_caught(monkeypatch, wrong):
    monkeypatch.setattr(bounds, "rho", wrong)
    caught = sum(bool(violations(bounds.cell_bounds(*random_problem(s)))) for s in range(400))
    assert caught > 10


def test_a_forgotten_factor_two_of_corollary_2_would_be_caught():
    caught = 0
    for seed in range(400):
        numbers = bounds.cell_bounds(*random_problem(seed))
        caught += numbers["hamming_error"] > numbers["equation10"] / 2 * SLACK
    assert caught > 10


@pytest.mark.parametrize("loss", bounds.BOUNDED)
def test_the_losses_satisfy_what_theorem_1_and_corollary_2_ask_for(loss):
    L, z = LOSSES[loss], np.linspace(0, 50, 1001)
    zero = L(np.zeros(1))[0]
    assert zero > 0
    assert ((L(z) + L(-z)) / 2 >= zero * (1 - 1e-12)).all()
    assert (L(-z) >= zero).all()


def test_a_loss_without_eq_7_has_no_bound_but_that_of_hamming_decoding():
    M, F, y, _ = random_problem(0)
    numbers = bounds.cell_bounds(M, F, y, "linear")
    assert {"theorem1", "theorem1_q", "equation11", "used_loss"}.isdisjoint(numbers)
    assert {"loss_error", "hamming_error", "equation10", "equation10_q"} <= set(numbers)


@pytest.mark.parametrize("loss", bounds.BOUNDED)
def test_theorem_1_is_tight_where_two_codewords_tie(loss):
    """Margins 0 tie every class, and class 1 loses to class 0; with rho = ell the bound is 1."""
    M = np.array([[1, 1, 1], [-1, -1, -1]], dtype=np.int8)
    numbers = bounds.cell_bounds(M, np.zeros((4, 3)), np.ones(4, dtype=int), loss)
    assert numbers["loss_error"] == numbers["theorem1"] == numbers["theorem1_q"] == 1
    assert numbers["hamming_error"] == numbers["equation10"] == 1
    assert numbers["equation11"] == 2


def test_corollary_2_is_tight_for_one_vs_all_with_one_wrong_column():
    """rho = 2 and one mistake of sign costs 2/rho = 1: a row of -1 is as far from all classes."""
    M, y = one_vs_all(4), np.array([1, 2, 3, 0])
    F = M[y].astype(float)
    F[0, 1] = -1.0  # f(x) = (-1, -1, -1, -1): class 0 wins the tie
    numbers = bounds.cell_bounds(M, F, y, "hinge")
    assert numbers["hamming_error"] == numbers["equation10"] == numbers["equation10_q"] == 0.25


def test_the_q_forms_rewrite_the_plain_ones():
    for seed in range(100):
        M, F, y, loss = random_problem(seed)
        L = LOSSES[loss]
        Z, used, q = M[y] * F, M[y] != 0, (M[y] == 0).mean()
        plain = bounds.theorem1(M, mean_loss(M, F, y, loss), L)
        assert bounds.theorem1_q(M, q, L(Z[used]).mean(), L) == pytest.approx(plain, rel=1e-12)
        # A margin of zero costs 1 in Eq. 10 and is a whole mistake, 2, in the other form.
        halves = ((F == 0) & (M[y] != 0)).sum() / (rho(M) * len(y))
        expected = bounds.equation10(M, Z) + halves
        assert bounds.equation10_q(M, q, (Z[used] <= 0).mean()) == pytest.approx(
            expected, rel=1e-12
        )


def test_theorem_1_says_nothing_of_all_pairs_from_five_classes_on_however_good_the_margins():
    void = []
    for k in range(3, 9):
        M, y = all_pairs(k), np.arange(k)
        void.append(bounds.cell_bounds(M, 1e3 * M.astype(float), y, "hinge")["theorem1"] >= 1)
    assert void == [False, False, True, True, True, True]


def test_the_bound_of_the_complete_code_is_nearly_twice_the_loss():
    """ell/rho = (2^(k-1) - 1)/2^(k-2), Section 6."""
    M, y = complete(5), np.arange(5)
    F = np.where(np.arange(15) < 3, -1.0, 1.0) * M
    expected = 15 / 8 * (3 / 15) * np.e + 15 / 8 * (12 / 15) / np.e
    numbers = bounds.cell_bounds(M, F, y, "exponential")
    assert numbers["theorem1"] == pytest.approx(expected, rel=1e-5)


def test_bounds_that_overflow_are_infinite_and_not_an_error():
    M, _, y, _ = random_problem(0)
    numbers = bounds.cell_bounds(M, -1e4 * M[y].astype(float), y, "exponential")
    assert numbers["theorem1"] == numbers["equation11"] == np.inf
    assert numbers["loss_error"] > 0
