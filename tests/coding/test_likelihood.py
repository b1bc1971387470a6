"""Likelihood decoding of Passerini et al. 2004, and what its probabilities are worth."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.calibration import _sigmoid_calibration, calibration_curve
from sklearn.metrics import brier_score_loss
from sklearn.metrics import log_loss as sklearn_log_loss

from ecoc_bench.coding.calibration import (
    brier_score,
    expected_calibration_error,
    log_loss,
    reliability_table,
    softmax_of_distances,
)
from ecoc_bench.coding.codes import CODES, all_pairs, one_vs_all, sparse
from ecoc_bench.coding.decoders import calibrated, likelihood, predict
from ecoc_bench.coding.likelihood import fit_sigmoids, log_likelihoods, probabilities
from ecoc_bench.errors import ConfigError
from ecoc_bench.plots.reliability import draw_reliability
from ecoc_bench.plots.style import render


def bit(m, f, a, b):
    return 1 / (1 + math.exp(m * (a * f + b)))


def by_all_codewords(M, f, A, B):
    """P(Y = q | f) of Eq. 2, codeword by codeword, for rows of which no two share a codeword."""
    k, ell = M.shape
    P = np.zeros(k)
    for o in product((-1, 1), repeat=ell):
        mass = math.prod(bit(o[s], f[s], A[s], B[s]) for s in range(ell))
        valid = [q for q in range(k) if all(m in (0, bit) for m, bit in zip(M[q], o, strict=True))]
        assert len(valid) <= 1
        for q in valid or range(k):
            P[q] += mass / (1 if valid else k)
    return P


def draw(seed, M, n=5):
    rng = np.random.default_rng(seed)
    ell = M.shape[1]
    return rng.normal(size=(n, ell)), -rng.exponential(2, ell), rng.normal(size=ell)


@pytest.mark.parametrize(
    "M", [one_vs_all(4), all_pairs(4), CODES["complete"].make(4), np.array([[1, 0], [-1, 1]])]
)
def test_probabilities_are_the_sum_over_all_codewords_of_equation_2(M):
    F, A, B = draw(0, M)
    expected = [by_all_codewords(M, f, A, B) for f in F]
    np.testing.assert_allclose(probabilities(M, F, A, B), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_log_likelihoods_are_the_product_of_equation_3(seed):
    rng = np.random.default_rng(seed)
    M = sparse(int(rng.integers(4, 9)), rng, tries=5, columns=12)
    F, A, B = draw(seed, M)
    expected = [
        [math.prod(bit(m, f[s], A[s], B[s]) for s, m in enumerate(row) if m) for row in M]
        for f in F
    ]
    np.testing.assert_allclose(np.exp(log_likelihoods(M, F, A, B)), expected, rtol=1e-10)
    P = probabilities(M, F, A, B)
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
    assert (predict(likelihood(M, F, A, B)) == P.argmax(axis=1)).all()


def test_alpha_is_the_same_for_all_classes():
    M = one_vs_all(5)
    F, A, B = draw(3, M)
    alpha = probabilities(M, F, A, B) - np.exp(log_likelihoods(M, F, A, B))
    np.testing.assert_allclose(alpha - alpha[:, :1], 0, atol=1e-15)
    assert (alpha > 0.01).all()


def test_overlapping_codewords_leave_probabilities_that_sum_to_one():
    M = np.array([[1, 0, -1], [0, 1, -1], [-1, -1, 1]])  # (+, +, -) is valid for the first two
    P = probabilities(M, np.array([[3.0, 3.0, -3.0]]), np.full(3, -2.0), np.zeros(3))
    assert P.sum() == pytest.approx(1, abs=1e-12)
    assert P[0, 0] == P[0, 1] == pytest.approx(0.5, abs=0.01)


def test_325_columns_do_not_underflow():
    M = all_pairs(26)
    F = np.random.default_rng(0).normal(size=(50, 325)) * 1e4
    L = log_likelihoods(M, F, np.full(325, -3.0), np.zeros(325))
    assert np.isfinite(L).all()
    assert np.exp(L).max() == 0  # plain products are all zero, their logarithms are told apart
    assert (np.sort(L, axis=1)[:, -1] > np.sort(L, axis=1)[:, -2]).all()
    P = probabilities(M, F, np.full(325, -3.0), np.zeros(325))
    np.testing.assert_allclose(P, 1 / 26)  # then all the mass is on invalid codewords


def test_each_column_has_its_own_scale():
    """What Hamming and loss-based decoding lack: a wild column weighs what it is worth."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 3000)
    M = one_vs_all(3)
    F = M[y] + rng.normal(scale=0.7, size=(3000, 3))
    F[:, 1] = 20 * rng.normal(size=3000)  # knows nothing, but is loud
    half = np.arange(3000) < 1500
    decode = calibrated("likelihood", F[half], M[y[half]])
    errors = (predict(decode(M, F[~half])) != y[~half]).mean()
    loud = (predict(-F[~half]) != y[~half]).mean()
    assert errors < loud - 0.1


