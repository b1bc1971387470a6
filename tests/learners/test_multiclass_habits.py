"""What users of scikit-learn's multiclass classifiers are used to: its own tests, run on ours."""

import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, SGDClassifier, SGDRegressor
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tests import test_multiclass
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils import get_tags

import ecoc_bench
from ecoc_bench import ECOCClassifier
from ecoc_bench.learners.svm import SVM


class OneVsRestClassifier(ECOCClassifier):
    """One-vs-all under scikit-learn's signature."""

    def __init__(self, estimator=None, n_jobs=None):
        super().__init__(estimator, code="ova", n_jobs=n_jobs)


class OneVsOneClassifier(ECOCClassifier):
    """All-pairs under scikit-learn's signature."""

    def __init__(self, estimator=None, n_jobs=None):
        super().__init__(estimator, code="all_pairs", n_jobs=n_jobs)


class OutputCodeClassifier(ECOCClassifier):
    """A code for every number of classes, under scikit-learn's signature."""

    def __init__(self, estimator=None, code_size=1.5, random_state=None):
        super().__init__(estimator, code="complete", random_state=random_state)
        self.code_size = code_size


OURS = (OneVsRestClassifier, OneVsOneClassifier, OutputCodeClassifier)
# Not ours: several labels per example, probabilities without calibration, a constant y, the number
# of columns of scikit-learn's random codes, and its attribute `pairwise_indices_`.
SHARED = [
    "test_ovr_fit_predict",
    "test_ovr_ties",
    "test_ovr_partial_fit",
    "test_ovr_partial_fit_exceptions",
    "test_ovr_ovo_regressor",
    "test_ovr_fit_predict_svc",
    "test_ovr_single_label_decision_function",
    "test_ovr_gridsearch",
    "test_ovr_pipeline",
    "test_ovo_exceptions",
    "test_ovo_fit_on_list",
    "test_ovo_fit_predict",
    "test_ovo_gridsearch",
    "test_ovo_ties2",
    "test_ovo_string_y",
    "test_ovo_one_class",
    "test_ovo_float_y",
    "test_ecoc_exceptions",
    "test_ecoc_gridsearch",
    "test_ecoc_float_y",
    "test_pairwise_n_features_in",
    "test_ovo_consistent_binary_classification",
    "test_multiclass_estimator_attribute_error",
]
FOR_BOTH = ["test_pairwise_tag", "test_pairwise_cross_val_score", "test_support_missing_values"]


@pytest.mark.parametrize("name", SHARED)
def test_scikit_learns_own_test_holds_for_ours(name, monkeypatch):
    for ours in OURS:
        monkeypatch.setattr(test_multiclass, ours.__name__, ours)
    getattr(test_multiclass, name)()


@pytest.mark.parametrize("ours", [OneVsRestClassifier, OneVsOneClassifier])
@pytest.mark.parametrize("name", FOR_BOTH)
def test_scikit_learns_own_test_holds_for_both_codes(name, ours):
    getattr(test_multiclass, name)(ours)


@pytest.fixture
def iris():
    return load_iris(return_X_y=True)


def test_the_estimator_is_the_first_parameter_and_learner_its_other_name(iris):
    assert "learner" not in ECOCClassifier(learner=SVC()).get_params()
    new, old = ECOCClassifier(SVC(C=3)), ECOCClassifier(learner=SVC(C=3))
    assert new.get_params().keys() == old.get_params().keys()
    assert clone(old).estimator.C == old.learner.C == 3
    assert new.set_params(learner__C=5).estimator.C == 5
    assert new.set_params(estimator__C=7).learner.C == 7
    assert new.set_params(learner=SVC(C=9), code="all_pairs").estimator.C == 9
    np.testing.assert_array_equal(
        old.fit(*iris).margins(iris[0]), ECOCClassifier(SVC(C=3)).fit(*iris).margins(iris[0])
    )


