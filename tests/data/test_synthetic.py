from itertools import combinations, pairwise

import numpy as np
import pytest

from ecoc_bench.coding.codes import complete, one_vs_all
from ecoc_bench.coding.decoders import DECODERS, predict
from ecoc_bench.errors import ConfigError
from ecoc_bench.experiment.resolve import at_key
from ecoc_bench.synthetic import OneSidedAdaBoost, mistaken_pairs, normals


@pytest.mark.parametrize("k", range(3, 9))
def test_every_class_has_exactly_100_training_examples_and_as_many_test_examples_in_all(k):
    X, y, train = normals(np.random.default_rng(k), classes=k)
    assert X.shape == (200 * k, 1)
    assert (X >= 0).all()
    assert np.bincount(y[train])[1:].tolist() == [100] * k
    assert (~train).sum() == 100 * k


def test_test_examples_are_labelled_by_the_thresholds_of_the_training_part():
    X, y, train = normals(np.random.default_rng(1), classes=5)
    x = X[:, 0]
    theta = [0, *(x[train & (y == j)].min() for j in range(2, 6)), np.inf]
    for j in range(1, 6):
        inside = (theta[j - 1] <= x) & (x < theta[j])
        assert np.array_equal(inside, y == j)
    assert len(set(np.bincount(y[~train])[1:])) > 1  # not cut anew on the test part


def test_examples_are_absolute_values_of_standard_normals():
    X, _, _ = normals(np.random.default_rng(0), classes=8, per_class=1000)
    assert np.mean(X**2) == pytest.approx(1, abs=0.05)
    assert X.mean() == pytest.approx(np.sqrt(2 / np.pi), abs=0.02)


def test_the_generator_decides_the_data():
    first, again, other = (normals(np.random.default_rng(seed), 3)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    "params", [{"classes": 1}, {"classes": "8"}, {"classes": 3, "per_class": 0}]
)
def test_impossible_sizes_are_refused_with_their_name(params):
    with pytest.raises(ConfigError, match=r"datasets\[0\]: (classes|per_class) must be a whole"):
        at_key("datasets[0]", "my.yaml", lambda: normals(np.random.default_rng(0), **params))


def majority(places, labels, place, pair):
    """What the best classifier of two classes says at a place, from its training rows there."""
    counts = [sum((places == place) & (labels == label)) for label in pair]
    return pair[int(counts[1] > counts[0])]


@pytest.mark.parametrize(("k", "r"), [(2, 0.25), (3, 0.1), (4, 0.05)])
def test_every_pair_errs_on_r_of_its_rows_and_the_vote_on_k_minus_1_times_r(k, r):
    """Exercise 9.6 in plain loops: the Bayes classifiers of two classes, Eq. 9.17, and Bayes."""
    X, y, train = mistaken_pairs(np.random.default_rng(0), classes=k, r=r, per_place=20)
    assert X.sum(axis=1).tolist() == [1.0] * len(y)
    assert len(set(np.bincount(y[train])[1:])) == 1
    place = X.argmax(axis=1)
    places, labels, test = place[train], y[train], ~train
    wins = np.zeros((k * (k - 1), k + 1), dtype=int)
    for pair in combinations(range(1, k + 1), 2):
        says = [majority(places, labels, p, pair) for p in range(len(wins))]
        wins[np.arange(len(wins)), says] += 1
        rows = test & np.isin(y, pair)
        assert np.mean(np.array(says)[place[rows]] != y[rows]) == pytest.approx(r)
    assert np.mean(wins[place[test]].argmax(axis=1) != y[test]) == pytest.approx((k - 1) * r)
    best = [np.bincount(labels[places == p]).argmax() for p in range(len(wins))]
    assert np.mean(np.array(best)[place[test]] != y[test]) == pytest.approx((k - 1) * r)


