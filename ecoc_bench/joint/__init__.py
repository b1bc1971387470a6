"""Methods without a fixed code: code and classifiers are trained together, or there is no code.

The registry holds import paths, so that listing the methods loads none of them.
"""

from pathlib import Path

from ..errors import ConfigError, unknown
from ..learners import Entry
from ..plugins import is_import_path, load_object


def method_class(name: str, folder: Path | None = None):
    """The class of a method named in the registry, or by an import path `module:Class`."""
    path = method_path(name)
    return load_object(path, folder if path == name else None)


def method_path(name: str) -> str:
    """The import path of a method; an unknown name is refused before anything is imported."""
    if not is_import_path(name) and name not in METHODS:
        raise ConfigError(unknown("method", name, METHODS))
    return name if is_import_path(name) else METHODS[name].path


BASES = {  # base learners that a method's `estimator` may name
    "c45": "ecoc_bench.learners.c45:C45Classifier",
    "tree": "sklearn.tree:DecisionTreeClassifier",
}

METHODS: dict[str, Entry] = {
    "adaboost_oc": Entry(
        "ecoc_bench.joint.boosting:AdaBoostOC",
        "output-code AdaBoost: each round draws a column and is weighted by its pseudo-loss",
    ),
    "adaboost_ecc": Entry(
        "ecoc_bench.joint.boosting:AdaBoostECC",
        "error-correcting AdaBoost: each round draws a column and is weighted by its error",
    ),
    "adaboost_secc": Entry(
        "ecoc_bench.joint.boosting:AdaBoostSECC", "AdaBoost.ECC with steps shrunk by eta"
    ),
    "crammer_singer": Entry(
        "ecoc_bench.joint.crammer_singer:MulticlassSVM",
        "multiclass SVM: one problem for all classes, with kernels",
    ),
    "weston_watkins": Entry(
        "ecoc_bench.joint.weston_watkins:WestonWatkinsSVM",
        "multiclass SVM with a slack for every other class, with kernels",
    ),
    "margin_rescaling_svm": Entry(
        "ecoc_bench.joint.cost_svm:MarginRescalingSVM",
        "multiclass SVM with costs: dearer mistakes need larger margins",
    ),
    "slack_rescaling_svm": Entry(
        "ecoc_bench.joint.cost_svm:SlackRescalingSVM",
        "multiclass SVM with costs: slacks count by the cost of the mistake",
    ),
    "stochastic_svm": Entry(
        "ecoc_bench.joint.stochastic_svm:StochasticSVM",
        "the linear multiclass SVM by stochastic sub-gradient descent",
    ),
    "learned_code": Entry(
        "ecoc_bench.joint.learned_codes:LearnedCodeClassifier",
        "an output code whose matrix is learned from the margins of its columns",
    ),
    "adaboost_mh": Entry(
        "ecoc_bench.learners.adaboost:AdaBoostMH",
        "AdaBoost.MH on stumps: one test for all classes",
        label_sets=True,
    ),
    "adaboost_mr": Entry(
        "ecoc_bench.joint.ranking:AdaBoostMR",
        "AdaBoost.MR on stumps: RankBoost on pairs of labels",
        label_sets=True,
    ),
    "mean_margin_boost": Entry(
        "ecoc_bench.joint.ranking:MeanMarginBoost",
        "boosted stumps on the margin averaged over the labels (exercise 9.3)",
        label_sets=True,
    ),
    "binary_adaboost": Entry(
        "ecoc_bench.joint.binary_adaboost:BinaryAdaBoost", "AdaBoost for two classes on stumps"
    ),
    "greedy_tree": Entry(
        "ecoc_bench.joint.trees:GreedyTree", "decision tree by misclassification, entropy or Gini"
    ),
    "pruned_tree": Entry(
        "ecoc_bench.joint.trees:PrunedTree",
        "decision tree, grown and pruned; lambda by cross-validation",
    ),
    "kesler": Entry(
        "ecoc_bench.joint.constraint:KeslerClassifier",
        "constraint classification: one linear classifier in Kesler's space",
        label_sets=True,
    ),
    "perceptron": Entry(
        "ecoc_bench.joint.constraint:MulticlassPerceptron",
        "multiclass perceptron, full or conservative update, averaged",
        label_sets=True,
    ),
    "winnow": Entry(
        "ecoc_bench.joint.constraint:BalancedWinnow",
        "balanced Winnow: multiplicative updates",
        label_sets=True,
    ),
    "crf": Entry(
        "ecoc_bench.joint.chains.crf:ConditionalRandomField",
        "conditional random field on the rows of a sequence; loss: hamming for its softmax margin",
    ),
    "m3n": Entry(
        "ecoc_bench.joint.chains.max_margin:MaxMarginMarkovNetwork",
        "max-margin Markov network on the rows of a sequence: margins grow with the wrong labels",
    ),
    "svm_struct": Entry(
        "ecoc_bench.joint.chains.max_margin:StructuralSVM",
        "structural SVM on the rows of a sequence: slacks are multiplied by the wrong labels",
    ),
    "random_forest": Entry(
        "ecoc_bench.joint.baselines:RandomForest", "random forest, with its out-of-bag error"
    ),
    "bagging": Entry("ecoc_bench.joint.baselines:Bagging", "bagged trees, with out-of-bag error"),
    "gradient_boosting": Entry(
        "ecoc_bench.joint.baselines:GradientBoosting", "gradient boosting of trees"
    ),
}
