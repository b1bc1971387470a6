"""Likelihood decoding: Section III of Passerini, Pontil & Frasconi 2004.

A sigmoid for each column turns margins into probabilities of bits, P(O_s = m | f_s) =
1/(1 + exp(m (A_s f_s + B_s))), and these give probabilities of classes. The sigmoids must be fitted
on held-out margins: margins of the training examples themselves are too good.

Deviation from Eq. 5: bits of 0 and 1 are moved inwards, to 1/(N- + 2) and (N+ + 1)/(N+ + 2), as in
the work of Platt 1999 that the paper follows. Eq. 5 has no maximum on margins that separate.
"""

import numpy as np
from numba import njit
from scipy.special import logsumexp

STEPS = 100  # most steps of Newton's method; a dozen is usual
RIDGE = 1e-12  # keeps the Hessian regular when all margins are equal
GRADIENT = 1e-10  # per example: far too small to change a decision
SMALLEST_STEP = 1e-10
DECREASE = 1e-4  # the share of the promised decrease that a step must keep


def fit_sigmoids(F, Y, sample_weight=None) -> tuple[np.ndarray, np.ndarray]:
    """A and B of each column by maximum likelihood, Eq. 5; Y[i, s] = M(y_i, s), 0 = left out.

    Newton's method with backtracking, as Lin, Lin & Weng 2007 correct Platt's pseudo-code. Margins
    are centred and scaled first, so that the result does not depend on their unit. A column whose
    margins are all equal gets the sigmoid of its frequencies; one without examples gives 1/2.

    >>> A, B = fit_sigmoids([[2.0], [1.0], [-1.0], [-2.0]], [[1], [1], [-1], [-1]])
    >>> (A < 0).tolist(), bool(abs(B[0]) < 1e-9)
    ([True], True)
    """
    F, Y = np.asarray(F, dtype=float), np.asarray(Y)
    if F.ndim != 2 or F.shape != Y.shape:
        raise ValueError(
            f"F and Y must both be examples x columns. Got shapes {F.shape} and {Y.shape} instead."
        )
    if not np.isfinite(F).all():
        raise ValueError("F must hold finite margins. Got NaN or infinity instead.")
    weight = np.ones(len(F)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    A, B = np.zeros(F.shape[1]), np.zeros(F.shape[1])
    for s in range(F.shape[1]):
        used = (Y[:, s] != 0) & (weight > 0)
        if used.any():
            A[s], B[s] = _fit_column(F[used, s], Y[used, s] > 0, weight[used])
    return A, B


def _fit_column(f, positive, weight) -> tuple[float, float]:
    """A and B of one column, on margins brought to mean 0 and largest absolute value 1."""
    n_plus, n_minus = weight[positive].sum(), weight[~positive].sum()
    target = np.where(positive, (n_plus + 1) / (n_plus + 2), 1 / (n_minus + 2))
    unit = np.abs(f).max() or 1.0  # first scale to a range in which a mean cannot overflow
    f = f / unit
    centre = np.average(f, weights=weight)
    # If the margins are equal, only rounding is left after centring.
    spread = np.abs(f - centre).max()
    scale = spread if spread > 1e-12 else 1.0
    z = (f - centre) / scale if spread > 1e-12 else np.zeros_like(f)
    a, b = newton(z, target, weight, np.log((n_minus + 1) / (n_plus + 1)))
    return a / scale / unit, b - a * centre / scale


@njit(cache=True)
def newton(z, target, weight, b):
    """Minimise sum_i w_i (t_i u_i + log(1 + e^-u_i)), u = a z + b, from a = 0 and the given b."""
    a, value = 0.0, objective(z, target, weight, 0.0, b)
    tolerance = GRADIENT * weight.sum()
    for _ in range(STEPS):
        haa, hab, hbb, ga, gb = RIDGE, 0.0, RIDGE, 0.0, 0.0
        for i in range(len(z)):
            u = a * z[i] + b
            e = np.exp(-abs(u))
            p = e / (1 + e) if u >= 0 else 1 / (1 + e)
            h = weight[i] * p * (1 - p)
            g = weight[i] * (target[i] - p)
            haa, hab, hbb = haa + h * z[i] * z[i], hab + h * z[i], hbb + h
            ga, gb = ga + g * z[i], gb + g
        if abs(ga) < tolerance and abs(gb) < tolerance:
            break
        determinant = haa * hbb - hab * hab
        da = -(hbb * ga - hab * gb) / determinant
        db = -(haa * gb - hab * ga) / determinant
        slope, step = ga * da + gb * db, 1.0
        while step >= SMALLEST_STEP:
            tried = objective(z, target, weight, a + step * da, b + step * db)
            if tried < value + DECREASE * step * slope:
                break
            step /= 2
        if step < SMALLEST_STEP:
            break
        a, b, value = a + step * da, b + step * db, tried
    return a, b


@njit(cache=True)
def objective(z, target, weight, a, b):
    """Minus the log likelihood, written so that no exponential overflows (Lin, Lin & Weng)."""
    total = 0.0
    for i in range(len(z)):
        u = a * z[i] + b
        if u >= 0:
            total += weight[i] * (target[i] * u + np.log1p(np.exp(-u)))
        else:
            total += weight[i] * ((target[i] - 1) * u + np.log1p(np.exp(u)))
    return total


def log_likelihoods(M, F, A, B) -> np.ndarray:
    """log of the product in Eq. 3: sum over M(q,s) != 0 of log P(O_s = M(q,s) | f_s), (n, k).

    Without alpha, which is the same for all classes and does not change their order: compared with
    alpha, the products of many columns would vanish, which would make false ties.
    """
    M, U = np.asarray(M), np.asarray(F, dtype=float) * A + B
    return -(np.logaddexp(0, U) @ (M == 1).T + np.logaddexp(0, -U) @ (M == -1).T)


def probabilities(M, F, A, B) -> np.ndarray:
    """P(Y = q | f) of Eq. 3; rows sum to one.

    alpha is the mass of the codewords that are valid for no class, shared equally: 1 minus the mass
    of the valid ones, over the number of classes. Deviation: a ternary code may have words that are
    valid for two classes, for which the paper's model contradicts itself; the products may then sum
    to more than 1, and are divided by their sum.
    """
    L = log_likelihoods(M, F, A, B)
    valid = logsumexp(L, axis=1, keepdims=True)
    P = np.exp(L - np.maximum(valid, 0))
    return P + np.maximum(-np.expm1(valid), 0) / len(M)
