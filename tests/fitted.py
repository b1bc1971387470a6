"""Fitted classifiers of every kind that a model can hold, on shipped data."""

from functools import cache

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from ecoc_bench.data.cards import load
from ecoc_bench.data.inputs import FittedInputs
from ecoc_bench.joint.boosting import AdaBoostECC, AdaBoostOC, AdaBoostSECC
from ecoc_bench.joint.crammer_singer import MulticlassSVM
from ecoc_bench.learners.adaboost import AdaBoostLearner, AdaBoostMO
from ecoc_bench.learners.c45 import C45, C45Classifier
from ecoc_bench.learners.classifier import ECOCClassifier
from ecoc_bench.learners.kernel_svm import GaussianSVM
from ecoc_bench.learners.svm import SVM
from ecoc_bench.models.model import Model


def code(learner, name="all_pairs", decoder="auto"):
    few = {"columns": 12, "tries": 50} if name == "dense" else {}
    return ECOCClassifier(learner, code=name, decoder=decoder, random_state=0, **few)


def few_trees():
    return HistGradientBoostingClassifier(max_iter=2, early_stopping=False, random_state=0)


# By name: the kind of predictor, the data, the inputs, and the classifier of the nominal columns.
FITS = {
    "prior": ("prior", "soybean", "coded", lambda nominal: DummyClassifier(strategy="prior")),
    "ridge": ("linear", "vowel", "standardize", lambda nominal: RidgeClassifier()),
    "logistic": ("linear", "glass", "standardize", lambda nominal: LogisticRegression()),
    "linear_svc": ("linear", "soybean", "minmax", lambda nominal: LinearSVC()),
    "multiclass_linear": (
        "linear", "glass", "minmax", lambda nominal: MulticlassSVM(kernel="linear"),
    ),
    "multiclass_rbf": (
        "kernel", "glass", "standardize", lambda nominal: MulticlassSVM(kernel="rbf", gamma=0.5),
    ),
    "multiclass_poly": (
        "kernel", "glass", "minmax", lambda nominal: MulticlassSVM(kernel="poly", degree=3),
    ),
    "svc": ("code", "glass", "standardize", lambda nominal: SVC()),
    "two_classes": ("kernel", "two", "standardize", lambda nominal: SVC()),
    "two_linear": ("linear", "two", "standardize", lambda nominal: LogisticRegression()),
    "two_ridge": ("linear", "two", "standardize", lambda nominal: RidgeClassifier()),
    "ridge_code": ("code", "glass", "standardize", lambda nominal: code(RidgeClassifier(), "ova")),
    "two_boosted": ("trees", "two", "raw", lambda nominal: few_trees()),
    "two_code": ("code", "two", "standardize", lambda nominal: code(LogisticRegression(), "ova")),
    "two_votes": (
        "vote", "two", "coded", lambda nominal: AdaBoostSECC(
            DecisionTreeClassifier(max_depth=2), rounds=5, random_state=0),
    ),
    "svm_ova": ("code", "glass", "standardize", lambda nominal: code(SVM(kernel="rbf"), "ova")),
    "libsvm_pairs": (
        "code", "glass", "standardize",
        lambda nominal: code(SVM(kernel="poly", degree=2, solver="libsvm"), decoder="hinge"),
    ),
    "gaussian_svm": (
        "code", "glass", "standardize", lambda nominal: code(GaussianSVM(gamma=0.3), "dense"),
    ),
    "linear_dense": (
        "code", "glass", "standardize",
        lambda nominal: code(LogisticRegression(max_iter=300), "dense", "logistic"),
    ),
    "sigmoids": (
        "code", "glass", "standardize", lambda nominal: code(SVC(), "ova", "likelihood"),
    ),
    "boosted_code": (
        "code", "glass", "raw", lambda nominal: code(few_trees(), "ova", "logistic"),
    ),
    "stumps_pairs": (
        "code", "soybean", "coded",
        lambda nominal: code(AdaBoostLearner(rounds=30, nominal=nominal), decoder="exponential"),
    ),
    "stumps_each": (
        "code", "glass", "coded",
        lambda nominal: code(AdaBoostLearner(rounds=10, calls="multi"), "ova"),
    ),
    "adaboost_mo": ("code", "glass", "coded", lambda nominal: AdaBoostMO(rounds=20)),
    "c45_code": ("code", "soybean", "coded", lambda nominal: code(C45(nominal=nominal), "ova")),
    "c45": ("c45", "soybean", "coded", lambda nominal: C45Classifier(nominal=nominal)),
    "tree": ("trees", "glass", "raw", lambda nominal: DecisionTreeClassifier(random_state=0)),
    "forest": (
        "trees", "soybean", "raw", lambda nominal: RandomForestClassifier(9, random_state=0),
    ),
    "extra_trees": (
        "trees", "glass", "raw",
        lambda nominal: ExtraTreesClassifier(9, min_samples_leaf=3, random_state=0),
    ),
    "boosted": ("trees", "glass", "coded", lambda nominal: few_trees()),
    "secc_c45": (
        "vote", "soybean", "coded", lambda nominal: AdaBoostSECC(
            C45Classifier(prune=False, nominal=nominal), rounds=4, eta=0.2, random_state=0),
    ),
    "ecc_trees": (
        "vote", "glass", "raw",
        lambda nominal: AdaBoostECC(DecisionTreeClassifier(max_depth=3), rounds=6, random_state=0),
    ),
    "oc_trees": (
        "vote", "glass", "raw",
        lambda nominal: AdaBoostOC(DecisionTreeClassifier(max_depth=3), rounds=6, random_state=0),
    ),
    "naive_bayes": ("foreign", "glass", "standardize", lambda nominal: GaussianNB()),
    "pipeline": (
        "foreign", "vowel", "raw", lambda nominal: make_pipeline(StandardScaler(), GaussianNB()),
    ),
}  # fmt: skip


@cache
def table(name):
    """A shipped data set; "two" has the two largest classes of glass."""
    if name != "two":
        return load(name)
    from dataclasses import replace

    data = load("glass")
    rows = np.isin(data.y, (0, 1))
    return replace(data, X=data.X[rows], y=data.y[rows], classes=data.classes[:2])


@cache
def fitted(name):
    """Data, inputs and the fitted classifier."""
    _, source, mode, make = FITS[name]
    data = table(source)
    inputs = FittedInputs.fit(mode, data.nominal, data.X)
    return data, inputs, make(data.nominal).fit(inputs.transform(data.X), data.y)


@cache
def model(name):
    data, inputs, estimator = fitted(name)
    return Model.of(data, inputs, estimator, 1.5, {"target": "class"})
