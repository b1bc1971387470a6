"""How far the error of an entry moves between honest runs that fit it anew.

A run with another seed draws other codes and splits, and other random numbers for the learner.
Several draws or repeats show by their spread how much that matters; a few of them show it badly, so
their spread is averaged with that of the other entries. Where nothing shows it, a variance is
assumed. Rates are in units of one; variances of a rate p are in units of p(1 - p) where said.
"""

from collections import defaultdict
from collections.abc import Container, Sequence
from typing import NamedTuple

import numpy as np

from .pairs import Pair, rates
from .read import Key

# Variances of a single fit over seeds, in units of p(1 - p), chosen after measurement
# (results/README.md has a table). Random codes: of the entries of several draws in the references
# about 95% have less, the most is 0.03; networks that are stopped early have up to 0.1. It is a
# standard deviation of 3 points at an error of 10%, 4 at 20%, 5 at 50%.
RETRAINING = 0.01
# Fixed codes, besides the noise of the examples: another split of a learner that draws nothing, and
# a learner that draws random numbers. configs/noise.yaml shows no more.
RESPLIT = 0.001
RANDOM_LEARNER = 0.002
# What the spread of the other entries is worth, in degrees of freedom: the logarithms of the
# spreads over five draws in results/reference vary about as if they had so many.
BORROWED = 4
DRAW, REPEAT = 0, 1
Fits = tuple[str, str, str]  # entries that differ only in decoder and stage share their fits


class Noise(NamedTuple):
    """The variance of a difference of two rates; infinite freedom if all of it was assumed."""

    variance: float
    freedom: float


class Spread(NamedTuple):
    """The variance of a rate over draws or repeats, pooled over both sides."""

    variance: float
    freedom: int
    weight: float  # of this variance in that of the difference of the two means


def spread(pair: Pair, axis: int) -> Spread | None:
    """The spread about the mean of each side; None if both have a single draw or repeat.

    It is at least that of one example that a coin decides: a few draws may agree by chance.
    """
    sides = [rates(rows, axis) for rows in (pair.ours, pair.reference)]
    freedom = sum(len(side) - 1 for side in sides)
    if not freedom:
        return None
    squares = sum(len(side) * float(np.var(side)) for side in sides if len(side) > 1)
    weight = sum(1 / len(side) for side in sides)
    return Spread(max(squares / freedom, 0.25 / pair.n_test**2), freedom, weight)


class Spreads:
    """The spreads of all entries, so that each can borrow from the others."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._means = [self._of(pairs, axis) for axis in (DRAW, REPEAT)]
        self._totals = [sum(means.values()) for means in self._means]

    @staticmethod
    def _of(pairs: Sequence[Pair], axis: int) -> dict[Fits, float]:
        """The mean spread of the entries of each fit, in units of p(1 - p)."""
        found: dict[Fits, list[float]] = defaultdict(list)
        for pair in pairs:
            seen, unit = spread(pair, axis), _unit(pair)
            if seen and unit:
                found[_fits(pair.key)].append(seen.variance / unit)
        return {fits: sum(values) / len(values) for fits, values in found.items()}

    def noise(self, pair: Pair) -> Noise:
        """The variance of ours minus the reference's: what is seen, and what must be assumed."""
        axes = (REPEAT,) if pair.fixed else (DRAW, REPEAT)
        seen = {axis: found for axis in axes if (found := spread(pair, axis))}
        noises = [self._borrowed(pair, axis, own) for axis, own in seen.items()]
        variance = 2 * _unit(pair) * assumed(pair, seen) + sum(noise.variance for noise in noises)
        return Noise(variance, min((noise.freedom for noise in noises), default=np.inf))

    def _borrowed(self, pair: Pair, axis: int, own: Spread) -> Noise:
        """The spread of an entry, averaged with the others' but never below its own."""
        means, fits = self._means[axis], _fits(pair.key)
        others = len(means) - (fits in means)
        worth = min(BORROWED, others * own.freedom)
        variance = own.variance
        if worth:
            mean = _unit(pair) * (self._totals[axis] - means.get(fits, 0.0)) / others
            averaged = (worth * mean + own.freedom * variance) / (worth + own.freedom)
            variance = max(variance, averaged)
        return Noise(variance * own.weight, own.freedom + worth)


def assumed(pair: Pair, seen: Container[int]) -> float:
    """The variance over fits of each side that no spread shows, in units of p(1 - p).

    Where draws show all but the split, it is that of independent examples: all of them are tested
    on both sides, and few of them depend on the split.
    """
    if REPEAT in seen and (pair.fixed or DRAW in seen):
        return 0.0
    if DRAW in seen:
        return 0.0 if pair.same_examples else 1 / pair.n_test
    return refit(pair)


def refit(pair: Pair) -> float:
    """What is assumed of a single fit, in units of p(1 - p)."""
    alone = 1 / pair.n_test
    if not pair.fixed:
        return max(alone, RETRAINING)
    return alone + RESPLIT if pair.steady else 2 * alone + RANDOM_LEARNER


def single(pair: Pair) -> Noise:
    """The noise of one fit on each side."""
    return Noise(2 * _unit(pair) * refit(pair), np.inf)


def _unit(pair: Pair) -> float:
    p = sum(pair.errors) / 2
    return p * (1 - p)


def _fits(key: Key) -> Fits:
    return key.dataset, key.learner, key.code
