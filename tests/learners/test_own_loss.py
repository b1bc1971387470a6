"""The decoder `loss` goes by what a scikit-learn estimator minimises, not by a stand-in."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_selection import RFE
from sklearn.linear_model import (
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
    SGDClassifier,
)
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC

from ecoc_bench import ECOCClassifier
from ecoc_bench.coding.codes import complete
from ecoc_bench.coding.decoders import DECODERS
from ecoc_bench.coding.losses import LOSSES
from ecoc_bench.data.cards import load
from ecoc_bench.errors import ConfigError
from ecoc_bench.learners.columns import Columns
from ecoc_bench.learners.own_loss import half_log_odds


class Scores(ClassifierMixin, BaseEstimator):
    """A classifier of somebody else's, with scores of an unknown scale."""

    def fit(self, X, y):
        self.classes_, self.weights_ = np.unique(y), X.T @ y
        return self

    def decision_function(self, X):
        return X @ self.weights_


class Shares(Scores):
    """The same, with probabilities."""

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-self.decision_function(X)))
        return np.column_stack([1 - p, p])


@pytest.mark.parametrize(
    ("estimator", "loss"),
    [
        (LogisticRegression(), "logistic"),
        (LogisticRegressionCV(), "logistic"),
        (LinearDiscriminantAnalysis(), "logistic"),
        (QuadraticDiscriminantAnalysis(), "logistic"),
        (HistGradientBoostingClassifier(), "logistic"),
        (GradientBoostingClassifier(), "logistic"),
        (GradientBoostingClassifier(loss="exponential"), "exponential"),
        (AdaBoostClassifier(), "exponential"),
        (SVC(), "hinge"),
        (SVC(kernel="precomputed"), "hinge"),
        (NuSVC(), "hinge"),
        (LinearSVC(), "squared_hinge"),
        (LinearSVC(loss="hinge"), "hinge"),
        (SGDClassifier(), "hinge"),
        (SGDClassifier(loss="log_loss"), "logistic"),
        (SGDClassifier(loss="squared_hinge"), "squared_hinge"),
        (SGDClassifier(loss="modified_huber"), "modified_huber"),
        (SGDClassifier(loss="squared_error"), "square"),
        (SGDClassifier(loss="perceptron"), "hamming"),
        (Perceptron(), "hamming"),
        (RidgeClassifier(), "square"),
        (RidgeClassifierCV(), "square"),
        (GaussianNB(), "logistic"),
        (RandomForestClassifier(), "logistic"),
        (MLPClassifier(), "logistic"),
        (BaggingClassifier(SVC()), "logistic"),
        (CalibratedClassifierCV(SVC()), "logistic"),
        (Ridge(), "square"),
        (SVR(), "square"),
        (TransformedTargetRegressor(Ridge()), "square"),
        (make_pipeline(StandardScaler(), LinearSVC()), "squared_hinge"),
        (make_pipeline(StandardScaler(), Ridge()), "square"),
        (GridSearchCV(SVC(), {"C": [1, 2]}), "hinge"),
        (RandomizedSearchCV(RidgeClassifier(), {"alpha": [1, 2]}), "square"),
        (GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [1]}), "hinge"),
        (RFE(LinearSVC(loss="hinge")), "hinge"),
        (Scores(), "hamming"),
        (Shares(), "logistic"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_the_loss_of_an_estimator_is_its_own(estimator, loss):
    assert Columns(estimator).loss == loss
    assert loss in LOSSES
    assert loss in DECODERS


def test_an_estimator_without_margins_is_refused():
    with pytest.raises(ConfigError, match=r"decision_function or predict_proba, or a regressor"):
        _ = Columns(StandardScaler()).loss


@pytest.fixture(scope="module")
def column():
    """One hard dichotomy of glass."""
    data = load("glass")
    return StandardScaler().fit_transform(data.X), complete(6)[data.y][:, [3]]


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(C=1e6, max_iter=10_000),
        LinearSVC(C=1e4, intercept_scaling=100, max_iter=100_000, tol=1e-8),
        RidgeClassifier(alpha=1e-9),
        Ridge(alpha=1e-9),
        GridSearchCV(make_pipeline(LogisticRegression(C=1e6, max_iter=10_000)), {}, cv=2),
    ],
    ids=lambda value: str(value)[:60],
)
def test_margins_have_the_scale_on_which_their_loss_is_least(estimator, column):
    """Without a penalty a fit minimises its loss: no other scale of its margins is better."""
    X, Y = column
    learner = Columns(estimator)
    F = learner.fit(X, Y).margins(X)
    losses = {factor: LOSSES[learner.loss](Y * F * factor).mean() for factor in (0.9, 1.0, 1.1)}
    assert min(losses, key=losses.get) == 1.0


