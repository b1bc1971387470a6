"""Constraint classification: slides "Bagging - Boosting" (C. Karakus), after Har-Peled et al. 2002.

(x, i) stands for the constraints w_i . x > w_j . x, j != i; with a set of labels ("Multi-category
to Constraint Classification") for those with i in the set and j not. By Kesler's construction each
is an example x_ij = x_i - x_j of a binary problem in nk dimensions, where x_i has x at the place of
class i and 0 elsewhere. A constant 1 is appended to the inputs, for the thresholds.
"""

import math
from collections.abc import Iterator
from numbers import Real

import numpy as np
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.svm import LinearSVC
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ..learners.label_sets import is_indicator, signs, threshold
from ..learners.parameters import stages
from ._constraint import epoch

UPDATES = ("conservative", "full")


def kesler(X, Y) -> sparse.csr_array:
    """P+: the rows x_ij with Y[., i] = +1 and Y[., j] = -1, by example, i, j; P- are -P+.

    >>> kesler(np.array([[2.0, 3.0]]), [[-1, 1, -1]]).toarray().tolist()
    [[-2.0, -3.0, 2.0, 3.0, 0.0, 0.0], [0.0, 0.0, 2.0, 3.0, -2.0, -3.0]]
    """
    X, Y = np.asarray(X, dtype=float), np.asarray(Y)
    n, k = X.shape[1], Y.shape[1]
    rows, i, j = np.nonzero((Y[:, :, None] > 0) & (Y[:, None, :] < 0))
    places = np.stack([i, j], axis=1)[..., None]
    columns = (places * n + np.arange(n)).astype(np.int32)  # liblinear takes no int64
    values = X[rows][:, None, :] * np.array([1, -1])[:, None]
    starts = np.arange(0, values.size + 1, 2 * n, dtype=np.int32)
    P = sparse.csr_array((values.ravel(), columns.ravel(), starts), (len(rows), n * k))
    P.sort_indices()
    return P


class LinearScores(ClassifierMixin, BaseEstimator):
    """argmax_i w_i . x, ties to the first of `classes_`: base of the classifiers below.

    Trained on label sets, an indicator matrix, it predicts one: the labels whose w_i . x is above
    the threshold of lowest Hamming loss on the training examples, which is taken off the weights
    of the constant 1. A set without any label, or with all of them, has no constraints.
    """

    version: int | str = 1

    def _start(self, X, y):
        """X with the constant 1, and Y[i, l]: +1 for the class or the labels of example i."""
        self.label_sets_ = is_indicator(y)
        X, y = validate_data(self, X, y, dtype=np.float64, multi_output=self.label_sets_)
        check_classification_targets(y)
        if self.label_sets_:
            self.classes_, Y = np.arange(y.shape[1]), signs(y)
            if np.abs(Y.sum(axis=1)).min() == Y.shape[1]:
                raise ValueError("no example has one label and lacks another: no constraint.")
            return _with_one(X), Y
        self.classes_, y = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"y must hold at least 2 classes. Got {len(self.classes_)} class instead."
            )
        Y = np.where(y[:, None] == np.arange(len(self.classes_)), 1, -1)
        return _with_one(X), Y.astype(np.int8)

    def decision_function(self, X) -> np.ndarray:
        """w_i . x for every class. Two classes: one column, as usual."""
        return self._scores(self._check_inputs(X), self.coef_)

    def _scores(self, X, W):
        scores = X @ W.T
        if self.label_sets_ or scores.shape[1] > 2:
            return scores
        return scores[:, 1] - scores[:, 0]

    def _above_threshold(self, X, Y, W):
        """Weights whose positive scores make the sets; those of single labels are left alone."""
        if self.label_sets_:
            W = W.copy()
            W[:, -1] -= threshold(X @ W.T, Y, np.ones(len(X)))
        return W

    def predict(self, X) -> np.ndarray:
        """The class of highest score, or an indicator matrix of the labels of positive score."""
        return self._labels(self.decision_function(X))

    def _labels(self, scores):
        if self.label_sets_:
            return (scores > 0).astype(int)
        best = scores > 0 if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[np.asarray(best, dtype=int)]

    def _check_inputs(self, X):
        check_is_fitted(self)
        return _with_one(validate_data(self, X, reset=False, dtype=np.float64))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


def _with_one(X):
    return np.column_stack([X, np.ones(len(X))])


class KeslerClassifier(LinearScores):
    """Any linear binary classifier, trained on Kesler's 2m(k - 1) examples in nk dimensions.

    The slides "Kesler's Construction (1)" to "(3)" and "Learning via Kesler's Construction".

    Parameters
    ----------
    estimator : scikit-learn classifier with `coef_` or None
        It should fit no intercept. Default: a linear SVM without one, which makes this a multiclass
        SVM whose slack is summed over the constraints.
    random_state : int, RandomState or None
        Seeds an estimator that has a `random_state`.

    Attributes
    ----------
    classes_ : the labels
    coef_ : w_1 to w_k as rows; the last column belongs to the constant 1
    estimator_ : the binary classifier

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = KeslerClassifier(random_state=0).fit(X, y)
    >>> clf.coef_.shape, bool(clf.score(X, y) > 0.9)
    ((3, 5), True)
    """

    version = f"1, scikit-learn {sklearn.__version__}"

    def __init__(self, estimator=None, random_state=None):
        self.estimator = estimator
        self.random_state = random_state

    def fit(self, X, y):
        """Train the binary classifier on P+ and P-."""
        X, Y = self._start(X, y)
        base = (
            LinearSVC(fit_intercept=False, dual=False) if self.estimator is None else self.estimator
        )
        self.estimator_ = clone(base)
        if "random_state" in base.get_params(deep=False):
            seed = check_random_state(self.random_state).randint(2**31 - 1)
            self.estimator_.set_params(random_state=seed)
        positive = kesler(X, Y)
        signs = np.repeat([1, -1], positive.shape[0])
        self.estimator_.fit(sparse.vstack([positive, -positive], format="csr"), signs)
        W = np.reshape(self.estimator_.coef_, (len(self.classes_), X.shape[1]))
        self.coef_ = self._above_threshold(X, Y, W)
        return self


