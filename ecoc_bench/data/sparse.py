"""Sparse matrices where the package otherwise has arrays: their size, and their inputs.

Inputs are scaled and not centred, so that zeros stay zeros: "standardize" gives variance 1,
"minmax" absolute values of at most 1.
"""

import numpy as np


def is_sparse(X) -> bool:
    return hasattr(X, "indptr")


def n_bytes(X) -> int:
    """The memory of a matrix."""
    if is_sparse(X):
        return X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    return X.nbytes


def scaled(mode: str, X_train, *others) -> list:
    """X_train and the others as inputs of this mode, fitted on X_train."""
    from sklearn.preprocessing import MaxAbsScaler, StandardScaler

    X = [part.astype(np.float64) for part in (X_train, *others)]
    if mode == "raw":
        return X
    scaler = MaxAbsScaler() if mode == "minmax" else StandardScaler(with_mean=False)
    return [scaler.fit(X[0]).transform(part) for part in X]
