"""LightGBM and XGBoost as columns: as their own classifiers, and each as if it were alone."""

import sys

import numpy as np
import pytest

from ecoc_bench import ECOCClassifier
from ecoc_bench.coding.codes import all_pairs, dense, sparse
from ecoc_bench.data.cards import load
from ecoc_bench.learners.boosted_trees import LightGBM, XGBoost
from ecoc_bench.learners.columns import ConstantMargin

LEARNERS = [LightGBM(rounds=4, learning_rate=0.3, min_rows=3), XGBoost(rounds=4)]
name_of = {"ids": lambda learner: learner.package}


@pytest.fixture(scope="module")
def vowel():
    data = load("vowel")
    return data.X[::2], data.y[::2]


@pytest.fixture(autouse=True)
def installed(request):
    """A library that is not here is a reason to skip."""
    for package in packages(request):
        pytest.importorskip(package)


def packages(request):
    """The library of the test's learner, or both."""
    if "learner" in request.fixturenames:
        return [request.getfixturevalue("learner").package]
    return [learner.package for learner in LEARNERS]


def columns_of(y):
    """Columns with all rows, with over half of them, and with few."""
    k, rng = y.max() + 1, np.random.default_rng(0)
    return np.hstack([dense(k, rng, tries=1), sparse(k, rng, tries=1), all_pairs(k)])[y][:, ::15]


def theirs(learner, **others):
    """The library's classifier with the same settings."""
    if isinstance(learner, XGBoost):
        from xgboost import XGBClassifier

        return XGBClassifier(n_estimators=learner.rounds, max_depth=learner.depth, n_jobs=1,
                             learning_rate=learner.learning_rate, **others)  # fmt: skip
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=learner.rounds, num_leaves=learner.leaves, n_jobs=1,
                          learning_rate=learner.learning_rate, min_child_samples=learner.min_rows,
                          min_child_weight=learner.min_hessian, force_col_wise=True,
                          verbose=-1, **others)  # fmt: skip


def log_odds(learner, fitted, X):
    raw = "output_margin" if isinstance(learner, XGBoost) else "raw_score"
    return fitted.predict(X, **{raw: True}).astype(float)


OTHERS = [
    *(
        (LEARNERS[0], changed)
        for changed in ({}, {"leaves": 4}, {"min_rows": 60}, {"min_hessian": 5.0})
    ),
    *((LEARNERS[1], changed) for changed in ({}, {"depth": 2}, {"learning_rate": 0.1})),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("learner", "changed"), OTHERS)
def test_a_column_of_all_rows_has_half_the_log_odds_of_their_classifier(
    learner, changed, weighted, vowel
):
    X, y = vowel[0].copy(), vowel[1]
    X[::17, 3] = np.nan
    Y = dense(y.max() + 1, np.random.default_rng(0), tries=1)[y][:, :2]
    weight = np.random.default_rng(0).random(len(y)) if weighted else None
    learner = learner.fresh(**changed)
    F = learner.fit(X, Y, sample_weight=weight).margins(X)
    for f, signs in zip(F.T, Y.T, strict=True):
        fitted = theirs(learner).fit(X, signs > 0, sample_weight=weight)
        assert np.array_equal(2 * f, log_odds(learner, fitted, X))


def test_a_ternary_column_of_xgboost_is_that_of_weights_0(vowel):
    import xgboost

    X, y = vowel
    learner = LEARNERS[1]
    Y = columns_of(y)
    F = learner.fresh().fit(X, Y).margins(X)
    whole = xgboost.QuantileDMatrix(X)
    settings = {"objective": "binary:logistic", "max_depth": learner.depth, "nthread": 1}
    for f, signs in zip(F.T, Y.T, strict=True):
        whole.set_label(signs > 0)
        whole.set_weight(signs != 0)
        fitted = xgboost.train(settings, whole, learner.rounds)
        raw = fitted.predict(xgboost.DMatrix(X), output_margin=True)
        np.testing.assert_allclose(2 * f, raw, atol=1e-5)


