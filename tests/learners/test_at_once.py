"""Linear learners that fit their columns in one call: right, and each as if it were alone."""

import numpy as np
import pytest
from oracles_linear import logistic_losses, product, solved
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.preprocessing import StandardScaler

from ecoc_bench.coding.codes import all_pairs, dense, sparse
from ecoc_bench.data.cards import load
from ecoc_bench.learners._logistic import Rows, _evaluated, _evaluated_alone
from ecoc_bench.learners._products import LANES, add_product, solve_lower
from ecoc_bench.learners.linear import LeastSquares, LogisticRegressions

NEWTON = LogisticRegressions(solver="newton")
LEARNERS = [LeastSquares(), NEWTON]
name_of = {"ids": lambda learner: type(learner).__name__}


@pytest.fixture(scope="module")
def vowel():
    data = load("vowel")
    return StandardScaler().fit_transform(data.X), data.y


@pytest.fixture(scope="module")
def pendigits():
    """More rows than have their whole Hessian, and than one block of a product."""
    data = load("pendigits")
    return StandardScaler().fit_transform(data.X[:3500]), data.y[:3500]


def columns_of(y, seed=0):
    """Columns with all rows, with over half of them, and with few."""
    k, rng = y.max() + 1, np.random.default_rng(seed)
    M = np.hstack([dense(k, rng), sparse(k, rng), all_pairs(k)])
    return M[y][:, ::6]


def alone(X, y, w, b, C=1.0, weight=1.0):
    """The objective of logistic regression."""
    return float((C * weight * np.logaddexp(0, -y * (X @ w + b))).sum() + 0.5 * w @ w)


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 1), (7, 70, 5), (4, 9, LANES + 3)])
def test_a_product_is_that_of_its_twin_to_the_byte(shape):
    rng, (n, depth, m) = np.random.default_rng(sum(shape)), shape
    A, B, C = rng.normal(size=(n, depth)), rng.normal(size=(depth, m)), np.zeros((n, m))
    add_product(A, B, C)
    assert C.tobytes() == product(A, B).tobytes()
    C[:] = 0
    add_product(np.asfortranarray(A), B, C)
    assert C.tobytes() == product(A, B).tobytes()


@pytest.mark.parametrize("m", [1, 4, LANES + 1])
def test_a_triangular_solution_is_that_of_its_twin_to_the_byte(m):
    rng = np.random.default_rng(m)
    A, B = rng.normal(size=(9, 9)), rng.normal(size=(9, m))
    L = np.linalg.cholesky(A @ A.T + np.eye(9))
    Z = B.copy()
    solve_lower(L, Z)
    assert Z.tobytes() == solved(L, B).tobytes()
    np.testing.assert_allclose(L @ L.T @ Z, B, atol=1e-9)


def test_the_logistic_losses_are_those_of_their_twin():
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(60, 3)), rng.integers(-1, 2, (60, 5)).astype(np.int8)
    weight, W = rng.random(60), 3 * rng.normal(size=(4, 5))
    rows = Rows(X, weight, alone=False)
    for ours, twin in zip(
        _evaluated(rows, Y, W), logistic_losses(rows.X, Y, weight, W), strict=True
    ):
        np.testing.assert_allclose(ours, twin, rtol=1e-10, atol=1e-12)
    used = Y[:, 0] != 0
    by_itself = Rows(X[used], weight[used], alone=True)
    found = _evaluated_alone(by_itself, Y[used][:, :1], W[:, :1])
    twin = logistic_losses(by_itself.X, Y[used][:, :1], weight[used], W[:, :1])
    for ours, theirs in zip(found, twin, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_each_column_has_scikit_learns_optimum(learner, weighted, vowel):
    X, y = vowel
    Y = columns_of(y)
    weight = np.random.default_rng(0).random(len(y)) if weighted else None
    fitted = learner.fresh().fit(X, Y, sample_weight=weight)
    assert fitted.converged_.all()
    for ours, signs in zip(fitted.estimators_, Y.T, strict=True):
        used = signs != 0
        extra = np.ones(used.sum()) if weight is None else weight[used]
        if isinstance(ours, RidgeClassifier):
            theirs = RidgeClassifier().fit(X[used], signs[used], sample_weight=extra)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7, atol=1e-9)
            np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-9)
        else:
            theirs = LogisticRegression(tol=1e-8, max_iter=10_000)
            theirs.fit(X[used], signs[used], sample_weight=extra)
            mine, best = (
                alone(X[used], signs[used], e.coef_[0], e.intercept_[0], weight=extra)
                for e in (ours, theirs)
            )
            assert abs(mine - best) < 1e-6 * best


