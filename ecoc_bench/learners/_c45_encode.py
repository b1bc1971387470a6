"""Attributes as the C4.5 kernels need them: codes for few values, sorted rows for many."""

import math
from typing import NamedTuple

import numpy as np

from ._parts import entry, part

MOST = 32765  # codes and branches are 16-bit integers
FEW = 32  # numbers with at most this many values are counted by value, others are sorted


class Cases(NamedTuple):
    """Training cases by attribute, made ready once for any number of trees.

    `number`, `coded` and `listed` give the row of each attribute in other arrays, or -1.
    """

    nominal: np.ndarray  # of each attribute
    numbers: np.ndarray  # numeric attributes x cases
    number: np.ndarray
    codes: np.ndarray  # nominal attributes and numbers of few values x cases
    n_values: np.ndarray  # of each row of `codes`; also the code of missing
    values: np.ndarray  # of the numbers among them, by code
    coded: np.ndarray
    bins: np.ndarray  # cases x these numbers: the code, after the codes of the numbers before it
    first_bin: np.ndarray  # of each row of `codes`; the last entry is their number
    order: np.ndarray  # of each number: the cases by value, the missing last
    listed: np.ndarray  # numbers of many values
    complete: bool  # nothing is missing


def encode(X: np.ndarray, nominal: np.ndarray) -> Cases:
    """The attributes separated by kind: nominal, numbers of few values, numbers of many values."""
    numbers = np.ascontiguousarray(X[:, ~nominal].T)
    order, values = _sort(numbers)
    few = np.array([len(v) <= FEW for v in values], dtype=bool)
    codes, n_values = nominal_codes(X, np.flatnonzero(nominal))
    if len(n_values) and n_values.min() < 0:
        raise ValueError(f"nominal values must be whole numbers from 0 to {MOST}.")
    table = np.zeros((len(codes) + few.sum(), FEW))
    more_codes = np.empty((few.sum(), len(X)), dtype=np.uint16)
    for i, p in enumerate(np.flatnonzero(few)):
        table[len(codes) + i, : len(values[p])] = values[p]
        more_codes[i] = np.searchsorted(values[p], numbers[p])  # NaN comes last
    by_value = nominal.copy()
    by_value[~nominal] = few
    n_values = np.append(n_values, [len(values[p]) for p in np.flatnonzero(few)]).astype(np.int64)
    codes = np.concatenate([codes, more_codes])
    coded = np.full(len(nominal), -1)
    coded[nominal] = np.arange(nominal.sum())
    coded[by_value & ~nominal] = np.arange(nominal.sum(), len(codes))
    first_bin = np.cumsum(np.r_[0, np.where(np.arange(len(codes)) < nominal.sum(), 0, n_values)])
    return Cases(
        nominal=nominal.copy(),  # never read-only: kernels would be compiled again for it
        numbers=numbers,
        number=_rows(~nominal),
        codes=codes,
        n_values=n_values,
        values=table,
        coded=coded,
        bins=(more_codes.T + first_bin[nominal.sum() : -1]).astype(np.uint32, order="C"),
        first_bin=first_bin,
        order=order.astype(np.uint32),  # unsigned: no check for negative indices
        listed=_rows(~by_value),
        complete=bool((codes < n_values[:, None]).all() and not np.isnan(numbers).any()),
    )


def _rows(chosen):
    """0, 1, ... for the chosen attributes, -1 for the others."""
    return np.where(chosen, np.cumsum(chosen) - 1, -1)


def _sort(numbers):
    """(the rows of each number by value, then by row; its values).

    A stable sort is several times slower, so it is used only for numbers with ties and many values.
    """
    order = np.argsort(numbers, axis=1)
    x = np.take_along_axis(numbers, order, axis=1)
    new = np.ones(x.shape, dtype=bool)
    new[:, 1:] = x[:, 1:] > x[:, :-1]
    tied = ~new.all(axis=1) & (new.sum(axis=1) > FEW)
    order[tied] = np.argsort(numbers[tied], axis=1, kind="stable")
    return order, [v[first & ~np.isnan(v)] for v, first in zip(x, new, strict=True)]


@entry
def nominal_codes(X, features):
    """(codes, numbers of values) of these columns of X; the code of missing is that number.

    The number of values is -1 if one is not a whole number from 0 to MOST.
    """
    codes = np.empty((len(features), len(X)), np.uint16)
    n_values = np.ones(len(features), np.int64)
    for i in range(len(X)):
        for p in range(len(features)):
            v = X[i, features[p]]
            if np.isnan(v):
                codes[p, i] = MOST + 1
            elif 0 <= v <= MOST and v == math.floor(v):
                codes[p, i] = int(v)
                n_values[p] = max(n_values[p], int(v) + 1)
            else:
                n_values[p] = -1
                return codes, n_values
    for p in range(len(features)):
        for i in range(len(X)):
            codes[p, i] = min(codes[p, i], n_values[p])
    return codes, n_values


@entry
def used_rows(cases, used, n):
    """The n rows in use, sorted by each number of many values, and once more in their order."""
    lists = np.empty((cases.listed.max() + 2, n + 1), np.uint32)  # one entry is a spare
    for f in range(len(cases.listed)):
        if cases.listed[f] >= 0:
            keep(cases.order[cases.number[f]], used, lists[cases.listed[f]])
    keep(np.arange(len(used)).astype(np.uint32), used, lists[-1])
    return lists[:, :n].copy()


@part
def keep(rows, used, out):
    """Copy the rows in use to the front of `out`, without an unpredictable branch."""
    n = 0
    for i in range(len(rows)):
        out[n] = rows[i]
        n += used[rows[i]]
