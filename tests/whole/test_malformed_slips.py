"""Bad input given to real processes."""

import subprocess
import sys

import pytest
from malformed import (
    CORPUS,
    FILES,
    LEARNER,
    PARTS,
    change,
    prepared,
    with_part,
    write,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    yield from prepared(tmp_path, monkeypatch)


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
        "Known: all_pairs, bch, complete, dense, hadamard, ova, sparse, trellis."
    )
