"""Files, paths and options that lead nowhere, and files made to hang a reader: refused in time."""

import gzip
import os

import pytest
from malformed import FILES, GOOD, attempt, change, prepared, refused, tree, with_part, write

from ecoc_bench.results.ownership import claim


@pytest.fixture
def folder(tmp_path, monkeypatch):
    yield from prepared(tmp_path, monkeypatch)


BYTES = {
    "nothing": (b"", "a config must be a mapping"),
    "a comment": (b"# nothing\n", "a config must be a mapping"),
    "a NUL": (b"\0", ":1: not valid YAML"),
    "NULs": (b"\0" * 5000, ":1: not valid YAML"),
    "Latin-1": (change(("title: A", "title: \xe9")).encode("latin-1"), ":2: not UTF-8"),
    "UTF-16": (GOOD.encode("utf-16"), ":1: not UTF-8"),
    "UTF-16 without a mark": (GOOD.encode("utf-16-le"), ":1: not valid YAML"),
    "gzip": (gzip.compress(GOOD.encode()), ":1: not UTF-8"),
    "a marked list": (b"\xef\xbb\xbf- 1\n", "a config must be a mapping"),
    "half a character": (GOOD.encode() + b"# \xe2\x82", ":11: not UTF-8"),
    "a lone surrogate": (b"name: \xed\xa0\x80\n", ":1: not UTF-8"),
    "a number": (b"1", "a config must be a mapping"),
    "text": (b"name", "a config must be a mapping"),
    "null": (b"null", "a config must be a mapping"),
    "JSON cut off": (b'{"name": "tiny", "datasets": [', ":1: not valid YAML"),
    "Python": (b"import os\nos.remove('x')\n", "a config must be a mapping"),
}


@pytest.mark.parametrize("case", BYTES)
def test_a_file_that_is_no_config_is_refused(case, folder):
    content, message = BYTES[case]
    refused(write(folder, content), message)


