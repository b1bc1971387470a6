"""Kernel matrices whose rows are filled as they are asked for, by all columns that share them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ._kernel_rows import LINEAR, POLY, PRECOMPUTED, RBF, Formula, Rows, diagonal, squared_lengths
from .keeping import kept
from .sharing import Store, new_store

HALF_UNIT = 2.0**-24  # the relative error of rounding to float32
KINDS = {"linear": LINEAR, "poly": POLY, "rbf": RBF, "precomputed": PRECOMPUTED}
_lock = threading.Lock()  # of the flags of filled rows, among the threads of this process


def formula_of(kernel: str, gamma, coef0: float, degree: int, X) -> Formula:
    """A kernel by scikit-learn's names; `gamma` is a number, "scale" or "auto"."""
    if gamma == "scale":
        variance = X.var()
        gamma = 1.0 / (X.shape[1] * variance) if variance else 1.0
    elif gamma == "auto":
        gamma = 1.0 / X.shape[1]
    return Formula(KINDS[kernel], float(gamma), float(coef0), int(degree))


@dataclass(frozen=True, eq=False)
class Matrix:
    """A kernel matrix, what it was made from, and the diagonal if it is square."""

    X: np.ndarray
    Z: np.ndarray
    rows: Rows
    diagonal: np.ndarray
    store: Store

    @contextmanager
    def filling(self) -> Iterator[Rows]:
        """The rows for one fit: it fills what it lacks, and others see that when it has ended.

        Threads that fill a row at the same time write the same bytes, and none reads a row that
        another one has not finished.
        """
        with _lock, self.store.locked():
            mine = self.rows._replace(have=np.array(self.store.have))
        yield mine
        with _lock, self.store.locked():
            self.store.have[mine.have] = True


def precision(formula: Formula, X, demand: float) -> type:
    """The type of entries for a fit on these rows; `demand` is C over the tolerance.

    float32 as libsvm's, or float64 where rounding a typical entry would move a margin by more than
    the tolerance, or the largest one by more than a typical one: then float32 is no kernel any
    more, and no solver converges.
    """
    own = X.diagonal() if formula.kind == PRECOMPUTED else diagonal(formula, (X * X).sum(axis=1))
    own = np.sort(own)
    if not np.isfinite(own).all():
        return np.float64
    median = (own[(len(own) - 1) // 2] + own[len(own) // 2]) / 2
    typical = max(median * demand, own[-1] / median if median > 0.0 else 0.0)
    return np.float64 if HALF_UNIT * typical > 1.0 else np.float32


def new_matrix(formula: Formula, X, Z, dtype: type, shared: bool = False) -> Matrix:
    """A matrix without any row yet; of a precomputed kernel, X is the matrix.

    `shared`: among the processes of a run.
    """
    if formula.kind == PRECOMPUTED:
        XT, x_norms, own = np.empty((0, len(X))), np.zeros(len(X)), X.diagonal().astype(float)
    else:
        XT, x_norms = _columns(X)
        own = diagonal(formula, x_norms)
    ZT, z_norms = (XT, x_norms) if Z is X else _columns(Z)
    if formula.kind == PRECOMPUTED:
        store = Store(np.ascontiguousarray(X, dtype=dtype), np.ones(len(X), dtype=bool))
    elif shared:
        store = new_store(len(X), len(Z), dtype, formula, X, Z)
    else:
        store = Store(np.empty((len(X), len(Z)), dtype=dtype), np.zeros(len(X), dtype=bool))
    rows = Rows(np.asarray(store.K), store.have, XT, ZT, x_norms, z_norms, formula)
    return Matrix(X, Z, rows, own, store)


def _columns(X) -> tuple[np.ndarray, np.ndarray]:
    XT = np.ascontiguousarray(X.T)
    return XT, squared_lengths(XT)


def kept_matrix(formula: Formula, X, Z, dtype: type) -> Matrix:
    """The matrix of these rows, shared with the other processes of a run."""

    def make(X, Z):
        return new_matrix(formula, X, Z, dtype, shared=True)

    return kept((formula, dtype), X, Z, make, lambda matrix: matrix.store.drop())
