"""Fetching from a real server on the loopback, with archives of the layout of the public ones."""

import gzip
import hashlib
import io
import os
import signal
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import ncompress
import numpy as np
import pytest

from ecoc_bench.data.archives import CONVERTERS
from ecoc_bench.data.cards import card_names, load, locate, problem, read_bytes, read_card
from ecoc_bench.data.fetch import fetch, status, unpack
from ecoc_bench.errors import DataError
from ecoc_bench.files import PACKAGE

FETCHED = [name for name in card_names() if read_card(name).sources]
EXTERNAL = os.environ.get("ECOC_BENCH_DATA")  # read before the tests change it


pytestmark = pytest.mark.usefixtures("cache")


def external(name):
    """The lines of a CSV that the project does not carry, without its header."""
    path = Path(EXTERNAL or "") / f"{name}.csv.gz"
    if EXTERNAL is None or not path.is_file():
        pytest.skip(f"{name}.csv.gz is not in ECOC_BENCH_DATA")
    return [line.split(",") for line in gzip.decompress(path.read_bytes()).decode().split()[1:]]


def zipped(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def lines(rows, separator=","):
    return "".join(separator.join(row) + "\n" for row in rows).encode()


def isolet_line(row):
    return [*row[1:-1], f"{row[-1]}."]


@pytest.fixture
def isolet():
    """A small set of the layout of isolet: (card, raw training file, raw test file)."""
    rng = np.random.default_rng(0)
    raw, csv = [], []
    for part, n in (("train", 12), ("test", 6)):
        values = rng.uniform(-1, 1, size=(n, 617)).round(4)
        rows = [[part, *(f"{v:.4f}" for v in row), str(1 + i % 3)] for i, row in enumerate(values)]
        raw.append(lines(map(isolet_line, rows), ", "))
        csv.append(lines(rows))
    test = hashlib.sha256(csv[1]).hexdigest()
    card = replace(read_card("isolet"), rows=18, classes=3, sha256_test=test)
    return card, *raw


def served(server, card, raw_train, raw_test):
    """The card, with the files at the server as UCI has them: .Z inside .zip."""
    files = {"isolet1+2+3+4.data": raw_train, "isolet5.data": raw_test}
    archive = zipped(**{f"{name}.Z": ncompress.compress(raw) for name, raw in files.items()})
    address = server.put("/54/isolet.zip", archive)
    return replace(card, sources=(dict.fromkeys(files, address),))


def test_each_fetched_set_has_a_converter_and_sources_over_https():
    known = ["dermatology", "imageseg", "isolet", "isolet_part", "thyroid", "usps"]
    assert sorted(CONVERTERS) == FETCHED == sorted([*known, "aloi", "sector"])
    for name in FETCHED:
        first, *others = read_card(name).sources
        assert others
        for source in (first, *others):
            assert list(source) == list(first)
            assert all(address.startswith("https://") for address in source.values())


def assert_fetched(card, server, cache):
    path = fetch(card)
    assert path == cache / f"{card.name}.csv.gz"
    assert hashlib.sha256(read_bytes(path)).hexdigest() == read_card(card.name).sha256
    assert path.read_bytes()[4:8] == bytes(4)  # no time in the gzip
    assert os.listdir(cache) == [path.name]
    assert len(load(card.name).y) == card.rows


@pytest.mark.parametrize("layout", ["zip", "plain", "arff"])
def test_dermatology(server, cache, layout):
    rows = external("dermatology")
    raw = lines([cell or "?" for cell in row] for row in rows)
    body = {
        "zip": zipped(**{"dermatology.names": b"", "dermatology.data": raw}),
        "plain": raw.replace(b"\n", b"\r\n"),
        "arff": b"% Title\n\n@relation derm\n@attribute 'age' real\n@data\n" + raw + b"%\n",
    }[layout]
    source = {"dermatology.data": server.put("/derm", body)}
    assert_fetched(replace(read_card("dermatology"), sources=(source,)), server, cache)


def test_imageseg(server, cache):
    rows = external("imageseg")
    head = b";;; Common-Lisp\n;;; Last-edit: 11/21/90\n\nREGION-CENTROID-COL,HUE-MEAN\n\n"
    parts = {
        f"segmentation.{end}": head + lines([r[-1], *r[1:-1]] for r in rows if r[0] == part)
        for end, part in (("data", "train"), ("test", "test"))
    }
    source = dict.fromkeys(parts, server.put("/50/image+segmentation.zip", zipped(**parts)))
    assert_fetched(replace(read_card("imageseg"), sources=(source,)), server, cache)
    assert server.asked == ["/50/image+segmentation.zip"]  # once for both files


def test_thyroid(server, cache):
    rows = external("thyroid")
    letters = {"K": "KJ", "G": "GK", "D": "D|R"}
    raw = lines(
        [*(cell or "?" for cell in row[:-1]), f"{letters.get(row[-1], row[-1])}[8408{i:05}]"]
        for i, row in enumerate(rows)
    )
    address = server.put("/102/thyroid.zip", zipped(**{"ann.data": b"", "thyroid0387.data": raw}))
    card = replace(read_card("thyroid"), sources=({"thyroid0387.data": address},))
    assert_fetched(card, server, cache)


def test_usps(server, cache):
    rows = external("usps")
    train = lines(
        ([f"{float(v):.4f}" for v in (r[-1], *r[1:-1])] for r in rows if r[0] == "train"), " "
    )
    test = lines(([r[-1], *r[1:-1]] for r in rows if r[0] == "test"), " ")
    source = {
        name: server.put(f"/{name}.gz", gzip.compress(raw, compresslevel=1))
        for name, raw in (("zip.train", train.replace(b"\n", b" \n")), ("zip.test", test))
    }
    assert_fetched(replace(read_card("usps"), sources=(source,)), server, cache)


def test_isolet_with_z_inside_zip(server, cache, isolet):
    card = served(server, *isolet)
    path = fetch(card)
    rows = read_bytes(path).decode().splitlines()
    assert rows[0].startswith("split,a1,a2,")
    assert rows[0].endswith(",a617,class")
    assert [row.partition(",")[0] for row in rows[1:]] == ["train"] * 12 + ["test"] * 6
    assert rows[-1].endswith(",3")


def test_the_test_part_of_isolet_has_the_checksum_of_the_card():
    test = [row for row in external("isolet_part") if row[0] == "test"]
    raw = lines(map(isolet_line, test), ", ")
    csv = CONVERTERS["isolet"](raw, raw).encode()
    card = read_card("isolet")
    assert problem(replace(card, rows=2 * 1559), csv) is None
    assert "7797" in problem(card, csv)


def test_a_part_of_isolet_has_the_first_speakers_and_all_test_rows():
    rows = external("isolet_part")
    train, test = ([row for row in rows if row[0] == part] for part in ("train", "test"))
    raw = lines(map(isolet_line, [*train, *test[:50]]), ", ")
    csv = CONVERTERS["isolet_part"](raw, lines(map(isolet_line, test), ", "))
    assert csv.splitlines()[1:] == [",".join(row) for row in [*train, *test]]
    assert problem(read_card("isolet_part"), csv.encode()) is None


def test_a_fetched_file_is_not_downloaded_again_unless_forced(server, isolet):
    card = served(server, *isolet)
    steps = []
    path = fetch(card, progress=steps.append)
    assert [step.split()[1] for step in steps] == ["downloading", "converting"]
    assert fetch(card) == path
    assert len(server.asked) == 1
    fetch(card, force=True)
    assert len(server.asked) == 2
    path.write_bytes(path.read_bytes()[:-100])
    fetch(card)
    assert len(server.asked) == 3


def test_a_bundled_set_is_there():
    assert fetch("glass", force=True) == locate(read_card("glass"))


def failing(server, card, cache):
    """The message of a fetch that fails and leaves nothing behind."""
    with pytest.raises(DataError) as error:
        fetch(card)
    assert not cache.exists() or os.listdir(cache) == []
    message = str(error.value)
    assert "ECOC_BENCH_DATA" in message
    assert card.home in message
    return message


def test_wrong_checksum(server, cache, isolet):
    card = replace(served(server, *isolet), sha256_test="0" * 64)
    message = failing(server, card, cache)
    assert f"{server.address('/54/isolet.zip')}: wrong content (test rows of sha256" in message


def test_wrong_number_of_classes(server, cache, isolet):
    card = replace(served(server, *isolet), classes=26)
    assert "wrong content (3 classes, the card has 26)" in failing(server, card, cache)


def test_cut_off_transfer(server, cache, isolet):
    card = served(server, *isolet)
    code, body, _ = server.pages["/54/isolet.zip"]
    server.pages["/54/isolet.zip"] = (code, body[:5000], len(body))
    assert "/54/isolet.zip: the transfer was cut off" in failing(server, card, cache)


def test_not_found(server, cache, isolet):
    card = served(server, *isolet)
    server.pages.clear()
    assert "/54/isolet.zip: 404 Client Error: Not Found\n" in failing(server, card, cache)


def test_no_network(server, cache, isolet):
    card = served(server, *isolet)
    server.http.server_close()
    server.http.shutdown()
    assert "/54/isolet.zip: no connection, is there a network?" in failing(server, card, cache)


@pytest.mark.parametrize(
    "body",
    [b"<html>moved</html>", zipped(other=b""), zipped(other=b"")[:60], b"\x1f\x9d\x90\xff\xff"],
    ids=["page", "other zip", "half a zip", "broken .Z"],
)
def test_other_content(server, cache, isolet, body):
    card = served(server, *isolet)
    server.put("/54/isolet.zip", body)
    assert "/54/isolet.zip: not the expected files (" in failing(server, card, cache)


def test_the_second_source_is_used_when_the_first_fails(server, cache, isolet):
    card = served(server, *isolet)
    gone = dict.fromkeys(card.sources[0], server.address("/gone.zip"))
    fetch(replace(card, sources=(gone, *card.sources)))
    assert server.asked == ["/gone.zip", "/54/isolet.zip"]
    message = failing(server, replace(card, sources=(gone, gone), sha256="0" * 64), cache / "none")
    assert message.count("/gone.zip: 404") == 2


def test_an_archive_downloaded_by_hand_is_used(server, cache, isolet, monkeypatch, tmp_path):
    card = served(server, *isolet)
    (tmp_path / "isolet.zip").write_bytes(server.pages["/54/isolet.zip"][1])
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path))
    assert fetch(card).parent == cache
    assert server.asked == []


