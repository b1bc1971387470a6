"""Your own decoder, for own_decoder.yaml."""

import numpy as np


def weighted(M, F):
    """Minus the inner product of codeword and margins, each column's margins on one scale."""
    scale = np.abs(F).mean(axis=0) + 1e-12
    return -(F / scale) @ M.T
