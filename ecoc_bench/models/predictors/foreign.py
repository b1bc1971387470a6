"""Other classifiers of scikit-learn, kept by skops: only of types that compute with numpy alone.

A file is data that nobody vouches for. skops makes objects of it without running code of the file,
but scikit-learn's compiled trees and neighbours believe what their arrays say and would read
beyond them. So a file may hold the types in `TYPES` and no others.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ...errors import ModelError, reason
from ...files import parse_json
from ..archive import unpacked
from ..scoring import scores_of
from .base import Predictor

SCHEMA = "schema.json"
LOADERS = frozenset(
    {"DictNode", "JsonNode", "ListNode", "NdArrayNode", "ObjectNode", "RandomStateNode",
     "TupleNode", "TypeNode"}
)  # fmt: skip
PLAIN = frozenset(
    {"builtins.dict", "builtins.list", "builtins.tuple", "builtins.str", "builtins.int",
     "builtins.float", "builtins.bool", "builtins.NoneType", "numpy.ndarray", "numpy.float64",
     "numpy.float32", "numpy.int64", "numpy.int32", "numpy.bool", "numpy.str_",
     "numpy.random.mtrand.RandomState"}
)  # fmt: skip
ESTIMATORS = frozenset(
    {
        "sklearn.calibration.CalibratedClassifierCV",
        "sklearn.calibration._CalibratedClassifier",
        "sklearn.calibration._SigmoidCalibration",
        "sklearn.decomposition._pca.PCA",
        "sklearn.discriminant_analysis.LinearDiscriminantAnalysis",
        "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis",
        "sklearn.linear_model._logistic.LogisticRegression",
        "sklearn.linear_model._ridge.RidgeClassifier",
        "sklearn.multiclass.OneVsOneClassifier",
        "sklearn.multiclass.OneVsRestClassifier",
        "sklearn.multiclass.OutputCodeClassifier",
        "sklearn.naive_bayes.BernoulliNB",
        "sklearn.naive_bayes.ComplementNB",
        "sklearn.naive_bayes.GaussianNB",
        "sklearn.naive_bayes.MultinomialNB",
        "sklearn.neighbors._nearest_centroid.NearestCentroid",
        "sklearn.neural_network._multilayer_perceptron.MLPClassifier",
        "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
        "sklearn.pipeline.Pipeline",
        "sklearn.preprocessing._data.MinMaxScaler",
        "sklearn.preprocessing._data.StandardScaler",
        "sklearn.preprocessing._label.LabelBinarizer",
    }
)
TYPES = PLAIN | ESTIMATORS


@dataclass(frozen=True, eq=False)
class Foreign(Predictor):
    """The scores of a classifier of scikit-learn, by `scores_of`."""

    kind: ClassVar[str] = "foreign"
    layout: ClassVar[dict[str, tuple[str, str]]] = {"archive": ("|u1", "bytes")}

    archive: np.ndarray
    n_features: int
    n_classes: int

    @classmethod
    def from_estimator(cls, estimator):
        if not hasattr(estimator, "classes_") or not hasattr(estimator, "n_features_in_"):
            return None
        try:
            raw = _skops().dumps(estimator)
        except Exception as error:
            raise ModelError(f"{type(estimator).__name__}: {reason(error)}") from None
        archive = np.frombuffer(raw, np.uint8).copy()
        return cls(archive, int(estimator.n_features_in_), len(estimator.classes_))

    @property
    def n_inputs(self) -> int:
        return self.n_features

    @property
    def n_outputs(self) -> int:
        return self.n_classes

    @property
    def types(self) -> list[str]:
        """The types of scikit-learn in it."""
        schema = parse_json(unpacked(self.archive.tobytes())[SCHEMA])
        return sorted({name for _, name in _nodes(schema)} & ESTIMATORS)

    def check(self):
        members = unpacked(self.archive.tobytes())
        self.require(SCHEMA in members, f"no {SCHEMA}")
        try:
            nodes = set(_nodes(parse_json(members[SCHEMA])))
        except (ValueError, RecursionError) as error:
            raise ModelError(f"{self.kind}: {SCHEMA}: {reason(error)}.") from None
        wrong = sorted({loader for loader, _ in nodes} - LOADERS)
        wrong += sorted({name for _, name in nodes} - TYPES)
        self.require(not wrong, f"a model may not hold {', '.join(map(str, wrong[:5]))}")
        classes = getattr(self._estimator, "classes_", ())
        self.require(len(classes) == self.n_classes, "not the classes that it says")

    @cached_property
    def _estimator(self) -> Any:
        try:
            return _skops().loads(self.archive.tobytes(), trusted=sorted(ESTIMATORS))
        except ModelError:
            raise
        except Exception as error:  # of skops, or of a type that does not take what it is given
            raise ModelError(f"{self.kind}: {reason(error)}.") from None

    def outputs(self, X):
        try:
            return scores_of(self._estimator, X)
        except Exception as error:  # the arrays in it need not fit together
            raise ModelError(f"{self.kind}: {reason(error)}.") from None


def _nodes(value: Any):
    """The loader and the type of each node of a schema."""
    if isinstance(value, dict):
        if "__loader__" in value or "__class__" in value or "__module__" in value:
            name = f"{value.get('__module__')}.{value.get('__class__')}"
            yield str(value.get("__loader__")), name
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _nodes(one)


def _skops():
    try:
        import skops.io
    except ImportError:
        raise ModelError(
            "this classifier is kept by skops, which is not here. Install it: pip install skops."
        ) from None
    return skops.io
