"""The store of a run: records come back as they were, or are known to be damaged."""

import numpy as np
import pytest

from ecoc_bench.running.store import Damaged, Record, Store, read_record


def make_record(columns=("+-", "-+")):
    rng = np.random.default_rng(0)
    shape = (1, 3, len(columns))
    return Record(
        "c" * 64,
        columns,
        (0,),
        (True, False),
        (0.1, 0.2),
        rng.normal(size=shape),
        rng.normal(size=shape),
    )


def test_a_record_comes_back_as_it_was(tmp_path):
    record = make_record()
    Store(tmp_path).add(record)
    again = Store(tmp_path)
    assert (record.context, "+-") in again
    loaded, place = again.load(record.context, ["-+"])["-+"]
    assert place == 1
    assert loaded.converged == (True, False)
    np.testing.assert_array_equal(loaded.train, record.train)


@pytest.mark.parametrize("damage", ["cut", "flip", "foreign", "empty"])
def test_a_damaged_record_is_set_aside(damage, tmp_path):
    store = Store(tmp_path)
    store.add(make_record())
    path = next(tmp_path.glob("*.record"))
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(
        {
            "cut": path.read_bytes()[:-1],
            "flip": bytes(content),
            "foreign": b"hello\n",
            "empty": b"",
        }[damage]
    )
    with pytest.raises(Damaged):
        read_record(path)
    again = Store(tmp_path)
    assert ("c" * 64, "+-") not in again
    assert [p.suffix for p in again.damaged] == [".damaged"]