def test_a_damaged_file_in_ecoc_bench_data_is_named(isolet, monkeypatch, tmp_path):
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path))
    (tmp_path / "isolet.csv").write_text("nothing")
    with pytest.raises(DataError, match=r"isolet\.csv: damaged.*Remove the file"):
        fetch(isolet[0])


def test_a_cache_that_cannot_be_written_is_named(server, cache, isolet):
    cache.parent.mkdir()
    cache.write_text("a file where the folder should be")
    with pytest.raises(DataError, match=r"isolet\.csv\.gz: cannot be written"):
        fetch(served(server, *isolet))


def test_an_interrupt_leaves_nothing(server, cache, isolet, monkeypatch):
    def interrupt(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch(served(server, *isolet))
    assert os.listdir(cache) == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_kill_while_writing_leaves_no_file_under_the_final_name(cache):
    code = (
        "import os, signal, sys; from pathlib import Path;"
        "from ecoc_bench.data.fetch import _store;"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL);"
        "_store(b'x' * 1000, Path(sys.argv[1]))"
    )
    target = cache / "isolet.csv.gz"
    run = subprocess.run([sys.executable, "-c", code, str(target)], cwd=PACKAGE.parent)
    assert run.returncode == -signal.SIGKILL
    assert len(os.listdir(cache)) == 1
    assert not target.exists()
    assert locate(read_card("isolet")) is None


