"""How often the honest interval covers the truth: many small trials whose truth is known.

`python tests/simulated_trials.py` writes results/reference/try/coverage.csv. The candidates are
fitted in this process; folds, probabilities, choice and interval are those of `ecoc-bench try`.
"""

import csv
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

from ecoc_bench.data.csvfile import Dataset
from ecoc_bench.files import PACKAGE
from ecoc_bench.seeds import seed_for
from ecoc_bench.trying import calibrate, work
from ecoc_bench.trying.candidates import CANDIDATES
from ecoc_bench.trying.choose import best, simplest, tied
from ecoc_bench.trying.folds import make_folds, parts, ratio
from ecoc_bench.trying.honest import Scorer, bootstrap

FOUND = PACKAGE.parent / "results" / "reference" / "try" / "coverage.csv"
NAMES = ("prior", "ridge", "linear_ova", "linear_pairs", "svm_pairs", "svm_ova", "stumps_pairs")
RUNS, N_TEST = 200, 20_000
COLUMNS = ("kind", "metric", "pick", "rows", "classes", "run", "truth", "estimate", "low", "high",
           "naive", "covers")  # fmt: skip


def table(X, y):
    """Numbers and classes as a data set."""
    k, d = int(y.max()) + 1, X.shape[1]
    names = tuple(f"x{j}" for j in range(d)), tuple(map(str, range(k)))
    return Dataset("simulated", X, y, names[1], names[0], (None,) * d, None, "")


def shuffled(run):
    """Rows whose labels say nothing, classes of one size: each classifier errs on 1 - 1/k."""
    rng = np.random.default_rng(seed_for("coverage", "shuffled", run))
    n, k, d = (60, 90, 120)[run % 3], 2 + run // 3 % 3, 5
    y = rng.permutation(np.arange(n) % k)
    return table(rng.normal(size=(n, d)), y), None


def synthetic(run):
    """Gaussian clusters: few rows to learn from, and a large test part for the truth."""
    n, k = (60, 90, 120)[run % 3], 2 + run // 3 % 3
    X, y = make_classification(
        n + N_TEST, 8, n_informative=5, n_redundant=0, n_classes=k, n_clusters_per_class=2,
        class_sep=0.8, flip_y=0.05, random_state=seed_for("coverage", "synthetic", run),
    )  # fmt: skip
    return table(X[:n], y[:n]), (X[n:], y[n:])


KINDS = {"shuffled": shuffled, "synthetic": synthetic}
PICKS = {"simple": simplest([CANDIDATES[name].simplicity for name in NAMES]), "best": best}


def trial(kind, run, metric="error"):
    """A row for each kind of pick: the truth about it, and what the trial says."""
    data, held = KINDS[kind](run)
    work.receive(data, sys.path)
    folds = make_folds(data.y, None, None, run, 60.0)
    probabilities = [_probabilities(name, folds) for name in NAMES]
    scorer = Scorer(metric, data.y, folds, probabilities)
    every = np.ones((1, len(data.y)))
    scores = scorer.overall(every)
    same = tied(scores, scorer.by_part(every), ratio(folds))
    for pick, rule in PICKS.items():
        honest, _ = bootstrap(scorer, rule, None, run)
        truth = _truth(NAMES[rule(scores[0], same[0])], data, held)
        yield (kind, metric, pick, len(data.y), data.n_classes, run, truth, honest.estimate,
               honest.low, honest.high, honest.naive,
               int(honest.low <= truth <= honest.high))  # fmt: skip


def _probabilities(name, folds):
    data = work.table()
    S = np.full((*folds.shape, data.n_classes), np.nan)
    for r, f in parts(folds):
        train, test = np.flatnonzero(folds[r] != f), np.flatnonzero(folds[r] == f)
        S[r, test] = work.fit_part(CANDIDATES[name], train, test, seed_for(name, r, f)).scores
    return np.array([calibrate.probabilities(S[r], data.y, folds[r]) for r in range(len(folds))])


def _truth(name, data, held):
    """The error on new rows: known, or measured on a large test part by the model of all rows."""
    if held is None:
        return 1 - 1 / data.n_classes
    X, y = held
    both = replace(data, X=np.vstack([data.X, X]), y=np.r_[data.y, y])
    work.receive(both, sys.path)
    rows = np.arange(len(both.y))
    scores = work.fit_part(CANDIDATES[name], rows[: len(data.y)], rows[len(data.y) :], 0).scores
    work.receive(data, sys.path)
    return float((scores.argmax(axis=1) != y).mean())


def shares(rows):
    """(kind, pick) -> the share of intervals that cover the truth."""
    found: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        found.setdefault((row["kind"], row["pick"]), []).append(int(row["covers"]))
    return {place: float(np.mean(covers)) for place, covers in found.items()}


def main(path: Path = FOUND, runs: int = RUNS):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for run in range(runs):
            for kind in KINDS:
                for row in trial(kind, run):
                    writer.writerow([f"{v:.5f}" if isinstance(v, float) else v for v in row])
            file.flush()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
