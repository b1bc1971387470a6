import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
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
from ecoc_bench.codes import CODES
from ecoc_bench.errors import CodeError, UserError
from ecoc_bench.learners.linear import LeastSquares, LogisticRegressions
from ecoc_bench.learners.svm import SVM


def weights_of_svms(estimator):
    """scikit-learn's SVC stops at a tolerance that weights and copies reach at other points."""
    if not isinstance(estimator.learner, SVM):
        return {}
    reason = "SVC(tol=1e-3) gives weights and copies slightly different margins"
    return {
        f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")
    }


@parametrize_with_checks(
    [
        ECOCClassifier(),
        ECOCClassifier(SVM(kernel="rbf", gamma=0.1), code="all_pairs"),
        ECOCClassifier(LeastSquares(), code="complete"),
        ECOCClassifier(LogisticRegressions(), code="ova", decoder="hamming"),
        ECOCClassifier(DecisionTreeClassifier(), code="all_pairs", random_state=0),
    ],
    expected_failed_checks=weights_of_svms,
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
    np.testing.assert_allclose(ours.margins(X), theirs.decision_function(X), rtol=1e-6, atol=1e-6)


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
    make = lambda: ECOCClassifier(RandomForestClassifier(5), code=code, random_state=3)  # noqa: E731
    np.testing.assert_array_equal(make().fit(X, y).margins(X), make().fit(X, y).margins(X))


def test_unconverged_columns_are_counted_and_told(wine):
    clf = ECOCClassifier(SVM(max_iter=5), code="ova")
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
