"""The tests of the regression check: single p-values, what is borrowed, level and power."""

import re

import check_simulation
import numpy as np
import pytest
from check_simulation import SCENARIOS, level, power
from scipy.stats import binomtest, norm, t
from statsmodels.stats.multitest import multipletests

from ecoc_bench.files import PACKAGE
from ecoc_bench.learners import LEARNERS, learner_class
from ecoc_bench.results.check.noise import BORROWED, RETRAINING, Spreads
from ecoc_bench.results.check.pairs import STEADY, Pair
from ecoc_bench.results.check.read import Key, Row
from ecoc_bench.results.check.tests import (
    holm,
    over_repeats,
    refitted,
    sign_test,
    two_proportions,
)


def test_holm_rejects_step_by_step():
    assert holm([0.03, 0.001, 0.012, 0.5], 0.05).tolist() == [False, True, True, False]
    assert holm([0.013, 0.02, 0.03, 0.5], 0.05).tolist() == [False] * 4
    assert holm([], 0.05).tolist() == []
    rng = np.random.default_rng(0)
    for _ in range(3):
        p = rng.random(rng.integers(1, 30)) ** 4
        assert holm(p, 0.1).tolist() == multipletests(p, 0.1, method="holm")[0].tolist()


def test_p_values_of_single_tests():
    assert sign_test(np.array([1] * 14)) == 2**-14
    assert sign_test(np.array([2, 1, -3, 0, 0])) == 0.5  # an example counts once: 2 against 1
    assert sign_test(np.zeros(5)) == 1
    many = binomtest(300, 500, alternative="greater").pvalue
    assert sign_test(np.repeat([1, -1], [300, 200])) == pytest.approx(many)
    assert two_proportions(0.5, 0.3, 100) == pytest.approx(0.0029687, rel=1e-4)
    assert over_repeats([0.01]) == 0.01
    assert over_repeats([0.01, 0.03]) == pytest.approx(0.04)
    assert refitted(0.1, 0.0025, np.inf) == pytest.approx(norm.sf(2))
    assert refitted(0.1, 0.0025, 4) == pytest.approx(t.sf(2, 4))
    assert refitted(0.0, 0.0, 4) == refitted(-0.1, 0.01, 4) == 1


def pair(name, ours, reference, n=1000, code="dense", split=True, axis=0):
    """An entry with these numbers of errors, one for each draw (or repeat, if axis is 1)."""
    sides = [
        {
            (i, 0, 0) if axis == 0 else (0, i, 0): Row(3, n, e, f"{j * split}", None)
            for i, e in enumerate(errors)
        }
        for j, errors in enumerate((ours, reference))
    ]
    return Pair(Key(name, "forest", code, 0, "loss"), *sides, code == "ova", False, False)


def test_the_noise_of_one_fit_on_each_side_is_assumed():
    for n, least in [(1000, RETRAINING), (50, 1 / 50)]:
        for code in ("ova", "dense"):
            entry = pair("a", [n // 5], [n // 5], n, code)
            assert Spreads([entry]).noise(entry) == (pytest.approx(2 * 0.16 * least), np.inf)


def test_the_noise_of_several_draws_is_their_spread():
    """With other splits, that of independent examples is added; with repeats it is seen."""
    draws = [190, 200, 210], [200, 200, 200]
    s2 = 2 * 0.01**2 / 4 * 2 / 3
    same, other = (pair("a", *draws, split=split) for split in (False, True))
    assert Spreads([same]).noise(same) == (pytest.approx(s2), 4)
    assert Spreads([other]).noise(other) == (pytest.approx(s2 + 2 * 0.16 / 1000), 4)
    repeats = pair("a", *draws, code="ova", axis=1)
    assert Spreads([repeats]).noise(repeats) == (pytest.approx(s2), 4)


def test_a_spread_is_averaged_with_that_of_other_fits_and_never_lowered():
    calm = pair("calm", [200, 200, 200], [200, 200, 200], split=False)
    wild = pair("wild", [180, 200, 220], [200, 200, 200], split=False)
    both = Spreads([calm, wild])
    own = 2 * 0.02**2 / 4
    variance, freedom = both.noise(calm)
    assert freedom == 4 + BORROWED
    assert variance == pytest.approx((4 * own + 4 * 0.25e-6) / 8 * 2 / 3, rel=1e-3)
    assert both.noise(wild) == (pytest.approx(own * 2 / 3), 8)


def test_equal_draws_are_not_taken_for_certainty():
    """At least the variance of one example that a coin decides."""
    entry = pair("a", [3, 3, 3], [2, 2, 2], split=False)
    variance, freedom = Spreads([entry]).noise(entry)
    assert variance == pytest.approx(0.25e-6 * 2 / 3)
    assert refitted(0.001, variance, freedom) > 0.01


def test_steady_learners_are_those_that_take_no_seed():
    steady = [
        name
        for name in LEARNERS
        if name != "sklearn" and not learner_class(name)().takes("random_state")
    ]
    assert sorted(steady) == sorted(STEADY)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.title)
def test_the_family_wise_level_holds(scenario):
    """Of 5 entries, at the level of 5% to need few tables: below 1.5 times it, and three standard
    errors."""
    tables = 150
    error = np.sqrt(0.075 * 0.925 / tables)
    assert level(scenario, 5, tables, alpha=0.05) <= 0.075 + 3 * error


def test_the_noise_of_the_examples_alone_would_not_hold_the_level(monkeypatch):
    """The test of the level can fail: forests move all their examples together."""
    monkeypatch.setattr("ecoc_bench.results.check.noise.RETRAINING", 0.0)
    monkeypatch.setattr(check_simulation, "SHIFT", 0.005)
    forest = next(s for s in SCENARIOS if s.learner == "forest")
    assert level(forest, 20, 60, alpha=0.05) > 0.3


@pytest.mark.parametrize(
    ("title", "worse_by"),
    [("equal seeds, 2% of predictions flip", 5), ("random code, 3 draws", 20)],
)
def test_a_worse_entry_is_seen(title, worse_by):
    scenario = next(s for s in SCENARIOS if s.title == title)
    assert power(scenario, 5, 60, worse_by) >= 0.9


@pytest.mark.long
def test_the_table_of_level_and_power_is_that_of_the_simulation():
    text = (PACKAGE.parent / "results" / "README.md").read_text()
    block = re.search(r"<!-- check -->\n(.*?)<!-- check -->", text, re.DOTALL)
    assert block[1] == check_simulation.table()
