"""Sums over columns: the labels and ties of all margins, and the same bits in any blocks."""

import numpy as np
import pytest
from scipy.sparse import csc_array

from ecoc_bench.coding import decoders
from ecoc_bench.coding.codes import all_pairs, dense, sparse
from ecoc_bench.coding.column_sums import ROWS, SUMMED, ColumnSums
from ecoc_bench.coding.decoders import predict, ties
from ecoc_bench.coding.losses import LOSSES

CODES = {
    "all_pairs": all_pairs(12),
    "sparse": sparse(9, np.random.default_rng(1), tries=5),
    "dense": dense(9, np.random.default_rng(2), tries=5),
}


def margins(what, n, ell):
    F = np.random.default_rng(ell).standard_normal((n, ell))
    return {"real": F, "whole": np.round(F), "zero": 0 * F}[what]


def summed(M, F, y, decode, loss="square", width=7):
    sums = ColumnSums(csc_array(M), y, decode, loss)
    for start in range(0, M.shape[1], width):
        sums.add(start, F[:, start : start + width])
    return sums


@pytest.mark.parametrize("what", ["real", "whole", "zero"])
@pytest.mark.parametrize("code", CODES)
def test_labels_and_ties_are_those_of_the_decoders(code, what):
    M, n = CODES[code], 40
    F = margins(what, n, M.shape[1])
    # Rounding decides between classes whose sums of logarithms are equal.
    rounded = {decoders.logistic} if what != "real" else set()
    other = {decoders.majority} if code != "all_pairs" else set()
    some = tuple(d for d in SUMMED if d not in rounded | other)
    found = summed(M, F, np.zeros(n, dtype=int), some).result()
    for j, decode in enumerate(some):
        D = decode(M, F)
        np.testing.assert_array_equal(found.labels[:, j], predict(D))
        assert found.tied[:, j].sum() == ties(D)


@pytest.mark.parametrize("code", CODES)
def test_what_is_of_the_true_class_is_that_of_the_slow_twin(code):
    M, n = CODES[code], 30
    F, y = margins("whole", n, M.shape[1]), np.arange(n) % len(M)
    for loss, L in LOSSES.items():
        found = summed(M, F, y, (), loss).result()
        for i in range(n):
            z = np.array([M[y[i], s] * F[i, s] for s in range(M.shape[1]) if M[y[i], s]])
            assert found.mistaken[i] == sum(z <= 0)
            assert found.votes[i] == sum((1 - np.sign(z)) / 2)
            assert found.losses[i] == pytest.approx(sum(L(z)))


def test_blocks_of_any_width_give_the_same_bits():
    M, n = CODES["all_pairs"], ROWS + 3
    F, y = margins("real", n, M.shape[1]), np.arange(n) % len(M)
    whole, *others = (summed(M, F, y, tuple(SUMMED), width=w).sums for w in (66, 1, 7))
    for sums in others:
        assert {name: A.tobytes() for name, A in sums.items()} == {
            name: A.tobytes() for name, A in whole.items()
        }
