"""Codes of very many columns: decoded by sums, slab by slab of rows, to the same files."""

import pytest

from ecoc_bench.cli.dry_run import describe
from ecoc_bench.coding import column_sums
from ecoc_bench.experiment import kept
from ecoc_bench.experiment.codebook import CodeBook
from ecoc_bench.experiment.config import parse_config
from ecoc_bench.experiment.plan import Plan
from ecoc_bench.experiment.tasks import SlabTask
from ecoc_bench.running.run import run
from ecoc_bench.running.store import Store
from ecoc_bench.running.workers.pool import Workers

SAME = ("results", "mistakes", "bounds", "measures", "validation")
SEEDED = {"type": "sklearn.linear_model:Perceptron", "max_iter": 5, "tol": None}  # one by one


def planned(folder, keep, **more):
    made = {"classes": 30, "dimensions": 6, "per_class": 8, "test_rows": 100}
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
    """435 columns are too many to be held; sums of five losses in slabs of 150 rows."""
    monkeypatch.setattr(column_sums, "WIDE", 100)
    monkeypatch.setattr(kept, "SLAB", 8 * 30 * 5 * 150)


@pytest.fixture
def whole(tmp_path):
    """The files of the ordinary way."""
    finished(tmp_path / "whole", planned(tmp_path, "margins"))
    return tmp_path / "whole"


def assert_same(folder, whole):
    for name in SAME:
        found, expected = ((at / f"{name}.csv").read_bytes() for at in (folder, whole))
        assert found == expected, name


@pytest.mark.parametrize(("keep", "jobs"), [("rows", 1), ("rows", 2), ("margins", 1)])
def test_sums_over_columns_give_the_files_of_margins_to_the_byte(
    tmp_path, whole, request, keep, jobs
):
    request.getfixturevalue("narrow")  # after the whole
    plan = planned(tmp_path, keep)
    tasks = plan.tasks(plan.cells, ())
    assert any(isinstance(task, SlabTask) for task in tasks) == (keep == "rows")
    assert finished(tmp_path / keep, plan, jobs).exit_code == 0
    assert_same(tmp_path / keep, whole)


def test_slabs_that_are_stored_are_not_fitted_again_and_each_stands_in_timings(tmp_path, narrow):
    plan = planned(tmp_path, "rows", codes=["all_pairs"], learners={"least_squares": {}})
    finished(tmp_path / "out", plan)
    slabs = kept.slabs(plan, plan.cells[0])
    assert len(slabs) > 2
    store = Store(tmp_path / "out/store")
    assert plan.tasks(plan.cells, store) == []
    lines = (tmp_path / "out/timings.csv").read_text().splitlines()[1:]
    assert [line.split(",")[-2] for line in lines] == [name for _, name in slabs]
    first, *others = slabs
    rest = plan.tasks(plan.cells, others)
    assert [task.key for task in rest] == [first[0]]


def test_a_run_that_is_interrupted_goes_on_with_the_slabs_that_are_not_stored(tmp_path, narrow):
    plan = planned(tmp_path, "rows", codes=["all_pairs"], learners={"least_squares": {}})
    finished(tmp_path / "whole", plan)
    fitted = []

    def stop(task, seconds, worker):
        fitted.append(task.key)
        if len(fitted) == 1:
            raise KeyboardInterrupt

    (tmp_path / "out").mkdir()
    for exit_code in (130, 0):
        outcome = run(plan, plan.cells, tmp_path / "out", Workers(1), False, on_done=stop)
        assert outcome.exit_code == exit_code
    assert len(fitted) == len(set(fitted)) == len(kept.slabs(plan, plan.cells[0]))
    assert_same(tmp_path / "out", tmp_path / "whole")


def test_a_slab_with_a_column_that_cannot_be_fitted_is_a_failure_that_names_it(tmp_path, narrow):
    fragile = {"type": "sklearn.naive_bayes:MultinomialNB"}  # refuses negative numbers
    plan = planned(tmp_path, "rows", codes=["all_pairs"], learners={"fragile": fragile})
    outcome = finished(tmp_path / "out", plan)
    assert outcome.n_rows == 0
    named = {failure.columns for failure in outcome.failures}
    [place, *_] = kept.slabs(plan, plan.cells[0])
    assert (place[1], "+-" + "0" * 28) in named


def test_the_dry_run_says_what_is_kept_and_what_is_fitted_again(tmp_path, narrow):
    plan = planned(tmp_path, "rows")
    said = describe(plan, plan.chosen, tmp_path / "out", 2)
    n = sum(len(kept.slabs(plan, cell)) for cell in plan.cells if plan.by_sums(cell))
    assert f"2 cells of more than 10,000 columns are decoded by sums, in {n} slabs" in said
    assert "0 of them stored: each slab fits all columns of its cell again" in said
    assert "930 distinct columns to fit" in said
