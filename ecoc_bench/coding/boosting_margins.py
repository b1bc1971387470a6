"""Section 5 of Allwein et al. 2000: the margins of boosting with loss-based decoding, as numbers.

Theorem 6 bounds the share of the training examples of margin at most theta, Theorem 3 the error on
new examples by this share. Shares and errors are between 0 and 1; a bound of 1 or more is true but
says nothing. The explicit epsilon of Theorem 3 is that of one theta chosen before the data were
seen, so THETA is a constant.
"""

from typing import NamedTuple

import numpy as np

from .distances import rho

THETA = 0.01
DELTA = 0.05  # Theorem 3 holds with probability 1 - DELTA over training samples
QUANTILES = tuple(range(0, 101, 5))  # percent
MARGINS = tuple(f"margin_{percent}" for percent in QUANTILES)


class Boosting(NamedTuple):
    """What the theorems need to know of a boosted learner, besides its margins.

    `eta` is sum_t alpha_t, Eq. 16. `log_Z`, sum_t ln Z_t with Z_t of Eq. 14, is that of one call
    with discrete outputs; `d` bounds the VC-dimension of the base hypotheses h(x, s) of one call.
    """

    eta: float
    log_Z: float | None = None
    d: int | None = None


def section5(M, D, y, epsilon: float, boosting: Boosting) -> dict[str, float]:
    """The columns of bounds.csv for Section 5, from the distances D of the exponential decoder.

    epsilon is the average exponential loss, Eq. 3. What a theorem does not speak of is left out.
    """
    values = votes_margin(D, y, boosting.eta)
    share = float((values <= THETA).mean())
    numbers = {"eta": float(boosting.eta), "theta": THETA, "theta_share": share}
    if (np.asarray(M) != 0).all():
        numbers["equation24"] = equation24(M, epsilon, boosting.eta)
        if boosting.log_Z is not None:
            numbers["theorem6"] = theorem6(M, boosting.log_Z, boosting.eta)
    if boosting.d is not None and len(y) >= boosting.d * M.shape[1] and M.shape[1] > 1:
        numbers["theorem3"] = theorem3(share, len(y), M.shape[1], boosting.d)
    return numbers | margin_quantiles(values)


def votes_margin(D, y, eta: float) -> np.ndarray:
    """M_{f,eta}(x, y): half of (the vote for y minus the highest other vote), in [-1, 1].

    The votes of Eq. 18 are nu = -(D - ln ell)/eta, from the distances of the exponential decoder.

    >>> from .decoders import exponential
    >>> M, F = np.array([[1, -1], [-1, 1]]), np.array([[2.0, -2.0]])
    >>> votes_margin(exponential(M, F), np.array([0]), eta=2.0).round(6).tolist()
    [1.0]
    """
    if eta == 0:
        return np.zeros(len(D))
    own = D[np.arange(len(y)), y]
    others = D.copy()
    others[np.arange(len(y)), y] = np.inf
    return (others.min(axis=1) - own) / (2 * eta)


def margin_quantiles(values) -> dict[str, float]:
    """Quantiles of the margins by percent of the examples; each is a margin that occurs."""
    found = np.percentile(values, QUANTILES, method="inverted_cdf")
    return dict(zip(MARGINS, found.tolist(), strict=True))


def theorem6(M, log_Z: float, eta: float, theta: float = THETA) -> float:
    """(ell/rho) prod_t 2 sqrt(eps_t^(1-theta) (1 - eps_t)^(1+theta)) >= Pr_S[margin <= theta].

    A factor is Z_t e^(alpha_t theta), since e^(2 alpha_t) = (1 - eps_t)/eps_t. M has no zeros.
    """
    return float(M.shape[1] / rho(M) * _exp(log_Z + eta * theta))


def equation24(M, epsilon: float, eta: float, theta: float = THETA) -> float:
    """(ell/rho) e^(eta theta) epsilon: the bound of Theorem 6 for any outputs, from the mean loss.

    epsilon is the average exponential loss, Eq. 3; M has no zeros.
    """
    with np.errstate(divide="ignore"):  # no loss at all: exp(-inf) is 0
        return float(M.shape[1] / rho(M) * _exp(np.log(epsilon) + eta * theta))


def _exp(x: float) -> float:
    """e^x; infinite if it overflows. The factors of one product would over- and underflow."""
    with np.errstate(over="ignore"):
        return float(np.exp(x))


def theorem3(share: float, m: int, ell: int, d: int, theta: float = THETA) -> float:
    """Pr_S[margin <= theta] + epsilon, which bounds the error on new examples. m >= d ell."""
    return share + theorem3_epsilon(m, ell, d, theta)


def theorem3_epsilon(m: int, ell: int, d: int, theta: float, delta: float = DELTA) -> float:
    """epsilon of the proof of Theorem 3, for which Eq. 22 is at most delta.

    >>> round(theorem3_epsilon(m=10**9, ell=6, d=13, theta=0.5), 3)
    0.114
    """
    few = np.log(16 * np.log(ell) / (delta * theta**2)) / (8 * m)
    logs = np.log(2 * np.e * ell * m / d) * np.log(np.e * ell**2 * m / d)
    return float(16 * np.sqrt(few + 2 * d / (m * theta**2) * logs))


def stumps_dimension(n_features: int, ell: int) -> int:
    """The most d with 2^d <= N (d + 1) 4^ell: no more pairs (x, s) can be shattered by stumps.

    A test of one of N features divides d examples in at most d + 1 ways, and a single-call stump
    has two signs of its own for each of the ell columns.

    >>> stumps_dimension(1, 1), stumps_dimension(9, 6)
    (4, 19)
    """
    d = 1
    while (d + 1) <= np.log2(n_features * (d + 2)) + 2 * ell:
        d += 1
    return d
