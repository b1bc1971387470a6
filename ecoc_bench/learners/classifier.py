"""ECOCClassifier: code x learner x decoder behind the scikit-learn contract."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ..coding import decoders
from ..coding.codes import CODES, check_code, distinct_dichotomies, pair_columns
from ..coding.folds import dealt
from ..errors import CodeError, unknown
from .adapt import as_learner
from .columns import MultiCall
from .parameters import seed_of


def _has_probabilities(classifier) -> bool:
    """Whether `predict_proba` exists: only fitted sigmoids give probabilities."""
    if _named(classifier.decoder, decoders.CALIBRATED):
        return True
    raise AttributeError(
        f"predict_proba needs decoder='likelihood'. Got {classifier.decoder!r} instead."
    )


class ECOCClassifier(ClassifierMixin, BaseEstimator):
    """Multiclass classification by an output code (Allwein, Schapire & Singer 2000).

    Parameters
    ----------
    learner : a learner, or any scikit-learn classifier
        A learner has `fit(X, Y)` and `margins(X)`; a classifier is fitted once per column.
        Default: logistic regression.
    code : str, array or callable
        A family ("ova", "all_pairs", "complete", "dense", "sparse", "bch"), a matrix over
        {-1, 0, +1} with one row per class in the order of `classes_`, or `f(n_classes, rng) -> M`.
    decoder : str or callable
        "loss" (the learner's own loss), "hamming", a loss by its name, "majority" or "tournament"
        (all-pairs only), "likelihood" (Passerini et al. 2004, Eqs. 2-5, which also gives
        `predict_proba`), or `f(M, F) -> D`.
    random_state : int, RandomState or None
        Draws random codes and seeds the columns of a learner that has a `random_state`, and deals
        out the folds of "likelihood".
    sigmoid_folds : int
        Folds of the cross-validation whose held-out margins fit the sigmoids of "likelihood".

    Attributes
    ----------
    classes_ : the labels; row r of the code is the codeword of classes_[r]
    code_matrix_ : M, int8, classes x columns
    learner_ : the fitted learner, on the distinct dichotomies of M
    decoder_ : f(M, F) -> D; for "likelihood" with its fitted sigmoids

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
    >>> clf = ECOCClassifier(SVC(), decoder="likelihood", random_state=0).fit(X, y)
    >>> clf.predict_proba(X[:1]).round(1).tolist()
    [[1.0, 0.0, 0.0]]
    """

    sigmoid_folds = 3  # for subclasses without this parameter

    def __init__(
        self, learner=None, code="ova", decoder="loss", random_state=None, sigmoid_folds=3
    ):
        self.learner = learner
        self.code = code
        self.decoder = decoder
        self.random_state = random_state
        self.sigmoid_folds = sigmoid_folds

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
        seeds = np.random.default_rng(seed_of(self.random_state))
        self.code_matrix_ = self._make_code(len(self.classes_), seeds)
        self.learner_ = self._make_learner(seeds)
        self.decoder_ = self._make_decoder()
        columns, self._index, self._sign = self._columns()
        if _named(self.decoder, decoders.CALIBRATED):
            F = self._held_out_margins(X, r, columns, sample_weight, seeds)
            Y = self.code_matrix_[r]
            self.decoder_ = decoders.calibrated(self.decoder, F, Y, sample_weight)
        self.learner_.fit(X, columns[r], sample_weight=sample_weight)
        return self

    def margins(self, X) -> np.ndarray:
        """F[i, s] = f_s(x_i), one column for each column of the code."""
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

    @available_if(_has_probabilities)
    def predict_proba(self, X) -> np.ndarray:
        """P(Y = q | margins), Eq. 3 of Passerini et al. 2004; only with decoder="likelihood"."""
        from ..coding.likelihood import probabilities

        F = self.margins(X)
        return probabilities(self.code_matrix_, F, **self.decoder_.keywords)

    def _held_out_margins(self, X, r, columns, sample_weight, rng) -> np.ndarray:
        """Margins of every training example, from learners fitted without its fold."""
        fold = _folds(r, self.sigmoid_folds, rng)
        F = np.empty((len(r), len(self._index)))
        for f in range(self.sigmoid_folds):
            rest, held = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
            weight = None if sample_weight is None else sample_weight[rest]
            learner = self.learner_.fitted(X[rest], columns[r[rest]], sample_weight=weight)
            F[held] = learner.margins(X[held])[:, self._index] * self._sign
        return F

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
        """The columns that the learner fits, and how M follows: columns[:, index] * sign."""
        M = self.code_matrix_
        if self.learner_.single_call:
            return M, np.arange(M.shape[1]), np.ones(M.shape[1], dtype=np.int8)
        return distinct_dichotomies(M)

    def _make_learner(self, rng):
        learner = as_learner(self.learner)
        if learner.takes("random_state"):
            return learner.fresh(random_state=int(rng.integers(2**31 - 1)))
        return learner.fresh()

    def _make_decoder(self):
        if callable(self.decoder):
            return self.decoder
        if _named(self.decoder, decoders.PAIRWISE):
            pair_columns(self.code_matrix_)
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


def _named(decoder, names) -> bool:
    """Whether a decoder is one of these names; a function is not."""
    return isinstance(decoder, str) and decoder in names


def _folds(r, folds, rng) -> np.ndarray:
    """The fold of each example, after a look at the parameter."""
    whole = isinstance(folds, int | np.integer) and not isinstance(folds, bool)
    if not whole or not 2 <= folds <= len(r):
        raise ValueError(
            f"sigmoid_folds must be a whole number from 2 to the number of examples, {len(r)}. "
            f"Got {folds!r} instead."
        )
    return dealt(r, folds, rng)
