"""LightGBM's and XGBoost's trees as columns of a code: rows are binned once for all columns.

A column that leaves rows out has the bins of all training rows. Each column is fitted alone, in one
thread and without random numbers.
"""

from abc import abstractmethod
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ..errors import ConfigError
from .at_once import by_rows
from .columns import ConstantMargin, of_one_sign
from .contract import Learner
from .parameters import check_int, check_positive


class BoostedTrees(Learner):
    """Gradient boosting of the logistic loss; f(x) is half of the library's log-odds."""

    loss = "logistic"
    inputs = "raw"
    columns_at_once = 256
    #: The module to import.
    package: str
    rounds: int
    learning_rate: float
    #: The least values of the parameters that are whole numbers.
    _least: ClassVar[dict[str, int]]

    def fit(self, X, Y, sample_weight=None):
        """Y[i, s] in {-1, 0, +1}; column s is fitted on the examples where it is not zero."""
        self._check_params()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        Y = np.asarray(Y)
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X)
        constant, both = of_one_sign(Y)
        self.estimators_ = [constant.get(s) for s in range(Y.shape[1])]
        whole = self._binned(X, weight)
        for columns in (both[group] for group in by_rows(Y[:, both])):
            used = np.flatnonzero(Y[:, columns[0]])
            rows = whole if len(used) == len(X) else self._some(whole, X, used)
            if weight is not None:
                rows.set_weight(weight[used])
            for s in columns:
                rows.set_label((Y[used, s] > 0).astype(float))
                self.estimators_[s] = self._boosted(rows)
        return self

    def margins(self, X) -> np.ndarray:
        """F[i, s] = f_s(x_i)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
        rows, F = self._to_predict(X), np.empty((len(X), len(self.estimators_)))
        for s, trees in enumerate(self.estimators_):
            if isinstance(trees, ConstantMargin):
                F[:, s] = trees.sign
            else:
                F[:, s] = self._log_odds(trees, rows) / 2
        return F

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _library(self):
        """The library's module, which is imported when it is needed."""
        try:
            return import_module(self.package)
        except ImportError:
            raise ConfigError(
                f"this learner needs {self.package}, which is not here. Install it: pip install "
                "'ecoc-bench[peers]'."
            ) from None

    def _check_params(self) -> None:
        for name, least in self._least.items():
            check_int(name, getattr(self, name), least)
        check_positive("learning_rate", self.learning_rate)

    @abstractmethod
    def _binned(self, X, weight) -> Any:
        """All training rows, as the library bins rows of these weights."""

    @abstractmethod
    def _some(self, whole, X, used) -> Any:
        """These rows in the bins of all."""

    @abstractmethod
    def _boosted(self, rows) -> Any:
        """The trees of one column."""

    def _to_predict(self, X) -> Any:
        """Rows as the library predicts them."""
        return X

    @abstractmethod
    def _log_odds(self, trees, rows) -> np.ndarray:
        """What the trees of one column sum to."""


class LightGBM(BoostedTrees):
    """LightGBM's trees of so many `leaves`, each with at least `min_rows` training rows.

    A leaf also has at least `min_hessian` of curvature, the sum of p (1 - p) over its rows: with
    LightGBM's own 0.001, steps of the learning rate 0.3 may diverge; XGBoost's own is 1.
    """

    identity = "ecoc_bench.learners.boosted_trees:LightGBM"
    package = "lightgbm"
    _least: ClassVar = {"rounds": 1, "leaves": 2, "min_rows": 1}

    def __init__(self, rounds=100, leaves=31, learning_rate=0.1, min_rows=20, min_hessian=0.001):
        self.rounds = rounds
        self.leaves = leaves
        self.learning_rate = learning_rate
        self.min_rows = min_rows
        self.min_hessian = min_hessian

    def _check_params(self) -> None:
        super()._check_params()
        check_positive("min_hessian", self.min_hessian)

    @property
    def _settings(self) -> dict[str, Any]:
        """Without `force_col_wise` it would time both ways and take the faster one."""
        return {
            "objective": "binary",
            "num_leaves": self.leaves,
            "learning_rate": self.learning_rate,
            "min_data_in_leaf": self.min_rows,
            "min_sum_hessian_in_leaf": self.min_hessian,
            "num_threads": 1,
            "seed": 0,
            "deterministic": True,
            "force_col_wise": True,
            "verbose": -1,
        }

    def _binned(self, X, weight):
        dataset = self._library().Dataset
        return dataset(X, np.zeros(len(X)), params=self._settings).construct()

    def _some(self, whole, X, used):
        return whole.subset(used).construct()

    def _boosted(self, rows):
        return self._library().train(self._settings, rows, num_boost_round=self.rounds)

    def _log_odds(self, trees, rows):
        return trees.predict(rows, raw_score=True, num_threads=1)


class XGBoost(BoostedTrees):
    """XGBoost's trees, at most `depth` deep."""

    identity = "ecoc_bench.learners.boosted_trees:XGBoost"
    package = "xgboost"
    _least: ClassVar = {"rounds": 1, "depth": 1}

    def __init__(self, rounds=100, depth=6, learning_rate=0.3):
        self.rounds = rounds
        self.depth = depth
        self.learning_rate = learning_rate

    def _binned(self, X, weight):
        return self._library().QuantileDMatrix(X, weight=weight, nthread=1)

    def _some(self, whole, X, used):
        return self._library().QuantileDMatrix(X[used], ref=whole, nthread=1)

    def _boosted(self, rows):
        settings = {
            "objective": "binary:logistic",
            "max_depth": self.depth,
            "learning_rate": self.learning_rate,
            "tree_method": "hist",
            "nthread": 1,
            "seed": 0,
            "verbosity": 0,
        }
        return self._library().train(settings, rows, num_boost_round=self.rounds)

    def _to_predict(self, X):
        return self._library().DMatrix(X, nthread=1)

    def _log_odds(self, trees, rows):
        return trees.predict(rows, output_margin=True).astype(float)
