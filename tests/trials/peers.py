"""What others do with the same table: a forest, LightGBM, an SVC with a grid, and FLAML."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

GRID = {"svc__C": [1, 10, 100], "svc__gamma": [0.01, 0.03, 0.1, 0.3]}
GRID_ROWS, SVC_ROWS = 2_000, 10_000  # of larger tables the grid and the machine see this many


def _inputs():
    return make_column_transformer(
        (
            make_pipeline(SimpleImputer(strategy="median"), StandardScaler()),
            make_column_selector(dtype_include=np.number),
        ),
        (
            OneHotEncoder(handle_unknown="ignore", min_frequency=2, sparse_output=False),
            make_column_selector(dtype_exclude=np.number),
        ),
    )


def forest(X, y, new, seconds):
    model = RandomForestClassifier(n_estimators=500, n_jobs=-1, random_state=0)
    return make_pipeline(_inputs(), model).fit(X, y).predict(new)


def lightgbm(X, y, new, seconds):
    """Its own treatment of missing values and of categories."""
    from lightgbm import LGBMClassifier

    X, new = X.copy(), new.copy()
    for name in X.columns[[not pd.api.types.is_numeric_dtype(kind) for kind in X.dtypes]]:
        X[name] = X[name].astype(str).astype("category")
        new[name] = pd.Categorical(new[name].astype(str), categories=X[name].cat.categories)
    X.columns = new.columns = [f"x{i}" for i in range(X.shape[1])]
    return LGBMClassifier(random_state=0, n_jobs=-1, verbose=-1).fit(X, y).predict(new)


def svc(X, y, new, seconds):
    """Gaussian kernel; C and gamma by three folds."""
    rng = np.random.default_rng(0)
    order = rng.permutation(len(y))
    pipe = make_pipeline(_inputs(), SVC())
    few = order[:GRID_ROWS]
    search = GridSearchCV(pipe, GRID, cv=3, n_jobs=-1, refit=False)
    search.fit(X.iloc[few], y.iloc[few])
    some = order[:SVC_ROWS]
    return pipe.set_params(**search.best_params_).fit(X.iloc[some], y.iloc[some]).predict(new)


def flaml(X, y, new, seconds):
    """As much wall time as we are given."""
    from flaml import AutoML

    automl = AutoML()
    automl.fit(
        X, y, task="classification", metric="accuracy", time_budget=seconds, seed=0, verbose=0
    )
    return automl.predict(new)


PEERS: dict[str, Callable] = {
    "random forest": forest,
    "LightGBM": lightgbm,
    "SVC with a grid": svc,
    "FLAML": flaml,
}
