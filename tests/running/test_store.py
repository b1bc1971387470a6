"""The store of a run: records come back as they were, or are known to be damaged."""

import hashlib
import json

import numpy as np
import pytest

from ecoc_bench.running import store as module
from ecoc_bench.running.record import MAGIC, Record, decode, encode, pieces
from ecoc_bench.running.store import Store

ONE = "00001.record"


def make_record(columns=("+-", "-+"), context="c" * 64, **arrays):
    rng = np.random.default_rng(0)
    shape = (1, 3, len(columns))
    margins = {"train": rng.normal(size=shape), "test": rng.normal(size=shape)}
    converged = tuple(j == 0 for j in range(len(columns)))
    seconds = tuple(0.1 * (j + 1) for j in range(len(columns)))
    return Record(context, columns, (0,), converged, seconds, **margins | arrays)


def sealed(content: bytes) -> bytes:
    """Any content with the head of a record, whose checksum is right."""
    return MAGIC + f"2 {hashlib.sha256(content).hexdigest()} {len(content)}\n".encode() + content


def three(folder):
    """A store of three records in one file, and the bytes of each."""
    records = [make_record((name,)) for name in ("+-0", "+0-", "0+-")]
    store = Store(folder)
    for record in records:
        store.add(record)
    parts = [encode(record) for record in records]
    assert (folder / ONE).read_bytes() == b"".join(parts)
    return parts


def held(store):
    return [name for name in ("+-0", "+0-", "0+-") if ("c" * 64, name) in store]


def test_a_record_comes_back_as_it_was(tmp_path):
    record = make_record()
    Store(tmp_path).add(record)
    again = Store(tmp_path)
    assert (record.context, "+-") in again
    loaded, place = again.load(record.context, ["-+"])["-+"]
    assert place == 1
    assert loaded.converged == (True, False)
    np.testing.assert_array_equal(loaded.train, record.train)


def test_no_byte_of_a_record_can_change_unnoticed():
    content = encode(make_record())
    assert decode(content).columns == ("+-", "-+")
    for place in range(len(content)):
        altered = bytearray(content)
        altered[place] ^= 1
        assert decode(bytes(altered)) is None


@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_changed_record_is_set_aside_and_the_others_are_kept(which, tmp_path):
    parts = three(tmp_path)
    names = ["+-0", "+0-", "0+-"]
    for place in (3, 40, 80, len(parts[which]) - 5):  # magic, checksum, header, margins
        spoiled = bytearray(parts[which])
        spoiled[place] ^= 1
        altered = [*parts[:which], bytes(spoiled), *parts[which + 1 :]]
        (tmp_path / ONE).write_bytes(b"".join(altered))
        store = Store(tmp_path)
        left = [name for name in names if name != names[which]]
        assert held(store) == left
        assert [path.name for path in store.damaged] == ["00001.damaged"]
        assert (tmp_path / "00001.damaged").read_bytes() == bytes(spoiled)
        assert store.load("c" * 64, left)[left[1]][0].columns == (left[1],)
        store.add(make_record((names[which],)))
        again = Store(tmp_path)
        assert held(again) == names
        assert again.damaged == []


@pytest.mark.parametrize("left", [1, 5, 12, 90, -1])
def test_what_a_killed_process_had_half_added_is_cut_off(left, tmp_path):
    parts = three(tmp_path)
    (tmp_path / ONE).write_bytes(parts[0] + parts[1] + parts[2][:left])
    seen = Store(tmp_path, repair=False)
    assert held(seen) == ["+-0", "+0-"]
    store = Store(tmp_path)
    assert held(store) == ["+-0", "+0-"]
    assert store.damaged == []
    assert (tmp_path / ONE).read_bytes() == parts[0] + parts[1]
    store.add(make_record(("0+-",)))
    assert (tmp_path / ONE).read_bytes() == b"".join(parts)


@pytest.mark.parametrize("content", [b"hello\n", b"\0" * 5000, b"ECOCBENCH7 x\n"])
def test_a_file_of_nothing_but_nonsense_is_set_aside_whole(content, tmp_path):
    (tmp_path / ONE).write_bytes(content)
    store = Store(tmp_path)
    assert [path.name for path in store.damaged] == ["00001.damaged"]
    assert (tmp_path / "00001.damaged").read_bytes() == content
    store.add(make_record())
    assert Store(tmp_path).damaged == []


NONSENSE = [b"{", b"[]\n", b'{"context": 1}\n', b'{"arrays": {}}\n', b"3\n", b""]
SHAPES = [["<f8", [1, -3, 2]], ["<f8", [1, 2, 2]], ["<f4", [1, 3, 2]], ["O", [1, 3, 2]], None, []]


