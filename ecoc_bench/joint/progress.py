"""What the rounds do to the training examples: Section 3 of Sun et al. 2005.

G (Eq. 7) falls by the factor Z_t of Step 9 in each round, the margins (Eqs. 2, 3) grow, and the
training error follows: a wrong label whose votes reach those of the true one adds at least 1 to G,
so G/N bounds the error of the votes.
"""

import math

import numpy as np
from numba import njit

from .base import add_losses

TINY = np.finfo(float).tiny  # a step may round to 0


class Progress:
    """The training examples after each round, for `history_`.

    `weight` are the examples' weights: the error is their share, and G is N times their mean. With
    equal weights both are the paper's.
    """

    def __init__(self, y, n_classes: int, weight, L):
        self.y, self.weight, self.L = y, weight / weight.sum(), L
        self.distances = np.zeros((len(y), n_classes))  # as the decoder has them
        self.votes = np.zeros((len(y), n_classes))  # M(c) F(x_n)
        self.log_bound = math.log(n_classes - 1)
        self.total = 0.0
        self.rows: list[tuple[float, ...]] = []

    def add(self, column, h, error: float, alpha: float, Z: float) -> None:
        """A round: its column and hypothesis, eps_t, alpha_t, and Z_t of Step 9."""
        agree, differ = self.L([alpha, -alpha])
        add_losses(self.distances, h, column, agree, differ)
        add_losses(self.votes, h, column, alpha, -alpha)
        self.total += alpha
        self.log_bound += math.log(Z)
        wrong = self.distances.argmin(axis=1) != self.y
        rho = margins(self.votes, self.y) / max(self.total, TINY)
        bound = math.exp(self.log_bound)
        spread = float(rho.min()), float(np.median(rho)), float(rho.mean())
        cost = len(self.y) * bound
        self.rows.append((error, alpha, float(self.weight[wrong].sum()), bound, cost, *spread))

    def history(self) -> dict[str, np.ndarray]:
        """The columns of rounds.csv that these methods have."""
        columns = np.array(self.rows).reshape(-1, len(TOLD)).T
        numbers = {"round": np.arange(1.0, len(self.rows) + 1)}
        return numbers | dict(zip(TOLD, columns, strict=True))


@njit(cache=True)
def margins(votes, y):
    """rho(x_n) = 2 M(y_n) F(x_n) - max_{c != y_n} 2 M(c) F(x_n), Eq. 3; Eq. 5 scales it."""
    rho = np.empty(len(y))
    for n in range(len(y)):
        highest = -np.inf
        for c in range(votes.shape[1]):
            if c != y[n] and votes[n, c] > highest:
                highest = votes[n, c]
        rho[n] = 2 * votes[n, y[n]] - 2 * highest
    return rho


TOLD = (
    "round_error", "step", "train_error", "bound", "cost",
    "margin_min", "margin_median", "margin_mean",
)  # fmt: skip
