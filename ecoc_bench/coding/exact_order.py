"""The exact order of classes whose distances are equal to rounding.

Sums of e^-z or of 1/(1 + e^2z) swallow their small terms: one margin of 80 next to margins of 20
hides 26 decimals, and classes that share the large term seem to tie. Here two classes are compared
by the difference of their sums, in which shared terms cancel before anything is rounded.
"""

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import NamedTuple

import numpy as np
from scipy.special import log_expit

EPS = float(np.finfo(float).eps)
BLOCK = 1 << 20  # numbers held at once
DIGITS = (50, 200, 1000)  # tried in turn; sums that are equal to the last are taken as equal


class Series(NamedTuple):
    """How a distance is a sum of whole multiples c of positive terms g(u), one for each number u.

    `split(A, right, wrong, zero)` gives u and c from the |margins| and from what the columns count
    for, by sign; g increases with u; `log` is its logarithm, `ratio(u, top, context)` is
    g(u)/g(top) as a decimal number.
    """

    split: Callable[..., tuple[np.ndarray, np.ndarray]]
    log: Callable[[np.ndarray], np.ndarray]
    ratio: Callable[[float, float, Context], Decimal]


def in_exact_order(D, M, F, series: Series) -> np.ndarray:
    """D, changed in its last digits where classes are nearer to each other than rounding."""
    S = np.sort(D, axis=1)
    near = np.flatnonzero((np.diff(S) <= slack(S[:, 1:], M)).any(axis=1))
    step = max(1, BLOCK // (3 * M.size))
    for rows in (near[i : i + step] for i in range(0, len(near), step)):
        order, equal = _sorted(D[rows], M, F[rows], series)
        D[rows] = parted(D[rows], order, equal)
    return D


def slack(D, M):
    """Differences up to this may be rounding: of the sum of ell terms, and of its logarithm."""
    return 4 * EPS * (M.shape[1] + np.abs(D))


def _sorted(D, M, F, series) -> tuple[np.ndarray, np.ndarray]:
    """The classes of each row in exact order, and which of them equal their successor.

    Neighbours that are out of order change places, even and odd places in turn, until none are.
    """
    order = np.argsort(D, axis=1, kind="stable")
    equal = np.zeros((len(D), len(M) - 1), dtype=bool)
    unsure = np.ones_like(equal)
    while unsure.any():
        for first in (0, 1):
            i, p = np.nonzero(unsure[:, first::2])
            p = 2 * p + first
            r, q = order[i, p], order[i, p + 1]
            near = D[i, q] - D[i, r] <= slack(D[i, q], M)
            sign = np.full(len(i), -1)
            sign[near] = compare(M, F[i[near]], r[near], q[near], series)
            unsure[i, p], equal[i, p] = False, sign == 0
            i, p = i[sign > 0], p[sign > 0]
            order[i, p], order[i, p + 1] = order[i, p + 1], order[i, p]
            unsure[i, np.maximum(p - 1, 0)] |= p > 0
            unsure[i, np.minimum(p + 1, len(M) - 2)] |= p < len(M) - 2
    return order, equal


def parted(D, order, equal) -> np.ndarray:
    """D, raised a little where it does not increase along the order; equals are made equal."""
    S = np.take_along_axis(D, order, axis=1)
    for p in range(1, S.shape[1]):
        above = np.maximum(S[:, p], np.nextafter(S[:, p - 1], np.inf))
        S[:, p] = np.where(equal[:, p - 1], S[:, p - 1], above)
    out = np.empty_like(D)
    np.put_along_axis(out, order, S, axis=1)
    return out


def compare(M, F, r, q, series: Series) -> np.ndarray:
    """The sign of distance(r[i]) - distance(q[i]) for the margins F[i], exactly."""
    signs = np.sign(F)
    of_r, of_q = M[r] * signs, M[q] * signs
    counts = ((of_r == what).astype(int) - (of_q == what) for what in (1, -1, 0))
    u, c = _merged(*series.split(np.abs(F), *counts))
    x = series.log(u)
    top = np.argmax(c != 0, axis=1)[:, None]
    with np.errstate(over="ignore"):
        gaps = np.where(c != 0, x - np.take_along_axis(x, top, axis=1), -np.inf)
    terms = c * np.exp(gaps)
    total = terms.sum(axis=1)
    # Each sum may be off by a last digit of the whole. So may x where it is rounded, up to 40: the
    # gap between numbers further apart is exact, or its exponential vanishes.
    error = 4 * EPS * (40 + c.shape[1]) * np.abs(terms).sum(axis=1)
    sign = np.sign(total).astype(int)
    for i in np.flatnonzero((np.abs(total) <= error) & c.any(axis=1)):
        sign[i] = _long_sign(u[i][c[i] != 0], c[i][c[i] != 0], series)
    return sign


def _merged(u, c) -> tuple[np.ndarray, np.ndarray]:
    """u in decreasing order, and the sum of c over equal u at the last of them, 0 at the others."""
    order = np.argsort(-u, axis=1, kind="stable")
    u, sums = np.take_along_axis(u, order, axis=1), np.take_along_axis(c, order, axis=1)
    sums = np.cumsum(sums, axis=1)
    last = np.ones(u.shape, dtype=bool)
    last[:, :-1] = u[:, 1:] != u[:, :-1]
    before = np.maximum.accumulate(np.where(last, np.arange(u.shape[1]), -1), axis=1)[:, :-1]
    done = np.where(before >= 0, np.take_along_axis(sums, np.maximum(before, 0), axis=1), 0)
    sums[:, 1:] -= done
    return u, np.where(last, sums, 0)


def _long_sign(u, c, series: Series) -> int:
    """The sign of sum c g(u) in decimal arithmetic; u decreases and no c is 0."""
    for digits in DIGITS:
        context = Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX)
        total = Decimal(0)
        for value, count in zip(u.tolist(), c.tolist(), strict=True):
            term = series.ratio(value, u[0].item(), context)
            total = context.add(total, context.multiply(term, Decimal(count)))
        if abs(total) > Decimal(10) ** (10 - digits):
            return 1 if total > 0 else -1
    return 0


