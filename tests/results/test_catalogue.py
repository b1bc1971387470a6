"""The catalogue of a run's files against what runs write, and what `--fresh` removes."""

import csv
import os
import shutil

import numpy as np
import pytest
from runs import invoke

from ecoc_bench.coding.boosting_margins import Boosting
from ecoc_bench.coding.bounds import cell_bounds
from ecoc_bench.coding.codes import all_pairs
from ecoc_bench.learners.svm import SVM
from ecoc_bench.results.catalogue import (
    ALWAYS,
    AT_STAGE,
    BOUNDS,
    CALIBRATION,
    CELL,
    DECODED,
    FILES,
    FOLDERS,
    SECTION5,
)
from ecoc_bench.running.measure import cell_calibration

# Everything that makes a file: parts, choices by all criteria, likelihood decoding, a random code,
# methods, what one of them tells of its rounds, further measures, margin bounds, and a learner that
# fails.
TEXT = """
name: everything
seed: 7
datasets: [glass]
parts: {train: 3, validation: 1, test: 1}
learners:
  gaussian_svm: {sweep: {gamma: [0.5, 8.0]}}
  unlucky: {type: "test_catalogue:Unlucky"}
codes: [ova, {name: dense, columns: 8, tries: 50}]
decoders: [loss, likelihood]
methods:
  tree: {type: "sklearn.tree:DecisionTreeClassifier"}
  crammer_singer: {C: 0.1}
  adaboost_ecc: {rounds: 2}
measures: [balanced_error, macro_f1]
margin_bounds: {rho: [1]}
rounds: true
select:
  by_loo: {among: [gaussian_svm], by: loo_bound}
  by_cv: {among: [gaussian_svm], by: cv}
  by_validation: {among: [gaussian_svm], by: validation}
"""
BARE = """
name: bare
datasets: [vowel]
learners: {least_squares: {}}
codes: [ova]
decoders: [hamming]
"""


class Unlucky(SVM):
    """Fails on more than a toy problem."""

    def fit(self, X, Y, sample_weight=None):
        if len(X) > 20:
            raise RuntimeError("out of luck")
        return super().fit(X, Y, sample_weight)


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    folder = tmp_path_factory.mktemp("everything")
    (folder / "config.yaml").write_text(TEXT)
    options = ["--out", folder / "out", "-j", 1, "--report"]
    result = invoke("run", folder / "config.yaml", *options)
    assert result.exit_code == 1, result.stderr
    only = ["--only", "method=tree", "--repeats", 1]
    assert invoke("importance", folder / "out", *only).exit_code == 0
    return folder / "out"


def test_a_run_with_everything_leaves_all_of_the_catalogue_and_nothing_else(everything):
    assert set(os.listdir(everything)) == {*FILES, *FOLDERS}
    assert all(list((everything / name).iterdir()) for name in FOLDERS)


@pytest.mark.parametrize("name", [name for name, file in FILES.items() if file.columns])
def test_every_csv_has_the_columns_of_the_catalogue_and_rows(name, everything):
    with (everything / name).open(newline="") as file:
        head, *rows = csv.reader(file)
    assert tuple(head) == FILES[name].columns
    assert rows
    assert {len(row) for row in rows} == {len(head)}


def test_only_csv_files_have_columns():
    assert {name for name, file in FILES.items() if file.columns} == {
        name for name in FILES if name.endswith(".csv")
    }


def test_a_bare_run_leaves_what_is_always_there(command, config, tmp_path):
    out = tmp_path / "out"
    assert command("run", config(BARE), "--out", out, "-j", 1, "--no-report").exit_code == 0
    always = {name for name, file in (FILES | FOLDERS).items() if file.when == ALWAYS}
    assert set(os.listdir(out)) == {*always}


def test_what_a_run_no_longer_writes_is_removed_without_fresh(command, config, tmp_path):
    out = tmp_path / "out"
    parts = BARE + "parts: {validation: 0.25, of: train}\n"
    command("run", config(parts), "--out", out, "-j", 1)
    assert (out / "validation.csv").exists()
    command("run", config(BARE), "--out", out, "-j", 1)
    assert not (out / "validation.csv").exists()


def test_fresh_removes_all_of_the_catalogue_and_nothing_else(everything, command, config, tmp_path):
    out = shutil.copytree(everything, tmp_path / "out")
    (out / "notes.txt").write_text("mine")
    earlier = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    result = command("run", config(BARE), "--out", out, "-j", 1, "--no-report", "--fresh")
    assert result.exit_code == 0, result.stderr
    always = {name for name, file in (FILES | FOLDERS).items() if file.when == ALWAYS}
    assert set(os.listdir(out)) == {*always, "notes.txt"}
    kept = [path.name for path, content in earlier.items() if _is_as_it_was(path, content)]
    assert sorted(kept) == [".lock", "notes.txt"]


def _is_as_it_was(path, content):
    return path.exists() and path.read_bytes() == content


def margins():
    rng = np.random.default_rng(0)
    M, y = all_pairs(4), rng.integers(0, 4, 30)
    return M, M[y] + rng.normal(size=(30, 6)), y


def test_the_columns_are_the_key_and_what_a_cell_gives():
    M, F, y = margins()
    M, F = np.delete(M, [3, 5], axis=1), np.delete(F, [3, 5], axis=1)
    M[M == 0] = 1  # Theorem 6 is about codes without zeros
    numbers = cell_bounds(M, F, y, "exponential", Boosting(9.0, -1.0, 5))
    assert sorted((*BOUNDS, *SECTION5)) == sorted(numbers)
    assert sorted(FILES["bounds.csv"].columns) == sorted([*AT_STAGE, *numbers])


def test_the_columns_of_calibration_are_what_a_cell_gives():
    M, F, y = margins()
    rows = list(cell_calibration(M, F, y, -np.ones(6), np.zeros(6), "hinge"))
    assert [row["how"] for row in rows] == ["likelihood", "softmax", "coupling"]
    assert all(tuple(row) == CALIBRATION for row in rows)


def test_the_keys_of_a_row_are_those_of_its_cell_with_stage_and_decoder():
    assert set(DECODED) == {*CELL, "stage", "decoder"}
    for name in ("results.csv", "mistakes.csv", "validation.csv", "criteria.csv", "selected.csv"):
        assert FILES[name].columns[: len(DECODED)] == DECODED
