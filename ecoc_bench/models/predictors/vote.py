"""AdaBoost.OC, .ECC and .SECC: each round has a column of the code, a weight and a hypothesis."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..scoring import two_sided
from .base import Predictor
from .c45 import C45Trees
from .linear import Linear
from .trees import Trees

DECODERS = ("vote", "loss")  # as in joint.loop
BASES = (C45Trees, Trees)


@dataclass(frozen=True, eq=False)
class Vote(Predictor):
    """Minus sum_t L(M(c, t) alphas[t] h_t(x)), L(z) = -z for "vote" and e^-z for "loss"."""

    kind: ClassVar[str] = "vote"
    layout: ClassVar[dict[str, tuple[str, str]]] = {
        "M": ("|i1", "outputs rounds"),
        "alphas": ("<f8", "rounds"),
    }

    M: np.ndarray
    alphas: np.ndarray
    decoder: str
    rounds: Predictor

    @classmethod
    def from_estimator(cls, estimator):
        from ...joint.loop import JointBoosting

        if not isinstance(estimator, JointBoosting):
            return None
        n_features, hypotheses = estimator.n_features_in_, estimator.estimators_
        if not hypotheses:  # the training stopped in its first round
            return Linear.of(np.zeros((len(estimator.classes_), n_features)), 0.0)
        found = (kind.of_rounds(hypotheses, n_features) for kind in BASES)
        rounds = next((one for one in found if one is not None), None)
        if rounds is None:
            return None
        arrays = estimator.code_matrix_, estimator.alphas_
        return cls.made(arrays, decoder=estimator.decoder, rounds=rounds)

    @property
    def n_inputs(self) -> int:
        return self.rounds.n_inputs

    @property
    def n_outputs(self) -> int:
        return len(self.M)

    def check(self):
        self.require(self.decoder in DECODERS, f"decoder is not one of {', '.join(DECODERS)}")
        self.require((np.abs(self.M) == 1).all(), "the code holds more than -1 and +1")
        self.require(self.rounds.n_outputs == len(self.alphas), "not a hypothesis a round")

    def outputs(self, X):
        from ...joint.base import add_losses
        from ...joint.loop import DECODERS as LOSSES

        H, D = self.rounds.outputs(X), np.zeros((len(X), len(self.M)))
        for t, alpha in enumerate(self.alphas):
            agree, differ = LOSSES[self.decoder]([alpha, -alpha])
            add_losses(D, H[:, t], self.M[:, t], agree, differ)
        return two_sided(D[:, 0] - D[:, 1]) if len(self.M) == 2 else -D
