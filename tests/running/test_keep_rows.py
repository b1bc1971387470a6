"""`keep: rows`: the same files as with margins, from a store without margins."""

import pytest

from ecoc_bench.experiment.codebook import CodeBook
from ecoc_bench.experiment.config import parse_config
from ecoc_bench.experiment.plan import Plan
from ecoc_bench.experiment.tasks import ROWS, CellTask
from ecoc_bench.running.run import run
from ecoc_bench.running.store import Store
from ecoc_bench.running.workers.pool import Workers

SAME = ("results", "mistakes", "bounds", "criteria", "calibration", "measures")


def planned(folder, keep, **more):
    raw = {
        "name": "kept",
        "keep": keep,
        "datasets": ["glass"],
        "evaluation": {"folds": 2, "draws": 2},
        "learners": {"least_squares": {}, "adaboost": {"rounds": 6, "record": 3}},
        "codes": ["ova", "all_pairs", {"name": "dense", "tries": 20}, "trellis"],
        "decoders": ["hamming", "loss", "l1", "likelihood"],
        "measures": ["balanced_error"],
    }
    experiment = parse_config({**raw, **more}, "x.yaml", folder)
    return Plan(experiment, "x.yaml", CodeBook(folder / "codes"))


def finished(folder, plan):
    folder.mkdir()
    return run(plan, plan.cells, folder, Workers(1), room_check=False)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    base = tmp_path_factory.mktemp("kept")
    for keep in ("margins", "rows"):
        finished(base / keep, planned(base, keep))
    return base


@pytest.mark.parametrize("name", SAME)
def test_every_result_file_is_the_same_to_the_byte(folders, name):
    assert (folders / f"rows/{name}.csv").read_bytes() == (
        folders / f"margins/{name}.csv"
    ).read_bytes()


def test_the_store_has_a_record_for_each_cell_and_no_margins(folders):
    plan = planned(folders, "rows")
    store = Store(folders / "rows/store")
    for cell in plan.cells:
        [(key, name)] = plan.places(cell)
        record, _ = store.load(key, [name])[name]
        assert record.columns == (ROWS,)
        assert record.train.size == record.test.size == 0
        assert record.decoded


def test_what_is_stored_is_not_fitted_again_but_a_new_decoder_fits_its_cells_again(folders):
    stored = Store(folders / "rows/store")
    plan = planned(folders, "rows")
    assert plan.tasks(plan.cells, stored) == []
    other = planned(folders, "rows", decoders=["hamming", "linear"])
    tasks = other.tasks(other.cells, stored)
    assert len(tasks) == len(other.cells)
    assert all(isinstance(task, CellTask) for task in tasks)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, "The decoder 'l1' needs all margins of a row"),
        ({"decoders": ["hamming"]}, "The learner 'adaboost' fits all columns as one problem"),
        ({"decoders": ["hamming"], "learners": {"svm": {}}}, "More than 20 of its entries are not"),
    ],
)
def test_a_code_with_too_many_columns_that_cannot_be_summed_is_left_out_with_the_next_step(
    tmp_path, monkeypatch, more, why
):
    monkeypatch.setattr("ecoc_bench.coding.column_sums.WIDE", 10)
    most = 20 if "learners" in more else 30
    monkeypatch.setattr("ecoc_bench.coding.column_sums.MOST_ENTRIES", most)
    plan = planned(tmp_path, "rows", codes=["ova", "all_pairs"], **more)
    assert {cell.code for cell in plan.cells} == {"ova"}
    said = plan.left_out["glass", "all_pairs"]
    assert why in said
    assert "'trellis', 'hadamard' or 'dense'" in said
