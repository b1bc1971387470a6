"""Theorem 9.2 and Corollary 9.4 as numbers: their terms, how they move, and where they are void."""

from math import log, sqrt

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from ecoc_bench.coding.margin_bound import (
    Norms,
    cell_margin_bounds,
    corollary94,
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


def by_the_book(z, rho, k, Lambda, squares, delta):
    """Eqs. 9.10 and 9.11 in plain loops, from K(x, x) of every example."""
    m = len(z)
    loss = sum(min(1.0, max(0.0, 1.0 - one / rho)) for one in z) / m
    of_sample = Lambda / m * sqrt(sum(squares))  # the last line but one of Proposition 9.3
    largest = sqrt(max(squares) * Lambda**2 / m)
    confidence = sqrt(log(1 / delta) / (2 * m))
    return [loss + 4 * k / rho * complexity + confidence for complexity in (of_sample, largest)]


@pytest.mark.parametrize("kernel", [*KERNELS])
def test_a_machine_tells_what_its_bound_needs(kernel):
    X, y = load_iris(return_X_y=True)
    X, y = StandardScaler().fit_transform(X)[::2], np.array(["s", "e", "i"])[y][::2]
    clf = MulticlassSVM(kernel=kernel, random_state=0).fit(X, y)
    labels, squares = np.searchsorted(clf.classes_, y), clf.kernel_matrix(X, X).diagonal()
    np.testing.assert_allclose(clf.score_margins_, margins(clf.scores(X), labels), atol=1e-9)
    assert clf.norms_.Lambda == clf.weight_norm_
    rows = list(cell_margin_bounds(clf.score_margins_, 3, clf.norms_, (0.5, 1.0, 40.0), 0.1))
    for row in rows:
        theorem, corollary = by_the_book(
            clf.score_margins_.tolist(), row["rho"], 3, clf.weight_norm_, squares.tolist(), 0.1
        )
        assert row["theorem92"] == pytest.approx(theorem, rel=1e-5)
        assert row["corollary94"] == pytest.approx(corollary, rel=1e-5)
        assert row["void"] == ("none", "corollary94", "both")[(theorem > 1) + (corollary > 1)]
    slack = slacks(clf.scores(X).T, labels).mean()
    loss = rows[1]["margin_loss"]  # at rho = 1 it is at most the mean slack of Eq. 9.12
    assert np.mean(clf.predict(X) != y) <= loss <= slack + 1e-6 < rows[1]["corollary94"]


def test_a_bound_that_says_something_is_not_void_and_the_theorems_is_the_lower_one():
    z, norms = np.full(1000, 2.0), Norms(Lambda=1.0, r=2.0, r_mean=0.5)
    rows = list(cell_margin_bounds(z, 3, norms, (2.0, 0.4, 0.01), 0.05))
    assert [row["void"] for row in rows] == ["none", "corollary94", "both"]
    assert all(row["theorem92"] < row["corollary94"] for row in rows)


def test_a_machine_of_norm_zero_has_no_complexity():
    bound = corollary94(np.zeros(10), rho=1.0, k=3, Lambda=0.0, r=1.0, delta=0.05)
    assert (bound.margin_loss, bound.complexity) == (1.0, 0.0)


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