def test_the_generator_decides_the_order_of_mistaken_pairs_alone():
    one, other = (mistaken_pairs(np.random.default_rng(seed), 3, 0.05, 20) for seed in (1, 2))
    assert not np.array_equal(one[1], other[1])
    for part in (one[2], ~one[2]):
        assert np.array_equal(
            *(np.sort(X[part] @ np.arange(6) * 9 + y[part]) for X, y, _ in (one, other))
        )


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"classes": 1}, "classes must be a whole number, 2 or more"),
        ({"classes": 3, "per_place": 0}, "per_place must be a whole number"),
        ({"classes": 3, "r": 0.25}, r"r must be from 0 to below .* = 0.25. Got 0.25"),
        ({"classes": 3, "r": "much"}, "r must be from 0"),
        ({"classes": 4, "r": 0.01, "per_place": 10}, r"3 x 0.01 x 10 is not one"),
    ],
)
def test_impossible_mistakes_are_refused(params, told):
    with pytest.raises(ConfigError, match=told):
        mistaken_pairs(np.random.default_rng(0), **params)


def slow_boost(x, y, rounds, points):
    """One column by plain loops: every t is tried, h(x) = +1 if x < t."""
    values = sorted(x)
    cuts = [-np.inf, *((a + b) / 2 for a, b in pairwise(values)), np.inf]
    D = [1 / len(x)] * len(x)
    F = np.zeros(len(points))
    for _ in range(rounds):
        errors = [
            sum(d for d, xi, yi in zip(D, x, y, strict=True) if (1 if xi < t else -1) != yi)
            for t in cuts
        ]
        best = int(np.argmin(np.round(errors, 12)))
        eps = min(max(errors[best], 1 / (2 * len(x))), 1 / 2)
        alpha = np.log((1 - eps) / eps) / 2
        F += [alpha if p < cuts[best] else -alpha for p in points]
        D = [
            d * np.exp(-alpha * yi * (1 if xi < cuts[best] else -1))
            for d, xi, yi in zip(D, x, y, strict=True)
        ]
        D = [d / sum(D) for d in D]
    return F


def test_one_sided_boosting_agrees_with_plain_loops():
    rng = np.random.default_rng(3)
    for _ in range(20):
        X, X_test = rng.normal(size=(30, 1)), rng.normal(size=(40, 1))
        Y = rng.choice([-1, 1], size=(30, 3))
        F = OneSidedAdaBoost(rounds=4).fit(X, Y).margins(X_test)
        slow = [slow_boost(X[:, 0], Y[:, s], 4, X_test[:, 0]) for s in range(3)]
        assert np.allclose(F, np.stack(slow, axis=1), atol=1e-9)


def test_eta_is_the_sum_of_the_alphas_which_bounds_the_margins():
    X, y, train = normals(np.random.default_rng(3), 4)
    learner = OneSidedAdaBoost(rounds=6).fit(X[train], complete(4)[y[train] - 1])
    assert learner.eta_.shape == (1, 7)
    np.testing.assert_allclose(learner.eta_[0], learner.alphas_.sum(axis=0))
    assert (np.abs(learner.margins(X)) <= learner.eta_ + 1e-9).all()


def test_thresholds_are_one_sided_so_margins_never_rise():
    X, y, _ = normals(np.random.default_rng(0), 6)
    F = OneSidedAdaBoost().fit(X, complete(6)[y - 1]).margins(np.linspace(0, 3, 50)[:, None])
    assert (np.diff(F, axis=0) <= 0).all()


def test_left_out_examples_change_nothing():
    X, y, _ = normals(np.random.default_rng(0), 3)
    Y = np.array([[1], [-1], [0]])[y - 1]
    whole = OneSidedAdaBoost().fit(X, Y).margins(X)
    used = Y[:, 0] != 0
    part = OneSidedAdaBoost().fit(X[used], Y[used]).margins(X)
    assert np.array_equal(np.sign(whole), np.sign(part))


@pytest.mark.parametrize("code", [complete, one_vs_all])
def test_hamming_decoding_has_a_much_higher_error_than_loss_based_decoding(code):
    """Section 6: "Hamming decoding is inferior to loss-based decoding and yields much higher error
    rates."
    """
    X, y, train = normals(np.random.default_rng(0), 6)
    M = code(6)
    F = OneSidedAdaBoost().fit(X[train], M[y[train] - 1]).margins(X[~train])
    error = {
        name: (predict(DECODERS[name](M, F)) != y[~train] - 1).mean()
        for name in ("hamming", "exponential")
    }
    assert error["hamming"] > 10 * error["exponential"]