def test_unpack_goes_by_content_not_by_name():
    assert unpack(b"1,2\n", "a.data") == b"1,2\n"
    assert unpack(gzip.compress(b"1,2\n"), "a.data") == b"1,2\n"
    assert unpack(ncompress.compress(b"1,2\n"), "a.data") == b"1,2\n"
    assert unpack(zipped(**{"folder/a.data": b"1,2\n"}), "a.data") == b"1,2\n"


def test_converters_refuse_a_line_of_another_width():
    with pytest.raises(ValueError, match="row 2 gives 2 cells, not 35"):
        CONVERTERS["dermatology"](lines([["1"] * 35, ["1", "2"]]))


def test_status_tells_where_each_set_is(cache, monkeypatch, tmp_path):
    states = {name: (state, where) for name, state, where in status()}
    assert list(states) == card_names()
    assert states["glass"] == ("bundled", str(locate(read_card("glass"))))
    assert states["usps"] == ("not fetched", "https://hastie.su.domains/ElemStatLearn/")
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path))
    (tmp_path / "usps.csv.gz").write_bytes(b"\x1f\x8bhalf a file")
    states = {name: (state, where) for name, state, where in status()}
    assert states["usps"] == ("damaged", str(tmp_path / "usps.csv.gz"))


def test_status_tells_fetched_from_own(server, cache, monkeypatch, tmp_path):
    rows = external("dermatology")
    raw = lines([cell or "?" for cell in row] for row in rows)
    source = {"dermatology.data": server.put("/dermatology.data", raw)}
    path = fetch(replace(read_card("dermatology"), sources=(source,)))
    assert ("dermatology", "fetched", str(path)) in status()
    own = tmp_path / path.name
    own.write_bytes(path.read_bytes())
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path))
    assert ("dermatology", "in ECOC_BENCH_DATA", str(own)) in status()
