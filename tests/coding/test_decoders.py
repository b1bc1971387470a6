import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.utils.multiclass import _ovr_decision_function

from ecoc_bench.coding import decoders
from ecoc_bench.coding.codes import all_pairs, complete, one_vs_all, pair_columns, sparse
from ecoc_bench.coding.decoders import (
    CALIBRATED,
    DECODERS,
    PAIRWISE,
    calibrated,
    hamming,
    majority,
    predict,
    resolve,
    ties,
    tournament,
)
from ecoc_bench.coding.losses import LOSSES
from ecoc_bench.errors import ConfigError, UserError

# A 4-class code of 7 columns as in Figure 2, and margins for which, as there, Hamming and
# exponential loss-based decoding differ.
M4 = np.array(
    [
        [1, 0, 1, 1, 0, -1, -1],
        [0, -1, 1, -1, -1, 1, 1],
        [-1, 1, -1, 0, 1, 1, -1],
        [1, -1, -1, -1, 1, 0, 0],
    ]
)
F4 = np.array([[0.5, -7.0, -1.0, -2.0, -10.0, -12.0, 9.0]])


def test_figure_2_hamming_worked_by_hand():
    # Row 0: 0, 1/2, 1, 1, 1/2, 0, 1 = 4. Row 1: 1/2, 0, 1, 0, 0, 1, 0 = 2.5.
    # Row 2: 1, 1, 0, 1/2, 1, 1, 1 = 5.5. Row 3: 0, 0, 0, 0, 1, 1/2, 1/2 = 2.
    np.testing.assert_array_equal(hamming(M4, F4), [[4.0, 2.5, 5.5, 2.0]])
    assert predict(hamming(M4, F4)) == [3]


def test_figure_2_exponential_worked_by_hand():
    # Row 1: e^0 + e^-7 + e^1 + e^-2 + e^-10 + e^12 + e^-9.
    D = np.exp(DECODERS["exponential"](M4, F4))[0]
    e = np.exp
    assert D[1] == pytest.approx(1 + e(-7) + e(1) + e(-2) + e(-10) + e(12) + e(-9))
    assert D[3] == pytest.approx(e(-0.5) + e(-7) + e(-1) + e(-2) + e(10) + 2)
    assert D[0] == pytest.approx(e(-0.5) + 1 + e(1) + e(2) + 1 + e(-12) + e(9))
    assert D.argmin() == 0


def test_hamming_and_loss_based_decoding_differ_on_the_example():
    assert predict(hamming(M4, F4)) != predict(DECODERS["exponential"](M4, F4))


def test_a_ternary_row_of_zeros_is_nearer_than_all_ones():
    M = np.array([[-1, -1, 0, 0, 0], [1, 1, 1, 1, 1]])
    np.testing.assert_array_equal(hamming(M, np.array([[-1.0, -1, 1, 1, 1]])), [[1.5, 2.0]])


def test_a_zero_margin_counts_one_half():
    np.testing.assert_array_equal(hamming(np.array([[1, 1], [-1, 1]]), np.zeros((1, 2))), [[1, 1]])


@pytest.mark.parametrize("name", sorted(LOSSES))
def test_loss_based_distances_are_those_of_equation_5_up_to_the_row(name):
    rng = np.random.default_rng(0)
    M = sparse(6, rng, tries=10)
    F = rng.normal(scale=2, size=(40, M.shape[1])) * (rng.random((40, M.shape[1])) > 0.1)
    plain = np.array([[LOSSES[name](row * f).sum() for row in M] for f in F])
    D = DECODERS[name](M, F)
    D = np.exp(D) if name == "exponential" else D
    shift = (D - plain).mean(axis=1, keepdims=True)
    np.testing.assert_allclose(D - shift, plain, rtol=1e-10, atol=1e-10)


margins = arrays(
    np.float64, (1, 5), elements=st.floats(-1e4, 1e4).map(lambda x: round(x, 3)), unique=True
)


@pytest.mark.parametrize("name", sorted(set(LOSSES) - {"hamming"}))  # its votes often tie
@given(F=margins)
@settings(max_examples=150, deadline=None)
def test_one_vs_all_picks_the_largest_margin_with_every_loss(name, F):
    assert predict(DECODERS[name](one_vs_all(5), F)) == F.argmax()


