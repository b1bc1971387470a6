"""Decoding by the least expected cost, against brute force over the classes."""

import numpy as np
import pytest

from ecoc_bench.coding.codes import all_pairs, one_vs_all
from ecoc_bench.coding.coupling import couple, pair_probabilities
from ecoc_bench.coding.decoders import calibrated, expected_cost, predict
from ecoc_bench.coding.likelihood import probabilities
from ecoc_bench.errors import ConfigError

CODES = {"ova": one_vs_all, "all_pairs": all_pairs}


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("seed", range(5))
def test_the_class_is_that_of_the_least_expected_cost_over_all_classes(name, seed):
    rng = np.random.default_rng(seed)
    M, y = CODES[name](4), rng.integers(0, 4, 40)
    F = M[y] + rng.normal(size=(40, M.shape[1]))
    L = rng.uniform(0, 9, (4, 4)) * (1 - np.eye(4))
    decode = calibrated("expected_cost", F, M[y], costs=L)
    A, B = decode.keywords["A"], decode.keywords["B"]
    pairs = name == "all_pairs"
    P = couple(pair_probabilities(M, F, A, B)) if pairs else probabilities(M, F, A, B)
    D = decode(M, F)
    for p, d in zip(P, D, strict=True):
        due = [sum(p[r] * L[r, q] for r in range(4)) for q in range(4)]
        np.testing.assert_allclose(d, due)
    assert (predict(D) != P.argmax(axis=1)).any()


def test_without_costs_the_most_probable_class_wins():
    rng = np.random.default_rng(0)
    M, y = one_vs_all(4), rng.integers(0, 4, 40)
    F = M[y] + rng.normal(size=(40, 4))
    likely = calibrated("likelihood", F, M[y])(M, F)
    for costs in (None, 1 - np.eye(4)):
        D = calibrated("expected_cost", F, M[y], costs=costs)(M, F)
        assert (predict(D) == predict(likely)).all()


def test_it_asks_for_its_sigmoids():
    with pytest.raises(ConfigError, match="sigmoids, fitted on held-out margins"):
        expected_cost(all_pairs(3), np.zeros((1, 3)))
