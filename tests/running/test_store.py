"""The store of a run: records come back as they were, or are known to be damaged."""

import numpy as np
import pytest

from ecoc_bench.running.store import Damaged, Record, Store, encode, read_record


def make_record(columns=("+-", "-+"), context="c" * 64, **arrays):
    rng = np.random.default_rng(0)
    shape = (1, 3, len(columns))
    margins = {"train": rng.normal(size=shape), "test": rng.normal(size=shape)}
    converged = tuple(j == 0 for j in range(len(columns)))
    seconds = tuple(0.1 * (j + 1) for j in range(len(columns)))
    return Record(context, columns, (0,), converged, seconds, **margins | arrays)


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


def test_no_byte_of_a_record_can_change_unnoticed(tmp_path):
    content = encode(make_record())
    path = tmp_path / "a.record"
    path.write_bytes(content)
    assert read_record(path).columns == ("+-", "-+")
    for place in range(len(content)):
        altered = bytearray(content)
        altered[place] ^= 1
        path.write_bytes(altered)
        with pytest.raises(Damaged):
            read_record(path)


@pytest.mark.parametrize("kept", [0, 1, 50, -1])
def test_a_record_that_is_cut_off_is_damaged(kept, tmp_path):
    path = tmp_path / "a.record"
    path.write_bytes(encode(make_record())[:kept])
    with pytest.raises(Damaged):
        read_record(path)


def test_without_repair_a_damaged_record_stays_where_it_is(tmp_path):
    (tmp_path / "a.record").write_bytes(b"not ours")
    store = Store(tmp_path, repair=False)
    assert store.damaged == [tmp_path / "a.record"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.record"]


def test_columns_are_loaded_from_all_files_of_their_context_and_from_no_other(tmp_path):
    store = Store(tmp_path)
    store.add(make_record(("+-", "-+")))
    store.add(make_record(("0+",)))
    store.add(make_record(("+-",), context="d" * 64, train=np.ones((1, 3, 1))))
    assert len(list(tmp_path.glob("*.record"))) == 3
    found = store.load("c" * 64, ["0+", "-+"])
    assert {name: place for name, (_, place) in found.items()} == {"0+": 0, "-+": 1}
    assert ("d" * 64, "0+") not in store
    other, _ = store.load("d" * 64, ["+-"])["+-"]
    assert (other.train == 1).all()
    assert store.seconds["c" * 64, "-+"] == pytest.approx(0.2)


def test_labels_are_stored_as_whole_numbers_and_shifts_where_there_are_any(tmp_path):
    store = Store(tmp_path)
    labels = np.array([[[3], [1], [2]]])
    arrays = {"shift": np.ones((3, 1)), "eta": np.full((1, 1), 7.0)}
    store.add(make_record(("labels",), train=labels, test=labels, **arrays))
    record, _ = Store(tmp_path).load("c" * 64, ["labels"])["labels"]
    assert record.train.dtype == np.int16
    np.testing.assert_array_equal(record.test, labels)
    np.testing.assert_array_equal(record.shift, np.ones((3, 1)))
    assert record.eta.tolist() == [[7.0]]
    (tmp_path / "other.record").write_bytes(encode(make_record()))
    assert read_record(tmp_path / "other.record").shift is None


def test_files_that_hold_no_wanted_column_are_unused(tmp_path):
    store = Store(tmp_path)
    store.add(make_record(("+-", "-+")))
    store.add(make_record(("0+",)))
    [unused] = store.unused({("c" * 64, "-+")})
    assert read_record(unused).columns == ("0+",)
    assert store.unused({("c" * 64, "-+"), ("c" * 64, "0+")}) == []


def test_a_store_of_a_folder_that_is_not_there_is_empty(tmp_path):
    store = Store(tmp_path / "nowhere")
    assert ("c" * 64, "+-") not in store
    assert store.damaged == []
    assert not (tmp_path / "nowhere").exists()