@pytest.mark.parametrize(
    "estimator",
    [
        LinearDiscriminantAnalysis(),
        HistGradientBoostingClassifier(max_iter=5),
        GradientBoostingClassifier(n_estimators=5),
        GradientBoostingClassifier(loss="exponential", n_estimators=5),
        SGDClassifier(loss="log_loss", random_state=0),
        GaussianNB(),
    ],
    ids=lambda value: str(value)[:60],
)
def test_margins_are_half_the_log_odds_where_there_are_probabilities(estimator, column):
    """Friedman, Hastie & Tibshirani 2000: the exponential loss is least there, too."""
    X, Y = column
    learner = Columns(estimator).fit(X, Y)
    p = learner.estimators_[0].predict_proba(X)[:, 1]
    np.testing.assert_allclose(1 / (1 + np.exp(-2 * learner.margins(X)[:, 0])), p, atol=1e-9)


@pytest.mark.parametrize("wrap", [lambda e: e, lambda e: GridSearchCV(make_pipeline(e), {}, cv=2)])
def test_the_margins_of_adaboost_are_its_weighted_votes(wrap, column):
    """f = sum_t alpha_t h_t. scikit-learn has weights 2 alpha_t and divides by their sum."""
    X, Y = column
    boosted = AdaBoostClassifier(n_estimators=7, random_state=0)
    F = Columns(wrap(boosted), random_state=0).fit(X, Y).margins(X)[:, 0]
    boosted.fit(X, Y[:, 0])
    fits = zip(boosted.estimator_weights_, boosted.estimators_, strict=True)
    np.testing.assert_allclose(F, sum(w / 2 * tree.predict(X) for w, tree in fits), atol=1e-12)


def test_a_margin_loss_goes_with_the_bare_decision_function(column):
    X, Y = column
    learner = Columns(LogisticRegression(), margin_loss="linear")
    assert learner.loss == "linear"
    own = Columns(LogisticRegression()).fit(X, Y)
    np.testing.assert_allclose(learner.fit(X, Y).margins(X), 2 * own.margins(X))


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(max_iter=1000),
        LinearSVC(),
        RidgeClassifier(),
        SVC(),
        LinearDiscriminantAnalysis(),
        GaussianNB(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_default_decodes_all_pairs_of_vowel_as_well_as_votes_do(estimator):
    """By the linear loss logistic regression had 63.6 and LinearSVC 68.6, where votes have 50."""
    data = load("vowel")
    scale = StandardScaler().fit(data.X[data.train])
    X, X_test = scale.transform(data.X[data.train]), scale.transform(data.X[~data.train])
    clf = ECOCClassifier(estimator, code="all_pairs").fit(X, data.y[data.train])
    votes = clf.code_matrix_ @ np.sign(clf.margins(X_test)).T
    best = votes.max(axis=0)[:, None] == votes.T
    guess = (best[np.arange(len(best)), data.y[~data.train]] / best.sum(axis=1)).mean()
    assert clf.score(X_test, data.y[~data.train]) > guess - 0.01


def test_beyond_any_doubt_margins_keep_their_order_and_hardly_grow():
    p = np.array([0.0, 1e-300, 1e-200, 1e-50, 1e-12, 0.3, 0.5, 1 - 1e-9, 1.0, 1.0])
    q = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.7, 0.5, 1e-9, 1e-40, 0.0])
    F = half_log_odds(p, q)
    assert (np.diff(F) > 0).all()
    np.testing.assert_allclose(F[5:8], [np.log(3 / 7) / 2, 0, np.log(1e9) / 2], rtol=1e-6)
    assert np.abs(F).max() < 1.03 * np.abs(F[4])


def test_one_vs_all_of_naive_bayes_is_that_of_scikit_learn_where_it_is_always_sure():
    """All its probabilities of a class may be below 1e-12: they are still to be compared."""
    X, y = load_digits(return_X_y=True)
    ours = ECOCClassifier(GaussianNB(), code="ova").fit(X[::2], y[::2])
    theirs = OneVsRestClassifier(GaussianNB()).fit(X[::2], y[::2])
    assert ours.score(X[1::2], y[1::2]) >= theirs.score(X[1::2], y[1::2])
