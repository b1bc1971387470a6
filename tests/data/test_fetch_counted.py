"""Sets without a published checksum: counted at each fetch, and compared with the first one."""

import bz2
import os
from dataclasses import replace

import numpy as np
import pytest
from runs import invoke, planned, ran

from ecoc_bench.data import cards
from ecoc_bench.data import fetch as fetching
from ecoc_bench.data.archives import CONVERTERS
from ecoc_bench.data.cards import load, locate, note_of, read_card
from ecoc_bench.data.fetch import fetch, status
from ecoc_bench.errors import DataError, UserError

pytestmark = pytest.mark.usefixtures("cache")

ALOI = b"".join(
    b"%d 1:%d 5:2.5 %d:%d\n" % (i % 3, 1 + i, 128 if i == 4 else 9, 7 * i) for i in range(12)
)
PACKED = bz2.compress(ALOI)
TRAIN = b"3 2:0.5 70:0.25\n1 1:1\n2 9:0.5\n3 2:1\n1 3:1\n2 55197:0.125\n"
TEST = b"1 1:0.5\n3 4:1\n2\n"


@pytest.fixture
def known(monkeypatch):
    """Cards of these names are small ones from now on."""

    def change(name, **changes):
        card = replace(read_card(name), **changes)
        for module in (cards, fetching):
            monkeypatch.setattr(module, "read_card", lambda asked: card)
        return card

    return change


@pytest.fixture
def aloi(server, known):
    """Serves these bytes as aloi.bz2 and gives the card of a small set."""

    def put(content=PACKED, **changes):
        source = {"aloi": server.put("/multiclass/aloi.bz2", content)}
        return known("aloi", rows=12, classes=3, sources=(source,), **changes)

    return put


@pytest.fixture
def sector(server, known):
    def put(train=TRAIN, test=TEST):
        source = {
            name: server.put(f"/sector/{name}.bz2", bz2.compress(content))
            for name, content in (("sector.scale", train), ("sector.t.scale", test))
        }
        split = {"train": 6, "test": 3}
        return known("sector", rows=9, classes=3, split=split, sources=(source,))

    return put


def refused(card):
    """The message of a fetch that fails and leaves no data behind."""
    with pytest.raises(DataError) as error:
        fetch(card)
    assert locate(card) is None
    return str(error.value)


def test_aloi_becomes_a_table_of_all_attributes(aloi, cache):
    card = aloi()
    steps = []
    path = fetch(card, progress=steps.append)
    assert path == cache / "aloi.csv.gz"
    data = load("aloi")
    assert data.X.shape == (12, 128)
    np.testing.assert_array_equal(data.X[:, 0], np.arange(1, 13))
    np.testing.assert_array_equal(data.X[:, 4], 2.5)
    assert (data.X[4, 127], data.X[3, 8], data.X.sum(axis=0)[1]) == (28, 21, 0)
    assert data.classes == ("0", "1", "2")
    assert data.train is None


def test_sector_stays_sparse_and_keeps_its_split(sector, cache):
    path = fetch(sector())
    assert path == cache / "sector.svm.gz"
    data = load("sector")
    assert data.X.shape == (9, 55197)
    assert data.X.nnz == 9
    assert data.train.tolist() == [True] * 6 + [False] * 3
    assert (data.X[0, 69], data.X[5, 55196], data.X[6, 0]) == (0.25, 0.125, 0.5)
    assert data.classes == ("1", "2", "3")
    assert data.y.tolist() == [2, 0, 1, 2, 0, 1, 0, 2, 1]
    assert ("sector", "fetched", str(path)) in status()


CONFIG = """
name: words
datasets: [{name: sector}]
evaluation: {original_split: true}
learners: {least_squares: {inputs: raw}}
codes: [ova]
decoders: [hamming]
"""


def test_a_run_takes_the_sparse_set_with_its_split(sector, tmp_path):
    fetch(sector())
    row = (ran(CONFIG, tmp_path, "--jobs", "1") / "results.csv").read_text().splitlines()[1]
    assert row.startswith("sector,")
    dropped = CONFIG.replace("{name: sector}", "{name: sector, drop: [x1]}")
    (tmp_path / "config.yaml").write_text(dropped)
    assert planned(tmp_path / "config.yaml").datasets["sector"].X.shape == (9, 55196)
    nominal = CONFIG.replace("{name: sector}", "{name: sector, nominal: [x1]}")
    (tmp_path / "config.yaml").write_text(nominal)
    with pytest.raises(UserError, match="sector is a sparse matrix of numbers"):
        planned(tmp_path / "config.yaml")


def test_the_user_is_told_how_far_the_first_fetch_was_checked_and_the_second_compared(aloi):
    card, first, second = aloi(), [], []
    fetch(card, progress=first.append)
    assert "aloi: no checksum is published; the numbers of rows, attributes and" in first[-1]
    sha256 = note_of(card).read_text().strip()
    assert f"Later fetches are compared with sha256 {sha256}, noted in {note_of(card)}" in first[-1]
    assert sha256 == load("aloi").sha256
    fetch(card, force=True, progress=second.append)
    assert second[-1].endswith(f"and sha256 {sha256} is that of the first fetch")


