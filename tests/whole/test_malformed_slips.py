"""Slips of the pen, by Hypothesis, and bad input given to real processes."""

import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from malformed import (
    CORPUS,
    FILES,
    GOOD,
    LEARNER,
    PARTS,
    attempt,
    change,
    prepared,
    with_part,
    write,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    yield from prepared(tmp_path, monkeypatch)


def mutated(text: str, edits) -> str:
    """The text after some slips of the pen: (where, how many to delete, what to insert)."""
    for where, cut, new in edits:
        i = where % (len(text) + 1)
        text = text[:i] + new + text[i + cut :]
    return text


SLIPS = st.lists(
    st.tuples(
        st.integers(0, 10_000),
        st.integers(0, 12),
        st.one_of(
            st.sampled_from(["", "\n", "\t", "'", '"', "[", "]", "{", "}", ":", ",", "-", "  "]),
            st.sampled_from(["&a ", "*a", "!!x ", "| ", "? ", "#", "nan", "inf", "1e400", "\0"]),
            st.text(max_size=4),
        ),
    ),
    min_size=1,
    max_size=3,
)
FUZZ = settings(
    max_examples=120,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def understood(path):
    """Whatever a mutation led to: planned, or refused with a sentence about a key or a line."""
    result = attempt(path, "--dry-run")
    assert result.exit_code in (0, 2)
    if result.exit_code == 2:
        assert "Error: " in result.stderr
        assert str(path.parent) in result.stderr


@FUZZ
@given(edits=SLIPS)
def test_slips_in_a_config_are_understood(folder, edits):
    understood(write(folder, mutated(GOOD, edits).encode("utf-8", "replace")))


@FUZZ
@given(edits=SLIPS)
def test_slips_in_a_table_are_understood(folder, edits):
    (folder / "mine.csv").write_bytes(mutated(FILES["mine.csv"], edits).encode("utf-8", "replace"))
    understood(write(folder, with_part("codes", ["ova"])))


FORKS = """
import os, sys
import ecoc_bench.cli.run_config, ecoc_bench.learners.adaboost
from ecoc_bench.cli import main
for path in sys.argv[1:]:
    os.chdir(os.path.dirname(path))
    child = os.fork()
    if not child:
        os.dup2(os.open("stderr", os.O_CREAT | os.O_WRONLY), 2)
        code = 1
        try:
            main(["run", path, "--jobs", "1", "--out", "out"])
        except SystemExit as leave:
            code = leave.code
        finally:
            sys.stderr.flush()
            os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_real_processes_say_the_same(tmp_path):
    """Thirty of them; they start as copies of one that has imported what is slow to import."""
    cases = [bad for kind in ("configs", "plugins") for bad in list(CORPUS[kind].values())[::8]]
    paths = []
    for i, bad in enumerate(cases):
        place = tmp_path / str(i)
        (place / "here").mkdir(parents=True)
        for name, content in FILES.items():
            (place / name).write_text(content)
        if "old" in bad:
            paths.append(write(place, change((bad["old"], bad["new"]))))
        else:
            python = bad["python"] if "python" in bad else LEARNER + bad["base"]
            (place / "plug.py").write_text(python)
            paths.append(write(place, with_part(*PARTS[bad["as"]])))
    call = [sys.executable, "-c", FORKS, *paths]
    result = subprocess.run(call, capture_output=True, text=True, timeout=300)
    assert result.stdout.split() == ["2"] * len(cases)
    for path, bad in zip(paths, cases, strict=True):
        said = (path.parent / "stderr").read_text()
        assert bad["says"] in said
        assert "Traceback" not in said


def test_a_process_started_afresh_says_the_same(folder):
    path = write(folder, change(("[ova,", "[ovo,")))
    call = [sys.executable, "-m", "ecoc_bench", "run", path]
    result = subprocess.run(call, capture_output=True, text=True, timeout=300)
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == (
        f"Error: {path}: codes[0]: unknown code 'ovo'. Did you mean 'ova'? "
        "Known: all_pairs, bch, complete, dense, ova, sparse."
    )
