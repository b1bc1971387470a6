"""Preprocessing: coded data -> the inputs of a learner, fitted on the training part only.

Nominal attributes become one indicator per value seen in training; a missing or unseen value makes
no indicator true. A missing number becomes the training mean. An attribute without any number in
training becomes a constant.
"""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler


def projected(data, train, *others) -> list[np.ndarray]:
    """Which attributes are nominal, and the rows; as principal components if the data ask for it.

    The components are fitted on the training rows.
    """
    X = [data.X[rows] for rows in (train, *others)]
    if data.pca is None:
        return [data.nominal, *X]
    components = PCA(data.pca, svd_solver="full").fit(X[0])
    return [np.zeros(data.pca, dtype=bool), *(components.transform(part) for part in X)]


def prepare(mode: str, nominal: np.ndarray, X_train, *others) -> list[np.ndarray]:
    """X_train and the others as inputs of this mode, all fitted on X_train.

    The transformers are called one by one and only where there is something to do: a pipeline of
    them takes six times as long on a hundred rows, longer than many a fit.
    """
    parts = [X_train, *others]
    if mode == "coded":
        return parts
    kinds = []
    if not nominal.all():
        kinds.append(_without_gaps([X[:, ~nominal] for X in parts]))
    if nominal.any():
        kinds.append(_indicators([X[:, nominal] for X in parts]))
    parts = [np.hstack(pieces) for pieces in zip(*kinds, strict=True)]
    if INPUTS[mode] is not None:
        parts = _transformed(INPUTS[mode](), parts)
    return [np.ascontiguousarray(X, dtype=np.float64) for X in parts]


def attributes_of(mode: str, nominal: np.ndarray, X_train) -> np.ndarray:
    """The attribute that each input of `prepare` comes from: numbers first, then indicators."""
    if mode == "coded":
        return np.arange(len(nominal))
    values = [len(np.unique(x[~np.isnan(x)])) for x in X_train[:, nominal].T]
    return np.r_[np.flatnonzero(~nominal), np.repeat(np.flatnonzero(nominal), values)]


def _without_gaps(parts: list[np.ndarray]) -> list[np.ndarray]:
    if not any(np.isnan(X).any() for X in parts):
        return parts
    return _transformed(SimpleImputer(keep_empty_features=True), parts)


def _indicators(parts: list[np.ndarray]) -> list[np.ndarray]:
    values = [np.unique(x[~np.isnan(x)]) for x in parts[0].T]
    encoder = OneHotEncoder(categories=values, handle_unknown="ignore", sparse_output=False)
    return _transformed(encoder, parts)


def _transformed(transformer, parts: list[np.ndarray]) -> list[np.ndarray]:
    """The parts by a transformer that is fitted on the first."""
    transformer.fit(parts[0])
    return [transformer.transform(X) for X in parts]


INPUTS = {
    "coded": None,  # the coded matrix itself, for learners that test attributes one at a time
    "raw": None,  # numbers as they are, nominal values as 0/1
    "standardize": StandardScaler,  # every input to mean 0 and variance 1
    "minmax": MinMaxScaler,  # every input to [0, 1]
}
