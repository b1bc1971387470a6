import numpy as np
import pytest

from ecoc_bench.coding.losses import LOSSES

Z = np.linspace(-6, 6, 241)


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("exponential", np.exp(-Z)),
        ("l1", 1 / (1 + np.exp(2 * Z))),
        ("square", (1 - Z) ** 2),
        ("logistic", np.log(1 + np.exp(-2 * Z))),
        ("hinge", np.where(Z < 1, 1 - Z, 0)),
        ("squared_hinge", np.where(Z < 1, (1 - Z) ** 2, 0)),
        ("modified_huber", np.where(Z < -1, -4 * Z, np.where(Z < 1, (1 - Z) ** 2, 0))),
        ("hamming", np.where(Z < 0, 1.0, np.where(Z > 0, 0.0, 0.5))),
        ("linear", -Z),
    ],
)
def test_the_losses_are_those_of_their_formulas(name, formula):
    np.testing.assert_allclose(LOSSES[name](Z), formula, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", sorted(set(LOSSES) - {"linear"}))
def test_equation_7_holds_for_every_loss_but_the_linear(name):
    L = LOSSES[name]
    assert (((L(Z) + L(-Z)) / 2) >= L(0.0) - 1e-12).all()
    assert L(0.0) > 0


@pytest.mark.parametrize("name", ["l1", "logistic", "hinge", "modified_huber"])
def test_no_overflow(name):
    assert np.isfinite(LOSSES[name](np.array([-1e300, 1e300]))).all()
