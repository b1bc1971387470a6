"""The tests of the regression check: single p-values, what is borrowed, level and power."""

import re

import check_simulation
import numpy as np
import pytest
import refit_noise
from check_simulation import SCENARIOS, best_power, level, power
from runs import ran
from scipy.stats import binomtest, norm, t
from statsmodels.stats.multitest import multipletests

from ecoc_bench.files import PACKAGE
from ecoc_bench.learners import LEARNERS, learner_class
from ecoc_bench.results.check.noise import BORROWED, RANDOM_LEARNER, RETRAINING, Spreads
from ecoc_bench.results.check.pairs import STEADY, Pair
from ecoc_bench.results.check.read import Key, Row
from ecoc_bench.results.check.regression import judge
from ecoc_bench.results.check.tests import (
    holm,
    over_repeats,
    refitted,
    shares,
    sign_test,
    two_proportions,
)


def test_holm_rejects_step_by_step():
    assert holm([0.03, 0.001, 0.012, 0.5], 0.05, np.ones(4)).tolist() == [False, True, True, False]
    assert holm([0.013, 0.02, 0.03, 0.5], 0.05, np.ones(4)).tolist() == [False] * 4
    assert holm([], 0.05, np.ones(0)).tolist() == []
    rng = np.random.default_rng(0)
    for _ in range(3):
        p = rng.random(rng.integers(1, 30)) ** 4
        due = multipletests(p, 0.1, method="holm")[0]
        assert holm(p, 0.1, np.ones(len(p))).tolist() == due.tolist()


def test_holm_divides_alpha_by_weights():
    """3/4, 1/4 and nothing; once the first is rejected, the second has all of it."""
    weights = np.array([3.0, 1.0, 0.0])
    assert holm([0.0375, 0.04, 0.0], 0.05, weights).tolist() == [True, True, False]
    assert holm([0.0376, 0.013, 0.0], 0.05, weights).tolist() == [False, False, False]
    assert holm([0.0, 0.0], 0.05, np.zeros(2)).tolist() == [False, False]


def test_alpha_goes_where_predictions_changed():
    """Half of it in equal parts, half by the fourth power; none where no alarm is possible."""
    changed, can_alarm = np.array([0.02, 0.04, 0.001, np.nan]), np.array([True, True, False, True])
    expected = [0.5 + 1 / 17, 0.5 + 16 / 17, 0, 1]
    np.testing.assert_allclose(shares(changed, can_alarm), expected)
    np.testing.assert_array_equal(shares(np.array([np.nan]), np.array([True])), [1])


def paired(name, worse, better, n=500):
    """An entry of equal seeds: so many examples that only we, and only the reference, mistake."""
    ours, reference = np.zeros((2, n), dtype=bool)
    ours[:worse], reference[worse : worse + better] = True, True
    rows = [
        {(0, 0, 0): Row(3, n, int(w.sum()), "same", np.packbits(w).tobytes().hex())}
        for w in (ours, reference)
    ]
    return Pair(Key(name, "svm", "ova", 0, "loss"), *rows, True, True, True)


def test_entries_that_hardly_changed_cost_no_power():
    """16 of 17 changes for worse: p = 0.00014, which is more than 0.01 / 100."""
    quiet = [paired(f"quiet{i}", 3, 3) for i in range(99)]
    found = {e.key.dataset: e.verdict for e in judge([paired("worse", 16, 1), *quiet], 0.01)}
    assert found.pop("worse") == "regression"
    assert set(found.values()) == {"drift"}


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
    for code, n, least in [
        ("dense", 1000, RETRAINING), ("dense", 50, 1 / 50),
        ("ova", 1000, 2 / 1000 + RANDOM_LEARNER), ("ova", 50, 2 / 50 + RANDOM_LEARNER),
    ]:  # fmt: skip
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
    monkeypatch.setattr("ecoc_bench.results.check.noise.RANDOM_LEARNER", 0.0)
    monkeypatch.setattr(check_simulation, "RANDOM_LEARNER", 0.005)
    forest = next(s for s in SCENARIOS if s.learner == "forest")
    assert level(forest, 20, 60, alpha=0.05) > 0.3


@pytest.mark.parametrize(
    ("title", "entries", "worse_by"),
    [
        ("equal seeds, no prediction flips", 100, 5),
        ("equal seeds, 2% of predictions flip", 5, 5),
        ("equal seeds, 2% of predictions flip", 20, 5),
        ("equal seeds, 2% of predictions flip", 100, 5),
        ("steady learner, fixed code, other splits", 5, 20),
        ("random learner, fixed code, one fit", 5, 20),
        ("random code, 3 draws", 5, 20),
    ],
)
def test_a_worse_entry_is_seen(title, entries, worse_by):
    scenario = next(s for s in SCENARIOS if s.title == title)
    assert power(scenario, entries, 60, worse_by) >= 0.9


def test_no_unbiased_test_sees_five_points_in_90_percent_if_5_percent_flip():
    """Not even if the entry is the only one; by simulation, the exact power is right."""
    two, five = (next(s for s in SCENARIOS if s.flips == flips) for flips in (0.02, 0.05))
    assert best_power(five, 5) < 0.9 < best_power(two, 5)
    for scenario in (two, five):
        assert power(scenario, 1, 500, 5) == pytest.approx(best_power(scenario, 5), abs=0.05)


def block(name):
    """What results/README.md has between two of its marks."""
    text = (PACKAGE.parent / "results" / "README.md").read_text()
    return re.search(f"<!-- {name} -->\n(.*?)<!-- {name} -->", text, re.DOTALL)[1]


def test_more_noise_is_assumed_of_single_fits_than_was_measured():
    cells = re.findall(r"([0-9.]+) of ([0-9.]+)", block("refits"))
    assert len(cells) == 40
    assert all(float(seen) <= float(due) for seen, due in cells)


@pytest.mark.long
def test_the_table_of_measured_noise_is_that_of_its_config(tmp_path):
    ran((PACKAGE.parent / "configs" / "noise.yaml").read_text(), tmp_path, "--no-report")
    assert block("refits") == refit_noise.table(refit_noise.variances(tmp_path / "out"))


@pytest.mark.long
def test_the_table_of_level_and_power_is_that_of_the_simulation():
    assert block("check") == check_simulation.table()
