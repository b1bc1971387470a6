"""ECOCClassifier: code x learner x decoder behind the scikit-learn contract."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import decoders
from .codes import CODES, check_code, distinct_dichotomies
from .errors import CodeError, unknown
from .learners.columns import Columns, MultiCall


class ECOCClassifier(ClassifierMixin, BaseEstimator):
    """Multiclass classification by an output code (Allwein, Schapire & Singer 2000).

    Parameters
    ----------
    learner : a learner, or any scikit-learn classifier
        A learner has `fit(X, Y)` and `margins(X)`; a classifier is fitted once per column.
        Default: logistic regression.
    code : str, array or callable
        A family ("ova", "all_pairs", "complete", "dense", "sparse"), a matrix over {-1, 0, +1}
        with one row per class in the order of `classes_`, or `f(n_classes, rng) -> M`.
    decoder : str or callable
        "loss" (the learner's own loss), "hamming", a loss by its name, or `f(M, F) -> D`.
    random_state : int, RandomState or None
        Draws random codes and seeds the columns of a learner that has a `random_state`.

    Attributes
    ----------
    classes_ : the labels; row r of the code is the codeword of classes_[r]
    code_matrix_ : M, int8, classes x columns
    learner_ : the fitted learner, on the distinct dichotomies of M

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = ECOCClassifier(SVC(), code="all_pairs", decoder="hinge").fit(X, y)
    >>> clf.code_matrix_.tolist()
    [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
    >>> float(clf.score(X, y)) > 0.9
    True
    """

    def __init__(self, learner=None, code="ova", decoder="loss", random_state=None):
        self.learner = learner
        self.code = code
        self.decoder = decoder
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw the code, then fit the learner on Y[i, s] = M(y_i, s)."""
        X, y = validate_data(self, X, y, **self._input_checks())
        check_classification_targets(y)
        self.classes_, r = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"y must hold at least 2 classes. Got {len(self.classes_)} class instead."
            )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
        seeds = np.random.default_rng(_seed(self.random_state))
        self.code_matrix_ = self._make_code(len(self.classes_), seeds)
        self.learner_ = self._make_learner(seeds)
        self.decoder_ = self._make_decoder()
        columns, self._index, self._sign = self._columns()
        self.learner_.fit(X, columns[r], sample_weight=sample_weight)
        return self

    def margins(self, X) -> np.ndarray:
        """F[i, s] = f_s(x_i), one column for each of the code's."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._input_checks())
        return self.learner_.margins(X)[:, self._index] * self._sign

    def decision_function(self, X) -> np.ndarray:
        """Minus the distances to the codewords: highest wins. Two classes: one column, as usual."""
        return self._scores(self.margins(X))

    def predict(self, X) -> np.ndarray:
        """The label of the nearest codeword; ties go to the first of `classes_`."""
        F = self.margins(X)
        return self.classes_[decoders.predict(self.decoder_(self.code_matrix_, F))]

    def _scores(self, F):
        D = self.decoder_(self.code_matrix_, F)
        return D[:, 0] - D[:, 1] if len(self.classes_) == 2 else -D

    def _make_code(self, k, rng):
        if isinstance(self.code, str):
            if self.code not in CODES:
                raise ValueError(unknown("code", self.code, CODES))
            return CODES[self.code].make(k, rng)
        M = check_code(self.code(k, rng) if callable(self.code) else self.code)
        if len(M) != k:
            raise CodeError(f"the code has {len(M)} rows but y has {k} classes: one row per class.")
        return M

    def _columns(self):
        """What the learner is to fit, and how M follows from it: columns[:, index] * sign."""
        M = self.code_matrix_
        if self.learner_.single_call:
            return M, np.arange(M.shape[1]), np.ones(M.shape[1], dtype=np.int8)
        return distinct_dichotomies(M)

    def _make_learner(self, rng):
        learner = clone(as_learner(self.learner))
        if "random_state" in learner.get_params(deep=False):
            learner.set_params(random_state=int(rng.integers(2**31 - 1)))
        return learner

    def _make_decoder(self):
        if callable(self.decoder):
            return self.decoder
        return decoders.resolve(self.decoder, self.learner_.loss)

    def _base_estimator(self):
        learner = as_learner(self.learner)
        return learner.binary_estimator(1) if isinstance(learner, MultiCall) else learner

    def _input_checks(self):
        tags = self.__sklearn_tags__().input_tags
        return {
            "accept_sparse": ["csr"] if tags.sparse else False,
            "ensure_all_finite": not tags.allow_nan,
        }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        base = get_tags(self._base_estimator())
        tags.input_tags.sparse = base.input_tags.sparse
        tags.input_tags.allow_nan = base.input_tags.allow_nan
        return tags


def as_learner(learner):
    """A learner as it is; a scikit-learn classifier as one per column."""
    if learner is None:
        learner = LogisticRegression()
    return learner if hasattr(learner, "margins") else Columns(learner)


def _seed(random_state):
    """A seed for numpy's Generator from scikit-learn's three kinds of random_state."""
    if isinstance(random_state, np.random.RandomState):
        return random_state.randint(2**31 - 1)
    return random_state
