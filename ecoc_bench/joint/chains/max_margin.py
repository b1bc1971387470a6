"""Maximum margins on chains: M3N and SVMStruct of Mohri et al., Eqs. 9.22 and 9.23."""

import numpy as np

from ...learners.parameters import seed_of
from ._frank_wolfe import sweep, worst_violations
from .base import ChainClassifier, Problem, Solution

SLOTS = 8  # labelings of a chain to begin with; doubled when a chain has no free slot left


class Dual:
    """Weights and the distribution alpha over labelings of each chain: see `_frank_wolfe`."""

    def __init__(self, problem: Problem, slack: bool):
        self.problem = problem
        self.slack = slack
        n_chains, k = len(problem.starts) - 1, problem.n_classes
        self.W, self.A = np.zeros((problem.X.shape[1], k)), np.zeros((k, k))
        self.used = np.empty((SLOTS, len(problem.y)), dtype=np.int64)
        self.used[:] = problem.y
        self.alpha, self.losses = np.zeros((n_chains, SLOTS)), np.zeros((n_chains, SLOTS))
        self.alpha[:, 0] = 1.0

    def sweep(self, order) -> float:
        """A step on each chain; about how far the objective is from the optimum."""
        if (self.alpha[:, 1:] > 0).all(axis=1).any():
            self._double()
        X, y, starts, _, C = self.problem
        state = self.W, self.A, self.used, self.alpha, self.losses
        return sweep(X, y, starts, C, self.slack, order, *state)

    def _double(self) -> None:
        self.used = np.concatenate([self.used, self.used])
        none = np.zeros_like(self.alpha)
        self.alpha = np.hstack([self.alpha, none])
        self.losses = np.hstack([self.losses, none])

    def values(self) -> tuple[float, float]:
        """The primal and the dual objective."""
        X, y, starts, _, C = self.problem
        half = 0.5 * float((self.W**2).sum() + (self.A**2).sum())
        worst = worst_violations(X @ self.W, self.A, y, starts, self.slack)
        return half + C * float(worst.sum()), C * float((self.alpha * self.losses).sum()) - half


class MaxMarginMarkovNetwork(ChainClassifier):
    """Max-margin Markov network (M3N) on chains (Mohri et al., Eq. 9.22).

    min 1/2 |w|^2 + C sum_i max_y max(0, L(y_i, y) - w . [Phi(x_i, y_i) - Phi(x_i, y)]),

    where L is the number of wrong positions. The most violating labeling is found by Viterbi's
    search with 1 added to the score of every wrong label. The dual is solved by block-coordinate
    Frank-Wolfe with pairwise steps. With chains of one row it is the multiclass SVM.

    Parameters
    ----------
    C : float
        The price of the slacks, summed over chains.
    tol : float
        Training ends when the duality gap is at most this share of the objective.
    max_iter : int
        The most sweeps over the chains.
    random_state : int, RandomState or None
        The order of the chains in each sweep.

    Attributes
    ----------
    classes_ : the labels
    coef_, intercept_, transitions_ : W, b and A; A[i, j] is the weight of j after i
    objective_ : the value of the problem
    gap_ : the duality gap: the objective is at most this far above its minimum
    n_iter_ : sweeps
    converged_ : whether `tol` was reached

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [0.0], [1.0], [0.2], [0.0]], [0, 1, 0, 1, 1, 0]
    >>> m3n = MaxMarginMarkovNetwork(tol=1e-3, random_state=0)
    >>> m3n = m3n.fit(X, y, sequences=["a", "a", "b", "b", "b", "b"])
    >>> bool(m3n.gap_ <= 1e-3 * m3n.objective_), m3n.predict(X).shape
    (True, (6,))
    """

    slack = False

    def __init__(self, C=1.0, tol=1e-2, max_iter=1000, random_state=None):
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _solve(self, problem: Problem) -> Solution:
        """Sweeps in random order; the gap is computed when its estimate is small enough."""
        dual = Dual(problem, self.slack)
        rng = np.random.default_rng(seed_of(self.random_state))
        primal, gap, sweeps = 0.0, np.inf, 0
        while sweeps < self.max_iter and gap > self.tol * primal:
            about = dual.sweep(rng.permutation(len(problem.starts) - 1))
            sweeps += 1
            half = 0.5 * float((dual.W**2).sum() + (dual.A**2).sum())
            if about <= self.tol * (about + half) or sweeps == self.max_iter:
                primal, lower = dual.values()
                gap = max(primal - lower, 0.0)
        return Solution(dual.W, dual.A, primal, gap, sweeps)


class StructuralSVM(MaxMarginMarkovNetwork):
    """SVMStruct, with slacks that are multiplied by the loss (Mohri et al., Eq. 9.23).

    min 1/2 |w|^2 + C sum_i max_y L(y_i, y) max(0, 1 - w . [Phi(x_i, y_i) - Phi(x_i, y)]),

    where L is the number of wrong positions. The most violating labeling is found exactly: for each
    number c of wrong positions, a search over positions whose states are a label and the wrong
    labels so far gives the labeling of highest score, and the best c is looked up: O(T^2 k^2) for
    T positions and k labels. It is then used in the same steps on the dual as in M3N, whose
    features and losses L rescales. Deviation: the chapter adds the labeling to a set of constraints
    and solves the whole problem again each time; the optimum is the same.

    Parameters and attributes are those of MaxMarginMarkovNetwork.
    """

    slack = True
