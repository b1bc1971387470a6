"""`try` and `predict` on Parquet: the answers of the same table in a CSV, or a sentence."""

import csv
import datetime
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet
from runs import invoke

import ecoc_bench
from ecoc_bench.data.formats import load_cells
from ecoc_bench.errors import DataError
from ecoc_bench.models.file import load
from ecoc_bench.trying.look import read_problem

N = 150
DROPPED = ("tags", "place")


def columns(seed=0):
    """A column of each type that has text, with gaps, and two of those that have none."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, N)
    gap = rng.random((N, 9)) < 0.05

    def holed(j, values):
        return [None if hole else value for hole, value in zip(gap[:, j], values, strict=True)]

    return {
        "size": pa.array(holed(0, (y + rng.normal(0, 0.8, N)).tolist())),
        "count": pa.array(holed(1, (3 * y + rng.integers(0, 5, N)).tolist()), pa.int16()),
        "ripe": pa.array(holed(2, (rng.random(N) < 0.3 + 0.2 * y).tolist())),
        "colour": pa.array(
            holed(3, rng.choice(["red", "green", " blue "], N).tolist())
        ).dictionary_encode(),
        "price": pa.array(holed(4, [Decimal(int(c)) / 100 for c in rng.integers(0, 999, N)])),
        "week": pa.array([datetime.date(2026, 1, 1 + 7 * int(d)) for d in rng.integers(0, 4, N)]),
        "tags": pa.array([[1, 2]] * N),
        "place": pa.array([{"x": 1.5}] * N),
        "kind": pa.array([["elm", "oak", "ash"][c] for c in y]),
    }


def cell(value):
    return "" if value is None else str(value)


def rows_of(path):
    return [*csv.DictReader(path.read_text().splitlines())]


@pytest.fixture
def both(tmp_path):
    """Writes a table as a Parquet file and, without what has no text, as a CSV."""

    def write(name="mine", changed=None, seed=0):
        table = columns(seed) | (changed or {})
        parquet.write_table(pa.table(table), tmp_path / f"{name}.parquet", row_group_size=64)
        plain = {n: map(cell, c.to_pylist()) for n, c in table.items() if n not in DROPPED}
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([plain, *zip(*plain.values(), strict=True)])
        return tmp_path / f"{name}.parquet", tmp_path / f"{name}.csv"

    return write


@pytest.mark.parametrize(
    "options",
    [{}, {"group": "week"}, {"drop": ["colour", "week"]}, {"test": True}],
    ids=["plain", "group", "drop", "test"],
)
def test_the_problem_is_that_of_the_csv(options, both):
    one, other = both()
    tests = both("test", seed=1) if options.pop("test", False) else (None, None)
    drop = options.pop("drop", [])
    found = read_problem(one, "kind", (*drop, *DROPPED), test=tests[0], **options)
    expected = read_problem(other, "kind", drop, test=tests[1], **options)
    assert found.data.X.tobytes() == expected.data.X.tobytes()
    np.testing.assert_array_equal(found.data.y, expected.data.y)
    np.testing.assert_array_equal(found.groups, expected.groups)
    np.testing.assert_array_equal(found.train, expected.train)
    for name in ("classes", "columns", "categories"):
        assert getattr(found.data, name) == getattr(expected.data, name)
    assert found.look.remarks == expected.look.remarks
    assert (found.look.unit, expected.look.unit) == ("row", "line")
    assert found.lines[0] == 1


TRIED = ("--target", "kind", "--only", "ridge", "--jobs", "1", "--time", "10m", "--no-report")


def test_a_trial_and_its_predictions_are_those_of_the_csv(both, tmp_path):
    one, other = both()
    drop = [word for name in DROPPED for word in ("--drop", name)]
    for path, out, more in ((one, "one", drop), (other, "other", [])):
        result = invoke("try", path, *TRIED, *more, "--out", tmp_path / out)
        assert result.exit_code == 0, result.stderr
    held, expected = (rows_of(tmp_path / out / "predictions.csv") for out in ("one", "other"))
    for row, same in zip(held, expected, strict=True):
        assert int(row.pop("row")) == int(same.pop("line")) - 1
        assert row == same
    new, new_csv = both("new", seed=2)
    outputs = []
    for path, model in ((new, "one"), (new_csv, "other")):
        out = tmp_path / f"{model}.csv"
        call = ("predict", tmp_path / model / "model.ecoc", path, "--proba", "--drift")
        result = invoke(*call, "--out", out)
        assert result.exit_code == 0, result.stderr
        outputs.append((rows_of(out), result.stderr.splitlines()[:-1]))
    (rows, said), (expected, said_of_csv) = outputs
    assert [[row[n] for n in row if n != "price"] for row in rows] == [
        [row[n] for n in row if n != "price"] for row in expected
    ]
    assert [line for line in said if "has no text" not in line] == said_of_csv
    assert "column 'tags' holds list<" in said[0]
    assert "which has no text: it is left out" in said[0]
    frame = pd.read_parquet(new)
    predicted = load(tmp_path / "one" / "model.ecoc").predict(frame.drop(columns=["price"]).assign(
        price=[np.nan if p is None else float(p) for p in frame["price"]]
    ))  # fmt: skip
    assert [row["predicted"] for row in rows] == predicted.tolist()


def test_the_folder_of_a_trial_is_named_by_the_table(both, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    one, _ = both()
    drop = [word for name in DROPPED for word in ("--drop", name)]
    result = invoke("try", one, *TRIED, *drop)
    assert result.exit_code == 0, result.stderr
    result = invoke("run", "try/mine/try.yaml", "--dry-run", "--out", tmp_path / "run")
    assert result.exit_code == 0, result.stderr
    kept = ecoc_bench.load("try/mine/model.ecoc")
    assert kept.classes_.tolist() == ["ash", "elm", "oak"]


def test_a_narrow_float_is_the_number_that_it_holds(tmp_path):
    values = pa.array([0.1, 2, None, 1e-40], pa.float32())
    parquet.write_table(pa.table({"x": values}), tmp_path / "mine.pq")
    table, _ = load_cells(tmp_path / "mine.pq")
    found = [float(text or "nan") for text in table.cells["x"]]
    np.testing.assert_array_equal(found, values.to_numpy(False).astype(np.float64))


def test_rows_without_a_label_a_group_or_a_second_of_their_class_are_counted_from_1(both):
    changed = {"kind": pa.array([None, "yew", *["elm", "oak"] * (N // 2 - 1)])}
    one, _ = both(changed=changed)
    with pytest.raises(DataError, match=r"parquet: row 2: class 'yew' has one row, at least 2"):
        read_problem(one, "kind", DROPPED)
    one, _ = both(changed={"week": pa.array([None] * N)})
    with pytest.raises(DataError, match=r"parquet: row 1: no group in column 'week'"):
        read_problem(one, "kind", DROPPED, group="week")


@pytest.fixture
def model(tmp_path, both):
    one, _ = both("known")
    drop = [word for name in DROPPED for word in ("--drop", name)]
    result = invoke("try", one, *TRIED, *drop, "--out", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    return tmp_path / "out" / "model.ecoc"


def test_what_cannot_be_read_or_predicted_is_a_sentence(model, both, tmp_path, monkeypatch):
    def told(path, *options):
        result = invoke("predict", model, path, *options)
        assert result.exit_code == 2
        return result.stderr

    new, _ = both("new", {"size": pa.array([[1.0]] * N)})
    said = told(new)
    assert "new.parquet: list<" in said
    assert "in the column 'size', which the model needs. Write it as numbers or text." in said
    new, _ = both("new", {"size": pa.array(["1", "2", "big"] * (N // 3))})
    assert "new.parquet: row 3: column 'size': 'big' is not a finite number." in told(new)
    new, _ = both("new", {"week": pa.array([b"\xff"] * N)})
    assert "column 'week' holds binary, which is neither numbers nor text" in told(new)
    table = pa.table(columns()).drop_columns(["count"])
    parquet.write_table(table.append_column("cuont", columns()["count"]), new)
    assert "new.parquet: has no column 'count', which the model needs. Did you mean" in told(new)
    assert "a CSV is written. Choose a name that ends in .csv" in told(
        both("new")[0], "--out", tmp_path / "out.parquet"
    )
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert "pip install 'ecoc-bench[parquet]'" in told(new)


@pytest.mark.parametrize("command", ["try", "predict"])
def test_a_name_that_does_not_fit_the_content_is_a_sentence(command, model, both, tmp_path):
    new, text = both("new")

    def told(path):
        call = ("try", path, *TRIED, "--dry-run") if command == "try" else ("predict", model, path)
        result = invoke(*call)
        assert result.exit_code == 2
        return result.stderr

    (tmp_path / "false.parquet").write_bytes(text.read_bytes())
    assert "false.parquet: cannot be read as Parquet (" in told(tmp_path / "false.parquet")
    assert "if it is a CSV, give it a name that ends in .csv" in told(tmp_path / "false.parquet")
    (tmp_path / "cut.pq").write_bytes(new.read_bytes()[:-100])
    assert "cut.pq: cannot be read as Parquet (" in told(tmp_path / "cut.pq")
    (tmp_path / "false.csv").write_bytes(new.read_bytes())
    assert "false.csv: Parquet, not a CSV. Give it a name that ends in" in told(
        tmp_path / "false.csv"
    )
    assert "none.pq: no such file" in told(tmp_path / "none.pq")
    (tmp_path / "mine.svm").write_text("1 1:0.5\n2 2:0.5\n")
    assert "mine.svm: svmlight has no names of columns" in told(tmp_path / "mine.svm")


def test_try_names_a_column_without_text_and_how_to_leave_it_out(both):
    one, _ = both()
    result = invoke("try", one, *TRIED, "--dry-run")
    assert result.exit_code == 2
    assert "column 'tags' holds list<" in result.stderr
    assert "Leave it out by drop" in result.stderr


def test_a_csv_may_begin_with_the_letters_of_parquet(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("PAR1,kind\n" + "1,a\n2,b\n" * 6 + "3,PAR1\n4,PAR1")
    assert read_problem(path, "kind").data.classes == ("PAR1", "a", "b")