@pytest.mark.parametrize("name", sorted(DECODERS))
@pytest.mark.parametrize("scale", [1e2, 1e5, 1e100])
def test_huge_margins_neither_overflow_nor_turn_to_nan(name, scale):
    rng = np.random.default_rng(1)
    M, F = all_pairs(4), rng.normal(size=(20, 6)) * scale
    decode = calibrated(name, F, M[np.arange(20) % 4]) if name in CALIBRATED else DECODERS[name]
    D = decode(M, F)
    assert D.shape == (20, 4)
    assert np.isfinite(D).all()


def test_saturated_margins_are_still_told_apart():
    F = np.array([[40.0, 50.0, -60.0]])
    assert LOSSES["l1"](F).tolist() == [[LOSSES["l1"](40.0), LOSSES["l1"](50.0), 1.0]]
    for name in ("l1", "exponential", "logistic"):
        assert predict(DECODERS[name](one_vs_all(3), F)) == [1]


def test_ties_go_to_the_lowest_class_and_are_counted():
    D = np.array([[2.0, 1.0, 1.0], [0.0, 1.0, 2.0], [3.0, 3.0, 3.0]])
    assert predict(D).tolist() == [1, 0, 0]
    assert ties(D) == 2


def test_one_vs_all_with_hamming_ties_when_no_column_says_yes():
    D = hamming(one_vs_all(4), np.array([[-1.0, -2.0, -0.5, -3.0]]))
    assert ties(D) == 1
    assert predict(D) == [0]


def test_loss_means_the_learners_own():
    assert resolve("loss", "hinge") is decoders.hinge
    assert resolve("hamming", "hinge") is hamming
    with pytest.raises(UserError, match="Did you mean 'hinge'"):
        resolve("hinj", "hinge")


def test_likelihood_is_known_by_name_and_asks_for_its_sigmoids():
    decode = resolve("likelihood", "hinge")
    assert decode is CALIBRATED["likelihood"]
    with pytest.raises(ConfigError, match="sigmoids, fitted on held-out margins"):
        decode(all_pairs(3), np.zeros((1, 3)))


# The slides' example: five votes of which red has 1, blue 2, green 2, and yellow 1 of the six.
RED, BLUE, GREEN, YELLOW = range(4)


