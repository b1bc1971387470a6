"""A fitted classifier with all that new rows need: columns, kinds, inputs, predictor, classes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from ..data.csvfile import Dataset
from ..data.inputs import FittedInputs


class Model(ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier that is fitted and stays as it is."""

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
        raise NotImplementedError

    def scores(self, coded: np.ndarray) -> np.ndarray:
        """Scores of rows that are coded as `Dataset.X` is: the highest wins."""
        raise NotImplementedError

    def decision_function(self, X: Any) -> np.ndarray:
        raise NotImplementedError

    def predict(self, X: Any) -> np.ndarray:
        raise NotImplementedError

    def predict_proba(self, X: Any) -> np.ndarray:
        raise NotImplementedError
