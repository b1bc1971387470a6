import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ecoc_bench import ECOCClassifier
from ecoc_bench.coding.calibration import log_loss
from ecoc_bench.coding.codes import CODES
from ecoc_bench.errors import CodeError, ConfigError, UserError
from ecoc_bench.learners.adaboost import AdaBoostMO
from ecoc_bench.learners.linear import LeastSquares
from ecoc_bench.learners.svm import SVM


def weights_are_not_copies(estimator):
    """libsvm, for sparse data, stops at a tolerance that weights and copies reach elsewhere."""
    kinds = ("dense", "sparse")
    if isinstance(estimator.estimator, SVM):
        reason, kinds = "libsvm gives weights and copies slightly different margins", ("sparse",)
    elif estimator.decoder == "likelihood":
        reason = "copies of an example fall into several folds, its weight into one"
    else:
        return {}
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}


@parametrize_with_checks(
    [
        ECOCClassifier(),
        ECOCClassifier(SVM(kernel="rbf", gamma=0.1), code="all_pairs"),
        ECOCClassifier(
            DecisionTreeClassifier(), code="complete", decoder="hamming", random_state=0
        ),
        ECOCClassifier(LeastSquares(), code="all_pairs", decoder="likelihood", sigmoid_folds=2),
    ],
    expected_failed_checks=weights_are_not_copies,
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture
def wine():
    X, y = load_wine(return_X_y=True)
    names = np.array(["barolo", "grignolino", "barbera"])
    return StandardScaler().fit_transform(X), names[y]


def test_string_labels_come_back(wine):
    clf = ECOCClassifier(code="all_pairs").fit(*wine)
    assert clf.classes_.tolist() == ["barbera", "barolo", "grignolino"]
    assert set(clf.predict(wine[0])) == {"barbera", "barolo", "grignolino"}
    assert clf.score(*wine) == 1.0


def test_pipeline_grid_search_and_cross_validation(wine):
    model = make_pipeline(StandardScaler(), ECOCClassifier(SVC(), code="ova", decoder="loss"))
    grid = {"ecocclassifier__code": ["ova", "all_pairs"], "ecocclassifier__learner__C": [0.01, 1]}
    search = GridSearchCV(model, grid, cv=3).fit(*wine)
    assert search.best_score_ > 0.95
    assert cross_val_score(search.best_estimator_, *wine, cv=3).min() > 0.9


def test_one_vs_all_agrees_with_scikit_learn(wine):
    X, y = wine
    ours = ECOCClassifier(LogisticRegression(), code="ova", decoder="linear").fit(X, y)
    theirs = OneVsRestClassifier(LogisticRegression()).fit(X, y)
    assert (ours.predict(X) == theirs.predict(X)).all()
    np.testing.assert_allclose(
        2 * ours.margins(X), theirs.decision_function(X), rtol=1e-6, atol=1e-6
    )


def test_sparse_input_gives_the_same_margins(wine):
    X, y = wine
    clf = ECOCClassifier(LogisticRegression(solver="liblinear"), code="all_pairs")
    np.testing.assert_allclose(
        clf.fit(X, y).margins(X), clf.fit(sparse.csr_array(X), y).margins(sparse.csr_array(X))
    )


def test_sparse_input_is_refused_where_the_learner_refuses_it(wine):
    from sklearn.ensemble import HistGradientBoostingClassifier

    with pytest.raises(TypeError, match=r"[Ss]parse"):
        ECOCClassifier(HistGradientBoostingClassifier()).fit(sparse.csr_array(wine[0]), wine[1])


def test_sample_weight_reaches_every_column(wine):
    X, y = wine
    keep = np.arange(len(y)) % 3 > 0
    clf = ECOCClassifier(SVC(gamma=0.1), code="all_pairs")
    weighted = clf.fit(X, y, sample_weight=keep.astype(float)).margins(X)
    np.testing.assert_allclose(weighted, clf.fit(X[keep], y[keep]).margins(X), atol=1e-6)


def test_sample_weight_is_refused_where_the_learner_cannot_use_it(wine):
    with pytest.raises(ValueError, match="KNeighborsClassifier does not take sample_weight"):
        ECOCClassifier(KNeighborsClassifier()).fit(*wine, sample_weight=np.ones(len(wine[1])))


def test_two_classes_fit_one_column_of_one_vs_all():
    X, y = load_iris(return_X_y=True)
    clf = ECOCClassifier(SVC()).fit(X[:100], y[:100])
    assert clf.code_matrix_.tolist() == [[1, -1], [-1, 1]]
    assert len(clf.learner_.estimators_) == 1
    assert clf.decision_function(X[:100]).shape == (100,)


def test_complementary_columns_are_fitted_once():
    X, y = load_iris(return_X_y=True)
    M = np.array([[1, -1, 1], [-1, 1, 1], [-1, 1, -1]])
    clf = ECOCClassifier(SVC(), code=M).fit(X, y)
    F = clf.margins(X)
    assert len(clf.learner_.estimators_) == 2
    np.testing.assert_array_equal(F[:, 0], -F[:, 1])


def test_probabilities_become_half_log_odds():
    X, y = load_iris(return_X_y=True)
    clf = ECOCClassifier(KNeighborsClassifier(20), code="all_pairs").fit(X, y)
    p = clf.learner_.estimators_[2].predict_proba(X)[:, 1]
    assert clf.learner_.loss == "logistic"
    np.testing.assert_allclose(1 / (1 + np.exp(-2 * clf.margins(X)[:, 2])), p, atol=1e-9)


@pytest.mark.parametrize("code", sorted(CODES))
def test_the_same_seed_gives_the_same_predictions(code):
    X = np.random.default_rng(0).normal(size=(300, 4))
    y = np.arange(300) % 6
    tree = DecisionTreeClassifier(splitter="random")
    make = lambda: ECOCClassifier(tree, code=code, random_state=3)  # noqa: E731
    np.testing.assert_array_equal(make().fit(X, y).margins(X), make().fit(X, y).margins(X))


def test_unconverged_columns_are_counted_and_told(wine):
    clf = ECOCClassifier(SVM(max_iter=5, solver="libsvm"), code="ova")
    with pytest.warns(Warning, match="3 of 3 columns did not converge"):
        clf.fit(*wine)
    assert clf.learner_.converged_.tolist() == [False] * 3


def test_errors_say_what_to_do(wine):
    with pytest.raises(ValueError, match="Did you mean 'dense'"):
        ECOCClassifier(code="dens").fit(*wine)
    with pytest.raises(UserError, match="Did you mean 'hamming'"):
        ECOCClassifier(decoder="haming").fit(*wine)
    with pytest.raises(CodeError, match="2 rows but y has 3 classes"):
        ECOCClassifier(code=[[1], [-1]]).fit(*wine)
    with pytest.raises(CodeError, match="cannot exist for 3 classes"):
        ECOCClassifier(code="dense").fit(*wine)
    with pytest.raises(UserError, match="decision_function or predict_proba"):
        ECOCClassifier(StandardScaler()).fit(*wine)


def test_a_decoder_and_a_code_of_ones_own(wine):
    def furthest(M, F):
        return F @ M.T

    worst = ECOCClassifier(Perceptron(), code=lambda k, rng: CODES["ova"].make(k), decoder=furthest)
    assert worst.fit(*wine).score(*wine) < 0.1


@pytest.mark.parametrize("code", ["ova", "all_pairs", "complete"])
def test_likelihood_gives_probabilities_whose_largest_is_the_prediction(wine, code):
    X, y = wine
    clf = ECOCClassifier(SVC(), code=code, decoder="likelihood", random_state=0).fit(X[::2], y[::2])
    P = clf.predict_proba(X[1::2])
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert (clf.classes_[P.argmax(axis=1)] == clf.predict(X[1::2])).all()
    truth = np.searchsorted(clf.classes_, y[1::2])
    assert log_loss(truth, P) < 0.25
    assert log_loss(truth, P) < log_loss(np.roll(truth, 1), P)


def test_sigmoids_are_fitted_on_held_out_margins():
    """A tree of full depth is always right on its own examples: its margins would look certain."""
    X = np.random.default_rng(0).normal(size=(300, 3))
    y = np.arange(300) % 3
    clf = ECOCClassifier(DecisionTreeClassifier(), decoder="likelihood", random_state=0).fit(X, y)
    assert clf.predict_proba(X).max() < 0.6
    assert np.abs(clf.margins(X)).min() > 10


def test_the_seed_deals_out_the_folds_and_their_number_counts(wine):
    X, y = wine
    probabilities = [
        ECOCClassifier(LeastSquares(), decoder="likelihood", random_state=seed, sigmoid_folds=folds)
        .fit(X, y)
        .predict_proba(X)
        for seed, folds in [(0, 3), (0, 3), (1, 3), (0, 5)]
    ]
    np.testing.assert_array_equal(probabilities[0], probabilities[1])
    assert not np.array_equal(probabilities[0], probabilities[2])
    assert not np.array_equal(probabilities[0], probabilities[3])


def test_a_class_of_one_example_does_not_stop_likelihood(wine):
    X, y = wine
    keep = np.r_[np.flatnonzero(y != "barbera"), np.flatnonzero(y == "barbera")[:1]]
    for code in ("ova", "all_pairs"):
        clf = ECOCClassifier(SVC(), code=code, decoder="likelihood", random_state=0)
        P = clf.fit(X[keep], y[keep]).predict_proba(X)
        assert np.isfinite(P).all()


def test_only_likelihood_has_probabilities(wine):
    assert not hasattr(ECOCClassifier(), "predict_proba")
    assert hasattr(ECOCClassifier(decoder="likelihood"), "predict_proba")
    with pytest.raises(AttributeError, match="predict_proba"):
        _ = ECOCClassifier(decoder=lambda M, F: F @ M.T).predict_proba


def test_likelihood_takes_sparse_input_and_weights_and_boosting(wine):
    X, y = wine
    clf = ECOCClassifier(
        LogisticRegression(solver="liblinear"), decoder="likelihood", random_state=0
    )
    dense = clf.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(dense, clf.fit(sparse.csr_array(X), y).predict_proba(X), rtol=1e-6)
    weighted = clf.fit(X, y, sample_weight=1.0 + 9 * (y == "barolo")).predict_proba(X)
    barolo = clf.classes_.tolist().index("barolo")
    assert weighted[:, barolo].mean() > dense[:, barolo].mean()
    boosted = AdaBoostMO(rounds=10, decoder="likelihood", random_state=0).fit(X, y)
    assert boosted.predict_proba(X).shape == (178, 3)


@pytest.mark.parametrize("folds", [1, 179, 2.0, True, None])
def test_folds_of_the_sigmoids_must_be_possible(wine, folds):
    with pytest.raises(ValueError, match=r"sigmoid_folds must be a whole number from 2 to .* 178"):
        ECOCClassifier(decoder="likelihood", sigmoid_folds=folds).fit(*wine)


@pytest.mark.parametrize("decoder", ["majority", "tournament"])
def test_votes_are_for_all_pairs_and_other_codes_are_refused_before_fitting(wine, decoder):
    assert ECOCClassifier(SVC(), code="all_pairs", decoder=decoder).fit(*wine).score(*wine) > 0.95
    with pytest.raises(ConfigError, match="Use 'all_pairs'"):
        ECOCClassifier(SVC(), code="ova", decoder=decoder).fit(*wine)


@pytest.mark.parametrize("code", ["ova", "all_pairs", "hadamard"])
@pytest.mark.parametrize(
    "as_given", [np.asarray, sparse.csr_matrix, list], ids=lambda f: f.__name__
)
def test_predictions_in_blocks_of_rows_are_those_of_all_rows(wine, code, as_given, monkeypatch):
    X, y = wine
    clf = ECOCClassifier(LogisticRegression(), code=code, random_state=0).fit(X, y)
    highest = clf.classes_[clf.decision_function(X).argmax(axis=1)]
    monkeypatch.setattr("ecoc_bench.coding.labels.ENTRIES", 50 * clf.code_matrix_.shape[1])
    np.testing.assert_array_equal(clf.predict(as_given(X)), highest)


def test_a_decoder_of_the_user_sees_the_margins_of_all_rows(wine, monkeypatch):
    seen = []

    def mine(M, F):
        seen.append(len(F))
        return -F @ M.T

    monkeypatch.setattr("ecoc_bench.coding.labels.ENTRIES", 50)
    ECOCClassifier(LeastSquares(), decoder=mine).fit(*wine).predict(wine[0])
    assert seen == [len(wine[0])]


def test_predicting_hundreds_of_classes_takes_the_memory_of_a_block_of_rows(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 5))
    clf = ECOCClassifier(LeastSquares()).fit(X[:2_000], np.arange(2_000) % 200)
    monkeypatch.setattr("ecoc_bench.coding.labels.ENTRIES", 2**17)
    clf.predict(X[:10])
    tracemalloc.start()
    clf.predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000 * 200 * 8 / 2  # half of all margins