def minus_log_likelihood(ab, f, positive):
    """Eq. 5 with Platt's targets, plainly."""
    n_plus, n_minus = positive.sum(), (~positive).sum()
    t = np.where(positive, (n_plus + 1) / (n_plus + 2), 1 / (n_minus + 2))
    u = ab[0] * f + ab[1]
    return (t * np.logaddexp(0, u) + (1 - t) * np.logaddexp(0, -u)).sum()


@pytest.mark.parametrize("seed", range(15))
def test_the_fit_is_the_maximum_that_scipy_and_scikit_learn_find(seed):
    rng = np.random.default_rng(seed)
    Y = rng.choice([-1, 0, 1], size=(int(rng.integers(30, 400)), 3), p=[0.5, 0.2, 0.3])
    F = 1.5 * rng.exponential() * (Y * rng.exponential() + rng.normal(size=Y.shape) + rng.normal())
    A, B = fit_sigmoids(F, Y)
    for s in range(3):
        used = Y[:, s] != 0
        f, positive = F[used, s], Y[used, s] > 0
        best = minimize(minus_log_likelihood, [0.0, 0.0], (f, positive), method="BFGS").x
        np.testing.assert_allclose([A[s], B[s]], best, rtol=1e-3, atol=1e-3)
        ours = minus_log_likelihood([A[s], B[s]], f, positive)
        assert ours <= minus_log_likelihood(best, f, positive) + 1e-9
        theirs = _sigmoid_calibration(f, Y[used, s])
        np.testing.assert_allclose([A[s], B[s]], theirs, rtol=1e-3, atol=1e-3)
        assert ours <= minus_log_likelihood(theirs, f, positive) + 1e-9


def test_a_weight_of_two_is_an_example_twice_and_of_zero_one_left_out():
    rng = np.random.default_rng(1)
    Y = rng.choice([-1, 0, 1], size=(60, 4))
    F, weight = Y + rng.normal(size=(60, 4)), rng.integers(0, 4, 60)
    again = np.repeat(np.arange(60), weight)
    for ours, copies in zip(
        fit_sigmoids(F, Y, weight), fit_sigmoids(F[again], Y[again]), strict=True
    ):
        np.testing.assert_allclose(ours, copies, rtol=1e-7)


@pytest.mark.parametrize("n", [2, 20, 2000])
@pytest.mark.parametrize("unit", [1e-100, 1.0, 1e100, 1e307])
def test_margins_that_separate_get_a_finite_sigmoid_that_says_so(n, unit):
    f = np.linspace(1, 2, n)[:, None] * np.where(np.arange(n) % 2, 1, -1)[:, None] * unit
    A, B = fit_sigmoids(f, np.sign(f))
    assert np.isfinite(A).all()
    assert np.isfinite(B).all()
    p = expit(-(A * f + B))
    assert (p[f > 0] > 0.6).all()
    assert (p[f < 0] < 0.4).all()


def test_constant_margins_give_the_frequencies():
    F = np.full((30, 1), 0.1)
    Y = np.where(np.arange(30) < 10, 1, -1)[:, None]
    A, B = fit_sigmoids(F, Y)
    t = (10 * 11 / 12 + 20 / 22) / 30  # the mean of Platt's targets
    assert expit(-(A * 0.1 + B)) == pytest.approx([t])
    assert A == [0.0]


def test_a_column_of_one_sign_or_of_none():
    F = np.random.default_rng(0).normal(size=(40, 3))
    Y = np.column_stack([np.ones(40), -np.ones(40), np.zeros(40)])
    A, B = fit_sigmoids(F, Y)
    p = expit(-(A * F + B))
    np.testing.assert_allclose(p[:, 0], 41 / 42)
    np.testing.assert_allclose(p[:, 1], 1 / 42)
    np.testing.assert_allclose(p[:, 2], 1 / 2)


