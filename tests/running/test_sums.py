"""Codes of very many columns: decoded by sums, slab by slab of rows, to the same files."""

import pytest

from ecoc_bench.coding import column_sums
from ecoc_bench.experiment import kept
from ecoc_bench.experiment.codebook import CodeBook
from ecoc_bench.experiment.config import parse_config
from ecoc_bench.experiment.plan import Plan
from ecoc_bench.experiment.tasks import SlabTask
from ecoc_bench.running.run import run
from ecoc_bench.running.workers.pool import Workers

SAME = ("results", "mistakes", "bounds", "measures", "validation")
SEEDED = {"type": "sklearn.linear_model:Perceptron", "max_iter": 5, "tol": None}  # one by one


def planned(folder, keep, **more):
    made = {"classes": 40, "dimensions": 6, "per_class": 8, "test_rows": 150}
    raw = {
        "name": "sums",
        "keep": keep,
        "datasets": [
            {"name": "crowd", "make": "ecoc_bench.data.clusters:clusters", "params": made},
        ],
        "parts": {"validation": 0.2, "of": "train"},
        "learners": {"least_squares": {}, "seeded": SEEDED},
        "codes": ["ova", "all_pairs"],
        "decoders": ["auto", "hamming", "loss", "linear", "hinge", "logistic"],
        "measures": ["balanced_error"],
    }
    experiment = parse_config({**raw, **more}, "x.yaml", folder)
    return Plan(experiment, "x.yaml", CodeBook(folder / "codes"))


def finished(folder, plan, jobs=1):
    folder.mkdir()
    return run(plan, plan.cells, folder, Workers(jobs), room_check=False)


@pytest.fixture
def narrow(monkeypatch):
    """780 columns are too many to be held, in slabs of a hundred rows or so."""
    monkeypatch.setattr(column_sums, "WIDE", 100)
    monkeypatch.setattr(kept, "SLAB", 8 * 40 * 5 * 100)


@pytest.fixture
def whole(tmp_path):
    """The files of the ordinary way."""
    finished(tmp_path / "whole", planned(tmp_path, "margins"))
    return tmp_path / "whole"


def assert_same(folder, whole):
    for name in SAME:
        found, expected = ((at / f"{name}.csv").read_bytes() for at in (folder, whole))
        assert found == expected, name


@pytest.mark.parametrize("keep", ["rows", "margins"])
def test_sums_over_columns_give_the_files_of_margins_to_the_byte(tmp_path, whole, request, keep):
    request.getfixturevalue("narrow")
    plan = planned(tmp_path, keep)
    tasks = plan.tasks(plan.cells, ())
    assert any(isinstance(task, SlabTask) for task in tasks) == (keep == "rows")
    assert finished(tmp_path / keep, plan).exit_code == 0
    assert_same(tmp_path / keep, whole)
