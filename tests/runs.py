"""Runs for the tests: a small config, copies of committed runs, and made-up ones."""

import json

import pandas as pd

from ecoc_bench.files import PACKAGE
from ecoc_bench.results.catalogue import RESULT_COLUMNS

REFERENCE = PACKAGE.parent / "results" / "reference"
SMALL = """
name: small
seed: 7
datasets: [glass, vowel]
evaluation: {folds: 3, draws: 2}
learners:
  svm: {kernel: poly, degree: 2, gamma: 1/d}
codes: [ova, all_pairs, {name: dense, columns: 8, tries: 50}]
decoders: [hamming, loss]
"""


def copied(name, folder, rows=lambda frame: frame, **config):
    """A committed run with other rows or another config: results.csv and manifest.json alone.

    `rows` gives the rows, or which of them to keep.
    """
    folder.mkdir(parents=True, exist_ok=True)
    whole = pd.read_csv(REFERENCE / name / "results.csv")
    kept = rows(whole)
    kept = whole[kept] if isinstance(kept, pd.Series) else kept
    kept.to_csv(folder / "results.csv", index=False)
    facts = json.loads((REFERENCE / name / "manifest.json").read_text())
    facts["config"] |= config
    (folder / "manifest.json").write_text(json.dumps(facts))
    return folder


def made_up(folder, rows, config, data=None, **tables):
    """A run's folder from rows and the parts of a config that matter; `tables`: further CSVs."""
    folder.mkdir(parents=True, exist_ok=True)
    results = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    results[list(RESULT_COLUMNS)].to_csv(folder / "results.csv", index=False)
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    empty = {key: [] for key in ("datasets", "learners", "codes", "decoders", "methods")}
    evaluation = {"folds": 10, "repeats": 1, "draws": 1, "original_split": True}
    facts = {
        "ecoc_bench": "0", "written": "2026-01-01T00:00:00+00:00", "absent": [], "left_out": [],
        "packages": {}, "machine": {}, "source": None,
        "data": data or {spec["name"]: {"note": ""} for spec in config["datasets"]},
        "config": {"name": "made_up", "evaluation": evaluation, **empty, **config},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(facts))
    return folder


def row(**values):
    """A row of results.csv; what is not given is 0."""
    return dict.fromkeys(RESULT_COLUMNS, 0) | values
