"""The weights D_t(n, c) of the wrong labels c of example n: Figs. 1 and 2 of Sun et al. 2005.

D is examples x classes, sums to 1, and is 0 where c is the label y_n. A column is over {-1, +1}.
"""

import numpy as np


def first_weights(y, n_classes: int, weight) -> np.ndarray:
    """Step 1: D_1(n, c) = I(c != y_n)/(N (C - 1)), or in proportion to the examples' weights."""
    D = np.repeat(np.asarray(weight, dtype=float)[:, None], n_classes, axis=1)
    D[np.arange(len(y)), y] = 0
    return D / D.sum()


def separated(D, y, column) -> np.ndarray:
    """sum_c D_t(n, c) I(M(y_n, t) != M(c, t)): its sum is U_t (Step 4), its share d_t (Step 5)."""
    sides = D @ np.column_stack([column < 0, column > 0]).astype(float)
    return np.where(column[y] > 0, sides[:, 0], sides[:, 1])


def reweight(D, y, column, f) -> None:
    """Step 9 in place, f = alpha_t h_t(x_n): D(n, c) exp(-(M(y_n, t) - M(c, t)) f(n)) / Z_t.

    M(y_n, t) - M(c, t) is 2 M(y_n, t) where the column separates c from y_n, and else 0. By Eq. 20,
    Step 10 of Fig. 2 is the same but for a constant that Z_t takes up.
    """
    labels = column[y]
    D *= np.where(labels[:, None] != column, np.exp(-2 * labels * f)[:, None], 1.0)
    D /= D.sum()
