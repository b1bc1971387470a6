"""Corollary 9.4 as a number: its terms, how it moves, and that it holds on its own sample."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from ecoc_bench.coding.margin_bound import (
    corollary94,
    kernel_radius,
    machine_bound,
    margin_loss,
    margins,
)
from ecoc_bench.joint.crammer_singer import KERNELS, MulticlassSVM, slacks


def test_the_margin_loss_lies_between_two_shares():
    """1[z <= 0] <= Phi_rho(z) <= 1[z <= rho], Eqs. 9.5 and 9.6; a larger rho costs more."""
    z = np.random.default_rng(0).normal(size=500)
    losses = [margin_loss(z, rho) for rho in (0.1, 0.5, 1.0, 3.0)]
    assert losses == sorted(losses)
    for rho, loss in zip((0.1, 0.5, 1.0, 3.0), losses, strict=True):
        assert (z <= 0).mean() <= loss <= (z <= rho).mean()


def test_the_bound_is_equation_9_11():
    z = np.array([-0.5, 0.25, 1.0, 3.0])
    bound = corollary94(z, rho=0.5, k=3, Lambda=2.0, r=1.5, delta=0.1)
    assert bound.margin_loss == pytest.approx((1 + 0.5 + 0 + 0) / 4)
    assert bound.complexity == pytest.approx(4 * 3 * 1.5 * 2.0 / 0.5 / 2)
    assert bound.confidence == pytest.approx(np.sqrt(np.log(10) / 8))
    assert bound.value == sum(bound)


def test_the_bound_falls_with_examples_and_rises_with_norm_radius_classes_and_confidence():
    base = {"rho": 1.0, "k": 3, "Lambda": 2.0, "r": 1.0, "delta": 0.05}
    z = np.full(1000, 0.8)
    value = corollary94(z, **base).value
    assert corollary94(np.tile(z, 2), **base).value < value
    for change in ({"k": 4}, {"Lambda": 3.0}, {"r": 1.1}, {"delta": 0.01}):
        assert corollary94(z, **base | change).value > value
    halved = corollary94(z / 2, **base | {"rho": 0.5, "Lambda": 1.0})  # h/2 is the same classifier
    assert halved.value == pytest.approx(value)


def test_a_machine_errs_less_than_its_margin_loss_and_that_less_than_the_bound():
    X, y = load_iris(return_X_y=True)
    X, y = StandardScaler().fit_transform(X), np.array(["s", "e", "i"])[y]
    for kernel in KERNELS:
        clf = MulticlassSVM(kernel=kernel, random_state=0).fit(X, y)
        bound = machine_bound(clf, X, y)
        slack = slacks(clf.scores(X).T, np.searchsorted(clf.classes_, y)).mean()
        assert 0 < np.mean(clf.predict(X) != y) <= bound.margin_loss <= slack < bound.value
    r = kernel_radius(clf, X)
    assert r == pytest.approx(np.sqrt((X**2).sum(axis=1).max()))  # the last is linear
    assert bound.complexity == pytest.approx(12 * r * clf.weight_norm_ / np.sqrt(150))


@pytest.mark.parametrize(
    ("name", "value"), [("rho", 0.0), ("Lambda", -1.0), ("r", np.inf), ("delta", 1.0), ("delta", 0)]
)
def test_bad_terms_of_the_bound_are_named(name, value):
    terms = {"rho": 1.0, "k": 3, "Lambda": 1.0, "r": 1.0, "delta": 0.05, name: value}
    with pytest.raises(ValueError, match=rf"{name} must .* instead\."):
        corollary94(np.ones(3), **terms)


def test_margins_are_those_of_the_definition():
    rng = np.random.default_rng(1)
    S, y = rng.normal(size=(20, 4)), rng.integers(0, 4, 20)
    each = [s[r] - max(s[c] for c in range(4) if c != r) for s, r in zip(S, y, strict=True)]
    np.testing.assert_allclose(margins(S, y), each)