def _split_exponential(A, right, wrong, zero):
    """e^A for a column that is wrong, e^-A for one that is right, e^0 for a zero."""
    zeros = np.zeros((len(A), 1))
    return np.hstack([A, zeros, -A]), np.hstack([wrong, zero.sum(1, keepdims=True), right])


def _ratio_exponential(u, top, context):
    return context.exp(context.subtract(Decimal(u), Decimal(top)))


def _split_l1(A, right, wrong, zero):
    """Twice the loss: 2g(-A), g(u) = 1/(1 + e^-2u), if right; 2 - 2g(-A) if wrong; 1 for a zero."""
    whole = 2 * wrong.sum(1, keepdims=True) + zero.sum(1, keepdims=True)
    return np.hstack([np.full((len(A), 1), np.inf), -A]), np.hstack([whole, 2 * (right - wrong)])


def _log_l1(u):
    return log_expit(2 * u)


def _ratio_l1(u, top, context):
    """g(u)/g(top) = e^2(u - top) (1 + e^2top)/(1 + e^2u), which cannot overflow."""
    if u == np.inf:
        return Decimal(1)
    power, one = context.exp(context.multiply(2, Decimal(u))), Decimal(1)
    if top == np.inf:
        return context.divide(power, context.add(one, power))
    gap = context.subtract(Decimal(u), Decimal(top))
    of_top = context.add(one, context.exp(context.multiply(2, Decimal(top))))
    grown = context.multiply(context.exp(context.multiply(2, gap)), of_top)
    return context.divide(grown, context.add(one, power))


EXPONENTIAL = Series(_split_exponential, lambda u: u, _ratio_exponential)
L1 = Series(_split_l1, _log_l1, _ratio_l1)
