"""Decoding at huge margins compared with arithmetic of 300 digits and more."""

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from functools import cache

import numpy as np
import pytest

from ecoc_bench.coding.codes import all_pairs, dense, one_vs_all, sparse
from ecoc_bench.coding.decoders import DECODERS, exponential, l1, predict, ties

LIMITS = {"Emin": MIN_EMIN, "Emax": MAX_EMAX}
ROUNDED = Context(prec=300, **LIMITS)
LONG = {
    "exponential": lambda z: long_exp(-z),
    "l1": lambda z: 1 / (1 + long_exp(z) ** 2),
    "square": lambda z: (1 - z) ** 2,
    "logistic": lambda z: (1 + long_exp(-z) ** 2).ln(),
    "hinge": lambda z: max(1 - z, Decimal(0)),
    "linear": lambda z: -z,
}


@cache
def long_exp(z):
    """e^z to 350 digits: the most work of these tests, so once for z, -z and twice that."""
    return z.exp() if z >= 0 else 1 / long_exp(-z)


def long_distances(name, M, f):
    """The sums of Eq. 5, to 300 digits."""
    with localcontext(Context(prec=350, **LIMITS)):
        at = {m: [LONG[name](m * Decimal(x)) for x in f.tolist()] for m in (-1, 0, 1)}
        return [ROUNDED.plus(sum(at[m][s] for s, m in enumerate(row))) for row in M.tolist()]


def code(name, rng):
    random = {"dense": dense, "sparse": sparse}
    fixed = {"ova": one_vs_all, "all_pairs": all_pairs}
    return random[name](10, rng, tries=5) if name in random else fixed[name](10)


def assert_exact(name, M, F):
    """The whole order of the classes, and their ties, are those of the long sums."""
    for f, d in zip(F, DECODERS[name](M, F), strict=True):
        sums = long_distances(name, M, f)
        ranks = [sorted(sums).index(x) for x in sums]
        assert [sorted(d).index(x) for x in d] == ranks


@pytest.mark.parametrize("family", ["ova", "all_pairs", "dense", "sparse"])
@pytest.mark.parametrize("scale", [3, 20, 80])
@pytest.mark.parametrize("name", ["exponential", "l1"])
def test_the_order_is_that_of_300_digits(name, scale, family):
    rng = np.random.default_rng(scale)
    M = code(family, rng)
    # Sums of 300 digits hide what is 690 below the largest exponent, so |margins| stay below 340.
    assert_exact(name, M, rng.normal(scale=scale, size=(12, M.shape[1])).clip(-330, 330))


@pytest.mark.parametrize("name", ["square", "logistic", "hinge", "linear"])
def test_sums_that_grow_like_the_margins_swallow_nothing(name):
    rng = np.random.default_rng(5)
    M = code("sparse", rng)
    assert_exact(name, M, rng.normal(scale=80, size=(6, M.shape[1])))


@pytest.mark.parametrize("name", ["exponential", "l1"])
@pytest.mark.parametrize("family", ["ova", "all_pairs", "dense", "sparse"])
def test_equal_margins_tie_only_where_the_classes_do(name, family):
    rng = np.random.default_rng(8)
    M = code(family, rng)
    F = rng.choice([-90.0, -25.0, -0.5, 0.0, 0.5, 25.0, 90.0], size=(12, M.shape[1]))
    assert_exact(name, M, F)


def test_no_ties_and_the_right_class_at_margins_of_80():
    rng = np.random.default_rng(0)
    M = dense(10, rng, tries=20)
    F = rng.normal(scale=80, size=(200, M.shape[1]))
    D = exponential(M, F)
    assert ties(D) == 0
    shared = [np.argmin(long_distances("exponential", M, f)) for f in F[:40].clip(-330, 330)]
    assert predict(D)[:40].tolist() == shared


def test_sums_that_agree_to_16_digits_are_told_apart():
    """e^x + e^-60 and 1 + 1, where x is log 2 to rounding, a little below it or above."""
    M, below = np.array([[-1, 1], [0, 0]]), np.log(2.0)
    F = np.array([[below, 60.0], [np.nextafter(below, 1), 60.0]])
    assert predict(exponential(M, F)).tolist() == [0, 1]
    assert_exact("exponential", M, F)


def test_margins_beyond_any_exponent_are_ordered():
    F = np.array([[1e300, -1e300, 5.0, 4.0], [1e5, 1e5 + 1, -3.0, 0.0]])
    M = np.array([[1, -1, 1, 1], [1, -1, -1, 1], [1, -1, 1, -1], [-1, 1, 1, 1]])
    for decode in (exponential, l1):
        order = np.argsort(decode(M, F), axis=1)
        assert order[0].tolist() == [0, 2, 1, 3]
