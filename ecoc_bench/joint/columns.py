"""Step 3 of Figs. 1 and 2, Sun et al. 2005: the t-th column of the code, over {-1, +1}.

Each function takes the weights D_t(n, c), the class indices y_n and a random generator. The paper
refers to the experiments of Schapire (1997); we read this as a random half of the classes. Every
class has an example.
"""

from collections.abc import Callable

import numpy as np

Columns = Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]

GAIN = 1e-12  # least gain of U_t by a flip: rounding alone must not keep the search going


def half(D, y, rng) -> np.ndarray:
    """+1 for a random half of the classes, the smaller one if their number is odd."""
    k = D.shape[1]
    column = np.full(k, -1, dtype=np.int8)
    column[rng.permutation(k)[: k // 2]] = 1
    return column


def bits(D, y, rng) -> np.ndarray:
    """A fair coin for every class, given that both signs occur: uniform over these columns."""
    k = D.shape[1]
    column = np.where(rng.random(k) < 0.5, 1, -1).astype(np.int8)
    p = 0.5 ** np.arange(1, k)
    first = 1 + rng.choice(k - 1, p=p / p.sum())  # the first class to differ from class 0
    column[1:first] = column[0]
    column[first] = -column[0]
    return column


def maxcut(D, y, rng) -> np.ndarray:
    """A column of high U_t (Step 4): from a random half, flip the class that raises U_t most.

    It ends when no single flip raises U_t, which is then at least 1/2, half of the highest possible
    value. The best column is a maximum cut between the classes, which is NP-complete to find.
    """
    W = class_weights(D, y)
    column = half(D, y, rng)
    gains = column * (W @ column)  # gain of U_t if the class changes sides
    while gains.max() > GAIN:
        best = int(np.argmax(gains))
        column[best] = -column[best]
        gains = column * (W @ column)
    return column


def class_weights(D, y) -> np.ndarray:
    """W[a, b]: the weight D_t of mistaking an example of class a for b, or of b for a."""
    order = np.argsort(y, kind="stable")
    first = np.searchsorted(y[order], np.arange(D.shape[1]))
    W = np.add.reduceat(D[order], first, axis=0)
    return W + W.T


COLUMNS: dict[str, Columns] = {"half": half, "bits": bits, "maxcut": maxcut}
