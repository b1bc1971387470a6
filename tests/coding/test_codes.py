from itertools import product
from math import ceil, comb, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecoc_bench.coding.codes import (
    CODES,
    all_pairs,
    canonical,
    check_code,
    complete,
    dense,
    distinct_dichotomies,
    kind,
    one_vs_all,
    sparse,
)
from ecoc_bench.coding.distances import correctable, rho
from ecoc_bench.errors import CodeError, CodeTooLarge, ConfigError


@pytest.mark.parametrize("k", [2, 3, 6, 11, 26, 64, 1030])
def test_rho_of_one_vs_all_is_2(k):
    assert one_vs_all(k).shape == (k, k)
    assert rho(one_vs_all(k)) == 2


@pytest.mark.parametrize("k", [3, 6, 11, 26, 150])
def test_rho_of_all_pairs_is_half_of_all_pairs_but_one_plus_one(k):
    M = all_pairs(k)
    assert M.shape == (k, comb(k, 2))
    assert rho(M) == (comb(k, 2) - 1) / 2 + 1
    assert (np.abs(M).sum(axis=0) == 2).all()


@pytest.mark.parametrize("k", range(3, 12))
def test_complete_code_has_2_to_the_k_minus_1_columns_less_one_and_rho_2_to_the_k_minus_2(k):
    M = complete(k)
    assert M.shape == (k, 2 ** (k - 1) - 1)
    assert rho(M) == 2 ** (k - 2)


def test_complete_code_for_5_classes_has_15_columns_and_rho_8():
    assert complete(5).shape == (5, 15)
    assert rho(complete(5)) == 8


def test_complete_code_is_left_out_above_11_classes():
    with pytest.raises(CodeTooLarge, match="Use 'dense'"):
        complete(12)


@pytest.mark.parametrize("family", sorted(CODES.keys() - {"trellis"}))  # two edges may be alike
@pytest.mark.parametrize("k", [6, 7, 10])
def test_every_family_is_valid_and_has_no_dichotomy_twice(family, k):
    M = CODES[family].make(k, np.random.default_rng(k))
    assert M.dtype == np.int8
    np.testing.assert_array_equal(check_code(M), M)
    assert len(np.unique(canonical(M)[0], axis=1).T) == M.shape[1]


@pytest.mark.parametrize(("family", "factor"), [(dense, 10), (sparse, 15)])
@pytest.mark.parametrize("k", [6, 11, 26])
def test_random_codes_have_the_papers_number_of_columns(family, factor, k):
    assert family(k, np.random.default_rng(0), tries=20).shape == (k, ceil(factor * log2(k)))


@pytest.mark.parametrize("family", [dense, sparse])
def test_the_same_seed_gives_the_same_matrix_and_another_seed_another(family):
    a, b, c = (family(8, np.random.default_rng(seed), tries=50) for seed in (1, 1, 2))
    np.testing.assert_array_equal(a, b)
    assert not np.array_equal(a, c)


@pytest.mark.parametrize("family", [dense, sparse])
def test_more_draws_find_a_larger_rho(family):
    few, many = (rho(family(26, np.random.default_rng(3), tries=t)) for t in (1, 2000))
    assert many > few


def test_half_of_a_sparse_code_is_zero():
    M = sparse(26, np.random.default_rng(0))
    assert (M == 0).mean() == pytest.approx(0.5, abs=0.05)
    assert (M == 1).mean() == pytest.approx((M == -1).mean(), abs=0.05)


@pytest.mark.parametrize(("family", "k", "exist"), [(dense, 5, 15), (dense, 3, 3), (sparse, 4, 25)])
def test_a_code_that_cannot_exist_says_how_many_columns_do(family, k, exist):
    with pytest.raises(CodeError, match=f"only {exist} different columns.*set columns: {exist}"):
        family(k, np.random.default_rng(0))
    assert dense(k, np.random.default_rng(0), columns=3).shape == (k, 3)


def test_all_15_dichotomies_of_5_classes_can_be_drawn():
    M = dense(5, np.random.default_rng(0), columns=15, tries=3)
    assert set(map(bytes, canonical(M)[0].T)) == set(map(bytes, complete(5).T))


def test_a_search_that_finds_nothing_ends_with_the_next_step():
    with pytest.raises(CodeError, match="Set more tries, or another number of columns"):
        sparse(12, np.random.default_rng(0), columns=1, tries=5)


@pytest.mark.parametrize("bad", [0, -1, 2.5, "9", True])
def test_columns_and_tries_must_be_whole_numbers(bad):
    for params in ({"columns": bad}, {"tries": bad}):
        with pytest.raises(ConfigError, match="whole number"):
            dense(8, np.random.default_rng(0), **params)


@pytest.mark.parametrize(
    ("matrix", "complaint"),
    [
        ([[1, 1], [0, 0], [-1, -1]], "row 1 .* all zeros"),
        ([[1, 1], [-1, 1], [1, 1]], "column 1 .* lacks a sign"),
        ([[1, 1], [-1, -1], [1, 1]], "rows 0 and 2 .* equal"),
        ([[2, 1], [-1, -1]], "only -1, 0 and"),
        ([1, -1], "classes x columns"),
    ],
)
def test_an_invalid_matrix_is_refused_with_its_row_or_column(matrix, complaint):
    with pytest.raises(CodeError, match=complaint):
        check_code(matrix)


