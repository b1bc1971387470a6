"""The SVM's dual by plain numpy in float64, independent of the solver, and libsvm as its rival.

    max_b  y.b - b'Kb / 2,  lo <= b <= hi,  sum b = 0,  b_j = alpha_j y_j

`bounds` makes lo and hi; a label of 0 leaves an example out.
"""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels


def kernel(svc, X, Z=None):
    """K(x, z) as scikit-learn computes it."""
    params = {"gamma": svc.gamma, "coef0": svc.coef0, "degree": svc.degree}
    return pairwise_kernels(X, Z, metric=svc.kernel, filter_params=True, **params)


def bounds(y, upper):
    """lo and hi of each coordinate, alpha being at most `upper`."""
    return np.minimum(y, 0) * upper, np.maximum(y, 0) * upper


def dual(K, y, b, bias=0.0):
    """The objective that is maximised; what the sum of b is off zero has the bias for its price."""
    return y @ b - b @ K @ b / 2 - bias * b.sum()


def violation(K, y, b, lo, hi):
    """How much the best coordinate that may grow beats the worst that may shrink, in gradient."""
    g = y - K @ b
    return g[b < hi].max() - g[b > lo].min()


def coefficients(machine, n):
    """b of a fitted SVC or Machine on n training rows."""
    b = np.zeros(n)
    b[machine.support_] = machine.dual_coef_[0]
    return b


def by_libsvm(svc, X, y, **extra):
    """libsvm's fit of a column on its rows, and b; its complaints are read from `fit_status_`."""
    used = np.flatnonzero(y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit = svc.fit(X[used], y[used], **extra)
    b = np.zeros(len(y))
    b[used] = coefficients(fit, len(used))
    return fit, b


class Compared(NamedTuple):
    """A column by our solver and by libsvm; K is the kernel in float64, `kept` as we round it."""

    converged: bool
    libsvm_converged: bool
    violation: float  # by `kept`, less what float64 may lose in the sums of a gradient
    exact_violation: float  # by K
    gap: float  # the share of libsvm's objective that ours lacks, by K; negative: ours is larger
    allowed: float  # a gap that is explained: see `explained`
    differing: int  # signs of margins that are both larger than `sure`


def compared(machine, svc, X, y, K, sure) -> Compared:
    """Our machine against libsvm's fit of an equal estimator."""
    fit, theirs = by_libsvm(svc, X, y)
    ours = coefficients(machine, len(y))
    kept = K.astype(np.float32).astype(float) if machine.dtype is np.float32 else K
    lost = 32 * 2.0**-53 * (np.abs(K) @ np.abs(ours)).max()
    value, other = (dual(K, y, b, f.intercept_[0]) for f, b in ((machine, ours), (fit, theirs)))
    f, h = K @ ours + machine.intercept_[0], K @ theirs + fit.intercept_[0]
    return Compared(
        machine.violation_ <= svc.tol,
        fit.fit_status_ == 0,
        violation(kept, y, ours, *bounds(y, svc.C)) - lost,
        violation(K, y, ours, *bounds(y, svc.C)),
        (other - value) / abs(other),
        explained(machine, K, kept, ours, theirs) / abs(other),
        int(np.sum((f * h < 0) & (np.minimum(np.abs(f), np.abs(h)) > sure))),
    )


def explained(machine, K, kept, ours, theirs) -> float:
    """What the objective may lack: the cost of `kept` instead of K, and of a vertex within tol.

    Without free coordinates the solver has no face to be exact on, and stops within the tolerance.
    As the objective D is concave, D(t) - D(b) <= g.(t - b) <= violation * ||t - b||_1 / 2.
    """
    cost = sum(np.abs(b) @ np.abs(K - kept) @ np.abs(b) for b in (ours, theirs)) / 2
    vertex = max(machine.violation_, 0.0) * np.abs(theirs - ours).sum() / 2
    return cost + (vertex if machine.newtons_ == 0 else 0.0)
