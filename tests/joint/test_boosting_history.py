"""Margins, cost and training error over the rounds: Eqs. 2, 3, 5 and 7 of Sun et al. 2005."""

import numpy as np
import oracles_joint as oracles
import pytest
from problems import STUMP, draw, table

from ecoc_bench.joint.boosting import AdaBoostECC, AdaBoostOC, AdaBoostSECC
from ecoc_bench.results.catalogue import ROUNDS

METHODS = {"ecc": AdaBoostECC, "secc": AdaBoostSECC, "oc": AdaBoostOC}


@pytest.mark.parametrize("decoder", ["vote", "loss"])
@pytest.mark.parametrize("name", METHODS)
def test_the_history_is_that_of_plain_loops(name, decoder):
    X, y, _ = draw(3, k=4)
    clf = METHODS[name](STUMP, rounds=7, decoder=decoder, random_state=1).fit(X, y)
    told = clf.history_
    assert set(told) == {*ROUNDS} - {"oob_error"}
    F, errors = clf.margins(X).tolist(), [(h != y).mean() for h in clf.staged_predict(X)]
    for t in range(7):
        columns = clf.code_matrix_[:, : t + 1].T.tolist()
        part = [f[: t + 1] for f in F]
        G = oracles.cost(y.tolist(), columns, part)
        rho = oracles.margins(y.tolist(), columns, part, sum(clf.alphas_[: t + 1]))
        np.testing.assert_allclose(told["cost"][t], G, rtol=1e-9)
        np.testing.assert_allclose(told["bound"][t], G / len(y), rtol=1e-9)
        found = [told[f"margin_{of}"][t] for of in ("min", "median", "mean")]
        expected = [min(rho), np.median(rho), np.mean(rho)]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(told["train_error"], errors, atol=1e-12)
    np.testing.assert_array_equal(told["round"], range(1, 8))
    np.testing.assert_array_equal(told["step"], clf.alphas_)
    np.testing.assert_array_equal(told["round_error"], clf.errors_)


def test_section_3_the_cost_falls_and_bounds_the_error_and_margins_grow():
    X, y = table("glass")
    for method in METHODS.values():
        told = method(STUMP, rounds=60, random_state=0).fit(X, y).history_
        assert (np.diff(told["cost"]) < 0).all()
        assert (told["train_error"] <= told["bound"]).all()
        assert told["margin_mean"][-1] > told["margin_mean"][0]
        assert told["train_error"][-1] < told["train_error"][0]


def test_with_weights_the_error_and_its_bound_are_weighted():
    X, y, _ = draw(5, k=3)
    weight = np.random.default_rng(0).uniform(0.2, 3, len(y))
    clf = AdaBoostECC(STUMP, rounds=6, random_state=0).fit(X, y, weight)
    for labels, error in zip(clf.staged_predict(X), clf.history_["train_error"], strict=True):
        np.testing.assert_allclose(error, weight[labels != y].sum() / weight.sum())
    scores = clf.decision_function(X)
    terms = np.exp(scores - scores[np.arange(len(y)), y, None]).sum(axis=1) - 1
    np.testing.assert_allclose(clf.history_["bound"][-1], weight @ terms / weight.sum())