def test_many_rows_have_the_same_optimum(pendigits):
    X, y = pendigits
    Y = columns_of(y)[:, :4]
    fitted = NEWTON.fresh(C=10).fit(X, Y)
    assert fitted.converged_.all()
    for ours, signs in zip(fitted.estimators_, Y.T, strict=True):
        used = signs != 0
        theirs = LogisticRegression(C=10, tol=1e-6, max_iter=10_000).fit(X[used], signs[used])
        mine, best = (
            alone(X[used], signs[used], e.coef_[0], e.intercept_[0], C=10) for e in (ours, theirs)
        )
        assert mine < best * (1 + 1e-7)


@pytest.mark.parametrize("data", ["vowel", "pendigits"])
@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_a_column_is_the_same_to_the_byte_with_whatever_others(learner, data, request):
    X, y = request.getfixturevalue(data)
    Y = columns_of(y)
    whole = learner.fresh().fit(X, Y)
    F = whole.margins(X)
    rng = np.random.default_rng(3)
    for size in (1, 7, Y.shape[1] - 1):
        some = rng.permutation(Y.shape[1])[:size]
        part = learner.fresh().fit(X, Y[:, some])
        assert part.margins(X).tobytes() == np.ascontiguousarray(F[:, some]).tobytes()
        assert part.margins(X[:5]).tobytes() == np.ascontiguousarray(F[:5, some]).tobytes()


@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_margins_are_those_of_the_estimators(learner, vowel):
    X, y = vowel
    fitted = learner.fresh().fit(X, columns_of(y))
    F = fitted.margins(X)
    for s, estimator in enumerate(fitted.estimators_):
        np.testing.assert_allclose(F[:, s], fitted.column_margins(estimator, X), atol=1e-10)
        assert estimator.predict(X[:3]).tolist() == np.sign(F[:3, s]).tolist()


@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_sparse_rows_have_the_margins_of_dense_ones(learner, vowel):
    X, y = vowel
    Y = columns_of(y)[:, ::3]
    dense_fit, sparse_fit = (learner.fresh().fit(rows, Y) for rows in (X, csr_array(X)))
    F = dense_fit.margins(X)
    # scikit-learn's logistic regression stops further from the optimum.
    np.testing.assert_allclose(sparse_fit.margins(csr_array(X)), F, atol=0.05 * np.abs(F).max())
    np.testing.assert_allclose(dense_fit.margins(csr_array(X)), F, atol=1e-10)


def test_least_squares_solves_the_dual_where_rows_are_few(vowel):
    X, y = vowel
    wide = np.hstack([X, X**2, X**3, np.sin(X), np.cos(X), np.exp(-(X**2))])[:40]
    Y = columns_of(y)[:40, :4]
    F = LeastSquares().fit(wide, Y).margins(wide)
    for s, signs in enumerate(Y.T):
        if len(np.unique(signs[signs != 0])) == 2:
            theirs = RidgeClassifier().fit(wide[signs != 0], signs[signs != 0])
            np.testing.assert_allclose(F[:, s], theirs.decision_function(wide), atol=1e-8)


def test_a_singular_system_is_left_to_scikit_learn(vowel):
    X, y = vowel
    X, Y = np.hstack([X, 0 * X[:, :1]]), columns_of(y)[:, :3]
    F = LeastSquares(alpha=0).fit(X, Y).margins(X)
    for f, signs in zip(F.T, Y.T, strict=True):
        theirs = RidgeClassifier(alpha=0).fit(X[signs != 0], signs[signs != 0])
        np.testing.assert_allclose(f, theirs.decision_function(X), atol=1e-10)


def test_a_column_that_stops_at_its_cap_is_said_not_to_have_converged(vowel):
    X, y = vowel
    with pytest.warns(UserWarning, match="columns did not converge"):
        fitted = NEWTON.fresh(max_iter=1).fit(X, columns_of(y))
    assert not fitted.converged_.all()


@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_other_features_than_it_was_fitted_on_get_a_sentence(learner, vowel):
    X, y = vowel
    fitted = learner.fresh().fit(X, columns_of(y)[:, :2])
    with pytest.raises(ValueError, match="expecting 10 features"):
        fitted.margins(X[:, :5])