def margins_of(k, *beats):
    """One example's margins: `(winner, loser, margin)` for each pair."""
    column, sign = pair_columns(all_pairs(k))
    F = np.zeros((1, k * (k - 1) // 2))
    for winner, loser, margin in beats:
        F[0, column[winner, loser]] = margin * sign[winner, loser]
    return F


SLIDES = margins_of(
    4,
    (RED, YELLOW, 1.0),
    (BLUE, RED, 1.0),
    (BLUE, YELLOW, 0.5),
    (GREEN, RED, 3.0),
    (GREEN, BLUE, 0.1),
    (YELLOW, GREEN, 1.0),
)


def test_majority_parts_equal_votes_by_the_summed_margins():
    # Votes 1, 2, 2, 1; sums: blue 1 + .5 - .1 = 1.4, green 3 + .1 - 1 = 2.1.
    D = majority(all_pairs(4), SLIDES)
    assert ties(hamming(all_pairs(4), SLIDES)) == 1
    assert predict(hamming(all_pairs(4), SLIDES)) == [BLUE]
    assert predict(D) == [GREEN]
    sums = np.array([-3.0, 1.4, 2.1, -0.5])
    np.testing.assert_allclose(-D[0], [1, 2, 2, 1] + sums / (3 * (np.abs(sums) + 1)))


def test_majority_scores_are_those_of_scikit_learn():
    rng = np.random.default_rng(3)
    M = all_pairs(
        5
    )  # the first class of a pair has +1; scikit-learn's positive class is the second
    F = rng.normal(scale=3, size=(50, 10))
    expected = _ovr_decision_function((F < 0).astype(int), -F, 5)
    np.testing.assert_allclose(-majority(M, F), expected, rtol=1e-12)
    assert len(np.unique(majority(M, F))) == 250


def test_majority_goes_by_votes_first_whatever_the_margins():
    # class 1: 3/2 votes and -998.9 in sum; class 2: 1 vote, +997.9
    F = margins_of(4, (1, 0, 0.1), (2, 0, 998.0), (2, 1, 0.0), (1, 3, 1.0), (3, 2, 0.1))
    F += margins_of(4, (0, 3, 1.0))
    assert predict(majority(all_pairs(4), F)) == [1]
    huge = margins_of(3, (0, 1, 1e30), (1, 2, 1e30), (2, 0, 2e30))  # sums -1e30, 0, 1e30
    assert np.argsort(majority(all_pairs(3), huge)[0]).tolist() == [2, 1, 0]
    larger = margins_of(3, (0, 1, 1e30), (1, 2, 3e30), (2, 0, 0.5e30))  # 0.5e30, 2e30, -2.5e30
    assert np.argsort(majority(all_pairs(3), larger)[0]).tolist() == [1, 0, 2]


def test_tournament_plays_neighbours_then_the_winners():
    # Blue beats red, yellow beats green; blue beats yellow.
    assert tournament(all_pairs(4), SLIDES).tolist() == [[2, 0, 2, 1]]


def test_an_odd_class_goes_on_without_a_match():
    # 0 beats 1, 3 beats 2, 4 has no match; 3 beats 0, 4 again none; 4 beats 3.
    F = margins_of(5, (0, 1, 1.0), (3, 2, 1.0), (3, 0, 1.0), (4, 3, 1.0), (0, 4, 9.0))
    assert tournament(all_pairs(5), F).tolist() == [[2, 3, 3, 1, 0]]


def test_a_draw_goes_to_the_lower_class():
    F = np.zeros((1, 15))
    assert predict(tournament(all_pairs(6), F)) == [0]
    assert ties(tournament(all_pairs(6), F)) == 0
    assert ties(majority(all_pairs(6), F)) == 1


def knock_out(k, beats):
    """The winner of one example's tournament, in plain loops."""
    left = list(range(k))
    while len(left) > 1:
        pairs = [left[i : i + 2] for i in range(0, len(left), 2)]
        left = [p[0] if len(p) == 1 or beats(p[0], p[1]) else p[1] for p in pairs]
    return left[0]


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7, 11])
def test_votes_and_tournaments_by_plain_loops_for_any_order_and_sign_of_columns(k):
    rng = np.random.default_rng(k)
    ell = k * (k - 1) // 2
    M = (all_pairs(k) * rng.choice([-1, 1], ell))[:, rng.permutation(ell)]
    F = rng.normal(size=(30, ell))
    column, sign = pair_columns(M)
    knocked, voted = tournament(M, F), majority(M, F)
    assert ties(knocked) == ties(voted) == 0
    for f, out, votes in zip(F, knocked, voted, strict=True):
        beats = lambda a, b, f=f: f[column[a, b]] * sign[a, b] > 0  # noqa: E731
        assert predict(out[None]) == [knock_out(k, beats)]
        wins = [sum(beats(a, b) for b in range(k) if b != a) for a in range(k)]
        sums = M @ f
        assert predict(votes[None]) == [max(range(k), key=lambda a: (wins[a], sums[a]))]


@pytest.mark.parametrize("name", sorted(PAIRWISE))
@pytest.mark.parametrize(
    "M",
    [
        one_vs_all(4),
        all_pairs(4)[:, :5],
        all_pairs(4)[:, [0, 0, 1, 2, 3, 4]],  # six pairs, but one of them twice
        np.abs(all_pairs(3)),
    ],
)
def test_votes_and_tournaments_refuse_other_codes(name, M):
    with pytest.raises(
        ConfigError, match=f"{len(M)} classes and {M.shape[1]} columns.*'all_pairs'"
    ):
        DECODERS[name](M, np.ones((1, M.shape[1])))


@pytest.mark.parametrize("loss", ["hinge", "hamming"])
def test_auto_votes_for_all_pairs_takes_the_largest_margin_of_one_vs_all_and_else_the_loss(loss):
    rng = np.random.default_rng(2)
    auto = resolve("auto", loss)
    for M, name in (
        (all_pairs(6), "majority"),
        (one_vs_all(6), "linear"),
        (complete(6), loss),
        (sparse(6, rng, tries=2), loss),
    ):
        F = rng.normal(size=(50, M.shape[1]))
        np.testing.assert_array_equal(auto(M, F), DECODERS[name](M, F))
