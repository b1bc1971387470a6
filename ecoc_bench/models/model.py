"""A fitted classifier with all that new rows need: columns, kinds, inputs, predictor, classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from ..data.csvfile import Dataset
from ..data.inputs import FittedInputs
from ..errors import DataError, ModelError
from .predictors import Predictor, candidates_for
from .reference import Reference
from .schema import Schema, coded_frame
from .scoring import probabilities, scores_of

STORED = 20  # rows that a file has with their scores
COMPARED = 1000  # rows on which a predictor is compared with its estimator
CLOSE = 1e-9  # relative to the largest score of a row


@dataclass(frozen=True, eq=False, repr=False)
class Parts:
    """What a model is made of. `rows` are some coded training rows, `scores` are theirs."""

    schema: Schema
    inputs: FittedInputs
    predictor: Predictor
    temperature: float
    facts: dict[str, Any]
    reference: Reference
    rows: np.ndarray
    scores: np.ndarray

    def __post_init__(self) -> None:
        d, k = len(self.schema.columns), len(self.schema.classes)
        if not np.array_equal(self.inputs.nominal, self.schema.nominal):
            raise ModelError("the inputs are not those of the columns.")
        if self.predictor.n_inputs != self.inputs.n_inputs or self.predictor.n_outputs != k:
            raise ModelError("the predictor does not fit the inputs and the classes.")
        if not 0 < self.temperature < np.inf:
            raise ModelError("the temperature is not above 0.")
        if len(self.reference.missing) != d:
            raise ModelError("the reference is not that of the columns.")
        if self.rows.shape != (len(self.rows), d) or self.scores.shape != (len(self.rows), k):
            raise ModelError("the stored rows do not fit the columns and the classes.")
        if not len(self.rows) or np.isinf(self.rows).any() or not np.isfinite(self.scores).all():
            raise ModelError("no stored rows, or scores that are not finite.")


class TooLarge(DataError):
    """A row whose scores are not finite."""

    what = "its numbers are too large for this model."

    def __init__(self, row: int) -> None:
        super().__init__(f"row {row}: {self.what} Check them.")
        self.row = row


class Model(ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier that is fitted and stays as it is.

    Attributes
    ----------
    classes_ : the labels
    feature_names_in_ : the columns of the table
    facts : where it comes from, as JSON values
    """

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @classmethod
    def of(
        cls,
        data: Dataset,
        inputs: FittedInputs,
        estimator: Any,
        temperature: float,
        facts: dict[str, Any],
        labels: Sequence[Any] | None = None,
    ) -> "Model":
        """The model of an estimator that was fitted on `inputs.transform(data.X)` and `data.y`.

        `facts` are JSON values about it; facts["target"] names the column of the label. `labels`:
        the classes in the user's type, where these are not the texts `data.classes`.
        """
        if data.pca is not None or data.sets is not None:
            raise ModelError("a model of principal components or of label sets cannot be kept.")
        known = [int(c) for c in estimator.classes_]
        schema = Schema.of(data, str(facts.get("target", "class")), known, labels)
        predictor = _predictor_of(estimator, inputs, _spread(data.X, COMPARED))
        kinds = [None if values is None else len(values) for values in data.categories]
        rows = data.X[_of_every_class(data.y)]
        scores = _scores(predictor, inputs, rows)
        reference = Reference.of(data.X, kinds)
        return cls(
            Parts(
                schema, inputs, predictor, float(temperature), dict(facts), reference, rows, scores
            )
        )

    @property
    def classes_(self) -> np.ndarray:
        return np.array(self.parts.schema.labels)

    @property
    def feature_names_in_(self) -> np.ndarray:
        return np.array(self.parts.schema.columns, dtype=object)

    @property
    def n_features_in_(self) -> int:
        return len(self.parts.schema.columns)

    @property
    def facts(self) -> dict[str, Any]:
        return self.parts.facts

    def fit(self, X: Any, y: Any = None) -> "Model":
        """Nothing: it is fitted already, as scikit-learn's FrozenEstimator."""
        return self

    def scores(self, coded: np.ndarray) -> np.ndarray:
        """Scores of rows that are coded as `Dataset.X` is: the highest wins."""
        S = _scores(self.parts.predictor, self.parts.inputs, coded)
        if not np.isfinite(S).all():
            raise TooLarge(int(np.argmin(np.isfinite(S).all(axis=1))))
        return S

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores, rows x classes; for two classes one number, above 0 for the second."""
        S = self.scores(coded_frame(self.parts.schema, X))
        return (S[:, 1] - S[:, 0]) / 2 if S.shape[1] == 2 else S

    def predict(self, X: Any) -> np.ndarray:
        """The class of highest score; ties go to the first of `classes_`."""
        return self.classes_[self.scores(coded_frame(self.parts.schema, X)).argmax(axis=1)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The softmax of the scores, at the temperature that was fitted on held-out rows."""
        return self.probabilities(self.scores(coded_frame(self.parts.schema, X)))

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        return probabilities(scores, self.parts.temperature)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_clone__(self) -> "Model":
        return self

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        schema = self.parts.schema
        return (
            f"<Model of '{schema.target}': {len(schema.classes)} classes, "
            f"{len(schema.columns)} columns, {self.parts.predictor.kind}>"
        )


def check_stored(parts: Parts) -> None:
    """A ModelError unless the stored rows get the scores that they had in training."""
    found = _scores(parts.predictor, parts.inputs, parts.rows)
    if not close(found, parts.scores):
        raise ModelError("the stored rows get other scores than they had when it was saved.")


def close(found: np.ndarray, expected: np.ndarray) -> bool:
    """Whether scores agree up to the last digits."""
    scale = np.maximum(np.abs(expected).max(axis=1, keepdims=True, initial=0.0), 1.0)
    return found.shape == expected.shape and bool((np.abs(found - expected) <= CLOSE * scale).all())


def _scores(predictor: Predictor, inputs: FittedInputs, coded: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):  # numbers that are too large: the scores are looked at
        return predictor.outputs(inputs.transform(coded))


def _predictor_of(estimator: Any, inputs: FittedInputs, coded: np.ndarray) -> Predictor:
    """The first kind of predictor that gives the estimator's own scores of these rows."""
    expected = scores_of(estimator, inputs.transform(coded))
    for predictor in candidates_for(estimator):
        fits = predictor.n_inputs == inputs.n_inputs
        if fits and close(_scores(predictor, inputs, coded), expected):
            return predictor
    raise ModelError(
        f"{type(estimator).__name__} cannot be kept in a model: no kind of predictor gives its "
        "scores."
    )


def _spread(X: np.ndarray, most: int) -> np.ndarray:
    return X[:: max(1, -(-len(X) // most))]


def _of_every_class(y: np.ndarray) -> np.ndarray:
    """Some rows: the first of each class, then the second of each, and so on."""
    order = np.argsort(y, kind="stable")
    turn = np.empty(len(y), dtype=int)
    starts = np.searchsorted(y[order], y[order])
    turn[order] = np.arange(len(y)) - starts
    return np.sort(np.lexsort((y, turn))[:STORED])
