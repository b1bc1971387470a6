"""Preprocessing: coded data -> the inputs of a learner, fitted on the training part only.

Nominal attributes become one indicator per value seen in training; a missing or unseen value makes
no indicator true. A missing number becomes the training mean. An attribute without any number in
training becomes a constant.
"""

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
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
    """X_train and the others as inputs of this mode, all fitted on X_train."""
    if mode == "coded":
        return [X_train, *others]
    transform = _transformer(mode, nominal, X_train).fit(X_train)
    return [
        np.ascontiguousarray(transform.transform(X), dtype=np.float64) for X in (X_train, *others)
    ]


def _transformer(mode, nominal, X_train):
    numeric_columns, nominal_columns = np.flatnonzero(~nominal), np.flatnonzero(nominal)
    values = [np.unique(x[~np.isnan(x)]) for x in X_train[:, nominal_columns].T]
    indicators = OneHotEncoder(categories=values, handle_unknown="ignore", sparse_output=False)
    columns = ColumnTransformer(
        [
            ("numeric", SimpleImputer(keep_empty_features=True), numeric_columns),
            ("nominal", indicators, nominal_columns),
        ]
    )
    scaler = INPUTS[mode]
    return columns if scaler is None else make_pipeline(columns, scaler())


INPUTS = {
    "coded": None,  # the coded matrix itself, for learners that test attributes one at a time
    "raw": None,  # numbers as they are, nominal values as 0/1
    "standardize": StandardScaler,  # every input to mean 0 and variance 1
    "minmax": MinMaxScaler,  # every input to [0, 1]
}