NAMES = ", ".join(f"d{i}" for i in range(10_000))
LAUGHS = "".join(f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]\n" for i in range(1, 20))
MERGES = "".join(f"m{i}: &m{i} {{<<: [{', '.join([f'*m{i - 1}'] * 9)}]}}\n" for i in range(1, 20))
BOMBS = {
    "billion laughs": ("l0: &l0 lol\n" + LAUGHS + GOOD, "more than 50000 values"),
    "merged laughs": ("m0: &m0 {a: 1}\n" + MERGES + GOOD, "more than 50000 values"),
    "anchor in itself": (change(("[ova,", "&a [*a,")), "an anchor that holds itself"),
    "deep lists": ("[" * 100_000, "nested too deeply"),
    "deep mappings": ("{a: " * 60_000, "nested too deeply"),
    "deep indentation": ("".join(" " * i + "a:\n" for i in range(500)), "nested too deeply"),
    "long number": (change(("seed: 1", "seed: " + "9" * 100_000)), ":3: not a value of its kind"),
    "long hexadecimal": (change(("seed: 1", "seed: 0x" + "f" * 9999)), "a number beyond 64 bits"),
    "long base 60": (change(("seed: 1", "seed: 1" + ":59" * 9999)), "a number beyond 64 bits"),
    "long file": (GOOD + "#" * 300_000, "longer than 262144 bytes"),
    "many names": (change(("  - {", f"  [{NAMES}]\nx: {{")), "unknown key 'x'"),
    "many data sets": (with_part("datasets", NAMES.split(", ")), "datasets[0]: unknown data set"),
    "many wrong parts": (with_part("codes", list(range(10_000))), "codes[0]: must be a mapping"),
    "one long name": (with_part("datasets", ["x" * 200_000]), "at most 80 characters"),
    "one long key": (GOOD + "x" * 900 + ": 1\n", "unknown key 'xxx"),
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_bomb_is_refused_in_time(case, folder):
    text, message = BOMBS[case]
    refused(write(folder, text), message)


def test_a_byte_order_mark_an_alias_and_a_merge_are_no_mistakes(folder):
    text = change(
        ("{kernel:", "&svm {kernel:"), ("codes:", "  hard: {<<: *svm, C: 9, type: svm}\ncodes:")
    )
    result = attempt(write(folder, "\ufeff" + text), "--dry-run")
    assert result.exit_code == 0, result.stderr
    assert "cells" in result.stdout


def test_paths_that_lead_nowhere_are_refused(folder):
    loop = folder / "loop.yaml"
    loop.symlink_to(loop)
    refused(loop, "loop.yaml")
    refused(folder / "here", "Is a directory")
    refused(folder / "none.yaml", "none.yaml: no such file")
    refused(folder / "mine.csv" / "none.yaml", "Not a directory")
    refused(folder / ("x" * 300 + ".yaml"), "File name too long")
    refused(folder / "a\0.yaml", "embedded null byte")
    for name in ("mine.csv", "book.csv"):
        (folder / name).unlink()
        (folder / name).symlink_to(folder / name)
    refused(
        write(folder, GOOD), "bad.yaml: codes[1]: ", "book.csv: cannot be read (Too many levels"
    )
    text = with_part("codes", ["ova"])
    refused(write(folder, text), "bad.yaml: datasets[0]: ", "mine.csv: cannot be read (Too many")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("name", ["bad.yaml", "mine.csv", "book.csv"])
def test_files_without_the_right_to_read_are_refused(name, folder):
    path = write(folder, GOOD)
    before = tree(folder)
    (folder / name).chmod(0)
    result = attempt(path)
    (folder / name).chmod(0o644)
    assert result.exit_code == 2
    assert "Permission denied" in result.stderr
    assert tree(folder) == before


def test_packed_tables_that_are_damaged_or_too_large_are_refused(folder, monkeypatch):
    whole = gzip.compress(FILES["mine.csv"].encode())
    path = write(folder, GOOD)
    damaged = {"cut": whole[:-10], "altered": whole[:20] + b"xxxx" + whole[24:], "only": whole[:2]}
    for content in damaged.values():
        (folder / "mine.csv").write_bytes(content)
        refused(path, "datasets[0]: ", "mine.csv: cannot be read (")
    (folder / "mine.csv").write_bytes(gzip.compress(b"x" * 10_000_000))
    monkeypatch.setattr("ecoc_bench.data.table.LARGEST", 1_000_000)
    refused(path, "mine.csv: larger than 1000000 bytes")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "dataset"], "--only dataset: unknown dataset ''"),
        (["--only", "data=mine"], "--only data=mine: unknown axis 'data'. Did you mean 'dataset'?"),
        (["--only", "dataset=mein"], "unknown dataset 'mein'. Did you mean 'mine'?"),
        (["--jobs", "0"], "0 is not in the range"),
        (["--jobs", "many"], "'many' is not a valid integer"),
        (["--out", "../mine.csv"], "mine.csv: cannot be written to (File exists)"),
        (["--out", "../mine.csv/x"], "mine.csv/x: cannot be written to (Not a directory)"),
        (["--out", "/proc/none"], "/proc/none: cannot be written to"),
        (["--out", "x" * 300], "File name too long"),
    ],
)
def test_bad_options_are_refused(options, message, folder):
    refused(write(folder, GOOD), message, options=options)


INTERRUPTED_IMPORT = """
import os
try:
    os.kill(os.getpid(), 2)
except KeyboardInterrupt:
    raise MemoryError("as compiled modules do")
"""


@pytest.mark.parametrize(
    "python",
    [
        "raise KeyboardInterrupt",
        "import os; os.kill(os.getpid(), 15)",
        INTERRUPTED_IMPORT,
    ],
)
def test_ctrl_c_and_sigterm_while_planning_are_said_and_give_130(python, folder):
    (folder / "plug.py").write_text(python)
    result = attempt(write(folder, GOOD))
    assert result.exit_code == 130
    assert "interrupted" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("name", ["store", "codes", "results.csv", "manifest.json", "tables"])
def test_something_else_in_the_place_of_a_result_is_refused(name, folder):
    out = folder / "here" / "results" / "tiny"
    out.mkdir(parents=True)
    claim(out)
    if "." in name:
        (out / name / "inside").mkdir(parents=True)
    else:
        (out / name).touch()
    result = attempt(write(folder, GOOD))
    assert result.exit_code in (1, 2), result.exception
    assert f"tiny/{name}" in result.stderr
    assert "Traceback" not in result.stderr
