"""The multiclass SVM of Weston & Watkins 1999, with kernels (Mohri et al., Section 9.6).

    min 1/2 sum_l |w_l|^2 + C sum_i sum_{l != y_i} xi_il,
    xi_il = max(0, 1 - w_{y_i}.Phi(x_i) + w_l.Phi(x_i)).

Every other class of an example has a slack, where Crammer & Singer's machine pays for the largest
alone. The duals have the same form, and the same solver (`_crammer_singer`). Deviation: no bias,
and a margin of 1 in place of 2, both as in `crammer_singer`, so that the two can be compared. The
linear machine keeps W and sweeps over the examples in random order, each solved exactly (as Keerthi
et al. 2008 do for Crammer & Singer's); it never forms the kernel matrix.
"""

import numpy as np
from sklearn.utils import check_random_state

from ..learners._parts import entry
from ._crammer_singer import solve_box_example, solve_flat_box_example, violation_of
from .crammer_singer import MulticlassSVM


def all_slacks(scores, y) -> np.ndarray:
    """xi_il, classes x examples, from scores of the same shape; 0 for l = y_i."""
    every = np.arange(len(y))
    xi = np.maximum(0.0, 1.0 - scores[y, every] + scores)
    xi[y, every] = 0.0
    return xi


class WestonWatkinsSVM(MulticlassSVM):
    """The multiclass SVM of Section 9.6 with a slack for every other class, without a bias.

    Weston & Watkins 1999, but for the bias and the scale of the margin. Parameters and attributes
    are those of `MulticlassSVM`; with two classes it is the same machine. "linear" has
    `duality_gap_`, too, and `max_iter` steps on single examples like all other kernels;
    `random_state` decides the order of its sweeps.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = WestonWatkinsSVM(C=0.5).fit(X, y)
    >>> bool(clf.duality_gap_ < 1e-2 * clf.objective_), float(clf.score(X, y)) > 0.95
    (True, True)
    """

    version = 1
    _each_slack = True

    def _total_slack(self, scores, y) -> float:
        return float(all_slacks(scores, y).sum())

    def _fit_linear(self, X, y):
        X = np.require(X, requirements=["C", "W"])  # others would be compiled for anew
        C, k, m = float(self.C), len(self.classes_), len(X)
        rng = check_random_state(self.random_state)
        W, alpha, squares = np.zeros((k, X.shape[1])), np.zeros((k, m)), (X**2).sum(axis=1)
        self.n_iter_, violation = 0, np.inf
        while violation > self.tol and self.n_iter_ < self.max_iter:
            order = rng.permutation(m)[: self.max_iter - self.n_iter_]
            seen = sweep(X, squares, y, C, order, W, alpha)
            self.n_iter_ += len(order)
            if seen <= self.tol or self.n_iter_ == self.max_iter:
                G = W @ X.T + (np.arange(k)[:, None] != y)
                violation = float(violation_of(G, alpha, y, C, each_slack=True).max())
        square = float((W**2).sum())
        self.coef_ = W
        self.objective_ = float(alpha[y, np.arange(m)].sum()) - square / 2
        self._primal(W @ X.T, y, square)
        self.duality_gap_ = self.primal_objective_ - self.objective_
        self.converged_ = violation <= self.tol


@entry
def sweep(X, squares, y, C, order, W, alpha):
    """Solve each example of `order` in turn; W and alpha change in place.

    Returns the largest violation that was met.
    """
    k = len(W)
    G, a, a_old = np.empty(k), np.empty(k), np.empty(k)
    worst = 0.0
    for i in order:
        high, low = -np.inf, np.inf
        for r in range(k):
            own = r == y[i]
            G[r] = np.dot(W[r], X[i]) + (0.0 if own else 1.0)
            a_old[r] = alpha[r, i]
            if own or a_old[r] > -C:
                high = max(high, G[r])
            if own or a_old[r] < 0:
                low = min(low, G[r])
        if high <= low:
            continue
        worst = max(worst, high - low)
        if squares[i] > 0:
            solve_box_example(G - squares[i] * a_old, squares[i], y[i], C, a)
        else:
            solve_flat_box_example(G, y[i], C, a)
        for r in range(k):
            if a[r] != a_old[r]:
                W[r] += (a[r] - a_old[r]) * X[i]
                alpha[r, i] = a[r]
    return worst