@pytest.mark.parametrize("estimator", [SVC(kernel="precomputed"), SVM(kernel="precomputed")])
@pytest.mark.parametrize("decoder", ["auto", "likelihood"])
@pytest.mark.parametrize("code", ["ova", "all_pairs"])
def test_a_kernel_matrix_gives_what_the_kernel_gives(estimator, decoder, code, iris):
    X, y = iris[0][::2], iris[1][::2]
    plain = SVC(kernel="linear") if isinstance(estimator, SVC) else SVM(kernel="linear")
    by_matrix = ECOCClassifier(estimator, code=code, decoder=decoder, random_state=0)
    by_kernel = ECOCClassifier(plain, code=code, decoder=decoder, random_state=0)
    assert get_tags(by_matrix).input_tags.pairwise
    assert not get_tags(by_kernel).input_tags.pairwise
    K = X @ X.T
    F = by_matrix.fit(K, y).margins(K)
    np.testing.assert_allclose(F, by_kernel.fit(X, y).margins(X), rtol=0.01, atol=0.001)
    np.testing.assert_array_equal(by_matrix.predict(K), by_kernel.predict(X))
    scores = [cross_val_score(clf, Z, y) for clf, Z in ((by_matrix, K), (by_kernel, X))]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize("code", ["ova", "all_pairs"])
@pytest.mark.parametrize("decoder", ["auto", "likelihood"])
def test_gaps_and_data_frames_reach_the_pipeline(code, decoder, iris):
    X = pd.DataFrame(iris[0], columns=["a", "b", "c", "d"])
    X["colour"] = np.array(["red", "green", None], dtype=object)[np.arange(150) % 3]
    X.loc[::7, "a"] = np.nan
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b", "c", "d"]),
        (OneHotEncoder(handle_unknown="ignore"), ["colour"]),
    )
    model = make_pipeline(columns, LogisticRegression())
    clf = ECOCClassifier(model, code=code, decoder=decoder, random_state=0).fit(X, iris[1])
    assert clf.score(X, iris[1]) > 0.9
    assert clf.feature_names_in_.tolist() == ["a", "b", "c", "d", "colour"]
    assert clf.n_features_in_ == 5


@pytest.mark.parametrize("container", [list, np.array, pd.Series])
def test_texts_reach_the_pipeline(container):
    texts = ["red apple", "green pear", "blue plum", "red red apple", "pear pear", "a blue plum"]
    y = ["apple", "pear", "plum"] * 2
    model = make_pipeline(CountVectorizer(), MultinomialNB())
    clf = ECOCClassifier(model, code="all_pairs").fit(container(texts), y)
    assert clf.predict(container(["one red apple", "some plum"])).tolist() == ["apple", "plum"]


def test_columns_fitted_at_once_are_those_fitted_in_turn(iris):
    X, y = iris
    models = [
        ECOCClassifier(SGDClassifier(), code="all_pairs", random_state=3, n_jobs=jobs).fit(X, y)
        for jobs in (None, 2)
    ]
    np.testing.assert_array_equal(models[0].margins(X), models[1].margins(X))


def test_warnings_of_columns_fitted_at_once_are_told(iris):
    X, y = iris[0], iris[1]
    clf = ECOCClassifier(LogisticRegression(max_iter=1), n_jobs=2)
    with pytest.warns(Warning, match="3 of 3 columns did not converge"):
        clf.fit(X, y)


def test_columns_and_tries_go_to_the_family():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.arange(60) % 6
    clf = ECOCClassifier(GaussianNB(), code="dense", columns=9, tries=1, random_state=0).fit(X, y)
    assert clf.code_matrix_.shape == (6, 9)
    other = clone(clf).set_params(tries=200).fit(X, y)
    assert not np.array_equal(clf.code_matrix_, other.code_matrix_)
    for code, extra in (("ova", {"columns": 9}), ("bch", {"tries": 9}), (np.eye(6), {"tries": 9})):
        with pytest.raises(ValueError, match=rf"{min(extra)} is no parameter of code="):
            ECOCClassifier(GaussianNB(), code=code, **extra).fit(X, y)


