"""Any learner as a `Learner`: ours, the user's, or a scikit-learn classifier."""

import copy
import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from ..seeds import identity
from .columns import Columns
from .contract import Learner


def as_learner(learner) -> Learner:
    """Our learner as it is, another learner adapted, a classifier as one fit for each column."""
    if learner is None:
        learner = LogisticRegression()
    if isinstance(learner, Learner):
        return learner
    if not hasattr(learner, "margins"):
        return Columns(learner)
    if hasattr(learner, "get_params"):
        return Adapted(type(learner), learner.get_params(deep=False))
    return Adapted(partial(copy.deepcopy, learner))


class Adapted(Learner):
    """A learner that is not derived from `Learner`, made again for each fit.

    `make(**params)` returns an object with `fit` and `margins`. What else it has of the contract is
    used; the rest has the defaults.
    """

    def __init__(self, make: Callable[..., Any] = object, params: Mapping[str, Any] | None = None):
        self.make = make
        self.params = params

    @cached_property
    def _example(self):
        return self._made()

    def _made(self):
        return self.make(**{name: clone(v, safe=False) for name, v in (self.params or {}).items()})

    def fit(self, X, Y, sample_weight=None, **extra):
        """Fit a fresh object; weights are passed on if there are any."""
        self.learner_ = self._made()
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.learner_.fit(X, Y, **weights, **extra)
        return self

    def margins(self, X) -> np.ndarray:
        return np.asarray(self.learner_.margins(X))

    def staged_margins(self, X, **extra) -> Iterator[tuple[int, np.ndarray]]:
        if hasattr(self.learner_, "staged_margins"):
            return self.learner_.staged_margins(X, **extra)
        return iter([(0, np.asarray(self.learner_.margins(X, **extra)))])

    def room(self, n_train: int, n_test: int) -> float:
        own = getattr(self._example, "room", None)
        return own(n_train, n_test) if own else super().room(n_train, n_test)

    def vc_dimension(self, n_features: int, n_columns: int) -> int | None:
        own = getattr(self._example, "vc_dimension", super().vc_dimension)
        return own(n_features, n_columns)

    def described(self) -> tuple[str, dict[str, Any]]:
        own = self._example
        params = own.get_params(deep=False) if hasattr(own, "get_params") else self.params or {}
        return identity(type(own)), dict(params)

    def takes(self, parameter: str) -> bool:
        return parameter in self._parameters

    @cached_property
    def _parameters(self) -> frozenset[str]:
        return frozenset(inspect.signature(self.make).parameters)

    def fresh(self, **settings) -> "Adapted":
        return Adapted(self.make, {**(self.params or {}), **settings})


def _of_object(name: str) -> property:
    """An attribute of the contract as the adapted object has it, or its default."""
    return property(lambda self: getattr(self._example, name, getattr(Learner, name)))


def _of_fitted(name: str) -> property:
    return property(lambda self: getattr(self.learner_, name, None))


for _name in (
    "loss", "single_call", "columns_at_once", "inputs", "version", "n_stages", "itemsize",
    "takes_sequences", "takes_sparse", "has_loo", "has_margin_bound",
):  # fmt: skip
    setattr(Adapted, _name, _of_object(_name))
for _name in (
    "converged_", "loo_shift_", "eta_", "log_Z_", "score_margins_", "norms_", "history_",
):  # fmt: skip
    setattr(Adapted, _name, _of_fitted(_name))
