"""BCH codes: against textbook parameters, and as coding matrices of 3k columns."""

import hashlib
from itertools import combinations

import numpy as np
import pytest

from ecoc_bench.coding.bch import MOST_CLASSES, PRIMITIVE, bch, bch_generator
from ecoc_bench.coding.codes import canonical, check_code, complete, dense
from ecoc_bench.coding.distances import rho
from ecoc_bench.errors import CodeError, CodeTooLarge, ConfigError


def weights(G):
    """The weights of all non-zero codewords."""
    messages = (np.arange(1, 2 ** len(G))[:, None] >> np.arange(len(G))) & 1
    return (messages @ G % 2).sum(axis=1)


# Length, dimension and minimum distance of the even-weight subcodes of the textbooks' BCH codes:
# (15, 5, 7), (15, 7, 5), (15, 11, 3), (31, 6, 15), (31, 11, 11), (63, 7, 31), (63, 10, 27).
@pytest.mark.parametrize(
    ("m", "dimension", "distance"),
    [(4, 4, 8), (4, 6, 6), (4, 10, 4), (5, 5, 16), (5, 10, 12), (6, 6, 32), (6, 9, 28), (7, 7, 64)],
)
def test_parameters_of_the_textbooks(m, dimension, distance):
    G = bch_generator(m, 2**dimension)
    assert G.shape == (dimension, 2**m - 1)
    assert weights(G).min() == distance
    assert (weights(G) % 2 == 0).all()


@pytest.mark.parametrize("words", [8, 100, 1000])
def test_a_shifted_codeword_is_a_codeword(words):
    G = bch_generator(5, words)
    for shifted in np.roll(G, 1, axis=1):
        assert (shifted == shifted[: len(G)] @ G % 2).all()  # G is systematic in its first places


@pytest.mark.parametrize(("k", "least"), [(171, 240), (300, 440), (1000, 1477)])
def test_hundreds_and_thousands_of_classes_have_a_rho_near_half_of_3k_columns(k, least):
    M = check_code(bch(k))
    assert M.shape == (k, 3 * k)
    assert rho(M) >= least > rho(dense(k, np.random.default_rng(0), columns=3 * k, tries=2))
    assert len(np.unique(canonical(M)[0], axis=1).T) == 3 * k


@pytest.mark.parametrize(("k", "sha256"), [(7, "a3a9ff28"), (10, "651717d9"), (26, "b2ee1ca8")])
def test_codes_of_the_papers_data_sets_stay_as_they_were_stored(k, sha256):
    assert hashlib.sha256(bch(k).tobytes()).hexdigest().startswith(sha256)


@pytest.mark.parametrize("m", PRIMITIVE)
def test_the_polynomials_are_primitive(m):
    """Then no power of alpha comes twice, so that the shortest code's columns all differ."""
    G = bch_generator(m, 2**m)
    assert len(np.unique(G, axis=1).T) == G.shape[1] == 2**m - 1
    assert len(G) == m


@pytest.mark.long
@pytest.mark.parametrize(("n", "d"), [(15, 8), (15, 6), (31, 12), (63, 28), (127, 64), (1023, 512)])
def test_the_same_codes_as_galois_up_to_its_choice_of_polynomial(n, d):
    galois = pytest.importorskip("galois")
    theirs = np.array(galois.BCH(n, d=d, c=0).G).astype(int)
    ours = bch_generator(n.bit_length(), 2 ** len(theirs))
    assert ours.shape == theirs.shape
    assert sorted(weights(ours)) == sorted(weights(theirs))


# Minimum row distances found, and the most that k rows of 3k columns can have (Plotkin).
FOUND = {5: 8, 6: 10, 7: 11, 8: 12, 9: 14, 10: 15, 11: 16, 15: 23, 19: 28, 21: 32, 26: 39}


@pytest.mark.parametrize("k", FOUND)
def test_3k_columns_have_a_rho_near_the_plotkin_bound(k):
    M = bch(k)
    most = 3 * k * (k // 2) * (k - k // 2) // (k * (k - 1) // 2)
    assert M.shape == (k, 3 * k)
    assert M.dtype == np.int8
    assert set(np.unique(M)) == {-1, 1}
    assert rho(M) == FOUND[k]
    assert most - 2 <= rho(M) <= most


@pytest.mark.parametrize("k", range(5, 27))
def test_rows_differ_and_no_dichotomy_comes_twice(k):
    M = bch(k)
    np.testing.assert_array_equal(check_code(M), M)
    assert len(np.unique(canonical(M)[0], axis=1).T) == 3 * k


def test_nothing_is_random():
    np.testing.assert_array_equal(bch(13), bch(13, np.random.default_rng(1)))


@pytest.mark.parametrize("k", [6, 10, 19, 26])
def test_rho_is_above_that_of_random_codes_as_long(k):
    assert rho(bch(k)) > rho(dense(k, np.random.default_rng(0), columns=3 * k, tries=1000))


def test_five_classes_get_the_complete_code():
    assert set(map(bytes, canonical(bch(5))[0].T)) == set(map(bytes, complete(5).T))


@pytest.mark.parametrize(("k", "columns", "least"), [(26, 15, 6), (26, 31, 16), (26, 62, 31)])
def test_other_lengths_as_dietterich_and_bakiri_used_for_letters(k, columns, least):
    M = check_code(bch(k, columns=columns))
    assert M.shape == (k, columns)
    assert rho(M) >= least


def test_every_length_from_the_number_of_classes_up_gives_a_valid_code():
    for k, ell in combinations(range(3, 20), 2):
        if ell < 2 ** (k - 1):
            M = check_code(bch(k, columns=ell))
            assert len(np.unique(canonical(M)[0], axis=1).T) == ell


@pytest.mark.parametrize(("k", "exist"), [(3, 3), (4, 7)])
def test_few_classes_have_too_few_dichotomies(k, exist):
    with pytest.raises(
        CodeError, match=f"only {exist} different.*'complete', or set columns: {exist}"
    ):
        bch(k)
    assert rho(bch(k, columns=exist)) == rho(complete(k))


def test_what_cannot_be_is_refused_with_the_next_step():
    with pytest.raises(CodeError, match="no bch code of 3 columns separates 9 classes"):
        bch(9, columns=3)
    with pytest.raises(CodeTooLarge, match="Use 'dense'"):
        bch(MOST_CLASSES + 1)
    for bad in (0, 2.5, "9", True):
        with pytest.raises(ConfigError, match="whole number"):
            bch(8, columns=bad)
