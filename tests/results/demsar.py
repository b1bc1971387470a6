"""Demsar 2006, Table 6, and the corrected t-test in plain loops."""

from math import sqrt

import numpy as np
from scipy import stats

# AUC of C4.5, with m, with cf, with both, on 14 data sets: Table 6 of Demsar 2006.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
LOSS = np.round(100 * (1 - DEMSAR), 6)


def slow_corrected_t(a, b, n_train, n_test):
    d = [x - y for x, y in zip(a, b, strict=True)]
    J = len(d)
    mean = sum(d) / J
    variance = sum((x - mean) ** 2 for x in d) / (J - 1)
    t = mean / sqrt((1 / J + n_test / n_train) * variance)
    return t, 2 * stats.t.cdf(-abs(t), J - 1)
