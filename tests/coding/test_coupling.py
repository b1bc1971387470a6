"""Pairwise coupling: Wu, Lin & Weng 2004 by their iteration, by definition, and LIBSVM's own."""

import warnings

import numpy as np
import pytest
from sklearn.svm import SVC

from ecoc_bench.coding.codes import all_pairs, one_vs_all
from ecoc_bench.coding.coupling import couple, pair_probabilities
from ecoc_bench.data import cards as data
from ecoc_bench.errors import ConfigError


def iterated(R, steps=5000):
    """Algorithm 2 of Wu, Lin & Weng for one example, in plain loops."""
    k = len(R)
    Q = [
        [sum(R[c][a] ** 2 for c in range(k) if c != a) if a == b else -R[b][a] * R[a][b]
         for b in range(k)]
        for a in range(k)
    ]  # fmt: skip
    p = [1 / k] * k
    for step in range(steps):
        a = step % k
        Qp = [sum(Q[b][c] * p[c] for c in range(k)) for b in range(k)]
        pQp = sum(p[b] * Qp[b] for b in range(k))
        p[a] += (pQp - Qp[a]) / Q[a][a]
        total = sum(p)
        p = [value / total for value in p]
    return p


def pairs_of(rng, n, k, sure=0.02):
    R = rng.uniform(sure, 1 - sure, size=(n, k, k))
    upper = np.triu(R, 1)
    return upper + np.tril(1 - np.transpose(upper, (0, 2, 1)), -1)


@pytest.mark.parametrize("k", [2, 3, 5, 9])
def test_coupling_is_the_limit_of_the_papers_iteration(k):
    R = pairs_of(np.random.default_rng(k), 6, k)
    np.testing.assert_allclose(couple(R), [iterated(r.tolist()) for r in R], atol=1e-7)


@pytest.mark.parametrize("k", [3, 6, 26])
def test_pairs_that_agree_give_their_probabilities_back(k):
    P = np.random.default_rng(k).dirichlet(np.ones(k), size=200)
    R = P[:, :, None] / (P[:, :, None] + P[:, None, :])
    np.testing.assert_allclose(couple(R), P, atol=1e-6)


def test_two_classes_keep_their_pair():
    np.testing.assert_allclose(couple([[[0, 0.3], [0.7, 0]]]), [[0.3, 0.7]])


def test_certain_and_circular_pairs_are_finite_and_sum_to_one():
    circle = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    clear = [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    P = couple([circle, clear])
    np.testing.assert_allclose(P[0], 1 / 3)
    np.testing.assert_allclose(P[1], [1, 0, 0], atol=1e-6)


def test_many_examples_are_solved_in_parts(monkeypatch):
    R = pairs_of(np.random.default_rng(0), 50, 4)
    whole = couple(R)
    monkeypatch.setattr("ecoc_bench.coding.coupling.CHUNK", 3 * 25)
    np.testing.assert_array_equal(couple(R), whole)
    assert couple(np.zeros((0, 4, 4))).shape == (0, 4)


def test_pairs_of_the_code_in_either_sign():
    rng = np.random.default_rng(0)
    M, F = all_pairs(4), rng.normal(size=(7, 6))
    A, B = -rng.exponential(size=6), rng.normal(size=6)
    R = pair_probabilities(M, F, A, B)
    np.testing.assert_allclose(R[:, 0, 2], 1 / (1 + np.exp(A[1] * F[:, 1] + B[1])))
    np.testing.assert_allclose((R + R.transpose(0, 2, 1))[:, ~np.eye(4, dtype=bool)], 1)
    flipped = pair_probabilities(-M, -F, A, -B)
    np.testing.assert_allclose(flipped, R, atol=1e-15)
    with pytest.raises(ConfigError, match="Use 'all_pairs'"):
        pair_probabilities(one_vs_all(4), F[:, :4], A[:4], B[:4])


def test_libsvms_probabilities_follow_from_its_own_sigmoids():
    """LIBSVM stops its iteration at 0.005/k: hence the tolerance."""
    glass = data.load("glass")
    X, y = (glass.X - glass.X.mean(0)) / glass.X.std(0), glass.y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # scikit-learn will drop `probability`
        svm = SVC(probability=True, decision_function_shape="ovo", random_state=0).fit(X, y)
        theirs, A, B = svm.predict_proba(X), svm.probA_, svm.probB_
    R = pair_probabilities(all_pairs(len(set(y))), svm.decision_function(X), A, B)
    np.testing.assert_allclose(couple(R), theirs, atol=0.005)


def test_a_matrix_is_not_a_stack_of_pairs():
    with pytest.raises(ValueError, match=r"classes x classes. Got shape \(3, 3\) instead"):
        couple(np.eye(3))