def test_a_ternary_column_of_lightgbm_is_fitted_to_its_rows_in_the_bins_of_all(vowel):
    import lightgbm

    X, y = vowel
    learner = LEARNERS[0]
    Y = columns_of(y)
    F = learner.fresh().fit(X, Y).margins(X)
    whole = lightgbm.Dataset(X, y, params=learner._settings)
    for f, signs in zip(F.T, Y.T, strict=True):
        used = signs != 0
        rows = lightgbm.Dataset(X[used], signs[used] > 0, reference=whole)
        fitted = lightgbm.train(learner._settings, rows, learner.rounds)
        assert np.array_equal(2 * f, fitted.predict(X, raw_score=True))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_a_column_is_the_same_to_the_byte_with_whatever_others(learner, weighted, vowel):
    X, y = vowel
    Y = columns_of(y)
    weight = np.random.default_rng(0).random(len(y)) if weighted else None
    F = learner.fresh().fit(X, Y, weight).margins(X)
    rng = np.random.default_rng(3)
    for size in (1, 4, Y.shape[1]):
        some = rng.permutation(Y.shape[1])[:size]
        part = learner.fresh().fit(X, Y[:, some], weight)
        assert part.margins(X).tobytes() == np.ascontiguousarray(F[:, some]).tobytes()
        assert part.margins(X[:5]).tobytes() == np.ascontiguousarray(F[:5, some]).tobytes()


@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_a_column_with_one_sign_is_constant(learner, vowel):
    X, y = vowel
    Y = np.column_stack([np.ones(len(y)), np.where(y < 4, -1, 0), 0 * y, np.where(y < 4, -1, 1)])
    fitted = learner.fresh().fit(X, Y.astype(np.int8))
    F = fitted.margins(X)
    assert (F[:, :3] == [1, -1, 0]).all()
    assert len(np.unique(F[:, 3])) > 20
    constant = [isinstance(estimator, ConstantMargin) for estimator in fitted.estimators_]
    assert constant == [True, True, True, False]


@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_a_code_over_its_columns_learns_the_classes(learner, vowel):
    X, y = vowel
    model = ECOCClassifier(learner, code="hadamard", decoder="loss").fit(X[::2], y[::2])
    wrong = (model.predict(X[1::2]) != y[1::2]).mean()
    few = ECOCClassifier(learner.fresh(rounds=1), code="hadamard").fit(X[::2], y[::2])
    assert wrong < 0.3
    assert wrong < (few.predict(X[1::2]) != y[1::2]).mean()


@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_other_features_than_it_was_fitted_on_get_a_sentence(learner, vowel):
    X, y = vowel
    fitted = learner.fresh().fit(X, columns_of(y)[:, :2])
    with pytest.raises(ValueError, match="expecting 10 features"):
        fitted.margins(X[:, :5])


WRONG = [{"rounds": 0}, {"learning_rate": 0}, {"learning_rate": float("inf")}]


@pytest.mark.parametrize(
    ("learner", "wrong"),
    [(learner, wrong) for learner in LEARNERS for wrong in WRONG]
    + [
        (LEARNERS[0], {"leaves": 1}),
        (LEARNERS[0], {"min_rows": 0}),
        (LEARNERS[0], {"min_hessian": 0}),
        (LEARNERS[1], {"depth": 0}),
    ],
)
def test_wrong_parameters_are_refused_by_name(learner, wrong, vowel):
    X, y = vowel
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        learner.fresh(**wrong).fit(X, columns_of(y)[:, :1])


CONFIG = """
name: missing
datasets: [glass]
learners: {trees: {type: %s}}
codes: [ova]
decoders: [loss]
"""


@pytest.mark.parametrize("learner", LEARNERS, **name_of)
def test_a_missing_package_is_a_sentence_before_anything_is_fitted(
    learner, config, command, monkeypatch, tmp_path
):
    monkeypatch.setitem(sys.modules, learner.package, None)
    result = command("run", config(CONFIG % learner.package), "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert f"learners.trees: this learner needs {learner.package}" in result.stderr
    assert "pip install 'ecoc-bench[peers]'" in result.stderr