@given(
    arrays(np.float64, (12, 1), elements=st.floats(-1e300, 1e300)),
    arrays(np.int8, (12, 1), elements=st.integers(-1, 1)),
)
@settings(max_examples=200, deadline=None)
def test_no_margins_make_the_fit_diverge(F, Y):
    A, B = fit_sigmoids(F, Y)
    assert np.isfinite(A).all()
    assert np.isfinite(B).all()


def test_the_fit_follows_a_change_of_unit():
    rng = np.random.default_rng(5)
    Y = rng.choice([-1, 1], size=(100, 1))
    F = Y + rng.normal(size=(100, 1))
    (a, b), (scaled, shifted) = fit_sigmoids(F, Y), fit_sigmoids(1e6 * F + 5e6, Y)
    np.testing.assert_allclose([scaled * 1e6, shifted + scaled * 5e6], [a, b], rtol=1e-6)


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match=r"columns. Got shapes \(3, 2\) and \(3,\)"):
        fit_sigmoids(np.zeros((3, 2)), np.ones(3))
    with pytest.raises(ValueError, match="finite margins"):
        fit_sigmoids([[np.nan]], [[1]])
    with pytest.raises(ConfigError, match="needs sigmoids, fitted on held-out margins"):
        likelihood(all_pairs(3), np.zeros((1, 3)))


@pytest.fixture
def forecast():
    rng = np.random.default_rng(2)
    P = rng.dirichlet([0.6] * 4, size=500)
    return np.array([rng.choice(4, p=p) for p in P]), P


def test_scores_are_those_of_scikit_learn(forecast):
    y, P = forecast
    assert log_loss(y, P) == pytest.approx(sklearn_log_loss(y, P))
    assert brier_score(y, P) == pytest.approx(brier_score_loss(y, P, scale_by_half=False))
    assert brier_score([0, 1], [[1, 0, 0], [1, 0, 0]]) == 1.0  # right: 0, quite wrong: 2
    assert log_loss([0, 0], [[0.5, 0.25, 0.25]] * 2) == pytest.approx(np.log(2))  # absent classes


def test_the_reliability_table_agrees_with_scikit_learns_curve(forecast):
    y, P = forecast
    table = reliability_table(y, P, bins=8)
    assert table["count"].sum() == 500
    filled = table[table["count"] > 0]
    accuracy, confidence = calibration_curve(P.argmax(axis=1) == y, P.max(axis=1), n_bins=8)
    np.testing.assert_allclose(filled["accuracy"], accuracy)
    np.testing.assert_allclose(filled["confidence"], confidence)
    assert table["accuracy"].isna().sum() == 8 - len(filled) > 0


def test_calibration_error_worked_by_hand():
    P = np.array([[0.9, 0.1], [0.9, 0.1], [0.4, 0.6], [0.45, 0.55]])
    y = [0, 1, 1, 0]
    # Bins (.5, .6] with confidence .575 and accuracy .5, and (.8, .9] with .9 and .5.
    assert expected_calibration_error(y, P) == pytest.approx((2 * 0.075 + 2 * 0.4) / 4)


def test_true_probabilities_are_calibrated_and_sharpened_ones_are_not(forecast):
    y, P = forecast
    sharp = P**4 / (P**4).sum(axis=1, keepdims=True)
    assert expected_calibration_error(y, P) < 0.06 < 0.15 < expected_calibration_error(y, sharp)


def test_softmax_of_distances_keeps_the_order_and_sums_to_one():
    D = np.array([[1.0, 0.0, 3.0], [1e5, 0.0, -1e5]])
    P = softmax_of_distances(D)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    np.testing.assert_allclose(P[0, 0] / P[0, 1], np.exp(-1))
    assert (P.argmax(axis=1) == predict(D)).all()


def test_the_reliability_plot_has_a_line_for_each_method(forecast):
    y, P = forecast
    tables = {"likelihood": reliability_table(y, P), "flat": reliability_table(y, P * 0 + 0.25)}
    figure = draw_reliability(tables, "glass, all_pairs")
    upper = figure.axes[0]
    assert [line.get_label() for line in upper.get_lines()[1:]] == ["likelihood", "flat"]
    filled = tables["likelihood"].query("count > 0")
    np.testing.assert_array_equal(upper.get_lines()[1].get_ydata(), filled["accuracy"])
    assert b"confidence" in render(figure, "svg")