def test_a_regressor_is_fitted_to_the_signs_and_decoded_by_the_square_loss(iris):
    X, y = iris
    clf = ECOCClassifier(DecisionTreeRegressor(max_depth=2), code="complete").fit(X, y)
    assert clf.learner_.loss == "square"
    tree = DecisionTreeRegressor(max_depth=2).fit(X, clf.code_matrix_[y, 0])
    np.testing.assert_allclose(clf.margins(X)[:, 0], tree.predict(X))


def test_batches_give_what_one_fit_gives(iris):
    X, y = iris
    for code in ("ova", "all_pairs", "complete"):
        clf = ECOCClassifier(GaussianNB(), code=code)
        for start in range(0, 150, 50):  # each batch holds one class
            rows = slice(start, start + 50)
            clf.partial_fit(X[rows], y[rows], classes=np.unique(y) if start == 0 else None)
        np.testing.assert_allclose(
            clf.margins(X), ECOCClassifier(GaussianNB(), code=code).fit(X, y).margins(X), rtol=1e-4
        )


def test_batches_take_weights_and_regressors_and_no_calibrated_decoder(iris):
    X, y = iris
    classes = np.unique(y)
    light = ECOCClassifier(GaussianNB()).partial_fit(X, y, classes, sample_weight=y + 1.0)
    heavy = ECOCClassifier(GaussianNB()).fit(X, y, sample_weight=y + 1.0)
    np.testing.assert_allclose(light.margins(X), heavy.margins(X), rtol=1e-6)
    reg = ECOCClassifier(SGDRegressor(random_state=0)).partial_fit(X - X.mean(0), y, classes)
    assert reg.learner_.loss == "square"
    with pytest.raises(ValueError, match="held-out examples"):
        ECOCClassifier(GaussianNB(), decoder="likelihood").partial_fit(X, y, classes)
    with pytest.raises(AttributeError, match="has no attribute 'partial_fit'"):
        _ = ECOCClassifier(SVC()).partial_fit


def test_the_error_of_predict_proba_says_what_to_set(iris):
    clf = ECOCClassifier(SVC()).fit(*iris)
    assert not hasattr(clf, "predict_proba")
    with pytest.raises(AttributeError, match=r"needs decoder='likelihood'. Got decoder='auto'"):
        clf.predict_proba(iris[0])


class Watching(ClassifierMixin, BaseEstimator):
    """Remembers the inputs it was given."""

    def fit(self, X, y):
        self.classes_, self.seen_ = np.unique(y), X
        return self

    def decision_function(self, X):
        return X[:, 0]


def test_a_code_without_zeros_copies_no_inputs(iris):
    X, y = iris
    for code in ("ova", "complete"):
        clf = ECOCClassifier(Watching(), code=code).fit(X, y)
        assert all(np.shares_memory(e.seen_, X) for e in clf.estimators_)


def test_an_open_random_state_is_seeded_and_a_set_one_is_kept(iris):
    inside = make_pipeline(StandardScaler(), SGDClassifier())
    fits = [ECOCClassifier(inside, random_state=4).fit(*iris).margins(iris[0]) for _ in range(2)]
    np.testing.assert_array_equal(*fits)
    kept = ECOCClassifier(SGDClassifier(random_state=7)).fit(*iris)
    assert {e.random_state for e in kept.estimators_} == {7}


def public_methods(cls: type) -> dict:
    """The methods that our classes among its parents define."""
    own = [parent for parent in cls.__mro__ if parent.__module__.startswith("ecoc_bench.")]
    return {
        f"{parent.__name__}.{word}": member
        for parent in own
        for word, member in vars(parent).items()
        if inspect.isfunction(member) and (word == "__init__" or not word.startswith("_"))
    }


@pytest.mark.parametrize("name", ecoc_bench.__all__)
def test_what_is_public_is_annotated(name):
    public = getattr(ecoc_bench, name)
    functions = public_methods(public) if inspect.isclass(public) else {name: public}
    assert functions
    for word, function in functions.items():
        said = inspect.signature(function)
        given = [p for p in said.parameters.values() if p.name != "self"]
        silent = [p for p in given if p.annotation is p.empty]
        assert not silent, f"{word}: {silent}"
        if not word.endswith("__init__"):
            assert said.return_annotation is not said.empty, word
