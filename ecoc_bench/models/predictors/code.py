"""An output code: margins of its columns, decoded."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.svm import SVC

from ...coding import decoders
from ...coding.codes import CODES, check_code
from ...errors import ModelError, UserError
from ...learners.classifier import ECOCClassifier
from ...learners.columns import MultiCall
from ..scoring import two_sided
from .base import Predictor
from .c45 import C45Trees
from .kernel import Kernel
from .linear import Linear
from .stumps import Stumps
from .trees import Trees

COLUMNS = (Linear, Kernel, Trees, C45Trees)  # that may be fitted one by one


@dataclass(frozen=True, eq=False)
class Code(Predictor):
    """Minus the distances of the margins F[:, index] x sign from the codewords, the rows of M.

    `loss` is that of the columns, for the decoders "auto" and "loss". `A` and `B` are the sigmoids
    of the decoders that need them, one for each column, else they are empty.
    """

    kind: ClassVar[str] = "code"
    layout: ClassVar[dict[str, tuple[str, str]]] = {
        "M": ("|i1", "outputs columns"),
        "index": ("<i8", "columns"),
        "sign": ("|i1", "columns"),
        "A": ("<f8", "sigmoids"),
        "B": ("<f8", "sigmoids"),
    }

    M: np.ndarray
    index: np.ndarray
    sign: np.ndarray
    A: np.ndarray
    B: np.ndarray
    decoder: str
    loss: str
    columns: Predictor

    @classmethod
    def from_estimator(cls, estimator):
        if isinstance(estimator, SVC) and len(estimator.classes_) > 2:
            return cls._of_pairs(estimator)
        if not isinstance(estimator, ECOCClassifier) or getattr(estimator, "label_sets_", False):
            return None
        columns = columns_of(estimator.learner_)
        if columns is None or not isinstance(estimator.decoder, str):
            return None
        fitted = getattr(estimator.decoder_, "keywords", {})
        sigmoids = [fitted.get(name, []) for name in ("A", "B")]
        return cls.made(
            [estimator.code_matrix_, estimator._index, estimator._sign, *sigmoids],
            decoder=estimator.decoder,
            loss=str(estimator.learner_.loss),
            columns=columns,
        )

    @classmethod
    def _of_pairs(cls, svc: SVC) -> "Code | None":
        """Of a plain SVC: its decision function is decoding of all pairs by votes."""
        pairs = Kernel.of_pairs(svc)
        if pairs is None or svc.decision_function_shape != "ovr":
            return None
        M = CODES["all_pairs"].make(len(svc.classes_), None)
        index, none = np.arange(M.shape[1]), np.empty(0)
        arrays = M, index, np.ones(M.shape[1]), none, none
        return cls.made(arrays, decoder="majority", loss="hinge", columns=pairs)

    @property
    def n_inputs(self) -> int:
        return self.columns.n_inputs

    @property
    def n_outputs(self) -> int:
        return len(self.M)

    def check(self):
        known = (self.index >= 0) & (self.index < self.columns.n_outputs)
        self.require(known.all(), "a column is out of range")
        self.require((np.abs(self.sign) == 1).all(), "a sign is not -1 or +1")
        calibrated = decoders.is_calibrated(self.decoder)
        self.require(not calibrated or len(self.A) == len(self.sign), "not a sigmoid a column")
        try:
            check_code(self.M)
            self._decoder()(self.M, np.zeros((1, len(self.sign))))
        except UserError as error:
            raise ModelError(f"{self.kind}: {error}") from None

    def _decoder(self) -> decoders.Decoder:
        if decoders.is_calibrated(self.decoder):
            return partial(decoders.CALIBRATED[self.decoder], A=self.A, B=self.B)
        return decoders.resolve(self.decoder, self.loss)

    def outputs(self, X):
        F = self.columns.outputs(X)[:, self.index] * self.sign
        D = self._decoder()(self.M, F)
        return two_sided(D[:, 0] - D[:, 1]) if len(self.M) == 2 else -D


def columns_of(learner: Any) -> Predictor | None:
    """The predictor of the margins of a fitted learner; None if we have no kind for it."""
    from ...learners.adaboost import AdaBoostLearner
    from ...learners.kernel_svm import GaussianSVM

    if isinstance(learner, AdaBoostLearner):
        return Stumps.of_learner(learner)
    if isinstance(learner, GaussianSVM):
        return Kernel.of_gaussian(learner)
    if not isinstance(learner, MultiCall):
        return None
    found = (kind.of_columns(learner, learner.estimators_) for kind in COLUMNS)
    return next((one for one in found if one is not None), None)