@pytest.mark.parametrize("content", NONSENSE)
def test_nonsense_with_the_right_checksum_is_damaged(content, tmp_path):
    good = encode(make_record(("+-0",)))
    assert decode(sealed(content)) is None
    (tmp_path / ONE).write_bytes(good + sealed(content))
    store = Store(tmp_path)
    assert held(store) == ["+-0"]
    assert len(store.damaged) == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_arrays_that_are_not_what_the_header_says_are_damaged(shape):
    line, _, body = encode(make_record()).partition(b"\n")[2].partition(b"\n")
    header = json.loads(line)
    assert decode(sealed(json.dumps(header).encode() + b"\n" + body)) is not None
    header["arrays"]["train"] = shape
    assert decode(sealed(json.dumps(header).encode() + b"\n" + body)) is None


def test_without_repair_a_damaged_record_stays_where_it_is(tmp_path):
    (tmp_path / ONE).write_bytes(b"not ours")
    store = Store(tmp_path, repair=False)
    assert store.damaged == [tmp_path / ONE]
    assert [path.name for path in tmp_path.iterdir()] == [ONE]


def test_a_file_of_an_earlier_version_is_set_aside(tmp_path):
    path = tmp_path / f"{'c' * 20}-{'d' * 20}.record"
    path.write_bytes(b"ECOCBENCH1 " + b"0" * 64 + b"\n{}\n")
    store = Store(tmp_path)
    assert store.damaged == [path.with_suffix(".damaged")]
    store.add(make_record(("0+",)))
    assert ("c" * 64, "0+") in Store(tmp_path)


def test_a_part_without_rows_comes_back_as_it_was(tmp_path):
    Store(tmp_path).add(make_record(test=np.zeros((1, 0, 2))))
    assert Store(tmp_path).load("c" * 64, ["+-"])["+-"][0].test.shape == (1, 0, 2)


def test_folders_links_and_files_of_somebody_else_are_left_alone(tmp_path):
    outside = tmp_path / "outside"
    outside.write_bytes(b"precious")
    folder = tmp_path / "store"
    (folder / "00001.record").mkdir(parents=True)
    (folder / "00002.record").symlink_to(outside)
    (folder / "mine.record").write_bytes(b"mine")
    store = Store(folder)
    assert store.damaged == []
    store.add(make_record())
    assert (folder / "00003.record").is_file()
    assert outside.read_bytes() == b"precious"
    assert (folder / "mine.record").read_bytes() == b"mine"


def test_a_full_file_is_followed_by_the_next_one(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FULL", 1)
    store = Store(tmp_path)
    store.add(make_record(("+-0",)))
    store.add(make_record(("+0-",)))
    assert sorted(path.name for path in tmp_path.iterdir()) == [ONE, "00002.record"]
    again = Store(tmp_path)
    again.add(make_record(("0+-",)))
    assert (tmp_path / "00003.record").exists()
    assert held(Store(tmp_path)) == ["+-0", "+0-", "0+-"]


def test_columns_are_loaded_from_all_records_of_their_context_and_from_no_other(tmp_path):
    store = Store(tmp_path)
    store.add(make_record(("+-", "-+")))
    store.add(make_record(("0+",)))
    store.add(make_record(("+-",), context="d" * 64, train=np.ones((1, 3, 1))))
    found = store.load("c" * 64, ["0+", "-+"])
    assert {name: place for name, (_, place) in found.items()} == {"0+": 0, "-+": 1}
    assert ("d" * 64, "0+") not in store
    other, _ = store.load("d" * 64, ["+-"])["+-"]
    assert (other.train == 1).all()
    assert store.seconds("c" * 64, "-+") == pytest.approx(0.2)


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
    assert decode(encode(make_record())).shift is None


def test_shrinking_removes_the_records_that_hold_no_wanted_column(tmp_path):
    parts = three(tmp_path)
    store = Store(tmp_path)
    wanted = {("c" * 64, "+-0"), ("c" * 64, "0+-")}
    assert store.shrink(wanted, dry_run=True) == len(parts[1])
    assert (tmp_path / ONE).read_bytes() == b"".join(parts)
    assert store.shrink(wanted, dry_run=False) == len(parts[1])
    assert (tmp_path / ONE).read_bytes() == parts[0] + parts[2]
    assert Store(tmp_path).shrink(set(), dry_run=False) == len(parts[0] + parts[2])
    assert not (tmp_path / ONE).exists()


def test_a_store_of_a_folder_that_is_not_there_is_empty(tmp_path):
    store = Store(tmp_path / "nowhere")
    assert ("c" * 64, "+-") not in store
    assert store.damaged == []
    assert not (tmp_path / "nowhere").exists()


def test_the_margins_of_a_record_may_hold_the_word_that_begins_one(tmp_path):
    word = np.frombuffer(MAGIC.ljust(24), dtype=np.float64).reshape(1, 3, 1)
    raw = encode(make_record(("+-0",), train=word)) + encode(make_record(("0+-",)))
    assert [piece.record.columns for piece in pieces(raw)] == [("+-0",), ("0+-",)]
    spoiled = raw.replace(json.dumps("+-0").encode(), json.dumps("+-+").encode())
    assert [p.record.columns for p in pieces(spoiled) if p.record] == [("0+-",)]
