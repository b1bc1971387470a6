"""Fitted classifiers as plain arrays: a small algebra, one file a kind."""

from typing import Any

from ...errors import ModelError
from .base import Pieces, Predictor
from .c45 import C45Trees
from .code import Code
from .foreign import Foreign
from .kernel import Kernel
from .linear import Linear
from .prior import Prior
from .stumps import Stumps
from .trees import Trees
from .vote import Vote


def candidates_for(estimator: Any):
    """The predictors that a fitted classifier can be kept as, the ones of our own first."""
    for kind in KINDS.values():
        found = kind.from_estimator(estimator)
        if found is not None:
            yield found


def predictor_from(pieces: Pieces) -> Predictor:
    """The predictor of its pieces, or a ModelError."""
    if pieces.kind not in KINDS:
        raise ModelError(f"a predictor of an unknown kind. Known: {', '.join(KINDS)}.")
    return KINDS[pieces.kind].from_pieces(pieces)


# In the order in which they are asked whether they fit; the last takes what no other does.
KINDS: dict[str, type[Predictor]] = {
    kind.kind: kind
    for kind in (Prior, Linear, Kernel, Stumps, Trees, C45Trees, Code, Vote, Foreign)
}
