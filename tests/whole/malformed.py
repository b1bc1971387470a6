"""Shared by the tests of bad input: a config that works, ways to spoil it, what must follow."""

import signal
import sys
from glob import glob
from pathlib import Path

import yaml
from runs import invoke

GOOD = """\
name: tiny
title: A config that works
seed: 1
datasets:
  - {name: mine, path: mine.csv, target: kind, nominal: [colour], split: part, rare_classes: error}
evaluation: {folds: 2, repeats: 1, draws: 1, original_split: true}
learners:
  svm: {kernel: poly, degree: 1, gamma: 1/d, C: 1, inputs: raw}
codes: [ova, {name: book, matrix: book.csv}, {name: dense, columns: 3, tries: 5}]
decoders: [hamming, {name: own, call: "plug:distances"}]
"""
FILES = {
    "mine.csv": "x,colour,part,kind\n"
    + "1,red,train,a\n2,,train,b\n3,blue,test,c\n?,red,train,c\n" * 3,
    "book.csv": "1,1\n-1,1\n0,-1\n",
    "plug.py": "def distances(M, F):\n    return -F @ M.T\n",
}
LEARNER = """\
import numpy as np
from sklearn.base import BaseEstimator
class f(BaseEstimator):
    loss, inputs, version, single_call = "linear", "raw", 1, False
    def fit(self, X, Y): return self
    def margins(self, X): return np.zeros((len(X), 3))
    """
FIXTURES = Path(__file__).parent.parent / "fixtures"
CORPUS = yaml.safe_load((FIXTURES / "malformed.yaml").read_text())
PARTS = {
    "decoder": ("decoders", ["plug:f"]),
    "code": ("codes", ["plug:f"]),
    "learner": ("learners", {"f": {"type": "plug:f"}}),
    "data": ("datasets", [{"name": "made", "make": "plug:f"}]),
}
SECONDS = 60  # far more than any message may take, on a busy machine too


def change(*pairs, text=GOOD):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def with_part(key, value):
    """The good config with one of its keys rewritten, and no plug-in but in that key."""
    return yaml.safe_dump({**yaml.safe_load(GOOD), "decoders": ["hamming"], key: value})


def prepared(tmp_path, monkeypatch):
    """A folder with the good config's files, in a folder of its own; the process stands in it."""
    inner = tmp_path / "a" / "b"
    (inner / "here").mkdir(parents=True)
    for name, content in FILES.items():
        (inner / name).write_text(content)
    monkeypatch.chdir(inner / "here")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "plug", raising=False)
    yield inner
    sys.modules.pop("plug", None)


def tree(folder: Path) -> dict[Path, bytes | None]:
    """Every file below the folder but for the run's own and Python's cache of plug-ins."""
    return {
        path: path.read_bytes() if path.is_file() else None
        for path in map(Path, glob(f"{folder}/**", recursive=True, include_hidden=True))
        if "__pycache__" not in path.parts and path.parts[-2:] != ("here", "results")
        if not str(path).partition("/here/results/tiny")[1]
    }


class Hang(BaseException):
    """Not an Exception, so that nothing on the way may take it for an error of its own."""


def give_up(*_):
    raise Hang(f"no answer within {SECONDS} s")


def attempt(path, *options):
    """`ecoc-bench run` in this process, within a time limit."""
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        return invoke("run", path, "--jobs", 1, *options)
    finally:
        signal.alarm(0)


def refused(path, *says, options=()):
    """Run a bad config, or a good one with bad options; what it says on stderr."""
    top = path.parents[2]
    before = tree(top)
    result = attempt(path, *options)
    assert result.exit_code == 2, result.stderr
    assert "Error: " in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert len(result.stderr) < 10_000
    for words in says:
        assert words in result.stderr, result.stderr
    assert tree(top) == before
    return result.stderr


def write(folder, text) -> Path:
    path = folder / "bad.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
