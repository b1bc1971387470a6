"""The loop of Figs. 1 and 2, Sun et al. 2005: each round has a column, a hypothesis, new weights.

Deviation, where the figures would fail: a column on which the hypothesis is no better than chance
(eps_t >= 1/2) is redrawn with D_t unchanged, and after 20 redraws in a row the training stops.
"""

import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from ..coding import decoders, losses
from ..learners.parameters import RandomState, Record, seed_of, stages
from .base import Trainer, add_losses, outputs, prepared
from .columns import COLUMNS
from .progress import Progress
from .weights import first_weights, resample, reweight, separated

REDRAWS = 20
UPDATES = ("weighting", "resampling")
DECODERS = {"vote": losses.linear, "loss": losses.exponential}  # sum_t L(M(c, t) alpha_t h_t(x))


class Round(NamedTuple):
    """The result of a round: its column and hypothesis, U_t, eps_t and alpha_t."""

    column: np.ndarray
    estimator: BaseEstimator
    U: float
    error: float
    alpha: float


class JointBoosting(ClassifierMixin, BaseEstimator):
    """The loop that AdaBoost.OC, .ECC and .SECC share; a subclass sets the length of a step.

    Parameters
    ----------
    estimator : scikit-learn classifier or None
        The base learner of Step 6, fitted to labels -1 and +1. Default: DecisionTreeClassifier.
    rounds : int
        T, the number of columns.
    columns : "half", "bits", "maxcut" or callable
        Step 3: +1 for a random half of the classes, for each class by a coin, or by a local search
        for the column of highest U_t (Step 4); or `f(D, y, rng) -> column` over {-1, +1}.
    update : "weighting" or "resampling"
        Step 6: the base learner gets the weights d_t (Step 5, Eq. 9) times N, or N cases drawn by
        d_t; cases drawn more than once are weighted if it takes `sample_weight`, else copied. In
        both cases eps_t (Step 7, Eq. 13) is the error under d_t on all training examples.
    decoder : "vote" or "loss"
        The class of highest sum_t M(y, t) alpha_t h_t(x), or of lowest sum_t exp(-M(y, t) alpha_t
        h_t(x)), which is Eq. 1. The paper's Eq. 1 leaves the scale of f open; this is F of Step 11.
    record : int, list of int or None
        Rounds at which the staged methods give results, always with the last: every n-th (10 is
        rounds 10, 20, ...), those of the list, or all.
    random_state : int, RandomState or None
        Draws columns and cases, and seeds a base learner that has a `random_state`.

    Attributes
    ----------
    classes_ : the labels; row r of the code is the codeword of classes_[r]
    code_matrix_ : M, int8, classes x rounds (fewer than `rounds` if the training stopped)
    alphas_ : alpha_t of every round
    errors_ : eps_t of every round (Step 7 of Fig. 1)
    cuts_ : U_t of every round (Step 4)
    estimators_ : the hypotheses h_t
    history_ : training error, its bound, cost G and margins after every round, by name (`progress`)
    n_redraws_ : how many columns were given up because of eps_t >= 1/2 or U_t = 0
    stages_ : the rounds of the staged methods; after a stop, its results are repeated
    """

    def __init__(
        self,
        estimator: Any = None,
        rounds: int = 500,
        columns: str | Callable[..., np.ndarray] = "half",
        update: str = "weighting",
        decoder: str = "vote",
        record: Record = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.rounds = rounds
        self.columns = columns
        self.update = update
        self.decoder = decoder
        self.record = record
        self.random_state = random_state

    def _step(self, error: float, U: float) -> float:
        """alpha_t from eps_t and U_t."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "JointBoosting":
        """Run the rounds; D_1 follows `sample_weight`, and examples of weight 0 are left out."""
        self._check_params()
        X, y = validate_data(self, X, y, **self._input_checks())
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        used = weight > 0
        self.classes_, y = np.unique(y[used], return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"y must hold at least 2 classes. Got {len(self.classes_)} class instead."
            )
        self.stages_ = stages(self.record, self.rounds)
        self._boost(X if used.all() else X[used], y, weight[used])
        return self

    def _boost(self, X, y, weight):
        """Steps 1 to 10."""
        trainer = Trainer(self._base_estimator(), X)
        rng = np.random.default_rng(seed_of(self.random_state))
        D = first_weights(y, len(self.classes_), weight)
        progress = Progress(y, len(self.classes_), weight, DECODERS[self.decoder])
        done: list[Round] = []
        self.n_redraws_ = 0
        while len(done) < self.rounds:
            found = self._round(trainer, y, D, weight.sum(), rng, progress)
            if found is None:
                self._say_stopped(len(done))
                break
            done.append(found)
        self.code_matrix_ = np.empty((len(self.classes_), len(done)), dtype=np.int8)
        for t, r in enumerate(done):
            self.code_matrix_[:, t] = r.column
        self.estimators_ = [r.estimator for r in done]
        self.cuts_, self.errors_, self.alphas_ = np.array([r[2:] for r in done]).reshape(-1, 3).T
        self.history_ = progress.history()

    def _round(self, trainer, y, D, total, rng, progress) -> Round | None:
        """Steps 3 to 9; None, with D unchanged, if all columns tried have eps_t >= 1/2."""
        for _ in range(1 + REDRAWS):
            column = self._column(D, y, rng)
            d = separated(D, y, column)
            U = float(d.sum())
            if U > 0:
                d /= U
                labels = column[y]
                weight = d * total if self.update == "weighting" else resample(d, rng)
                estimator = trainer.fit(labels, weight, rng)
                h = outputs(estimator, trainer.inputs)
                error = float(d[h != labels].sum())
                if error < 0.5:
                    alpha = self._step(error, U)
                    progress.add(column, h, error, alpha, reweight(D, y, column, alpha * h))
                    return Round(column, estimator, U, error, alpha)
            self.n_redraws_ += 1
        return None

    def _column(self, D, y, rng):
        if not callable(self.columns):
            return COLUMNS[self.columns](D, y, rng)
        column = np.asarray(self.columns(D, y, rng))
        k = len(self.classes_)
        if column.shape != (k,) or not np.isin([-1, 1], column).all() or (abs(column) != 1).any():
            raise ValueError(
                f"columns must give {k} numbers -1 and +1, both of them. Got {column} instead."
            )
        return column.astype(np.int8)

    def _say_stopped(self, t):
        warnings.warn(
            f"training stopped after {t} of {self.rounds} rounds: on {1 + REDRAWS} columns in a "
            "row the base learner was no better than chance. Use a stronger base learner.",
            ConvergenceWarning,
            stacklevel=4,
        )

    def margins(self, X: Any) -> np.ndarray:
        """F[i, t] = alpha_t h_t(x_i), Step 11: one column for each column of the code."""
        X = self._check_inputs(X)
        inputs = prepared(X, self.estimators_)
        F = np.empty((X.shape[0], len(self.estimators_)))
        for t, estimator in enumerate(self.estimators_):
            F[:, t] = self.alphas_[t] * outputs(estimator, inputs)
        return F

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores of the classes, highest wins. Two classes: one column, as usual."""
        return _scores(next(self._staged(X, final=True)))

    def predict(self, X: Any) -> np.ndarray:
        """The class of highest score; ties go to the first of `classes_`."""
        D = next(self._staged(X, final=True))
        return self.classes_[decoders.predict(D)]

    def staged_decision_function(self, X: Any) -> Iterator[np.ndarray]:
        """`decision_function` after each of the rounds `stages_`."""
        for D in self._staged(X):
            yield _scores(D)

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """`predict` after each of the rounds `stages_`."""
        for D in self._staged(X):
            yield self.classes_[decoders.predict(D)]

    def _staged(self, X, final=False):
        """sum_t L(M(c, t) alpha_t h_t(x)) up to each stage, in the order of the rounds."""
        X = self._check_inputs(X)
        inputs = prepared(X, self.estimators_)
        L, last = DECODERS[self.decoder], len(self.estimators_)
        D = np.zeros((X.shape[0], len(self.classes_)))
        stages = self.stages_[-1:] if final else self.stages_
        for start, stop in pairwise([0, *stages]):
            for t in range(start, min(stop, last)):
                agree, differ = L([self.alphas_[t], -self.alphas_[t]])
                h = outputs(self.estimators_[t], inputs)
                add_losses(D, h, self.code_matrix_[:, t], agree, differ)
            yield D.copy()

    def _base_estimator(self):
        return DecisionTreeClassifier() if self.estimator is None else self.estimator

    def _check_inputs(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **self._input_checks())

    def _input_checks(self):
        tags = self.__sklearn_tags__().input_tags
        return {
            "accept_sparse": ["csr"] if tags.sparse else False,
            "ensure_all_finite": not tags.allow_nan,
        }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        base = get_tags(self._base_estimator()).input_tags
        tags.input_tags.sparse = base.sparse
        tags.input_tags.allow_nan = base.allow_nan
        return tags

    def _check_params(self):
        for name, known in {"columns": COLUMNS, "update": UPDATES, "decoder": DECODERS}.items():
            value = getattr(self, name)
            named = isinstance(value, str) and value in known
            if not named and not (name == "columns" and callable(value)):
                raise ValueError(
                    f"{name} must be one of {', '.join(known)}. Got {value!r} instead."
                )
        base = self._base_estimator()
        if self.update == "weighting" and not has_fit_parameter(base, "sample_weight"):
            raise ValueError(
                f"{type(base).__name__} takes no sample_weight. Use update='resampling'."
            )


def _scores(D):
    return D[:, 0] - D[:, 1] if D.shape[1] == 2 else -D
