"""ECOCClassifier: code x learner x decoder behind the scikit-learn contract."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import _safe_indexing, check_consistent_length, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import _check_partial_fit_first_call, check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    _check_y,
    _num_samples,
    check_is_fitted,
    validate_data,
)

from ..coding import decoders
from ..coding.codes import CODES, check_code, distinct_dichotomies, pair_columns
from ..coding.folds import dealt
from ..coding.labels import find, row_blocks
from ..errors import CodeError, shown, unknown
from .adapt import as_learner
from .columns import Columns, MultiCall, is_pairwise
from .contract import Learner
from .parameters import RandomState, seed_of

Code = str | np.ndarray | list | Callable[[int, np.random.Generator], np.ndarray]


def _learns_in_batches(classifier) -> bool:
    """Whether `partial_fit` exists: the estimator must have it."""
    base = classifier._base_estimator()
    if not hasattr(base, "partial_fit"):
        raise AttributeError(f"'{type(base).__name__}' object has no attribute 'partial_fit'")
    return True


class ECOCClassifier(ClassifierMixin, BaseEstimator):
    """Multiclass classification by an output code (Allwein, Schapire & Singer 2000).

    Parameters
    ----------
    estimator : any scikit-learn classifier or regressor, or a learner
        An estimator is fitted once per column; a learner has `fit(X, Y)` and `margins(X)`.
        Default: logistic regression. `learner` is another name of this parameter.
    code : str, array or callable
        A family ("ova", "all_pairs", "complete", "dense", "sparse", "bch", "hadamard", "trellis"),
        a matrix over {-1, 0, +1} with one row per class in the order of `classes_`, or
        `f(n_classes, rng) -> M`.
    decoder : str or callable
        "auto" (by the kind of code: see `coding.decoders.auto`), "loss" (the estimator's own loss:
        see `learners.own_loss`), "hamming", a loss by its name, "majority" or "tournament"
        (all-pairs only), "likelihood" (Passerini et al. 2004, Eqs. 2-5, which also gives
        `predict_proba`), or `f(M, F) -> D`.
    random_state : int, RandomState or None
        Draws random codes, seeds the columns of an estimator whose `random_state` is open, and
        deals out the folds of "likelihood".
    sigmoid_folds : int
        Folds of the cross-validation whose held-out margins fit the sigmoids of "likelihood".
    columns, tries : int or None
        The columns of a random code, and how many are drawn to find a good one: parameters of the
        family. None: its defaults.
    n_jobs : int or None
        How many columns are fitted at once, as in joblib. The result does not depend on it.

    Attributes
    ----------
    classes_ : the labels; row r of the code is the codeword of classes_[r]
    n_classes_ : how many there are
    code_matrix_ : M, int8, classes x columns
    learner_ : the fitted learner, on the distinct dichotomies of M
    estimators_ : the fitted estimators of these dichotomies
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

    # For subclasses without these parameters.
    sigmoid_folds: int = 3
    columns: int | None = None
    tries: int | None = None
    n_jobs: int | None = None
    learner_: Any
    decoder_: Any

    def __init__(
        self,
        estimator: Any = None,
        code: Code = "ova",
        decoder: str | decoders.Decoder = "auto",
        random_state: RandomState = None,
        sigmoid_folds: int = 3,
        columns: int | None = None,
        tries: int | None = None,
        n_jobs: int | None = None,
        learner: Any = None,
    ) -> None:
        self.estimator = learner if estimator is None else estimator
        self.code = code
        self.decoder = decoder
        self.random_state = random_state
        self.sigmoid_folds = sigmoid_folds
        self.columns = columns
        self.tries = tries
        self.n_jobs = n_jobs

    @property
    def learner(self) -> Any:
        """Another name of `estimator`."""
        return self.estimator

    @learner.setter
    def learner(self, value: Any) -> None:
        self.estimator = value

    @classmethod
    def _get_param_names(cls) -> list[str]:
        names = super()._get_param_names()
        return [name for name in names if name != "learner" or "estimator" not in names]

    def set_params(self, **params: Any) -> "ECOCClassifier":
        """Set parameters; `learner` and `learner__C` are other names of `estimator` and so on."""
        if "estimator" in self._get_param_names():
            words = ((name.partition("__"), value) for name, value in params.items())
            params = {
                ("estimator" if first == "learner" else first) + gap + rest: value
                for (first, gap, rest), value in words
            }
        return super().set_params(**params)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "ECOCClassifier":
        """Draw the code, then fit the learner on Y[i, s] = M(y_i, s)."""
        X, y = self._checked(X, y)
        self.classes_, r = np.unique(y, return_inverse=True)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
        seeds = self._start()
        if decoders.is_calibrated(self.decoder):
            F = self._held_out_margins(X, r, sample_weight, seeds)
            Y = self.code_matrix_[r]
            self.decoder_ = decoders.calibrated(str(self.decoder), F, Y, sample_weight)
        self._fit_columns(self.learner_, X, r, sample_weight)
        return self

    @available_if(_learns_in_batches)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> "ECOCClassifier":
        """Train on one more batch. The first call needs all `classes`; a batch may lack some."""
        if decoders.is_calibrated(self.decoder):
            raise ValueError(
                f"decoder={self.decoder!r} is fitted on held-out examples, which partial_fit does "
                "not have. Set another decoder, or use fit."
            )
        first = _check_partial_fit_first_call(self, classes)
        X, y = self._checked(X, y, reset=first)
        if first:
            self._start()
        if not np.isin(y, self.classes_).all():
            raise ValueError(
                f"Mini-batch contains {np.unique(y)} while classes must be subset of "
                f"{self.classes_}"
            )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
        Y = self._dichotomies[np.searchsorted(self.classes_, y)]
        self.learner_.partial_fit(X, Y, sample_weight=sample_weight)
        return self

    def margins(self, X: Any) -> np.ndarray:
        """F[i, s] = f_s(x_i), one column for each column of the code."""
        check_is_fitted(self)
        return self._margins_of(self.learner_, self._inputs(X))

    def decision_function(self, X: Any) -> np.ndarray:
        """Minus the distances to the codewords: highest wins. Two classes: one column, as usual."""
        return self._scores(self.margins(X))

    def predict(self, X: Any) -> np.ndarray:
        """The label of the nearest codeword; ties go to the first of `classes_`."""
        check_is_fitted(self)
        X = self._inputs(X)
        blocks = (_safe_indexing(X, rows) for rows in self._row_blocks(_num_samples(X)))
        return np.concatenate([self._decide(self._margins_of(self.learner_, B)) for B in blocks])

    @property
    def predict_proba(self) -> Callable[[Any], np.ndarray]:
        """P(Y = q | margins), Eq. 3 of Passerini et al. 2004; only with decoder="likelihood"."""
        if not decoders.is_calibrated(self.decoder):
            # A property, because `available_if` would keep this sentence to itself.
            raise AttributeError(
                f"predict_proba of {type(self).__name__} needs decoder='likelihood'. "
                f"Got decoder={self.decoder!r} instead."
            )
        return self._predict_proba

    def _predict_proba(self, X: Any) -> np.ndarray:
        from ..coding.likelihood import probabilities

        F, sigmoids = self.margins(X), self.decoder_.keywords
        return probabilities(self.code_matrix_, F, sigmoids["A"], sigmoids["B"])

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    @property
    def estimators_(self) -> list:
        """The fitted estimators, one for each distinct dichotomy of the code."""
        return self.learner_.estimators_

    def _start(self) -> np.random.Generator:
        """Code, unfitted learner and decoder for `classes_`."""
        if self.n_classes_ < 2:
            raise ValueError(
                f"y must hold at least 2 classes: there is nothing to learn when only one class is "
                f"present. Got {self.n_classes_} class instead."
            )
        seeds = np.random.default_rng(seed_of(self.random_state))
        self.code_matrix_ = self._make_code(self.n_classes_, seeds)
        self.learner_ = self._make_learner(seeds)
        self.decoder_ = self._make_decoder()
        self._dichotomies, self._index, self._sign = self._columns()
        return seeds

    def _fit_columns(self, learner: Learner, X, r, sample_weight) -> Learner:
        jobs = {"n_jobs": self.n_jobs} if isinstance(learner, MultiCall) else {}
        learner.fit(X, self._dichotomies[r], sample_weight=sample_weight, **jobs)
        return learner

    def _margins_of(self, learner: Learner, X) -> np.ndarray:
        return learner.margins(X)[:, self._index] * self._sign

    def _held_out_margins(self, X, r, sample_weight, rng) -> np.ndarray:
        """Margins of every training example, from learners fitted without its fold."""
        fold = _folds(r, self.sigmoid_folds, rng)
        F = np.empty((len(r), len(self._index)))
        for f in range(self.sigmoid_folds):
            rest, held = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
            weight = None if sample_weight is None else sample_weight[rest]
            learner = self._fit_columns(
                self.learner_.fresh(), self._part(X, rest, rest), r[rest], weight
            )
            F[held] = self._margins_of(learner, self._part(X, held, rest))
        return F

    def _part(self, X, rows, trained_on):
        """Rows of X; of a kernel matrix only the columns of the rows that are trained on."""
        part = _safe_indexing(X, rows)
        return part[:, trained_on] if is_pairwise(self) else part

    def _row_blocks(self, n: int) -> list[slice]:
        """Blocks of rows of which there are not many margins; a user's decoder gets all rows."""
        shape = len(self.classes_), len(self._index)  # of label sets there is no code_matrix_
        return [slice(n)] if callable(self.decoder) else [*row_blocks(shape, n)] or [slice(n)]

    def _decide(self, F):
        return self.classes_[find(self.decoder_, self.code_matrix_, F).labels]

    def _scores(self, F):
        D = self.decoder_(self.code_matrix_, F)
        return D[:, 0] - D[:, 1] if len(self.classes_) == 2 else -D

    def _make_code(self, k, rng):
        make: Any = self.code
        if isinstance(make, str):
            if make not in CODES:
                raise ValueError(unknown("code", make, CODES))
            make = CODES[make].make
        given = {"columns": self.columns, "tries": self.tries}
        given = {name: value for name, value in given.items() if value is not None}
        for name in given:
            if not callable(make) or name not in signature(make).parameters:
                raise ValueError(f"{name} is no parameter of code={shown(self.code)}. Remove it.")
        M = check_code(make(k, rng, **given) if callable(make) else make)
        if len(M) != k:
            raise CodeError(f"the code has {len(M)} rows but y has {k} classes: one row per class.")
        return M

    def _columns(self):
        """The columns that the learner fits, and how M follows: columns[:, index] * sign."""
        M = self.code_matrix_
        if self.learner_.single_call:
            return M, np.arange(M.shape[1]), np.ones(M.shape[1], dtype=np.int8)
        return distinct_dichotomies(M)

    def _make_learner(self, rng) -> Learner:
        learner = as_learner(self.learner)
        if learner.takes("random_state"):
            return learner.fresh(random_state=int(rng.integers(2**31 - 1)))
        return learner.fresh()

    def _make_decoder(self) -> decoders.Decoder:
        if callable(self.decoder):
            return self.decoder
        if self.decoder in decoders.PAIRWISE:
            pair_columns(self.code_matrix_)
        return decoders.resolve(self.decoder, self.learner_.loss)

    def _base_estimator(self):
        learner = as_learner(self.learner)
        return learner.binary_estimator(1) if isinstance(learner, MultiCall) else learner

    def _checked(self, X, y, reset: bool = True):
        """X and y of `fit` or `partial_fit`."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        X, y = self._inputs(X, reset), _check_y(y)
        check_consistent_length(X, y)
        check_classification_targets(y)
        return X, y

    def _inputs(self, X, reset: bool = False):
        """X, checked. Gaps, text and data frames are the affair of a scikit-learn estimator."""
        checks: dict[str, Any] = {
            "accept_sparse": ["csr"] if self.__sklearn_tags__().input_tags.sparse else False,
            "ensure_all_finite": not self.__sklearn_tags__().input_tags.allow_nan,
        }
        if isinstance(as_learner(self.learner), Columns):
            checks |= {"skip_check_array": True} if _is_table(X) else {"ensure_all_finite": False}
        return validate_data(self, X, reset=reset, **checks)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        base = get_tags(self._base_estimator())
        for name in ("sparse", "allow_nan", "pairwise"):
            setattr(tags.input_tags, name, getattr(base.input_tags, name))
        return tags


def _is_table(X) -> bool:
    """Whether X may hold more than numbers: a data frame, a list, or an array of something else."""
    if isinstance(X, np.ndarray):
        return X.dtype.kind not in "biufc"
    return isinstance(X, list | tuple) or hasattr(X, "iloc") or hasattr(X, "__dataframe__")


def _folds(r, folds, rng) -> np.ndarray:
    """The fold of each example, after a look at the parameter."""
    whole = isinstance(folds, int | np.integer) and not isinstance(folds, bool)
    if not whole or not 2 <= folds <= len(r):
        raise ValueError(
            f"sigmoid_folds must be a whole number from 2 to the number of examples, {len(r)}. "
            f"Got {folds!r} instead."
        )
    return dealt(r, folds, rng)
