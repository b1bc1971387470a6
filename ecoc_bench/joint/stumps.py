"""Scores f(x, l) = sum_t alpha_t h_t(x, l) of boosted stumps behind the scikit-learn contract.

A subclass names its learner, which has the kernels of `learners/adaboost.py`: in each round one
test (feature, cut) answers -1 or +1 for every class. Nothing is drawn at random.
"""

from collections.abc import Iterator

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ..learners.adaboost import AdaBoostLearner, bounds_by_round
from ..learners.label_sets import is_indicator, signs, threshold
from ..learners.parameters import stages


class StumpClassifier(ClassifierMixin, BaseEstimator):
    """The class of highest score f(x, l); ties go to the first of `classes_`.

    Trained on label sets, an indicator matrix, it predicts one: the labels with f(x, l) > 0.

    Parameters
    ----------
    rounds : int
    record : int, list of int or None
        Rounds at which the staged methods give results, with the last; None: after every round.
    bins : int or None
        At most this many quantile bins per number; None tries every threshold.
    nominal : boolean mask over the features, or None for none

    Attributes
    ----------
    classes_ : the labels; numbered 0, ..., k - 1 if y was an indicator matrix
    label_sets_ : whether it was
    thresholds_ : of label sets, at each of `stages_`: decision_function is f(x, l) minus this
    learner_ : the fitted stumps; `outputs_[t, j, l]` is alpha_t h_t(x, l) on side j of test t
    alphas_ : alpha_t of every round
    stages_ : the rounds of the staged methods
    history_ : steps and the bound on the training error of every round, by name
    """

    inputs = "coded"
    version = 1
    ranks = False  # whether scores only order labels, so that sets need a threshold
    takes_sets = True

    def __init__(self, rounds=500, record=None, bins=None, nominal=None):
        self.rounds = rounds
        self.record = record
        self.bins = bins
        self.nominal = nominal

    def _learner(self) -> AdaBoostLearner:
        raise NotImplementedError

    def _labels(self, y):
        """Y[i, l] = y_i[l], +1 for the class of x_i and -1 for the others (Section 9.3.2)."""
        return np.where(y[:, None] == np.arange(len(self.classes_)), 1, -1)

    def _scores(self, F, stage):
        """decision_function from the margins: two classes have one column, as usual."""
        if self.label_sets_:
            return F - self.thresholds_[stage]
        return F[:, 1] - F[:, 0] if F.shape[1] == 2 else F

    def fit(self, X, y, sample_weight=None):
        """Run the rounds; D_1 follows `sample_weight`, and examples of weight 0 are left out."""
        self.label_sets_ = self.takes_sets and is_indicator(y)
        checks = {"ensure_all_finite": "allow-nan", "dtype": np.float64}
        X, y = validate_data(self, X, y, multi_output=self.label_sets_, **checks)
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        used = weight > 0
        X, y, weight = X[used], y[used], weight[used]
        if self.label_sets_:
            self.classes_, Y = np.arange(y.shape[1]), signs(y)
        else:
            self.classes_, y = np.unique(y, return_inverse=True)
            self._check_classes()
            Y = self._labels(y)
        self.learner_ = self._learner().fit(X, Y, weight)
        self.alphas_ = np.abs(self.learner_.outputs_).max(axis=(1, 2))
        self.stages_ = stages(self.record, self.rounds)
        if self.label_sets_:
            self.thresholds_ = self._thresholds(X, Y, weight)
        return self

    def _thresholds(self, X, Y, weight) -> dict[int, float]:
        """What a score must exceed, by stage."""
        if not self.ranks:
            return dict.fromkeys(self.stages_, 0.0)
        staged = self.learner_.staged_margins(X, self.stages_)
        return {stage: threshold(F, Y, weight) for stage, F in staged}

    def _check_classes(self):
        if len(self.classes_) < 2:
            raise ValueError(
                f"y must hold at least 2 classes. Got {len(self.classes_)} class instead."
            )

    def _terms(self) -> int | None:
        """How many terms of the objective an example has; None if they do not bound its error."""
        return None

    @property
    def history_(self) -> dict[str, np.ndarray]:
        """alpha_t and, where the objective has one, the bound on the training error, by round."""
        check_is_fitted(self)
        rounds = {"round": np.arange(1.0, len(self.alphas_) + 1), "step": self.alphas_}
        terms = self._terms()
        return rounds | (bounds_by_round(self.learner_.normalizers_, terms) if terms else {})

    def decision_function(self, X) -> np.ndarray:
        """f(x, l) for every class. Two classes: one column, as usual."""
        X = self._check_inputs(X)
        return self._scores(self.learner_.margins(X), self.stages_[-1])

    def predict(self, X) -> np.ndarray:
        """The class of highest score, or an indicator matrix of the labels of positive score."""
        return self._decide(self.decision_function(X))

    def staged_decision_function(self, X) -> Iterator[np.ndarray]:
        """`decision_function` after each of the rounds `stages_`."""
        X = self._check_inputs(X)
        for stage, F in self.learner_.staged_margins(X, self.stages_):
            yield self._scores(F, stage)

    def staged_predict(self, X) -> Iterator[np.ndarray]:
        """`predict` after each of the rounds `stages_`."""
        for scores in self.staged_decision_function(X):
            yield self._decide(scores)

    def _decide(self, scores):
        if self.label_sets_:
            return (scores > 0).astype(int)
        best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[np.asarray(best, dtype=int)]

    def _check_inputs(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, ensure_all_finite="allow-nan", dtype=np.float64)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.classifier_tags.multi_label = self.takes_sets
        return tags