def test_another_content_of_the_same_counts_is_refused_until_the_note_is_removed(aloi):
    path = fetch(aloi())
    before = path.read_bytes()
    card = aloi(bz2.compress(ALOI.replace(b"5:2.5", b"5:2.6")))
    with pytest.raises(DataError) as error:
        fetch(card, force=True)
    assert "aloi.bz2: wrong content (sha256 " in str(error.value)
    assert f"the first fetch noted {note_of(card).read_text().strip()}" in str(error.value)
    assert f"If it may change, remove {note_of(card)}" in str(error.value)
    assert path.read_bytes() == before
    note_of(card).unlink()
    fetch(card, force=True)
    assert load("aloi").X[0, 4] == 2.6


def test_a_file_that_was_changed_in_the_cache_is_named(aloi):
    path = fetch(aloi())
    fetching._store(cards.read_bytes(path).replace(b"2.5", b"2.6"), path)
    with pytest.raises(DataError, match=r"aloi\.csv\.gz: not the data set of the card: sha256"):
        load("aloi")
    assert ("aloi", "damaged", str(path)) in status()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": 13}, "wrong content (12 rows, the card has 13)"),
        ({"classes": 4}, "wrong content (3 classes, the card has 4)"),
        ({"attributes": 127}, "wrong content (128 attributes, the card has 127)"),
    ],
)
def test_wrong_counts_are_refused_and_not_noted(change, said, aloi, known):
    card = replace(aloi(), **change)
    message = refused(card)
    assert said in message
    assert card.home in message
    assert not note_of(card).exists()


def test_wrong_counts_of_a_sparse_set_are_refused(sector):
    assert "(8 rows, the card has 9)" in refused(sector(test=TEST[:-2]))
    assert "(4 classes, the card has 3)" in refused(sector(test=TEST.replace(b"3 4", b"4 4")))
    assert "(70 attributes, the card has 55197)" in refused(
        sector(train=TRAIN.replace(b"55197", b"7"))
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (PACKED[:-20], "Compressed file ended before"),
        (PACKED[:40] + bytes(20) + PACKED[60:], "not the expected files ("),
        (b"<html>moved</html>", "not the expected files ("),
        (bz2.compress(b"1 1:2\n" * 200_000), "more than 108,000 lines"),
        (bz2.compress(b"1 1:" + b"2" * 100_000), "a line of 100,004 bytes for 128 attributes"),
        (bz2.compress(ALOI + b"1 129:1\n"), "1 129:1: not indices from 1 to 128"),
        (bz2.compress(ALOI + b"1 2:1 1:1\n"), "not indices from 1 to 128"),
        (bz2.compress(ALOI + b"1 2:1 2:1\n"), "not indices from 1 to 128"),
        (bz2.compress(ALOI + b"cat 2:1\n"), "could not convert string to float: 'cat'"),
        (bz2.compress(ALOI + b"1 2\n"), "could not convert string to float"),
    ],
    ids=["cut", "damaged", "page", "bomb", "line", "index", "order", "twice", "label", "pair"],
)
def test_what_is_no_such_file_is_refused(content, said, aloi):
    card = aloi(content)
    assert said in refused(card)
    assert not note_of(card).exists()


def test_a_small_file_that_unpacks_to_more_than_any_set_is_refused(aloi, monkeypatch):
    monkeypatch.setattr(fetching, "LARGEST", 10_000)
    bomb = bz2.compress(bytes(10**6))
    assert len(bomb) < 1000
    assert "more than 10,000 bytes when unpacked" in refused(aloi(bomb))


def test_a_file_by_hand_is_converted_and_noted(aloi, cache, server, monkeypatch, tmp_path):
    card = aloi()
    (tmp_path / "aloi.bz2").write_bytes(server.pages["/multiclass/aloi.bz2"][1])
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path))
    assert fetch(card).parent == cache
    assert server.asked == []
    assert sorted(os.listdir(cache)) == ["aloi.csv.gz", "aloi.sha256"]


def test_the_cards_name_files_of_the_libsvm_page_and_say_what_is_checked():
    for name, files in (("aloi", ["aloi"]), ("sector", ["sector.scale", "sector.t.scale"])):
        card = read_card(name)
        assert name in CONVERTERS
        for source in card.sources:
            assert [*source] == files
            for file, address in source.items():
                assert "csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass/" in address
                assert address.endswith(f"/{file}.bz2")
        said = invoke("show", "dataset", name).stdout.replace("\n" + " " * 16, " ")
        assert "No checksum is published" in said
        assert "This rule was written from the published description." in said
        assert f"`ecoc-bench data fetch {name}` gets it" in said
