"""Runs for the tests: a small config, runs in this process, committed runs copied, made-up ones."""

import json
import signal

import pandas as pd
from click.testing import CliRunner

from ecoc_bench.cli import main
from ecoc_bench.experiment.codebook import CodeBook
from ecoc_bench.experiment.config import read_config
from ecoc_bench.experiment.plan import Plan
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
SVM_LINE = "svm: {kernel: poly, degree: 2, gamma: 1/d}"  # of the config above, to be replaced


def invoke(*arguments):
    """`ecoc-bench ...` in this process; the result has exit_code, stdout and stderr.

    A run has one worker, which is this process, unless it says otherwise: others take seconds to
    start.
    """
    words = [str(a) for a in arguments]
    if words[:1] == ["run"] and not {"-j", "--jobs", "--backend"} & set(words):
        words += ["--jobs", "1"]
    heard = signal.getsignal(signal.SIGINT)
    result = CliRunner().invoke(main, words)
    signal.signal(signal.SIGINT, heard)  # a command that was interrupted ends deaf
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def ran(text, folder, *options):
    """Run a config with one worker; `folder` gets config.yaml, stdout and the run's folder, out."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(text)
    result = invoke("run", folder / "config.yaml", "--out", folder / "out", *options)
    assert result.exit_code == 0, result.stderr
    (folder / "stdout").write_text(result.stdout)
    return folder / "out"


def planned(path):
    """The plan of a config; codes would be recalled from `codes` next to it."""
    return Plan(read_config(path), str(path), CodeBook(path.parent / "codes"))


def committed(name):
    """The rows of a committed run."""
    return pd.read_csv(REFERENCE / name / "results.csv")


def copied(name, folder, rows=lambda frame: frame, facts=lambda manifest: None, **config):
    """A committed run with other rows, facts or config: results.csv and manifest.json alone.

    `rows` gives the rows, or which of them to keep; `facts` changes the manifest in place.
    """
    folder.mkdir(parents=True, exist_ok=True)
    whole = committed(name)
    kept = rows(whole)
    kept = whole[kept] if isinstance(kept, pd.Series) else kept
    kept.to_csv(folder / "results.csv", index=False)
    manifest = json.loads((REFERENCE / name / "manifest.json").read_text())
    manifest["config"] |= config
    facts(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
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
        "codes": {}, "packages": {}, "machine": {}, "source": None,
        "data": data or {spec["name"]: {"note": ""} for spec in config["datasets"]},
        "config": {"name": "made_up", "evaluation": evaluation, **empty, **config},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(facts))
    return folder


def reconfigured(folder, **config):
    """The run in a folder, as if its config had said so."""
    facts = json.loads((folder / "manifest.json").read_text())
    facts["config"] |= config
    (folder / "manifest.json").write_text(json.dumps(facts))
    (folder / ".ecoc-bench").unlink(missing_ok=True)  # it would tell that this was changed
    return folder


def row(**values):
    """A row of results.csv; what is not given is 0."""
    return dict.fromkeys(RESULT_COLUMNS, 0) | values
