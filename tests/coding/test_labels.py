import numpy as np
import pytest

from ecoc_bench.coding import decoders, labels
from ecoc_bench.coding.codes import all_pairs, dense, one_vs_all
from ecoc_bench.coding.decoders import ADDITIVE, predict, ties
from ecoc_bench.coding.labels import find, row_blocks
from ecoc_bench.coding.trellis import shape_of, trellis

EXACT = (decoders.exponential, decoders.l1)  # slow where many distances are equal
TRELLISES = [(64, 2), (65, 64), (100, 10), (105, 5), (128, 3), (729, 9), (1000, 2)]


def margins(what, n, ell):
    F = np.random.default_rng(ell).standard_normal((n, ell))
    return {"real": F, "huge": 200 * F, "whole": np.round(F), "zero": 0 * F}[what]


def oracle_shortest_path(W, M):
    """The lengths of all paths, one edge after the other."""
    lengths = [sum(w for w, entry in zip(W, row, strict=True) if entry == 1) for row in M]
    return int(np.argmin(lengths)), float(np.diff(np.sort(lengths))[0])


@pytest.mark.parametrize(("k", "b"), [(5, 2), (7, 2), (8, 2), (26, 3), (64, 4), (105, 5), (12, 12)])
def test_the_kernel_finds_the_path_and_the_gap_of_its_slow_twin(k, b):
    from ecoc_bench.coding._shortest import shortest_paths

    shape, M = shape_of(k, b), trellis(k, width=b)
    W = np.random.default_rng(k).standard_normal((40, M.shape[1]))
    found, gaps = shortest_paths(W, b, np.array(shape.digits), shape.has_last)
    slow = [oracle_shortest_path(w, M) for w in W]
    assert found.tolist() == [label for label, _ in slow]
    np.testing.assert_allclose(gaps, [gap for _, gap in slow], atol=1e-12)


@pytest.mark.parametrize("decode", ADDITIVE, ids=lambda decode: decode.__name__)
@pytest.mark.parametrize("what", ["real", "huge", "whole", "zero"])
def test_paths_and_columns_give_the_labels_and_ties_of_brute_force(decode, what):
    few = decode in EXACT and what != "real"
    codes = [trellis(k, width=b) for k, b in (TRELLISES[:1] if few else TRELLISES)]
    for M in [*codes, one_vs_all(64 if few else 200)]:
        F = margins(what, 2 if few else 60, M.shape[1])
        D = decode(M, F)
        found = find(decode, M, F)
        np.testing.assert_array_equal(found.labels, predict(D))
        assert found.ties == ties(D)


def test_of_equal_paths_the_lowest_class_wins_and_the_tie_is_counted():
    M = trellis(100, width=3)
    F = np.zeros((3, M.shape[1]))
    F[1] = M[[7, 50]].sum(axis=0)  # as near to class 7 as to class 50
    F[2] = M[50]
    found = find(decoders.hamming, M, F)
    assert found.labels.tolist()[0::2] == [0, 50]
    assert found.labels[1] == predict(decoders.hamming(M, F))[1] <= 7
    assert found.ties == 2


def test_blocks_of_rows_give_the_labels_and_ties_of_all_rows(monkeypatch):
    M = dense(20, np.random.default_rng(0), columns=30, tries=10)
    F = margins("whole", 500, 30)
    whole = find(decoders.hamming, M, F)
    monkeypatch.setattr(labels, "ENTRIES", 30 * 64)
    assert [rows.stop - rows.start for rows in row_blocks(M.shape, 500)] == [64] * 8
    blocked = find(decoders.hamming, M, F)
    np.testing.assert_array_equal(blocked.labels, whole.labels)
    assert blocked.ties == whole.ties > 0


def test_a_decoder_of_the_user_sees_all_rows_at_once(monkeypatch):
    monkeypatch.setattr(labels, "ENTRIES", 100)
    seen = []

    def mine(M, F):
        seen.append(len(F))
        return decoders.linear(M, F)

    find(mine, all_pairs(5), margins("real", 50, 10))
    assert seen == [50]


def test_no_rows_have_no_labels():
    found = find(decoders.hamming, one_vs_all(5), np.empty((0, 5)))
    assert found.labels.tolist() == []
    assert found.ties == 0
