"""The tests of the regression check: their level, their power, and single p-values."""

import numpy as np
import pytest
from scipy.stats import norm, t

from ecoc_bench.results.check.tests import (
    holm,
    over_draws,
    over_repeats,
    sign_test,
    two_proportions,
)

# The level and the power, on tables drawn from the model of each test.

SIZES = np.array([214, 336, 376, 462, 1484])


def alarms(make_p, tables=300, entries=20, alpha=0.05):
    """The share of tables of that many entries in which Holm's procedure rejects any.

    It does so if and only if the lowest p is at most alpha / entries.
    """
    rng = np.random.default_rng(1)
    lowest = [min(make_p(rng, SIZES[i % 5]) for i in range(entries)) for _ in range(tables)]
    return np.mean(np.array(lowest) <= alpha / entries)


def paired(rng, n, worse_by=0.0, flips=0.06):
    """A share of the examples changes sides; the surplus of those that get worse is `worse_by`."""
    up = (flips + worse_by) / 2
    return sign_test(rng.choice([1, -1, 0], n, p=[up, flips - up, 1 - flips]))


def fixed_code(rng, n, worse_by=0.0):
    rate = rng.uniform(0.02, 0.6)
    ours, reference = rng.binomial(n, [rate + worse_by, rate]) / n
    return two_proportions(ours, reference, n)


def random_code(rng, n, worse_by=0.0, draws=(3, 3), sd=None):
    """Examples shared by the draws of a side, and a spread over draws as large as their noise."""
    rate = rng.uniform(0.05, 0.6)
    sd = np.sqrt(rate * (1 - rate) / n) if sd is None else sd
    sides = [
        np.clip(rng.binomial(n, mean) / n + rng.normal(0, sd, count), 0, 1)
        for mean, count in zip([rate + worse_by, rate], draws, strict=True)
    ]
    return over_draws(*sides, n)


@pytest.mark.parametrize(
    "make_p",
    [
        paired,
        fixed_code,
        random_code,
        lambda rng, n: random_code(rng, n, draws=(1, 5), sd=0.05),
        lambda rng, n: random_code(rng, n, draws=(2, 2), sd=0.01),
        lambda rng, n: random_code(rng, n, draws=(5, 5), sd=0.03),
    ],
    ids=["paired", "fixed", "random", "one draw against five", "two draws", "five draws"],
)
def test_the_family_wise_level_holds(make_p):
    # 0.05 plus three standard errors of 300 tables.
    assert alarms(make_p) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def test_holm_rejects_step_by_step():
    assert holm([0.03, 0.001, 0.012, 0.5], 0.05).tolist() == [False, True, True, False]
    assert holm([0.013, 0.02, 0.03, 0.5], 0.05).tolist() == [False] * 4
    assert holm([], 0.05).tolist() == []


def test_a_variance_that_left_out_the_spread_over_draws_would_not_hold_the_level():
    """The test of the level can fail: Fisher's test of the mean rates alone raises false alarms."""

    def careless(rng, n):
        rate = rng.uniform(0.05, 0.6)
        sides = rng.binomial(n, rate, 2) / n + rng.normal(0, 0.05, 2)
        return two_proportions(*np.clip(sides, 0, 1), n)

    assert alarms(careless, tables=50) > 0.5


@pytest.mark.parametrize(
    ("make_p", "worse_by", "least"),
    [(paired, 0.04, 0.9), (fixed_code, 0.10, 0.9), (random_code, 0.35, 0.9)],
)
def test_a_worsening_of_that_size_is_found_on_1484_examples(make_p, worse_by, least):
    """One worse entry among 120, at alpha = 0.01: Holm asks it for p below 0.01/120."""
    rng = np.random.default_rng(2)
    p = np.array([make_p(rng, 1484, worse_by) for _ in range(400)])
    assert (p < 0.01 / 120).mean() >= least


def test_p_values_of_single_tests():
    assert sign_test(np.array([1] * 14)) == 2**-14
    assert sign_test(np.array([2, 1, -3, 0, 0])) == 0.5  # an example counts once: 2 against 1
    assert sign_test(np.zeros(5)) == 1
    assert two_proportions(0.5, 0.3, 100) == pytest.approx(0.0029687, rel=1e-4)
    assert over_repeats([0.01]) == 0.01
    assert over_repeats([0.01, 0.03]) == pytest.approx(0.04)
    # Without spread: twice the normal tail. With spread the p of a difference grows.
    none, some = over_draws([0.4, 0.4], [0.3, 0.3], 500), over_draws([0.42, 0.38], [0.3, 0.3], 500)
    assert none == pytest.approx(2 * 0.000457, rel=0.01)
    assert none < some < 0.5
    assert over_draws([0.3, 0.3], [0.4, 0.4], 500) == 1


def test_p_over_draws_is_where_the_two_quantiles_add_up_to_the_difference():
    """Against scipy.stats, for all numbers of draws: quantiles far out in the tail can be wrong."""
    rng = np.random.default_rng(3)
    for freedom in range(1, 60):
        ours, reference = (
            rng.normal(mean, 0.02, count)
            for mean, count in [(0.5, 1 + freedom // 2), (0.35, 1 + (freedom + 1) // 2)]
        )
        p = over_draws(ours, reference, 400)
        middle = (ours.mean() + reference.mean()) / 2
        A = middle * (1 - middle) * 2 / 400
        squares = ((ours - ours.mean()) ** 2).sum() + ((reference - reference.mean()) ** 2).sum()
        B = squares / freedom * (1 / len(ours) + 1 / len(reference))
        bound = norm.isf(p / 2) * np.sqrt(A) + t.isf(p / 2, freedom) * np.sqrt(B)
        assert bound == pytest.approx(ours.mean() - reference.mean(), rel=1e-6)


def test_one_draw_on_each_side_has_no_p():
    with pytest.raises(ValueError, match="one draw on each side"):
        over_draws([0.3], [0.2], 100)
