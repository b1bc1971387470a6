"""Records: margins in the fewest bytes, and every decoder sees the bits that the learner gave."""

import numpy as np
import pytest

from ecoc_bench.coding.codes import all_pairs, dense
from ecoc_bench.coding.decoders import CALIBRATED, DECODERS, calibrated
from ecoc_bench.running.record import Record, decode, encode, narrowest

N = 60
CODES = {"all_pairs": all_pairs(5), "dense": dense(5, np.random.default_rng(0), columns=10)}


def margins(what):
    F = np.random.default_rng(1).normal(size=(1, N, 10))
    votes = np.sign(np.round(F)) + 0.0  # no -0.0
    return {
        "votes": votes,
        "single": F.astype(np.float32).astype(float),
        "double": F,
        "minus_zero": np.where(votes == 0, -0.0, votes),
        "late": np.concatenate([np.ones(1200), F.ravel()]).reshape(1, 180, 10),
    }[what]


KINDS = {"votes": "|i1", "single": "<f4", "double": "<f8", "minus_zero": "<f4", "late": "<f8"}


def back(F):
    record = Record("c", tuple("0123456789"), (0,), (True,) * 10, (0.0,) * 10, F, F[:, ::2])
    return decode(encode(record))


@pytest.mark.parametrize("what", KINDS)
def test_margins_are_stored_in_the_fewest_bytes_that_give_back_every_bit(what):
    F = margins(what)
    assert narrowest(F).dtype.str == KINDS[what]
    record = back(F)
    for found, given in ((record.train, F), (record.test, F[:, ::2])):
        assert found.dtype == np.float64
        assert found.tobytes() == given.tobytes()
        assert not found.flags.writeable


@pytest.mark.parametrize("what", ["votes", "single", "double", "minus_zero"])
@pytest.mark.parametrize("name", DECODERS)
def test_every_decoder_gives_the_same_distances_of_stored_margins(name, what):
    F = margins(what)
    M = CODES["all_pairs" if name in ("majority", "tournament") else "dense"]
    y = np.arange(N) % 5
    decoder = DECODERS[name]
    if name in CALIBRATED:
        decoder = calibrated(name, margins("double")[0], M[y])
    stored = back(F).train[0]
    assert decoder(M, stored).tobytes() == decoder(M, F[0]).tobytes()
