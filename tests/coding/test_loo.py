"""Theorem 4.1 and Corollary 4.1 of Passerini et al. 2004: no leave-one-out error escapes them."""

from functools import cache

import numpy as np
import oracles_loo as oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_expit

from ecoc_bench.coding import decoders
from ecoc_bench.coding.codes import all_pairs, one_vs_all
from ecoc_bench.coding.loo import loo_bound, worst_margins, worst_multiclass_margins
from ecoc_bench.coding.losses import LOSSES
from ecoc_bench.data import cards as data
from ecoc_bench.data.inputs import prepare
from ecoc_bench.learners.kernel_svm import GaussianSVM

NON_INCREASING = sorted(set(LOSSES) - {"square"})
CODES = {"ova": one_vs_all, "all_pairs": all_pairs}
TIGHT = 1e-7  # the lemma is about the optimum
slow_and_few = settings(deadline=None, max_examples=40)  # each trains once per example left out


def sigmoids(M, F):
    """Decoding by the likelihood of a codeword, its margins made probabilities: Section III."""
    A, B = np.linspace(0.5, 3, F.shape[1]), np.linspace(-1, 1, F.shape[1])
    return -log_expit(A * F + B) @ (M == 1).T - log_expit(-A * F - B) @ (M == -1).T


DECODERS = {name: decoders.DECODERS[name] for name in [*NON_INCREASING, "hamming"]}
DECODERS["likelihood"] = sigmoids


@cache
def table(name):
    ds = data.load(name)
    (X,) = prepare("minmax", ds.nominal, ds.X)
    return X, ds.y, ds.n_classes


def errors(decoder, M, y, F):
    return decoders.predict(decoder(M, F)) != y


def escaped(svm, X, y, M):
    """Per decoder: true errors that the bound does not count. Also both shares, by decoder."""
    left_out = oracles.left_out_margins(svm, X, M[y])
    svm.fit(X, M[y])
    F, shares = svm.margins(X), {}
    for name, decoder in DECODERS.items():
        true = errors(decoder, M, y, left_out)
        bound = loo_bound(M, y, F, svm.loo_shift_, decoder)
        shares[name] = ((true & ~bound.indicators).sum(), true.mean(), bound.value)
    return shares


def random_code(rng, k):
    """A ternary or a binary code without empty rows or one-signed columns, rows distinct."""
    while True:
        M = rng.choice([-1, 0, 1], size=(k, int(rng.integers(2, 8))), p=[0.35, 0.3, 0.35])
        M = M[:, (M == 1).any(axis=0) & (M == -1).any(axis=0)]
        if M.any(axis=1).all() and len(np.unique(M, axis=0)) == k:
            return M.astype(np.int8)


