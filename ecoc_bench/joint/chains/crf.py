"""Conditional random fields on chains: Mohri et al., Eq. 9.24, by L-BFGS."""

from typing import Any

import numpy as np
from scipy.optimize import minimize

from ._inference import forward_backward
from .base import ChainClassifier, Problem, Solution

LOSSES = ("none", "hamming")


class Objective:
    """Eq. 9.24 and its gradient, at weights in one vector.

    L(y_i, y_i) = 0, and the rest of L adds `raised` to the scores: 1 for each wrong label.
    """

    def __init__(self, problem: Problem, loss: str):
        X, y, starts, k, _ = problem
        self.problem = problem
        self.shape = X.shape[1], k
        self.truth = np.zeros((len(y), k))
        self.truth[np.arange(len(y)), y] = 1.0
        self.raised = 1.0 - self.truth if loss == "hamming" else 0.0
        inner = np.ones(len(y), dtype=bool)
        inner[starts[:-1]] = False
        later = np.flatnonzero(inner)
        self.counts = np.zeros((k, k))
        np.add.at(self.counts, (y[later - 1], y[later]), 1.0)

    def parts(self, w) -> tuple[np.ndarray, np.ndarray]:
        """W, inputs x classes, and A."""
        cut = self.shape[0] * self.shape[1]
        return w[:cut].reshape(self.shape), w[cut:].reshape(self.shape[1], -1)

    def __call__(self, w) -> tuple[float, np.ndarray]:
        X, _, starts, _, C = self.problem
        W, A = self.parts(w)
        S = X @ W
        log_Z, P, pairs = forward_backward(S + self.raised, A, starts)
        own = (S * self.truth).sum() + (A * self.counts).sum()
        P -= self.truth
        slope = np.concatenate([(X.T @ P).ravel(), (pairs - self.counts).ravel()])
        return 0.5 * w @ w + C * (log_Z.sum() - own), w + C * slope


class ConditionalRandomField(ChainClassifier):
    """Conditional random field on chains (Mohri et al., Eq. 9.24).

    min 1/2 |w|^2 + C sum_i log sum_y exp(L(y_i, y) - w . [Phi(x_i, y_i) - Phi(x_i, y)]).

    The sum over the labelings is by the forward-backward recursions, the minimum by L-BFGS. The
    objective minus 1/2 |w|^2 is convex, so that it is at most 1/2 |gradient|^2 above its minimum:
    this is `gap_`. With chains of one row it is multinomial logistic regression.

    Parameters
    ----------
    C : float
        The price of the losses, summed over chains.
    loss : "none" or "hamming"
        L: none for the usual field; "hamming", the number of wrong positions, for the one with the
        soft-max in place of the maximum of `MaxMarginMarkovNetwork`.
    tol : float
        Training ends when the objective is at most this share above its minimum.
    max_iter : int
        The most steps.

    Attributes
    ----------
    classes_ : the labels
    coef_, intercept_, transitions_ : W, b and A; A[i, j] is the weight of j after i
    objective_ : the value of the problem
    gap_ : an upper bound of its distance from the minimum
    n_iter_ : steps
    converged_ : whether `tol` was reached

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [0.0], [1.0], [0.2], [0.0]], [0, 1, 0, 1, 1, 0]
    >>> crf = ConditionalRandomField().fit(X, y, sequences=["a", "a", "b", "b", "b", "b"])
    >>> crf.predict([[0.1], [0.1]], sequences=["c", "c"]).shape, crf.transitions_.shape
    ((2,), (2, 2))
    """

    def __init__(self, C=1.0, loss="none", tol=1e-4, max_iter=1000):
        self.C = C
        self.loss = loss
        self.tol = tol
        self.max_iter = max_iter

    def _solve(self, problem: Problem) -> Solution:
        objective = Objective(problem, self.loss)
        value, slope = objective(w := np.zeros(sum(objective.shape) * problem.n_classes))
        last = {"value": value, "gap": 0.5 * slope @ slope}

        def evaluate(w):
            value, slope = objective(w)
            last.update(value=value, gap=0.5 * slope @ slope)
            return value, slope

        def stop(_):
            if last["gap"] <= self.tol * last["value"]:
                raise StopIteration

        steps: Any = {"maxiter": self.max_iter, "maxfun": 10 * self.max_iter, "ftol": 0, "gtol": 0}
        found = minimize(evaluate, w, jac=True, method="L-BFGS-B", callback=stop, options=steps)
        value, slope = objective(found.x)
        return Solution(*objective.parts(found.x), value, 0.5 * float(slope @ slope), found.nit)

    def _check_params(self):
        super()._check_params()
        if self.loss not in LOSSES:
            raise ValueError(f"loss must be one of {', '.join(LOSSES)}. Got {self.loss!r} instead.")
