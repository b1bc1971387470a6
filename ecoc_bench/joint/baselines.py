"""Baselines of the slides "Bagging - Boosting" (C. Karakus): scikit-learn's, given stages.

Nothing is computed differently here: only `record`, the staged predictions and the out-of-bag
errors at each stage are added. Other parameters have scikit-learn's defaults.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.utils.validation import check_is_fitted, validate_data

from ..learners.parameters import stages


class OutOfBag(BaseEstimator):
    """Stages and out-of-bag errors of bootstrapped trees.

    f_avg(x) = 1/B sum_b f_b(x), the mean of the trees' class shares ("Bagging"). An example counts
    in the out-of-bag error of stage B if one of the first B trees was not trained on it; its class
    is then the highest mean over these trees alone ("Out-of-Bag Error Estimation").

    Attributes
    ----------
    stages_ : the numbers of trees of the staged methods
    oob_errors_ : the out-of-bag error at each stage; nan if no example counts
    history_ : the same, by name, for rounds.csv
    """

    inputs = "raw"
    version = f"1, scikit-learn {sklearn.__version__}"

    def fit(self, X, y):
        """Grow the trees, and ask each for the examples it was not trained on."""
        self.stages_ = stages(self.record, self.n_estimators, "tree")
        super().fit(X, y)
        X, y = validate_data(self, X, y, reset=False, ensure_all_finite=self._finite())
        truth = np.searchsorted(self.classes_, y)
        shares = np.zeros((len(y), len(self.classes_)))
        self.oob_errors_ = np.empty(len(self.stages_))
        bags = self.estimators_samples_
        for s, (start, stop) in enumerate(pairwise([0, *self.stages_])):
            for b in range(start, stop):
                out = np.setdiff1d(np.arange(len(y)), bags[b])
                if len(out):
                    shares[out] += self._shares(b, X[out])
            asked = shares.any(axis=1)
            wrong = shares[asked].argmax(axis=1) != truth[asked]
            self.oob_errors_[s] = wrong.mean() if asked.any() else np.nan
        self.history_ = {"round": np.array(self.stages_, float), "oob_error": self.oob_errors_}
        return self

    def _shares(self, b, X):
        """The class shares of tree b, in the columns of its classes among all classes."""
        tree = self.estimators_[b]
        shares = np.zeros((len(X), len(self.classes_)))
        shares[:, tree.classes_.astype(int)] = tree.predict_proba(X)
        return shares

    def _finite(self):
        return "allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True

    def staged_predict(self, X) -> Iterator[np.ndarray]:
        """`predict` after each of the numbers of trees `stages_`."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, ensure_all_finite=self._finite())
        shares = np.zeros((len(X), len(self.classes_)))
        for start, stop in pairwise([0, *self.stages_]):
            for b in range(start, stop):
                shares += self._shares(b, X)
            yield self.classes_[shares.argmax(axis=1)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.target_tags.multi_output = tags.classifier_tags.multi_label = False
        return tags


class RandomForest(OutOfBag, RandomForestClassifier):
    """Random forest ("Random Forests Algorithm") with its out-of-bag error at each stage.

    Parameters
    ----------
    n_estimators : int
        B, the number of trees.
    max_features : "sqrt" or what scikit-learn takes
        m, how many of the p variables are tried at a split; with m = p this is bagging.
    min_samples_leaf : int
    record : int, list of int or None
        Numbers of trees at which there are results, with the last; None: after every tree.
    random_state : int, RandomState or None

    Attributes are those of RandomForestClassifier and OutOfBag.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = RandomForest(50, record=[10], random_state=0).fit(X, y)
    >>> clf.stages_, bool((clf.oob_errors_ < 0.1).all())
    ([10, 50], True)
    """

    def __init__(
        self,
        n_estimators=100,
        max_features="sqrt",
        min_samples_leaf=1,
        record=None,
        random_state=None,
    ):
        super().__init__(
            n_estimators,
            max_features=max_features,
            min_samples_leaf=min_samples_leaf,
            random_state=random_state,
        )
        self.record = record


class Bagging(OutOfBag, BaggingClassifier):
    """Bagged trees ("Bagging decision trees") with their out-of-bag error at each stage.

    Deviation, as in scikit-learn: the trees' class shares are averaged; the slides take a vote,
    which is the same as long as the leaves are pure.

    Parameters
    ----------
    estimator : scikit-learn classifier with `predict_proba`, or None for a full-grown tree
    n_estimators : int
        B, the number of trees.
    record : int, list of int or None
        Numbers of trees at which there are results, with the last; None: after every tree.
    random_state : int, RandomState or None

    Attributes are those of BaggingClassifier and OutOfBag.
    """

    def __init__(self, estimator=None, n_estimators=100, record=None, random_state=None):
        super().__init__(estimator, n_estimators, random_state=random_state)
        self.record = record


class GradientBoosting(HistGradientBoostingClassifier):
    """Gradient boosting ("Sequential fitting"): each round fits trees to what is left to explain.

    For classes the residuals of the slides are the gradients of the log-loss, one tree per class
    and round. There is no early stopping: rounds are chosen from the stages.

    Parameters
    ----------
    max_iter : int
        B, the number of rounds.
    learning_rate : float
        lambda, the shrinkage.
    max_leaf_nodes : int
        d + 1, where d is the number of splits of a tree.
    record : int, list of int or None
        Rounds at which the staged methods give results, with the last; None: after every round.
    random_state : int, RandomState or None

    Attributes are those of HistGradientBoostingClassifier, and `stages_`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = GradientBoosting(3, max_leaf_nodes=4, record=[2]).fit(X, y)
    >>> clf.stages_, [labels.shape for labels in clf.staged_predict(X)]
    ([2, 3], [(150,), (150,)])
    """

    inputs = "raw"
    version = f"1, scikit-learn {sklearn.__version__}"

    def __init__(
        self, max_iter=100, learning_rate=0.1, max_leaf_nodes=31, record=None, random_state=None
    ):
        super().__init__(
            max_iter=max_iter,
            learning_rate=learning_rate,
            max_leaf_nodes=max_leaf_nodes,
            early_stopping=False,
            random_state=random_state,
        )
        self.record = record

    def fit(self, X, y, sample_weight=None):
        """Run the rounds."""
        self.stages_ = stages(self.record, self.max_iter)
        return super().fit(X, y, sample_weight)

    def staged_predict(self, X) -> Iterator[np.ndarray]:
        """`predict` after each of the rounds `stages_`."""
        check_is_fitted(self)
        for t, labels in enumerate(super().staged_predict(X), start=1):
            if t in self.stages_:
                yield labels