def random_problem(seed):
    """Overlapping classes in the plane, any code, gamma and C."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    y = np.r_[np.arange(k), rng.integers(0, k, int(rng.integers(k, 16)))]
    X = rng.normal(size=(k, 2))[y] + rng.normal(size=(len(y), 2))
    svm = GaussianSVM(gamma=10.0 ** rng.uniform(-2, 1), C=10.0 ** rng.uniform(-1.5, 1), tol=TIGHT)
    return svm, X, y, random_code(rng, k)


def random_margins(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    M, y = random_code(rng, k), rng.integers(0, k, size=20)
    alpha = rng.random((20, M.shape[1])) * (M[y] != 0) * rng.integers(0, 2, size=(20, 1))
    return M, y, M[y] + rng.normal(size=alpha.shape), alpha, rng.uniform(1, 3, size=20)


@given(st.integers(0, 10**6))
def test_theorem_4_1_as_printed(seed):
    M, y, F, alpha, G = random_margins(seed)
    byhand = oracles.theorem(M, y, F, alpha, G)
    ours = loo_bound(M, y, F, alpha * G[:, None])
    np.testing.assert_allclose(worst_multiclass_margins(M, y, F, alpha * G[:, None]), byhand)
    assert ours.value == np.mean(byhand < 0)


@pytest.mark.parametrize("loss", NON_INCREASING)
@given(st.integers(0, 10**6))
def test_corollary_4_1_as_proved(loss, seed):
    M, y, F, alpha, G = random_margins(seed)
    byhand = oracles.corollary(M, y, F, alpha, G, LOSSES[loss])
    ours = loo_bound(M, y, F, alpha * G[:, None], decoders.DECODERS[loss]).indicators
    clear = np.abs(byhand) > 1e-12  # saturated hinges tie, up to rounding
    np.testing.assert_array_equal(ours[clear], byhand[clear] < 0)


@slow_and_few
@given(st.integers(0, 10**6))
def test_lemma_1_1_on_random_problems(seed):
    svm, X, y, M = random_problem(seed)
    Y = M[y]
    left_out = Y * oracles.left_out_margins(svm, X, Y)
    F = svm.fit(X, Y).margins(X)
    assert (left_out <= Y * F + 1e-4).all()
    assert (left_out >= Y * worst_margins(M, y, F, svm.loo_shift_) - 1e-4).all()


@slow_and_few
@given(st.integers(0, 10**6))
def test_no_error_escapes_on_random_problems(seed):
    svm, X, y, M = random_problem(seed)
    for name, (missed, true, bound) in escaped(svm, X, y, M).items():
        assert missed == 0, name
        assert true <= bound


@pytest.mark.parametrize("code", CODES)
def test_no_error_escapes_on_glass(code):
    X, y, k = table("glass")
    shares = escaped(GaussianSVM(gamma=4.0, C=0.1), X, y, CODES[code](k))
    assert all(missed == 0 for missed, _, _ in shares.values())
    assert all(true <= bound < 1 for _, true, bound in shares.values())


@pytest.mark.long
@pytest.mark.parametrize("C", [0.1, 1.0])
@pytest.mark.parametrize("gamma", [0.1, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", ["glass", "ecoli"])
def test_no_error_escapes_on_real_data(name, code, gamma, C):
    X, y, k = table(name)
    shares = escaped(GaussianSVM(gamma=gamma, C=C), X, y, CODES[code](k))
    assert {decoder: missed for decoder, (missed, _, _) in shares.items() if missed} == {}


def test_the_bound_comes_nearer_to_the_training_error_as_c_falls():
    """Section IV, on the relation between the regularization parameter and the error."""
    X, y, k = table("glass")
    M = one_vs_all(k)
    gaps = []
    for C in (0.001, 0.01, 0.1, 1.0):
        svm = GaussianSVM(gamma=1.0, C=C).fit(X, M[y])
        F = svm.margins(X)
        empirical = errors(decoders.linear, M, y, F).mean()
        gaps.append(loo_bound(M, y, F, svm.loo_shift_).value - empirical)
    assert 0 <= gaps[0] < gaps[1] < gaps[2] < gaps[3]


def test_one_vs_all_as_section_iv_spells_it_out():
    """f_{y_i} loses alpha_i G_ii, each other f_q gains as much: the worst margin is twice this."""
    X, y, k = table("ecoli")
    M, rows = one_vs_all(k), np.arange(len(y))
    svm = GaussianSVM(gamma=2.0).fit(X, M[y])
    F, shift = svm.margins(X), svm.loo_shift_
    rivals = F + shift
    rivals[rows, y] = -np.inf
    worst = 2 * (F[rows, y] - shift[rows, y] - rivals.max(axis=1))
    np.testing.assert_allclose(worst_multiclass_margins(M, y, F, shift), worst)


def test_without_a_shift_it_is_the_training_error():
    X, y, k = table("glass")
    M = all_pairs(k)
    F = GaussianSVM(gamma=1.0).fit(X, M[y]).margins(X)
    bound = loo_bound(M, y, F, np.zeros_like(F), decoders.hinge)
    np.testing.assert_array_equal(bound.indicators, errors(decoders.hinge, M, y, F))


def test_a_tie_at_the_worst_counts():
    M, y = np.array([[1, -1], [-1, 1]]), np.array([0, 1])
    F = np.array([[0.5, -0.5], [-0.5, 0.5]])
    assert loo_bound(M, y, F, np.full((2, 2), 0.5)).indicators.all()
    assert not loo_bound(M, y, F, np.full((2, 2), 0.49)).indicators.any()


def test_a_loss_that_increases_is_refused():
    M, y, F, alpha, _ = random_margins(0)
    with pytest.raises(ValueError, match="must have a non-increasing loss"):
        loo_bound(M, y, F, alpha, decoders.square)
