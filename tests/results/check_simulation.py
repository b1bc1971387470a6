"""Level and power of `ecoc-bench check`, by simulation: the table in results/README.md.

Honest pairs of runs are made up, and pairs in which one entry has become worse. What is drawn is
the number of mistakes. Of the expected mistakes of a fit half are certain; twice the other half are
examples that a coin decides in every fit. All examples of a fit move together, too, by a normal
shift, whose variance differs from one learner, code and data set to the next by a factor of e. Its
medians are about those of the draws in results/reference and of configs/noise.yaml.

    PYTHONPATH=. python tests/results/check_simulation.py     # prints the table, in minutes
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from ecoc_bench.results.check.pairs import STEADY, Pair
from ecoc_bench.results.check.read import Key, Row
from ecoc_bench.results.check.regression import judge

SIZES = (200, 500, 1500, 4000)  # test examples
DECODERS = 2  # entries that share their fits
# Median variances of the shift, in units of p(1 - p).
RANDOM_CODE, RANDOM_LEARNER, SPLIT = 0.001, 0.0003, 0.0002
ALPHA = 0.01
TABLES = {5: 2000, 20: 500, 100: 200}  # honest pairs of runs, by their number of entries
TRIALS = 100  # pairs of runs in which one entry is worse


@dataclass(frozen=True)
class Scenario:
    """What an honest run draws anew."""

    title: str
    learner: str
    code: str
    draws: int = 1
    split: bool = False  # other splits, too: common to all draws of a side
    flips: float | None = None  # equal seeds: the share of predictions that a rounding changes

    @property
    def steady(self):
        return self.code == "ova" and self.learner in STEADY


def simulated(scenario, entries, rng, worse_by=0.0):
    """The entries of both sides. With `worse_by`, the first one of ours is worse by so many points:
    it has 500 test examples and an error of 20%."""
    pairs = []
    for i in range(entries):
        worse = worse_by if i == 0 else 0.0
        if i % DECODERS == 0:
            n, p = (500, 0.2) if worse else (int(rng.choice(SIZES)), rng.uniform(0.03, 0.5))
            shifts = _shifts(scenario, p, rng)
        key = Key(f"set{i // DECODERS}", scenario.learner, scenario.code, 0, f"decoder{i}")
        if scenario.flips is not None:
            sides = _paired(scenario.flips, p, worse, n, rng)
        else:
            rates = p + shifts + np.array([[worse / 100], [0.0]])
            sides = [_counted(rates[j], n, rng, j * scenario.split) for j in (0, 1)]
        fixed = scenario.code == "ova"
        pairs.append(Pair(key, *sides, fixed, scenario.steady, scenario.flips is not None))
    return pairs


def _shifts(scenario, p, rng):
    """How far each fit of both sides is from its expected rate; steady ones move with the split."""
    unit = np.exp(rng.normal(0, 1)) * p * (1 - p)
    drawn = RANDOM_CODE if scenario.code == "dense" else RANDOM_LEARNER
    own = np.sqrt(unit * drawn * (not scenario.steady))
    common = np.sqrt(unit * SPLIT * scenario.split)
    return rng.normal(0, own, (2, scenario.draws)) + rng.normal(0, common, (2, 1))


def _counted(rates, n, rng, split):
    """The rows of one side, a draw each."""
    expected = np.round(n * np.clip(rates, 0, 0.95)).astype(int)
    errors = expected // 2 + rng.binomial(expected, 0.5)
    return {(d, 0, 0): Row(5, n, int(e), f"split {split}", None) for d, e in enumerate(errors)}


def _paired(flips, p, worse_by, n, rng):
    """The same examples on both sides: some predictions change, as many for better as for worse,
    and `worse_by` points more for worse."""
    wrong = rng.random(n) < p
    chance = np.where(wrong, flips / 2 / p, (flips / 2 + worse_by / 100) / (1 - p))
    changed = wrong ^ (rng.random(n) < chance)
    return [{(0, 0, 0): _row(mistakes)} for mistakes in (changed, wrong)]


def _row(wrong):
    return Row(5, len(wrong), int(wrong.sum()), "same", np.packbits(wrong).tobytes().hex())


SCENARIOS = (
    Scenario("equal seeds, no prediction flips", "svm", "ova", flips=0.0),
    Scenario("equal seeds, 2% of predictions flip", "svm", "ova", flips=0.02),
    Scenario("equal seeds, 5% of predictions flip", "svm", "ova", flips=0.05),
    Scenario("steady learner, fixed code, other splits", "svm", "ova", split=True),
    Scenario("random learner, fixed code, one fit", "forest", "ova"),
    Scenario("the same, other splits", "forest", "ova", split=True),
    *(
        Scenario(f"random code, {draws} draw{'s' * (draws > 1)}", "svm", "dense", draws)
        for draws in (1, 2, 3, 5, 10)
    ),
    *(
        Scenario(f"random code, {draws} draws, other splits", "svm", "dense", draws, split=True)
        for draws in (3, 10)
    ),
)


def level(scenario, entries, tables, alpha=ALPHA):
    """The share of honest pairs of runs in which any entry is called a regression."""
    rng = np.random.default_rng([1, entries])
    return np.mean([bool(_alarms(scenario, entries, rng, alpha)) for _ in range(tables)])


def power(scenario, entries, trials, worse_by, alpha=ALPHA):
    """How often one entry that is worse is called a regression."""
    rng = np.random.default_rng([2, entries])
    return np.mean(
        ["decoder0" in _alarms(scenario, entries, rng, alpha, worse_by) for _ in range(trials)]
    )


def best_power(scenario, worse_by, alpha=ALPHA):
    """How often the entry is seen if it is the only one. With equal seeds the sign test is the
    uniformly most powerful unbiased one, so that no other test sees more."""
    worse, better = np.arange(1, 401)[:, None], np.arange(101)[None]
    flips = scenario.flips / 2
    chance = binom.pmf(worse, 400, (flips + worse_by / 100) / 0.8) * binom.pmf(
        better, 100, flips / 0.2
    )
    return chance[binom.sf(worse - 1, worse + better, 0.5) <= alpha].sum()


def _alarms(scenario, entries, rng, alpha, worse_by=0.0):
    found = judge(simulated(scenario, entries, rng, worse_by), alpha)
    return {entry.key.decoder for entry in found if entry.verdict == "regression"}


def table():
    """In percent: the level, and the power for an entry that is worse by 5, 10 and 20 points."""
    head = ["honest runs differ by", "any alarm", "+5 seen", "at best", "+10 seen", "+20 seen"]
    lines = [head, ["---"] * len(head)]
    for scenario in SCENARIOS:
        levels = [f"{100 * level(scenario, m, n):.1f}" for m, n in TABLES.items()]
        five, *more = (
            [f"{100 * power(scenario, m, TRIALS, worse_by):.0f}" for m in TABLES]
            for worse_by in (5, 10, 20)
        )
        best = [] if scenario.flips is None else [f"{100 * best_power(scenario, 5):.0f}"]
        cells = (levels, five, best, *more)
        lines.append([scenario.title, *(", ".join(cell) for cell in cells)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    print(table(), end="")
