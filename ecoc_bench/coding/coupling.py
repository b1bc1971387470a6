"""Probabilities of classes from those of pairs: all-pairs by coupling instead of by votes.

Hastie & Tibshirani 1998 pose the problem. This is the second approach of Wu, Lin & Weng 2004: one
linear system per example, as in LIBSVM.
"""

import numpy as np
from scipy.special import expit

from .codes import pair_columns

SURE = 1e-7  # pairs are kept this far from 0 and 1, as in LIBSVM, so that the system is regular
CHUNK = 4_000_000  # size of the systems that are solved at a time, in numbers


def pair_probabilities(M, F, A, B) -> np.ndarray:
    """r[i, a, b] = P(class a | a or b, x_i) from the sigmoids of an all-pairs code; 0 if a = b."""
    column, sign = pair_columns(M)
    U = np.asarray(F, dtype=float) * A + B
    R = expit(-U[:, column] * sign)
    R[:, np.arange(len(M)), np.arange(len(M))] = 0.0
    return R


def couple(P_pairs) -> np.ndarray:
    """The p that minimises sum_a sum_{b != a} (r_ba p_a - r_ab p_b)^2, sum p = 1.

    >>> couple([[[0, 0.9, 0.9], [0.1, 0, 0.5], [0.1, 0.5, 0]]]).round(3).tolist()
    [[0.818, 0.091, 0.091]]
    """
    R = np.asarray(P_pairs, dtype=float)
    if R.ndim != 3 or R.shape[1] != R.shape[2]:
        raise ValueError(
            f"P_pairs must be examples x classes x classes. Got shape {R.shape} instead."
        )
    size = max(1, CHUNK // (R.shape[1] + 1) ** 2)
    parts = [_couple(R[start : start + size]) for start in range(0, len(R), size)]
    return np.concatenate(parts) if parts else np.empty(R.shape[:2])


def _couple(R) -> np.ndarray:
    """The optimum: Q p + b e = 0 and e.p = 1, with Q_aa = sum_b r_ba^2 and Q_ab = -r_ba r_ab."""
    n, k, _ = R.shape
    own = np.arange(k)
    R = np.clip(R, SURE, 1 - SURE)
    R[:, own, own] = 0.0
    system = np.ones((n, k + 1, k + 1))
    system[:, :k, :k] = -R * R.transpose(0, 2, 1)
    system[:, own, own] = (R**2).sum(axis=1)
    system[:, k, k] = 0.0
    right = np.zeros((n, k + 1, 1))
    right[:, k] = 1.0
    P = np.maximum(np.linalg.solve(system, right)[:, :k, 0], 0.0)  # negative by rounding only
    return P / P.sum(axis=1, keepdims=True)