@pytest.mark.parametrize("pair", [(0, 1), (3, 700), (600, 601), (1, 1299)])
@pytest.mark.parametrize("share", [0.0, 0.98])
def test_the_closest_of_many_rows_are_found_wherever_they_are(pair, share):
    rng = np.random.default_rng(0)
    M = np.where(rng.random((1300, 800)) < share, 0, rng.choice([-1, 1], (1300, 800)))
    M[:, :40] = rng.choice([-1, 1], (1300, 40))  # also the zeros have rows that are not alike
    M[pair[0]] = M[pair[1]]
    assert rho(M) == (800 - np.count_nonzero(M[pair[0]])) / 2


def corrected_by_trial(M):
    """The most wrong columns after which every output is still nearest to its class alone."""
    outputs = np.array(list(product([-1, 1], repeat=M.shape[1])))
    D = (M.shape[1] - outputs @ M.T) / 2  # a zero counts 1/2
    least = M.shape[1] + 1
    for y, row in enumerate(M):
        others = np.delete(D, y, axis=1).min(axis=1)
        lost = outputs[D[:, y] >= others]
        least = min([least, *((lost * row < 0).sum(axis=1))])
    return max(least - 1, 0)


@pytest.mark.parametrize("family", [one_vs_all, all_pairs, complete])
@pytest.mark.parametrize("k", [3, 4])
def test_a_code_corrects_what_it_corrects_by_trial(family, k):
    assert correctable(family(k)) == corrected_by_trial(family(k))


@pytest.mark.parametrize("zeros", [0.0, 0.1, 0.3])
def test_random_matrices_correct_what_they_correct_by_trial(zeros):
    rng, found = np.random.default_rng(int(10 * zeros)), set()
    for _ in range(30):
        M = np.where(rng.random((3, 9)) < zeros, 0, rng.choice([-1, 1], (3, 9)))
        found.add(correctable(M))
        assert correctable(M) == corrected_by_trial(M)
    assert len(found) > 1


def test_without_zeros_half_of_rho_less_one_is_corrected():
    """r_0 = floor((d - 1)/2) of Section 9.4.3; all-pairs corrects nothing: see exercise 9.6."""
    assert [correctable(complete(k)) for k in (3, 4, 5, 6)] == [0, 1, 3, 7]
    assert [correctable(all_pairs(k)) for k in (2, 3, 8, 150)] == [0, 0, 0, 0]
    M = dense(10, np.random.default_rng(0))
    assert correctable(M) == (rho(M) - 1) // 2


def test_rho_counts_a_zero_as_one_half():
    assert rho([[1, 1, 0], [-1, 1, 1]]) == 1.5


matrices = st.integers(2, 6).flatmap(
    lambda k: st.lists(
        st.lists(st.sampled_from([-1, 0, 1]), min_size=k, max_size=k).filter(any),
        min_size=1,
        max_size=12,
    )
)


@given(matrices)
@settings(max_examples=200, deadline=None)
def test_distinct_dichotomies_give_the_matrix_back(columns):
    M = np.array(columns, dtype=np.int8).T
    kept, index, sign = distinct_dichotomies(M)
    np.testing.assert_array_equal(kept[:, index] * sign, M)
    assert len({bytes(c) for c in kept.T} | {bytes(-c) for c in kept.T}) == 2 * kept.shape[1]


@pytest.mark.parametrize("kind_of_integer", [np.int8, np.uint8, np.int16, np.int64])
@pytest.mark.parametrize("name", sorted(CODES))
def test_counts_may_be_numpys_integers(name, kind_of_integer):
    """2^(k-1) of an int8 is 0: the complete code of ten classes was empty."""
    family, k = CODES[name], 10
    given = {"columns": 20, "tries": 30} if family.random else {}
    made = [
        family.make(count(k), np.random.default_rng(0), **{n: count(v) for n, v in given.items()})
        for count in (int, kind_of_integer)
    ]
    np.testing.assert_array_equal(*made)
    assert made[1].size


@pytest.mark.parametrize("name", ["ova", "all_pairs", "dense", "sparse"])
def test_a_hundred_classes_do_not_overflow_an_integer_of_eight_bits(name):
    given = {"tries": 1, "columns": 60} if CODES[name].random else {}
    M = CODES[name].make(np.int8(100), np.random.default_rng(0), **given)
    assert M.shape == CODES[name].make(100, np.random.default_rng(0), **given).shape


def test_the_kind_of_a_code_is_seen_from_its_matrix():
    rng, order = np.random.default_rng(0), [3, 0, 5, 1, 4, 2]
    assert kind(one_vs_all(6)[order]) == kind(-one_vs_all(6)) == "ova"
    assert kind(one_vs_all(6)[:, order] * rng.choice([-1, 1], 6)) == kind(complete(3)) == "ova"
    assert kind(all_pairs(6)[order] * rng.choice([-1, 1], 15)) == "all_pairs"
    assert kind(complete(6)) == kind(dense(6, rng, tries=2)) == kind(complete(4)) == "binary"
    assert kind(sparse(6, rng, tries=2)) == kind(all_pairs(6)[:, 1:]) == "ternary"
