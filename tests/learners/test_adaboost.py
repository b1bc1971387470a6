"""AdaBoost on stumps: kernels against their slow twins, and the facts of the paper."""

import tracemalloc

import numba
import numpy as np
import oracles_adaboost as oracles
import pytest
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench.coding.codes import all_pairs, complete, one_vs_all
from ecoc_bench.coding.decoders import exponential, predict
from ecoc_bench.coding.distances import rho
from ecoc_bench.learners import _binning
from ecoc_bench.learners._binning import bin_features, codewords, size_of, tile, workspace
from ecoc_bench.learners.adaboost import AdaBoostLearner, AdaBoostMH, AdaBoostMO

JIT = not numba.config.DISABLE_JIT
MODES = [(a, b) for a in ("single", "multi") for b in ("confidence", "discrete")]
modes = pytest.mark.parametrize(("calls", "outputs"), MODES)


def problem(seed):
    """A small draw: numbers with ties, nominal and missing values, binary and ternary labels."""
    rng = np.random.default_rng(seed)
    m, d, ell, k = rng.integers((2, 1, 1, 2), (25, 5, 8, 5))
    X = rng.integers(0, rng.integers(2, 8), (m, d)).astype(float)
    nominal = rng.random(d) < 0.4
    if seed % 3 == 0:
        X[:, 0], nominal[0] = rng.normal(size=m), False
    X[rng.random((m, d)) < rng.choice([0, 0.15])] = np.nan
    M = rng.choice([-1, 0, 1] if seed % 2 else [-1, 1], (k, ell)).astype(np.int8)
    return X, M[rng.integers(0, k, m)], nominal


def blobs(code, m=60, d=3, k=4, seed=0, spread=1.0):
    """k overlapping classes and their labels under a code."""
    rng = np.random.default_rng(seed)
    y = np.arange(m) % k
    X = rng.normal(size=(k, d))[y] * 2 + rng.normal(size=(m, d)) * spread
    M = code(k)
    return X, y, M


@modes
def test_eta_is_the_sum_of_the_largest_outputs_and_no_margin_exceeds_it(calls, outputs):
    """Eqs. 16 and 17: with discrete outputs in one call, h_t is alpha_t or -alpha_t everywhere."""
    X, y, M = blobs(complete)
    fitted = AdaBoostLearner(9, [2, 5], calls=calls, outputs=outputs).fit(X, M[y])
    assert fitted.eta_.shape == (3, M.shape[1])
    for (stage, F), eta in zip(fitted.staged_margins(X), fitted.eta_, strict=True):
        c = np.abs(fitted.outputs_[:stage])
        sums = c.max(axis=(1, 2)).sum() if calls == "single" else c.max(axis=1).sum(axis=0)
        np.testing.assert_allclose(eta, sums)
        assert (np.abs(F) <= eta * (1 + 1e-12)).all()
        if calls == "single" and outputs == "discrete":
            np.testing.assert_allclose(c[:, 0, 0].sum(), eta)


