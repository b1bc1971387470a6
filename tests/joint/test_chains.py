"""Structured prediction on chains, against brute force, finite differences and crfsuite."""

import warnings

import numpy as np
import oracles_chains as oracles
import pytest
from parts import called
from scipy.optimize import approx_fprime
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench.joint.chains import _inference as inference
from ecoc_bench.joint.chains._frank_wolfe import worst_violations
from ecoc_bench.joint.chains.base import Problem, chained
from ecoc_bench.joint.chains.crf import ConditionalRandomField, Objective
from ecoc_bench.joint.chains.max_margin import Dual, MaxMarginMarkovNetwork, StructuralSVM
from ecoc_bench.joint.crammer_singer import MulticlassSVM

STARTS = np.array([0, 4, 5, 8])


def draw(seed, k=3, scale=1.0):
    """Scores of chains of 4, 1 and 3 positions, transitions and labels."""
    rng = np.random.default_rng(seed)
    return (
        scale * rng.normal(size=(STARTS[-1], k)),
        scale * rng.normal(size=(k, k)),
        rng.integers(0, k, STARTS[-1]),
    )


def problem(seed, C=1.0, n=40, k=3, d=4):
    """Chains of 1 to 5 rows whose labels follow the one before, and inputs near their label."""
    rng = np.random.default_rng(seed)
    starts = np.unique(np.concatenate([[0, n], rng.integers(0, n, n // 3)]))
    y = (np.arange(n) + rng.integers(0, 2, n)) % k
    X = np.column_stack([np.eye(k, d)[y] + 0.7 * rng.normal(size=(n, d)), np.ones(n)])
    return Problem(X, y, starts, k, C)


def fitted(method, given):
    lengths = np.diff(given.starts)
    sequences = np.repeat(np.arange(len(lengths)), lengths)
    return method.fit(given.X[:, :-1], given.y, sequences)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("scale", [1.0, 300.0])
def test_sums_over_labelings_have_their_twins_in_brute_force(seed, scale):
    """Scores 300 apart go through logarithms."""
    S, A, _ = draw(seed, scale=scale)
    log_Z, P, pairs = inference.forward_backward(S, A, STARTS)
    twins = [oracles.sums(S[chain], A) for chain in oracles.chains(S, STARTS)]
    np.testing.assert_allclose(log_Z, [twin[0] for twin in twins], rtol=1e-10)
    np.testing.assert_allclose(P, np.concatenate([twin[1] for twin in twins]), atol=1e-9)
    np.testing.assert_allclose(pairs, sum(twin[2] for twin in twins), atol=1e-9)


def test_logarithms_give_the_same_sums_as_scaled_products():
    S, A, _ = draw(1, k=5)
    for one, other in zip(
        inference.forward_backward(S, A, STARTS), inference.logarithmic(S, A, STARTS), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_the_best_labelings_have_their_twins_in_brute_force(seed):
    S, A, _ = draw(seed)
    labels = inference.best_labelings(S, A, STARTS)
    for chain in oracles.chains(S, STARTS):
        every = oracles.labelings(chain.stop - chain.start, 3)
        best = max(every, key=lambda each: oracles.score(S[chain], A, each))
        np.testing.assert_array_equal(labels[chain], best)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("slack", [False, True])
def test_the_most_violating_labelings_have_their_twins_in_brute_force(seed, slack):
    S, A, y = draw(seed, scale=0.5 + seed % 3)
    search = called(inference.most_violating_slack if slack else inference.most_violating_margin)
    for chain in oracles.chains(S, STARTS):
        labels = y[chain].copy()
        value = search(S[chain], A, y[chain], labels)
        every = oracles.labelings(len(labels), 3)
        best = max(oracles.violation(S[chain], A, y[chain], each, slack) for each in every)
        assert value == pytest.approx(best, abs=1e-12)
        found = oracles.violation(S[chain], A, y[chain], labels, slack)
        assert found == pytest.approx(best, abs=1e-12)


def test_of_labels_that_tie_the_lowest_wins():
    nothing = np.zeros((5, 3))
    assert inference.best_labelings(nothing, np.zeros((3, 3)), np.array([0, 5])).tolist() == [0] * 5


@pytest.mark.parametrize("loss", ["none", "hamming"])
def test_the_field_has_the_objective_of_its_twin_and_the_gradient_of_finite_differences(loss):
    given = problem(3, C=0.7, n=12)
    field = Objective(given, loss)
    w = np.random.default_rng(0).normal(size=sum(field.shape) * 3)
    value, slope = field(w)
    assert value == pytest.approx(oracles.objective(given, *field.parts(w), loss), rel=1e-12)
    np.testing.assert_allclose(slope, approx_fprime(w, lambda v: field(v)[0], 1e-6), atol=1e-4)


@pytest.mark.parametrize("slack", [False, True])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_primal_and_dual_of_maximum_margins_have_their_twins_and_meet(slack, C):
    given = problem(5, C=C, n=25)
    dual = Dual(given, slack)
    rng = np.random.default_rng(0)
    values = [dual.values()]
    for _ in range(100 if C < 1 else 300):
        dual.sweep(rng.permutation(len(given.starts) - 1))
        values.append(dual.values())
    primal, lower = values[-1]
    what = "slack" if slack else "margin"
    assert primal == pytest.approx(oracles.objective(given, dual.W, dual.A, what), rel=1e-9)
    assert -1e-9 * primal <= primal - lower <= 1e-3 * primal
    assert (np.diff([low for _, low in values]) >= -1e-9 * lower).all()  # the dual never falls
    np.testing.assert_allclose(dual.alpha.sum(axis=1), 1.0)
    assert (dual.alpha >= 0).all()


@pytest.mark.parametrize("slack", [False, True])
def test_the_weights_are_those_of_the_dual_variables(slack):
    """w = C sum_iy alpha_i(y) psi_i(y)."""
    given = problem(6, C=0.5)
    dual = Dual(given, slack)
    for _ in range(20):
        dual.sweep(np.arange(len(given.starts) - 1))
    one_hot = np.eye(given.n_classes)
    W, A = np.zeros_like(dual.W), np.zeros_like(dual.A)
    for i, chain in enumerate(oracles.chains(given.X, given.starts)):
        y = given.y[chain]
        for a in np.flatnonzero(dual.alpha[i]):
            labels = dual.used[a, chain]
            assert dual.losses[i, a] == oracles.wrong(y, labels)
            weight = given.C * dual.alpha[i, a] * (dual.losses[i, a] if slack else 1.0)
            W += weight * given.X[chain].T @ (one_hot[y] - one_hot[labels])
            for t in range(1, len(y)):
                A[y[t - 1], y[t]] += weight
                A[labels[t - 1], labels[t]] -= weight
    np.testing.assert_allclose(dual.W, W, atol=1e-9)
    np.testing.assert_allclose(dual.A, A, atol=1e-9)


def test_no_small_change_of_the_weights_lowers_the_objective_by_more_than_the_gap():
    given = problem(8)
    rng = np.random.default_rng(0)
    for method, what in (
        (ConditionalRandomField(tol=1e-6), "none"),
        (ConditionalRandomField(tol=1e-6, loss="hamming"), "hamming"),
        (MaxMarginMarkovNetwork(tol=1e-3, random_state=0), "margin"),
        (StructuralSVM(tol=1e-3, random_state=0), "slack"),
    ):
        found = fitted(method, given)
        W, A = np.vstack([found.coef_.T, found.intercept_]), found.transitions_
        assert found.objective_ == pytest.approx(oracles.objective(given, W, A, what), rel=1e-9)
        assert found.converged_
        for size in (1e-3, 1e-2, 1e-1):
            other = (V + size * rng.normal(size=V.shape) for V in (W, A))
            assert oracles.objective(given, *other, what) >= found.objective_ - found.gap_


def test_worst_violations_are_those_of_single_chains():
    S, A, y = draw(2)
    for slack, search in ((False, inference.most_violating_margin),
                          (True, inference.most_violating_slack)):  # fmt: skip
        each = [called(search)(S[c], A, y[c], y[c].copy()) for c in oracles.chains(S, STARTS)]
        np.testing.assert_allclose(worst_violations(S, A, y, STARTS, slack), each)


def test_chains_of_one_row_are_multinomial_regression_and_the_multiclass_svm():
    given = problem(4)
    X, y = given.X[:, :-1], given.y
    field = ConditionalRandomField(tol=1e-9).fit(X, y)
    known = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-8).fit(given.X, y)
    np.testing.assert_allclose(field.coef_, known.coef_[:, :-1], atol=1e-4)
    assert not field.transitions_.any()
    linear = MulticlassSVM(C=1.0, kernel="linear", tol=1e-6, random_state=0).fit(given.X, y)
    for method in (MaxMarginMarkovNetwork, StructuralSVM):  # a loss of 0 or 1: both are the same
        found = method(tol=1e-4, random_state=0).fit(X, y)
        assert found.objective_ == pytest.approx(linear.primal_objective_, rel=2e-4)


def test_rows_of_a_sequence_are_a_chain_wherever_they_are():
    given = problem(7)
    sequences = np.repeat(np.arange(len(given.starts) - 1), np.diff(given.starts))
    order = np.concatenate([np.flatnonzero(sequences % 2 == r) for r in (1, 0)])
    X = given.X[:, :-1]
    one = ConditionalRandomField(tol=1e-8).fit(X, given.y, sequences)
    other = ConditionalRandomField(tol=1e-8).fit(X[order], given.y[order], -sequences[order])
    np.testing.assert_allclose(one.transitions_, other.transitions_, atol=1e-3)
    names = np.array([f"s{number}" for number in sequences])
    np.testing.assert_array_equal(
        one.predict(X, sequences)[order], one.predict(X[order], names[order])
    )


def test_crfsuite_finds_the_same_likelihood(tmp_path):
    pycrfsuite = pytest.importorskip("pycrfsuite")
    given = problem(11, C=2.0, n=120, k=4)
    # It leaves out a feature whose values have a sum below 0.
    given = given._replace(X=np.abs(given.X))
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    every = {"feature.possible_states": True, "feature.possible_transitions": True}
    exact = {"epsilon": 1e-9, "delta": 1e-9, "max_iterations": 2000}
    trainer.set_params({"c1": 0.0, "c2": 0.5 / given.C, **exact, **every})
    for chain in oracles.chains(given.X, given.starts):
        rows = [{str(f): x for f, x in enumerate(row)} for row in given.X[chain].tolist()]
        trainer.append(rows, [str(label) for label in given.y[chain]])
    trainer.train(str(tmp_path / "model"))
    loss = trainer.logparser.last_iteration["loss"]
    found = fitted(ConditionalRandomField(C=given.C, tol=1e-8), given)
    assert found.objective_ / given.C == pytest.approx(loss, rel=1e-5)


def test_a_solver_that_is_stopped_early_says_so():
    given = problem(9, C=100.0)
    for method in (ConditionalRandomField(max_iter=1), StructuralSVM(max_iter=1, random_state=0)):
        with pytest.warns(ConvergenceWarning, match="raise max_iter"):
            found = fitted(method, given)
        assert not found.converged_
        assert found.gap_ > method.tol * found.objective_


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"C": 0}, "C must be a number above 0. Got 0"),
        ({"tol": "x"}, "tol must be a number above 0"),
        ({"max_iter": 0}, "max_iter must be an integer of at least 1"),
        ({"loss": "zero"}, "loss must be one of none, hamming"),
    ],
)
def test_a_wrong_parameter_is_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        ConditionalRandomField(**wrong).fit([[0.0], [1.0]], [0, 1])


def test_sequences_must_name_one_for_each_row():
    with pytest.raises(ValueError, match=r"each of 2 rows. Got shape .3,. instead"):
        chained([1, 2, 3], 2)


@parametrize_with_checks([ConditionalRandomField(), MaxMarginMarkovNetwork(random_state=0)])
def test_they_are_scikit_learn_classifiers(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)