class OnlineConstraints(LinearScores):
    """Passes over the examples in random order: the base class of the perceptron and Winnow.

    A constraint is violated if (w_i - w_j) . x <= 0. Deviation: the slides have < 0, which holds
    for no constraint while all weights are equal, so the training would never start.

    Parameters
    ----------
    update : "conservative" or "full"
        Whether an example of class i is compared only with its closest rival j* = argmax_{j != i}
        w_j . x, or with every j in turn, each time with the current weights. Of a set of labels
        only the lowest-scoring one is compared, or each in turn.
    averaged : bool
        Predict by the mean of the weights over all visits, or by the last weights.
    epochs : int
        Passes over the examples.
    record : int, list of int or None
        Epochs at which the staged methods give results, with the last; None: after every epoch.
    random_state : int, RandomState or None
        Draws the order of the examples.

    Attributes
    ----------
    classes_ : the labels
    coef_ : w_1 to w_k as rows; the last column belongs to the constant 1
    updates_ : the number of updates in every epoch
    stages_ : the epochs of the staged methods
    """

    def _log2_r(self) -> float:
        """log2 of the base of a multiplicative update; 0: the update is additive."""
        return 0.0

    def fit(self, X, y):
        """Pass `epochs` times over the examples."""
        self._check_params()
        X, Y = self._start(X, y)
        X = np.ascontiguousarray(X)  # others would be compiled for anew
        rng, log2_r = check_random_state(self.random_state), self._log2_r()
        V = np.zeros((len(self.classes_), X.shape[1]))
        W, total = np.ones_like(V) if log2_r else V.copy(), np.zeros_like(V)
        self.stages_ = stages(self.record, self.epochs, "epoch")
        self.updates_, self.staged_coef_ = np.zeros(self.epochs, dtype=np.int64), []
        for e in range(self.epochs):
            order = rng.permutation(len(Y))
            self.updates_[e] = epoch(X, Y, order, self.update == "full", log2_r, V, W, total)
            if e + 1 in self.stages_:
                mean = total / (len(Y) * (e + 1))
                kept = mean if self.averaged else W.copy()
                self.staged_coef_.append(self._above_threshold(X, Y, kept))
        self.coef_ = self.staged_coef_[-1]
        return self

    def staged_decision_function(self, X) -> Iterator[np.ndarray]:
        """`decision_function` after each of the epochs `stages_`."""
        X = self._check_inputs(X)
        for W in self.staged_coef_:
            yield self._scores(X, W)

    def staged_predict(self, X) -> Iterator[np.ndarray]:
        """`predict` after each of the epochs `stages_`."""
        for scores in self.staged_decision_function(X):
            yield self._labels(scores)

    def _check_params(self):
        if self.update not in UPDATES:
            raise ValueError(
                f"update must be one of {', '.join(UPDATES)}. Got {self.update!r} instead."
            )


class MulticlassPerceptron(OnlineConstraints):
    """The perceptron in Kesler's space, by updates in n dimensions: w_i += x and w_j -= x.

    "Perceptron in Kesler Construction" and "Conservative update". A learning rate would only scale
    the weights. Parameters and attributes are those of OnlineConstraints.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = MulticlassPerceptron(epochs=20, record=[1], random_state=0).fit(X, y)
    >>> errors = [int((labels != y).sum()) for labels in clf.staged_predict(X)]
    >>> clf.stages_, errors[-1] < errors[0]
    ([1, 20], True)
    """

    inputs = "standardize"

    def __init__(
        self, update="conservative", averaged=True, epochs=10, record=None, random_state=None
    ):
        self.update = update
        self.averaged = averaged
        self.epochs = epochs
        self.record = record
        self.random_state = random_state


class BalancedWinnow(OnlineConstraints):
    """Balanced Winnow for k labels: w_i is multiplied by r^x and w_j by r^-x, feature by feature.

    "Extending Balanced": for two classes the weights are its w+ and w-, with threshold 0. Weights
    are positive, start equal, and are scaled so that the largest is 1 (also before they are
    averaged); only the differences w_i - w_j count.

    Parameters
    ----------
    r : float above 1
        The base of the update.

    The others, and the attributes, are those of OnlineConstraints.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = BalancedWinnow(epochs=20, random_state=0).fit(minmax_scale(X), y)
    >>> float(clf.score(minmax_scale(X), y)) > 0.9
    True
    """

    inputs = "minmax"

    def __init__(
        self, r=1.1, update="conservative", averaged=True, epochs=10, record=None, random_state=None
    ):
        self.r = r
        self.update = update
        self.averaged = averaged
        self.epochs = epochs
        self.record = record
        self.random_state = random_state

    def _log2_r(self):
        return math.log2(self.r)

    def _check_params(self):
        super()._check_params()
        if (
            isinstance(self.r, bool)
            or not isinstance(self.r, Real)
            or not 1 < float(self.r) < math.inf
        ):
            raise ValueError(f"r must be a number above 1. Got {self.r!r} instead.")
