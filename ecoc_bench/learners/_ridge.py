"""Ridge regression of many columns: columns that use the same rows share one factorisation.

The intercept is not penalised: rows and signs are centred by the weighted means of the rows that a
column uses. With fewer rows than features the dual problem is solved, as scikit-learn does.
"""

import numpy as np
from scipy.linalg import cholesky

from ._products import add_product, solve_lower

SINGULAR = 1.5e-8  # least by greatest of the factor's diagonal: below it, rounding decides
AT_ONCE = 256  # columns whose signs are held as numbers of eight bytes


def ridge(X: np.ndarray, Y: np.ndarray, weight: np.ndarray | None, alpha: float):
    """(W, b) of columns of signs that all use these rows; None if the system is singular."""
    weight = np.ones(len(X)) if weight is None else weight
    total = weight.sum()
    means = weight @ X / total
    root = np.sqrt(weight)
    Z = (X - means) * root[:, None]
    dual = Z.shape[1] > Z.shape[0]
    A = Z @ Z.T if dual else Z.T @ Z
    A[np.diag_indices(len(A))] += alpha
    try:
        L = cholesky(A, lower=True, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:
        return None
    if L.diagonal().min() < SINGULAR * L.diagonal().max():
        return None
    L, across = np.ascontiguousarray(L), np.ascontiguousarray(Z.T)
    W, b = np.empty((X.shape[1], Y.shape[1])), np.empty(Y.shape[1])
    for start in range(0, Y.shape[1], AT_ONCE):
        part = slice(start, start + AT_ONCE)
        signs = Y[:, part].astype(float)
        centres = np.zeros((1, signs.shape[1]))
        add_product(weight[None] / total, signs, centres)
        signs -= centres
        signs *= root[:, None]
        W[:, part] = _solved(L, across, signs, dual)
        shift = np.zeros_like(centres)
        add_product(means[None], np.ascontiguousarray(W[:, part]), shift)
        b[part] = (centres - shift)[0]
    return W, b


def _solved(L, across, signs, dual: bool) -> np.ndarray:
    """The coefficients: (Z'Z + alpha)^-1 Z'y, or Z'(ZZ' + alpha)^-1 y."""
    W = np.zeros((len(across), signs.shape[1]))
    if dual:
        solve_lower(L, signs)
        add_product(across, signs, W)
    else:
        add_product(across, signs, W)
        solve_lower(L, W)
    return W
