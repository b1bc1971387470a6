"""Boosted stumps: the rounds of `AdaBoostLearner` as they were fitted."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from .base import Predictor


@dataclass(frozen=True, eq=False)
class Stumps(Predictor):
    """outputs[:, s] = sum_t answers[t, 0 or 1, s]: 0 where x passes the test of round t, else 1.

    The test is x <= cut for a number and x = cut for a nominal attribute; NaN passes none.
    """

    kind: ClassVar[str] = "stumps"
    layout: ClassVar[dict[str, tuple[str, str]]] = {
        "features": ("<i8", "rounds tests"),
        "cuts": ("<f8", "rounds tests"),
        "answers": ("<f8", "rounds sides outputs"),
        "nominal": ("|b1", "inputs"),
    }
    infinite: ClassVar[frozenset[str]] = frozenset({"cuts"})  # -inf: no row passes

    features: np.ndarray
    cuts: np.ndarray
    answers: np.ndarray
    nominal: np.ndarray

    @classmethod
    def from_estimator(cls, estimator):
        return None  # stumps are the columns of a code

    @classmethod
    def of_learner(cls, learner) -> "Stumps":
        """Of a fitted `AdaBoostLearner`."""
        fitted = learner.features_, learner.cuts_, learner.outputs_, learner.nominal_
        return cls.made(fitted)

    @property
    def n_inputs(self) -> int:
        return len(self.nominal)

    @property
    def n_outputs(self) -> int:
        return self.answers.shape[2]

    def check(self):
        rounds, tests = self.features.shape
        self.require(rounds and self.answers.shape[1] == 2, "no rounds, or not two sides")
        self.require(tests in (1, self.n_outputs), "not one test for all columns or for each")
        in_range = (self.features >= 0) & (self.features < self.n_inputs)
        self.require(in_range.all(), "a feature is out of range")
        self.require((self.cuts < np.inf).all(), "a cut is no number")

    @cached_property
    def _learner(self):
        from ...learners.adaboost import AdaBoostLearner

        learner = AdaBoostLearner(rounds=len(self.cuts))
        learner.features_, learner.cuts_ = self.features, self.cuts
        learner.outputs_, learner.nominal_ = self.answers, self.nominal
        return learner

    def outputs(self, X):
        return self._learner.margins(X) if len(X) else np.empty((0, self.n_outputs))