@modes
def test_the_slow_twin_picks_the_same_tests_and_outputs(calls, outputs):
    for seed in range(100 if JIT else 25):
        X, Y, nominal = problem(seed)
        fitted = AdaBoostLearner(3, calls=calls, outputs=outputs, nominal=nominal).fit(X, Y)
        history, _ = oracles.adaboost(X.tolist(), Y.tolist(), nominal, 3, calls, outputs)
        for t, picks in enumerate(history):
            tests = [test for _, test, _, _ in picks]
            assert list(zip(fitted.features_[t], fitted.cuts_[t], strict=True)) == tests, seed
            c = [outs[s] for group, _, outs, _ in picks for s in group]
            np.testing.assert_allclose(fitted.outputs_[t].T, c, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(fitted.normalizers_[t], [Z for *_, Z in picks], rtol=1e-9)
        F = oracles.margins(history, X.tolist(), nominal, Y.shape[1])
        np.testing.assert_allclose(fitted.margins(X), F, atol=1e-9)


@modes
def test_weights_stay_a_distribution(calls, outputs):
    """D_{T+1}(i, s) = D_1(i, s) exp(-M(y_i, s) f_s(x_i)) / prod Z_t, sums to 1, as in the twin."""
    X, y, M = blobs(all_pairs)
    _, weights = oracles.adaboost(X.tolist(), M[y].tolist(), [False] * 3, 4, calls, outputs)
    fitted = AdaBoostLearner(4, calls=calls, outputs=outputs).fit(X, M[y])
    D = (M[y] != 0) / (M[y] != 0).sum(axis=None if calls == "single" else 0)
    D *= np.exp(-M[y] * fitted.margins(X)) / fitted.normalizers_.prod(axis=0)
    np.testing.assert_allclose(D.sum(axis=None if calls == "single" else 0), 1, rtol=1e-9)
    np.testing.assert_allclose(D, weights[-1], atol=1e-12)


@pytest.mark.parametrize("outputs", ["confidence", "discrete"])
def test_training_error_is_bounded_by_the_product_of_the_normalizers(outputs):
    """Theorem 1 with the exponential loss: at most ell/rho times the average loss, prod Z_t."""
    X, y, M = blobs(complete)
    fitted = AdaBoostLearner(30, outputs=outputs, record=[5, 10, 20]).fit(X, M[y])
    for stage, F in fitted.staged_margins(X):
        average = np.exp(-M[y] * F).mean()
        np.testing.assert_allclose(average, fitted.normalizers_[:stage].prod(), rtol=1e-9)
        assert (predict(exponential(M, F)) != y).mean() <= M.shape[1] / rho(M) * average


def test_discrete_normalizer_is_that_of_eq_14():
    """Z_t = 2 sqrt(eps_t (1 - eps_t)), and alpha_t = 1/2 ln((1 - eps_t)/eps_t) is |c|."""
    X, y, M = blobs(one_vs_all)
    fitted = AdaBoostLearner(25, outputs="discrete").fit(X, M[y])
    alpha = np.abs(fitted.outputs_)
    assert (alpha == alpha[:, :1, :1]).all()
    eps = 1 / (1 + np.exp(2 * alpha[:, 0, 0]))
    np.testing.assert_allclose(fitted.normalizers_[:, 0], 2 * np.sqrt(eps * (1 - eps)), rtol=1e-9)


def test_codewords_are_told_apart_even_if_their_keys_are_equal(monkeypatch):
    Y = np.random.default_rng(0).integers(-1, 2, (40, 3)).astype(np.int8)
    order, ends, words = codewords(Y)
    np.testing.assert_array_equal(Y[order], np.repeat(words, np.diff(ends, prepend=0), axis=0))
    monkeypatch.setattr(_binning, "_factors", lambda n: np.zeros(n, dtype=np.uint64))
    for found, again in zip((order, ends, words), codewords(Y), strict=True):
        np.testing.assert_array_equal(found, again)


@modes
def test_staged_margins_are_those_of_shorter_trainings(calls, outputs):
    X, y, M = blobs(all_pairs)
    learner = AdaBoostLearner(12, record=[2, 7], calls=calls, outputs=outputs).fit(X, M[y])
    assert learner.stages_ == [2, 7, 12]
    for stage, F in learner.staged_margins(X):
        shorter = AdaBoostLearner(stage, calls=calls, outputs=outputs).fit(X, M[y])
        np.testing.assert_allclose(F, shorter.margins(X), rtol=1e-9, atol=1e-12)


def test_multi_call_ignores_the_examples_that_a_column_leaves_out():
    """Class 3 moves among values that others have too, so that no threshold comes or goes."""
    _, y, M = blobs(all_pairs)
    X = np.random.default_rng(0).integers(0, 4, (len(y), 3)).astype(float)
    moved = X.copy()
    moved[y == 3] = X[y == 0]
    without = M[3] == 0
    F = [AdaBoostLearner(10, calls="multi").fit(A, M[y]).margins(X) for A in (X, moved)]
    np.testing.assert_allclose(F[0][:, without], F[1][:, without], rtol=1e-9, atol=1e-12)
    assert (F[0] != F[1]).any()


def test_single_and_multi_call_are_one_for_a_single_column():
    X, y, M = blobs(all_pairs, k=2)
    single, multi = (AdaBoostLearner(20, calls=calls).fit(X, M[y]) for calls in ("single", "multi"))
    np.testing.assert_array_equal(single.cuts_, multi.cuts_)
    np.testing.assert_allclose(single.margins(X), multi.margins(X), rtol=1e-9)


@modes
def test_a_column_of_one_sign_has_that_sign_and_an_empty_one_has_margin_0(calls, outputs):
    X, y, M = blobs(all_pairs)
    used = np.abs(M[y][:, 0])
    Y = np.column_stack([used, -used, 0 * used, M[y][:, 5]])
    F = AdaBoostLearner(10, calls=calls, outputs=outputs).fit(X, Y).margins(X)
    assert np.isfinite(F).all()
    assert (F[used == 1, 0] > 0).all()
    assert (F[used == 1, 1] < 0).all()
    assert (F[:, 2] == 0).all()


@modes
def test_features_without_a_test_give_constant_margins(calls, outputs):
    X, y, M = blobs(one_vs_all)
    for constant in (np.ones_like(X), np.full_like(X, np.nan)):
        F = AdaBoostLearner(3, calls=calls, outputs=outputs).fit(constant, M[y]).margins(X)
        assert (np.ptp(F, axis=0) == 0).all()
        assert (F < 0).all()


def test_missing_and_unknown_values_make_no_test_true():
    X = np.array([[0.0], [0], [1], [1], [2], [2]])
    Y = np.array([[1], [1], [-1], [-1], [-1], [-1]], dtype=np.int8)
    F = AdaBoostLearner(1, nominal=[True]).fit(X, Y).margins(np.array([[0], [1], [7], [np.nan]]))
    assert F[0] > 0
    assert (F[1:] == F[1]).all()
    F = AdaBoostLearner(1).fit(X, Y).margins(np.array([[-5], [0.5], [0.6], [np.nan]]))
    assert F[0] == F[1] > 0
    assert F[2] == F[3] < 0


def test_sample_weights_count_like_copies():
    X, y, M = blobs(one_vs_all, m=40)
    twice = np.r_[np.arange(40), np.arange(20)]
    weight = np.r_[np.full(20, 2.0), np.ones(20)]
    copies = AdaBoostLearner(5, outputs="discrete").fit(X[twice], M[y][twice])
    weighted = AdaBoostLearner(5, outputs="discrete").fit(X, M[y], sample_weight=weight)
    np.testing.assert_allclose(weighted.margins(X), copies.margins(X), rtol=1e-9)


@modes
def test_long_runs_on_separable_pairs_stay_finite(calls, outputs):
    X, y, M = blobs(all_pairs, m=24, d=2, spread=0.01)
    rounds = 2000 if JIT else 10
    learner = AdaBoostLearner(rounds, calls=calls, outputs=outputs, record=[rounds // 2])
    learner.fit(X, M[y])
    (_, half), (_, whole) = learner.staged_margins(X)
    assert np.isfinite(whole).all()
    assert (np.abs(whole) >= np.abs(half))[M[y] != 0].all()
    assert (np.sign(whole) == M[y])[M[y] != 0].all()


def test_bins_approximate_the_thresholds():
    X, y, M = blobs(one_vs_all, m=80)
    exact = AdaBoostLearner(15).fit(X, M[y])
    coarse, fine = (AdaBoostLearner(15, bins=bins).fit(X, M[y]) for bins in (4, 100))
    assert len(np.unique(coarse.cuts_)) <= 3 * X.shape[1]
    assert coarse.normalizers_.prod() > exact.normalizers_.prod()
    np.testing.assert_array_equal(fine.cuts_, exact.cuts_)


def test_bin_numbers_take_the_smallest_integers_and_cuts_part_neighbouring_floats():
    close = np.array([1.0, np.nextafter(1.0, 2), np.nextafter(np.nextafter(1.0, 2), 2)])
    binned = bin_features(close[:, None], np.array([False]), None)
    np.testing.assert_array_equal(binned.codes, [[0, 1, 2]])
    for n, dtype in ((256, np.uint8), (257, np.uint16), (65_537, np.uint32)):
        binned = bin_features(np.arange(n, dtype=float)[:, None], np.array([False]), None)
        assert binned.codes.dtype == dtype
        np.testing.assert_array_equal(binned.codes[0], np.arange(n))


def test_all_pairs_stores_only_non_zero_entries():
    M = all_pairs(26)
    _, ends, words = codewords(M[np.arange(520) % 26])
    tiles = tile(words, ends, 16)
    assert size_of(tiles) == 520 * 28  # 25, padded to whole vectors


@modes
@pytest.mark.parametrize(("k", "places"), [(5, 6), (2, 1)])
def test_column_blocks_and_fresh_histograms_change_nothing(calls, outputs, k, places, monkeypatch):
    """Many small tiles of distinct values, and two tiles of more rows than values."""
    X, y, M = blobs(complete, k=k, seed=1)
    X, Y = np.round(X, places), np.column_stack([M[y], -M[y], M[y]])
    whole = AdaBoostLearner(12, calls=calls, outputs=outputs).fit(X, Y)
    monkeypatch.setattr("ecoc_bench.learners._binning.CACHED", 1)
    _, ends, words = codewords(Y)
    binned = bin_features(X, np.zeros(3, dtype=bool), None)
    tiles = tile(words, ends, int(binned.n_bins.max()))
    assert len(tiles.blocks) > 2
    assert len(workspace(tiles, binned, True).place) == 0
    parts = AdaBoostLearner(12, calls=calls, outputs=outputs).fit(X, Y)
    np.testing.assert_array_equal(parts.cuts_, whole.cuts_)
    np.testing.assert_allclose(parts.outputs_, whole.outputs_, rtol=1e-9, atol=1e-12)


def test_rows_on_the_smaller_side_suffice_over_hundreds_of_rounds():
    """Kept histograms, rewritten by changes, pick the same tests as fresh ones."""
    X, y, M = blobs(one_vs_all, m=400 if JIT else 60)
    X = np.round(2 * X)
    rounds = 300 if JIT else 20
    kept = AdaBoostLearner(rounds).fit(X, M[y])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ecoc_bench.learners.adaboost.workspace", fresh_workspace)
        fresh = AdaBoostLearner(rounds).fit(X, M[y])
    np.testing.assert_array_equal(kept.features_, fresh.features_)
    np.testing.assert_array_equal(kept.cuts_, fresh.cuts_)
    np.testing.assert_allclose(kept.outputs_, fresh.outputs_, rtol=1e-9, atol=1e-12)


def fresh_workspace(tiles, binned, single):
    """A workspace that keeps no histograms."""
    return workspace(tiles, binned, single)._replace(place=np.zeros(0, dtype=np.int64))


@pytest.mark.skipif(not JIT, reason="takes minutes without compilation")
@pytest.mark.parametrize("calls", ["single", "multi"])
def test_memory_is_at_most_3_weights_matrices_and_the_binned_data(calls):
    """All numbers distinct: the histograms of one feature are as long as the data."""
    X, y, M = blobs(complete, m=20_000, d=2, k=6)
    Y = M[y]
    AdaBoostLearner(1, calls=calls).fit(X, Y)  # compile before measuring
    tracemalloc.start()
    AdaBoostLearner(1, calls=calls).fit(X, Y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= 3 * 8 * Y.size + 6 * X.nbytes


def test_trainings_repeat_to_the_last_bit():
    X, y, M = blobs(complete)
    one, two = (AdaBoostLearner(30).fit(X, M[y]).margins(X) for _ in range(2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"calls": "both"}, "calls must be one of single, multi. Got 'both' instead."),
        ({"outputs": 1}, "outputs must be one of confidence, discrete. Got 1 instead."),
        ({"rounds": 0}, "rounds must be an integer of at least 1. Got 0 instead."),
        ({"bins": 1}, "bins must be an integer of at least 2. Got 1 instead."),
        ({"record": [600]}, "record must hold rounds from 1 to 500. Got 600 instead."),
        ({"nominal": [True]}, "nominal must be a mask over 3 features."),
    ],
)
def test_bad_parameters_are_named(params, message):
    X, y, M = blobs(one_vs_all)
    with pytest.raises(ValueError, match=message):
        AdaBoostLearner(**params).fit(X, M[y])


@parametrize_with_checks(
    [AdaBoostMO(rounds=10), AdaBoostMH(rounds=10), AdaBoostMO(rounds=10, outputs="discrete")]
)
def test_estimators_follow_the_contract(estimator, check):
    check(estimator)


def test_adaboost_mh_predicts_the_label_of_highest_margin():
    X, y = load_iris(return_X_y=True)
    clf = AdaBoostMH(rounds=10).fit(X, y)
    np.testing.assert_array_equal(clf.predict(X), clf.margins(X).argmax(axis=1))


def test_staged_results_end_in_the_final_ones():
    X, y = load_iris(return_X_y=True)
    clf = AdaBoostMO(rounds=10).fit(X, y)
    *_, scores = clf.staged_decision_function(X)
    *_, labels = clf.staged_predict(X)
    np.testing.assert_allclose(scores, clf.decision_function(X))
    np.testing.assert_array_equal(labels, clf.predict(X))
