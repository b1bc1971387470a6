"""Learners fit the columns of a code and return their margins; kernels are separate, in `_*.py`.

What the runner asks of a learner is in `contract`. The registry holds import paths, so that listing
the learners loads none of them.
"""

from pathlib import Path
from typing import NamedTuple

from ..errors import ConfigError, unknown
from ..plugins import is_import_path, load_object


class Entry(NamedTuple):
    """The import path of a learner, and what it is in one line."""

    path: str
    summary: str
    label_sets: bool = False  # whether a method takes rows with several labels; learners all do


def learner_class(name: str, folder: Path | None = None):
    """The class of a learner named in the registry, or by an import path `module:Class`."""
    path = learner_path(name)
    return load_object(path, folder if path == name else None)


def learner_path(name: str) -> str:
    """The import path of a learner; an unknown name is refused before anything is imported."""
    if not is_import_path(name) and name not in LEARNERS:
        raise ConfigError(unknown("learner", name, LEARNERS))
    return name if is_import_path(name) else LEARNERS[name].path


LEARNERS: dict[str, Entry] = {
    "adaboost": Entry(
        "ecoc_bench.learners.adaboost:AdaBoostLearner",
        "boosted stumps, single-call AdaBoost.MO or one per column (exponential loss)",
    ),
    "svm": Entry("ecoc_bench.learners.svm:SVM", "support-vector machine per column (hinge loss)"),
    "gaussian_svm": Entry(
        "ecoc_bench.learners.kernel_svm:GaussianSVM",
        "Gaussian support-vector machine per column, bias in the kernel (hinge loss)",
    ),
    "logistic": Entry(
        "ecoc_bench.learners.linear:LogisticRegressions",
        "logistic regression per column (logistic loss)",
    ),
    "least_squares": Entry(
        "ecoc_bench.learners.linear:LeastSquares", "ridge regression per column (square loss)"
    ),
    "c45": Entry(
        "ecoc_bench.learners.c45:C45",
        "C4.5 decision tree per column, as Weka's J48 (logistic loss of half its log-odds)",
    ),
    "lightgbm": Entry(
        "ecoc_bench.learners.boosted_trees:LightGBM",
        "LightGBM's boosted trees per column, on rows binned once (logistic loss)",
    ),
    "xgboost": Entry(
        "ecoc_bench.learners.boosted_trees:XGBoost",
        "XGBoost's boosted trees per column, on rows binned once (logistic loss)",
    ),
    "sklearn": Entry(
        "ecoc_bench.learners.columns:Columns",
        "any scikit-learn classifier or regressor per column, by `estimator: module:Class`",
    ),
}
