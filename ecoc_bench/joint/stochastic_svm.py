"""The linear multiclass SVM by stochastic sub-gradient descent: slides "Multiclass SVM".

"Can be trained using different optimization methods. Stochastic sub-gradient descent can be
generalized": the steps are those of Pegasos (Shalev-Shwartz, Singer & Srebro 2007), on the problem
that `crammer_singer` solves exactly. There is no bias.
"""

from collections.abc import Iterator
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ..learners.parameters import stages
from ._stochastic_svm import sweep
from .crammer_singer import slacks


class StochasticSVM(ClassifierMixin, BaseEstimator):
    """min 1/2 sum_l |w_l|^2 + C sum_i xi_i with the slacks of Crammer & Singer, by single examples.

    Slides "Multiclass SVM". With lambda = 1/(C m) the problem is min lambda/2 |W|^2 +
    1/m sum_i xi_i. Step t takes an
    example, goes against the subgradient of lambda/2 |W|^2 + xi_i by 1/(lambda t), and so changes
    w_y and the w_l of its closest rival, besides shrinking all. Examples come in a new random order
    in each epoch.

    Parameters
    ----------
    C : float
        The price of the slacks, as for `crammer_singer`.
    epochs : int
        Passes over the examples.
    averaged : bool
        Use the mean of W_t over all steps, weighted by t, in place of the last W_t: it is nearer to
        the optimum.
    record : int, list of int or None
        Epochs at which the staged methods give results, with the last; None: after every epoch.
    random_state : int, RandomState or None
        Draws the orders of the examples.

    Attributes
    ----------
    classes_ : the labels
    coef_ : w_l as rows
    objectives_ : the value of the problem at each of `stages_`
    stages_ : the epochs of the staged methods

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import scale
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = StochasticSVM(epochs=50, record=[5], random_state=0).fit(scale(X), y)
    >>> clf.stages_, bool(clf.objectives_[1] < clf.objectives_[0])
    ([5, 50], True)
    """

    inputs = "standardize"
    version = 1

    def __init__(self, C=1.0, epochs=50, averaged=True, record=None, random_state=None):
        self.C = C
        self.epochs = epochs
        self.averaged = averaged
        self.record = record
        self.random_state = random_state

    def fit(self, X, y):
        """Pass `epochs` times over the examples."""
        if (
            isinstance(self.C, bool)
            or not isinstance(self.C, Real)
            or not 0 < float(self.C) < np.inf
        ):
            raise ValueError(f"C must be a number above 0. Got {self.C!r} instead.")
        self.stages_ = stages(self.record, self.epochs, "epoch")
        X, y = validate_data(self, X, y, dtype=np.float64)
        X = np.require(X, requirements=["C", "W"])  # others would be compiled for anew
        check_classification_targets(y)
        self.classes_, y = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"y must hold at least 2 classes. Got {len(self.classes_)} class instead."
            )
        self._descend(X, y)
        self.coef_ = self.staged_coef_[-1]
        self.objectives_ = np.array([self._objective(W, X, y) for W in self.staged_coef_])
        return self

    def _descend(self, X, y):
        rng, lam = check_random_state(self.random_state), 1 / (float(self.C) * len(y))
        U = np.zeros((len(self.classes_), X.shape[1]))
        A, t = np.zeros_like(U), 0
        self.staged_coef_: list[np.ndarray] = []
        for epoch in range(1, self.epochs + 1):
            t = sweep(X, y, rng.permutation(len(y)), t, lam, U, A)
            if epoch in self.stages_:
                # sum_j j W_j = 1/lambda sum_j U_j = 1/lambda ((t + 1) U_t - A)
                mean = 2 * ((t + 1) * U - A) / (lam * t * (t + 1))
                self.staged_coef_.append(mean if self.averaged else U / (lam * t))

    def _objective(self, W, X, y) -> float:
        return float((W**2).sum() / 2 + self.C * slacks(W @ X.T, y).sum())

    def decision_function(self, X) -> np.ndarray:
        """w_l . x, highest wins. Two classes: one column, as usual."""
        return _columns(self._check_inputs(X) @ self.coef_.T)

    def predict(self, X) -> np.ndarray:
        """argmax_l w_l . x; ties go to the first of `classes_`."""
        return self._labels(self._check_inputs(X) @ self.coef_.T)

    def staged_decision_function(self, X) -> Iterator[np.ndarray]:
        """`decision_function` after each of the epochs `stages_`."""
        X = self._check_inputs(X)
        for W in self.staged_coef_:
            yield _columns(X @ W.T)

    def staged_predict(self, X) -> Iterator[np.ndarray]:
        """`predict` after each of the epochs `stages_`."""
        X = self._check_inputs(X)
        for W in self.staged_coef_:
            yield self._labels(X @ W.T)

    def _labels(self, scores):
        return self.classes_[scores.argmax(axis=1)]

    def _check_inputs(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64)


def _columns(scores):
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
