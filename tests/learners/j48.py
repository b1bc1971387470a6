"""Weka's J48, the judge of our C4.5: how it is called, and what it said (tests/fixtures/j48).

Debian's package `weka` gives the jar and needs a Java runtime. To store the outputs anew:
`python tests/learners/j48.py`.
"""

import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

JAR = Path("/usr/share/java/weka.jar")
STORED = Path(__file__).parent.parent / "fixtures" / "j48"
OPTIONS = {"pruned": [], "unpruned": ["-U"], "not_raised": ["-S"]}


class Verdict(NamedTuple):
    """What J48 says of a training and a test part."""

    n_leaves: int
    train_errors: float  # weight of the training cases it gets wrong
    predictions: np.ndarray  # of the test part


def available() -> bool:
    return JAR.exists() and shutil.which("java") is not None


def arff(X, y, weight, n_values, n_classes) -> str:
    """The cases as ARFF; n_values[f] is 0 for a number, else its number of values."""
    lines = ["@relation cases"]
    for f, n in enumerate(n_values):
        kind = "{" + ",".join(f"v{v}" for v in range(n)) + "}" if n else "numeric"
        lines.append(f"@attribute a{f} {kind}")
    lines += ["@attribute class {" + ",".join(f"c{c}" for c in range(n_classes)) + "}", "@data"]
    for x, c, w in zip(X, y, weight, strict=True):
        cells = [_cell(v, n) for v, n in zip(x, n_values, strict=True)]
        lines.append(",".join([*cells, f"c{c}", "{" + repr(float(w)) + "}"]))
    return "\n".join(lines) + "\n"


def _cell(value, n):
    if np.isnan(value):
        return "?"
    return f"v{int(value)}" if n else repr(float(value))


def ask(problem, options) -> Verdict:
    """Run J48 on a `Problem`."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "train.arff", Path(folder) / "test.arff"]
        common = problem.n_values, problem.n_classes
        files[0].write_text(arff(problem.X, problem.y, problem.weight, *common))
        ones = np.ones(len(problem.X_test))
        files[1].write_text(arff(problem.X_test, problem.y_test, ones, *common))
        arguments = ["-t", str(files[0]), "-T", str(files[1]), *options]
        model, predictions = _java(arguments), _java([*arguments, "-p", "0"])
    errors = re.search(r"Error on training data.*?Incorrectly[^\d]*([\d.]+)", model, re.DOTALL)
    leaves = re.search(r"Number of Leaves\s*:\s*(\d+)", model)
    labels = re.findall(r"^\s*\d+\s+\d+:\S+\s+(\d+):", predictions, re.MULTILINE)
    assert errors is not None, model
    assert leaves is not None, model
    return Verdict(int(leaves[1]), float(errors[1]), np.array(labels, dtype=int) - 1)


def _java(arguments):
    call = ["java", "-XX:+UseSerialGC", "-Xmx1g", "-cp", str(JAR), "weka.classifiers.trees.J48"]
    done = subprocess.run([*call, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


class Problem(NamedTuple):
    """Training cases with weights that sum to their number, and test cases."""

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    nominal: np.ndarray
    n_values: np.ndarray
    n_classes: int


def problem(name: str, weights: str) -> Problem:
    """A bundled data set, its own split or every third case for the test; unit or random weights.

    `letter_nominal` has its 16 numbers as nominal values, as in Sun et al. 2005. `mixed` is made:
    noise, numbers with ties, nominal and missing values.
    """
    X, y, nominal, train = _mixed() if name == "mixed" else _bundled(name)
    n_values = np.where(nominal, np.nan_to_num(np.nanmax(X, axis=0)) + 1, 0).astype(int)
    n = int(train.sum())
    weight = np.ones(n) if weights == "unit" else -np.log(scattered(n))
    weight *= n / weight.sum()
    return Problem(X[train], y[train], weight, X[~train], y[~train], nominal, n_values, y.max() + 1)


def scattered(n, start=0):
    """Numbers in (0, 1) that look random and are the same everywhere."""
    h = np.arange(start, start + n, dtype=np.uint64) + np.uint64(1)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        h = (h * np.uint64(0x9E3779B97F4A7C15) ^ (h >> np.uint64(shift))) * np.uint64(factor)
    return ((h >> np.uint64(12)) + 0.5) / 2.0**52


@cache
def _bundled(name):
    from ecoc_bench.data.cards import load

    data = load(name.removesuffix("_nominal"))
    train = np.arange(len(data.y)) % 3 != 0 if data.train is None else data.train
    return data.X, data.y, data.nominal | name.endswith("_nominal"), train


def _mixed(n=600, d=6):
    U = scattered(n * (d + 2)).reshape(d + 2, n)
    X, nominal = U[:d].T.copy(), np.arange(d) % 3 == 2
    X[:, nominal] = np.floor(5 * X[:, nominal])
    X[:, 1] = np.round(X[:, 1], 1)
    score = X[:, 0] + (X[:, 2] == 1) + X[:, 1] * (X[:, 5] > 2) + 0.6 * U[d]
    X[scattered(n * d, start=10**6).reshape(n, d) < 0.1] = np.nan
    return X, np.digitize(score, [0.8, 1.2, 1.7]), nominal, np.arange(n) % 2 == 0


NAMES = ["glass", "vowel", "segmentation", "car", "letter", "letter_nominal", "soybean", "mixed"]
CASES = [(n, w, o) for n in NAMES for w in ("unit", "random") for o in OPTIONS]


def stored(name, weights, option) -> Verdict:
    """What J48 said when the outputs were stored."""
    text = gzip.decompress((STORED / f"{name}-{weights}.json.gz").read_bytes())
    said = json.loads(text)[option]
    labels = np.frombuffer(bytes.fromhex(said["predictions"]), np.uint8)
    return Verdict(said["n_leaves"], said["train_errors"], labels)


def store(name, weights):
    """Ask J48 with every option and keep what it says."""
    said = {}
    for option, arguments in OPTIONS.items():
        verdict = ask(problem(name, weights), arguments)
        labels = verdict.predictions.astype(np.uint8).tobytes().hex()
        said[option] = verdict._replace(predictions=labels)._asdict()
    STORED.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(json.dumps(said, indent=1).encode(), mtime=0)
    (STORED / f"{name}-{weights}.json.gz").write_bytes(packed)


if __name__ == "__main__":
    for name in sys.argv[1:] or NAMES:
        for weights in ("unit", "random"):
            store(name, weights)
