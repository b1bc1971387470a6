"""Preprocessing: coded data -> the inputs of a learner, fitted on the training part only.

Nominal attributes become one indicator per value seen in training; a missing or unseen value makes
no indicator true. A missing number becomes the training mean. An attribute without any number in
training becomes a constant. Sparse matrices are prepared by `sparse`.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import PCA
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from .sparse import is_sparse, scaled


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
    """X_train and the others as inputs of this mode, all fitted on X_train."""
    if is_sparse(X_train):
        return scaled(mode, X_train, *others)
    fitted = FittedInputs.fit(mode, nominal, X_train)
    return [fitted.transform(X) for X in (X_train, *others)]


def attributes_of(mode: str, nominal: np.ndarray, X_train) -> np.ndarray:
    """The attribute that each input of `prepare` comes from: numbers first, then indicators."""
    if mode == "coded":
        return np.arange(len(nominal))
    values = [len(v) for v in _values(X_train[:, nominal])]
    return np.r_[np.flatnonzero(~nominal), np.repeat(np.flatnonzero(nominal), values)]


@dataclass(frozen=True, eq=False)
class FittedInputs:
    """What was learned from the training rows, as plain arrays: a model keeps it with its trees.

    With `mode` "coded" the inputs are the coded matrix and the other arrays are empty. `shift` and
    `scale` are those of the mode's scaler, one number for each input; empty without a scaler.
    """

    mode: str
    nominal: np.ndarray  # mask of the attributes
    means: np.ndarray  # of the numbers, in the place of missing ones
    values: tuple[np.ndarray, ...]  # seen in training, of each nominal attribute
    shift: np.ndarray
    scale: np.ndarray

    @classmethod
    def fit(cls, mode: str, nominal: np.ndarray, X: np.ndarray) -> "FittedInputs":
        """Learn from coded rows what the inputs of this mode need."""
        none = np.empty(0)
        if mode == "coded":
            return cls(mode, nominal, none, (), none, none)
        means, values = _means(X[:, ~nominal]), _values(X[:, nominal])
        fitted = cls(mode, nominal, means, values, none, none)
        scaler = SCALERS[mode]
        if scaler is None:
            return fitted
        return cls(mode, nominal, means, values, *scaler(fitted._unscaled(X)))

    @property
    def n_inputs(self) -> int:
        if self.mode == "coded":
            return len(self.nominal)
        return len(self.means) + sum(map(len, self.values))

    def transform(self, X: np.ndarray) -> np.ndarray:
        """The inputs of coded rows."""
        if self.mode == "coded":
            return X
        Z = self._unscaled(X)
        if self.mode == "standardize":
            Z -= self.shift
            Z /= self.scale
        elif self.mode == "minmax":
            Z *= self.scale
            Z += self.shift
        return np.ascontiguousarray(Z, dtype=np.float64)

    def _unscaled(self, X) -> np.ndarray:
        """Numbers without gaps, then indicators.

        Scalers sum in the order of the memory, which must not change: committed rows depend on it.
        """
        kinds = []
        if not self.nominal.all():
            kinds.append(self._without_gaps(X[:, ~self.nominal]))
        if self.nominal.any():
            kinds.append(self._indicators(X[:, self.nominal]))
        return np.hstack(kinds).astype(np.float64, copy=False)

    def _without_gaps(self, X) -> np.ndarray:
        gaps = np.isnan(X)
        if gaps.any():
            rows, columns = np.nonzero(gaps)
            X[rows, columns] = self.means[columns]  # a copy already: the columns were chosen
        return X

    def _indicators(self, X) -> np.ndarray:
        return np.hstack([x[:, None] == v for x, v in zip(X.T, self.values, strict=True)]).astype(
            np.float64, order="C"
        )


def _means(X: np.ndarray) -> np.ndarray:
    """The mean of the numbers of each column, 0 if it has none, summed as SimpleImputer does it."""
    gaps = np.isnan(X)
    sums = X.sum(axis=0)
    if gaps.any():
        filled = X.copy(order="K")
        filled[gaps] = 0.0
        sums = filled.sum(axis=0)
    known = len(X) - gaps.sum(axis=0)
    return np.divide(sums, known, out=np.zeros(len(sums)), where=known > 0)


def _values(X: np.ndarray) -> tuple[np.ndarray, ...]:
    """The known values of each column, sorted."""
    return tuple(np.unique(x[~np.isnan(x)]) for x in X.T)


def _standardized(Z) -> tuple[np.ndarray, np.ndarray]:
    """Every input to mean 0 and variance 1."""
    scaler = StandardScaler().fit(Z)
    return scaler.mean_, scaler.scale_


def _to_unit_interval(Z) -> tuple[np.ndarray, np.ndarray]:
    """Every input to [0, 1]."""
    scaler = MinMaxScaler().fit(Z)
    return scaler.min_, scaler.scale_


SCALERS = {
    "raw": None,  # numbers as they are, nominal values as 0/1
    "standardize": _standardized,
    "minmax": _to_unit_interval,
}
INPUTS = ("coded", *SCALERS)  # "coded": for learners that test attributes one at a time
