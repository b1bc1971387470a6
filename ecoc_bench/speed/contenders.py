"""Who takes part when the classes are many: codes over learners, and other libraries' classifiers.

Rounds, trees and passes are few, so that a thousand classes are fitted in minutes of one core.
"""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from ..learners.adaboost import AdaBoostLearner
from ..learners.boosted_trees import LightGBM
from ..learners.classifier import ECOCClassifier
from ..learners.linear import LeastSquares, LogisticRegressions
from .outside import NapkinXC, VowpalWabbit

ROUNDS = 20  # of boosted trees: so many for each class, or for each column of a code
# LightGBM's steps, its least rows in a leaf (classes may have twelve), and its least curvature
# there, XGBoost's own: with LightGBM's own 0.001 its softmax diverges (letter: 61%, not 6%).
RATE, LEAF, CURVATURE = 0.3, 3, 1.0
LIGHTGBM = (
    f"{ROUNDS} rounds, 31 leaves, steps {RATE}, {LEAF} rows and curvature {CURVATURE:g} a leaf"
)
STUMPS = 50  # rounds of boosted stumps in each column
BINS = 256  # of stumps, as of the trees: 12,000 thresholds an attribute take ten times as long
TREES = 100
SEED = 0


class Contender(NamedTuple):
    """A classifier to be made for k classes, the binary models or trees in it, and its library."""

    make: Callable[..., Any]
    models: Callable[[int], int] | None = None  # None: the columns of its code
    needs: str = "sklearn"
    note: str = ""

    @property
    def is_here(self) -> bool:
        return find_spec(self.needs) is not None


def fitted_models(contender: Contender, model, k: int) -> int:
    """The columns of a code, or how many binary models, trees or weight vectors a peer has."""
    return contender.models(k) if contender.models else model.code_matrix_.shape[1]


def _ours() -> Iterator[tuple[str, Contender]]:
    for code, params in CODES.items():
        for learner, own in LEARNERS.items():
            yield f"{code} {learner}", own._replace(make=partial(_coded, own.make, params))


def _coded(make: Callable[[], Any], params: dict[str, Any], k: int) -> ECOCClassifier:
    return ECOCClassifier(make(), random_state=SEED, **params)


def _library(module: str, name: str, k: int, **params) -> Any:
    return getattr(import_module(module), name)(random_state=SEED, n_jobs=1, **params)


CODES: dict[str, dict[str, Any]] = {
    "ova": {"code": "ova"},
    "dense": {"code": "dense", "tries": 10},
    "hadamard": {"code": "hadamard"},
    "trellis": {"code": "trellis"},
}
LEARNERS: dict[str, Contender] = {  # what they make is the learner of a code
    "least squares": Contender(LeastSquares, note="alpha 1"),
    "logistic": Contender(partial(LogisticRegressions, max_iter=100), note="C 1"),
    "stumps": Contender(
        partial(AdaBoostLearner, rounds=STUMPS, calls="multi", bins=BINS),
        note=f"{STUMPS} rounds, {BINS} bins",
    ),
    "tree": Contender(
        partial(DecisionTreeClassifier, max_features="sqrt"),
        note="one unpruned tree a column, the root of the attributes tried at each split",
    ),
    "lightgbm": Contender(
        partial(LightGBM, rounds=ROUNDS, learning_rate=RATE, min_rows=LEAF, min_hessian=CURVATURE),
        needs="lightgbm", note=LIGHTGBM,
    ),
}  # fmt: skip
PEERS: dict[str, Contender] = {
    "lightgbm": Contender(
        partial(
            _library, "lightgbm", "LGBMClassifier",
            n_estimators=ROUNDS, learning_rate=RATE, min_child_samples=LEAF,
            min_child_weight=CURVATURE, verbose=-1,
        ),
        lambda k: ROUNDS * k, "lightgbm",
        f"softmax, {LIGHTGBM}",
    ),
    "xgboost": Contender(
        partial(_library, "xgboost", "XGBClassifier", n_estimators=ROUNDS),
        lambda k: ROUNDS * k, "xgboost", f"softmax, {ROUNDS} rounds, depth 6",
    ),
    "random forest": Contender(
        lambda k: RandomForestClassifier(TREES, random_state=SEED),
        lambda k: TREES, note=f"{TREES} trees",
    ),
    "multinomial logistic": Contender(
        lambda k: LogisticRegression(max_iter=100), lambda k: k, note="C 1"
    ),
    "crammer-singer": Contender(
        lambda k: LinearSVC(multi_class="crammer_singer", max_iter=100, random_state=SEED),
        lambda k: k, note="liblinear, C 1, at most 100 passes",
    ),
    "lda": Contender(lambda k: LinearDiscriminantAnalysis(), lambda k: k, note="linear"),
    "nearest neighbour": Contender(lambda k: KNeighborsClassifier(1), lambda k: 0),
    "vw oaa": Contender(
        partial(VowpalWabbit, "--oaa"), lambda k: k, "vowpalwabbit", "10 passes"
    ),
    "vw recall tree": Contender(
        partial(VowpalWabbit, "--recall_tree"), lambda k: k, "vowpalwabbit", "10 passes"
    ),
    "napkinxc plt": Contender(
        lambda k: NapkinXC("PLT"), lambda k: 2 * k - 1, "napkinxc", "a tree of logistic nodes"
    ),
    "napkinxc ovr": Contender(lambda k: NapkinXC("BR"), lambda k: k, "napkinxc"),
}  # fmt: skip
BOOSTING = ("lightgbm", "xgboost")
CONTENDERS: dict[str, Contender] = {**dict(_ours()), **PEERS}
