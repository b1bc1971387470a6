import csv
import gzip
import io

import numpy as np
import pytest
from fitted import fitted, model, table

from ecoc_bench.models.file import save


@pytest.fixture
def kept(tmp_path):
    """Writes a model, and its data as a CSV whose cells and columns may be changed."""

    def write(name, change=lambda header, rows: None, suffix=".csv", delimiter=","):
        data, *_ = fitted(name)
        header = [*data.columns, "class"]
        cells = [
            [_cell(x, values) for x, values in zip(row, data.categories, strict=True)]
            for row in data.X
        ]
        rows = [[*row, data.classes[c]] for row, c in zip(cells, data.y, strict=True)]
        change(header, rows)
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([header, *rows])
        raw, path = text.getvalue().encode(), tmp_path / f"new{suffix}"
        path.write_bytes(gzip.compress(raw) if suffix.endswith("gz") else raw)
        save(model(name), tmp_path / "model.ecoc")
        return tmp_path / "model.ecoc", path

    return write


def _cell(x, values):
    return "?" if np.isnan(x) else repr(float(x)) if values is None else values[int(x)]


def read(text, delimiter=","):
    header, *rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    return header, [dict(zip(header, row, strict=True)) for row in rows]


@pytest.mark.parametrize("name", ["c45", "forest", "ridge", "two_classes"])
def test_rows_of_a_file_get_what_the_estimator_predicts(name, kept, command, tmp_path):
    data, inputs, estimator = fitted(name)
    out = tmp_path / "deep" / "out.csv"
    result = command("predict", *kept(name), "--out", out, "--proba")
    assert result.exit_code == 0, result.stderr
    header, rows = read(out.read_text())
    expected = estimator.predict(inputs.transform(data.X))
    assert [row["predicted"] for row in rows] == [data.classes[c] for c in expected]
    assert header[: len(data.columns) + 2] == [*data.columns, "class", "predicted"]
    P = np.array([[float(row[f"p_{name}"]) for name in data.classes] for row in rows])
    assert np.allclose(P, model(name).probabilities(model(name).scores(data.X)), atol=1e-5)
    wrong = 100 * (expected != data.y).mean()
    assert f"{len(rows)} rows have a label: error {wrong:.2f}% [" in result.stderr


def test_chunks_do_not_change_the_output(kept, command, monkeypatch):
    paths = kept("ridge")
    whole = command("predict", *paths, "--drift")
    monkeypatch.setattr("ecoc_bench.models.rows.CHUNK", 7)
    assert command("predict", *paths, "--drift").output == whole.output
    assert "no column looks unlike the training data (10 tests" in whole.stderr


def test_order_and_other_columns_are_kept_with_a_note(kept, command):
    def change(header, rows):
        for line in (header, *rows):
            line.reverse()
            line.insert(1, "predicted" if line is header else "x")

    plain = read(command("predict", *kept("ridge")).stdout)[1]
    result = command("predict", *kept("ridge", change))
    header, rows = read(result.stdout)
    assert [row["predicted_"] for row in rows] == [row["predicted"] for row in plain]
    assert header[:2] == ["class", "predicted"]
    assert "kept, although the model does not use them (1): 'predicted'" in result.stderr
    assert "another order than in training" in result.stderr


def test_gzip_and_semicolons_with_decimal_commas(kept, command):
    def change(header, rows):
        for row in rows:
            row[:-1] = [cell.replace(".", ",") for cell in row[:-1]]

    plain = read(command("predict", *kept("ridge")).stdout)[1]
    found = command("predict", *kept("ridge", change, ".csv.gz", ";"))
    rows = read(found.stdout, ";")[1]
    assert [row["predicted"] for row in rows] == [row["predicted"] for row in plain]


def changed(place, value):
    def change(header, rows):
        rows[4][place] = value

    return change


def renamed(header, rows):
    header[0] += "s"


def cut(header, rows):
    rows[4].pop()


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("ridge", changed(3, "many"), "line 6: column 'F3': 'many' is not a finite number"),
        ("ridge", changed(3, "inf"), "line 6: column 'F3': 'inf' is not a finite number"),
        ("ridge", changed(3, "1.7e308"), "line 6: its numbers are too large"),
        ("ridge", renamed, "line 1: has no column 'F0', which the model needs. Did you mean 'F0s'"),
        ("ridge", cut, "line 6: 10 cells, the header has 11"),
        ("ridge", changed(0, "a\0b"), "line 6: a NUL byte"),
    ],
)
def test_rows_that_do_not_fit_end_with_2_and_name_line_and_column(
    name, change, message, kept, command, tmp_path
):
    out = tmp_path / "out.csv"
    result = command("predict", *kept(name, change), "--out", out)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not out.exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.ecoc", "new.csv"]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "empty"),
        ("F0,F1\n1,2\n".encode("utf-16"), "not UTF-8"),
        (b"\x1f\x8b\x08", "cannot be read"),
    ],
)
def test_files_that_are_no_tables(raw, message, kept, command):
    path, new = kept("ridge")
    new.write_bytes(raw)
    result = command("predict", path, new)
    assert result.exit_code == 2
    assert message in result.stderr


def test_unseen_categories_are_counted_or_refused(kept, command):
    column = table("soybean").columns[0]
    paths = kept("c45", changed(0, "never seen"))
    result = command("predict", *paths)
    assert result.exit_code == 0
    assert f"column '{column}': 1 values that were not in the training data" in result.stderr
    result = command("predict", *paths, "--unseen", "error")
    assert result.exit_code == 2
    assert f"line 6: column '{column}': 'never seen' was not in the training data" in result.stderr


def test_missing_values_are_predicted(kept, command):
    result = command("predict", *kept("ridge", changed(0, "")))
    assert result.exit_code == 0
    assert read(result.stdout)[1][4]["predicted"]


def test_who_is_not_sure_abstains_and_does_not_count(kept, command):
    result = command("predict", *kept("ridge"), "--abstain", "0.3", "--proba")
    data, *_ = fitted("ridge")
    rows = read(result.stdout)[1]
    highest = np.array([max(float(row[f"p_{c}"]) for c in data.classes) for row in rows])
    silent = np.array([row["predicted"] == "" for row in rows])
    assert 0 < silent.sum() < len(rows)
    assert (silent == (highest < 0.3)).all()
    assert f"{silent.sum()} rows (" in result.stderr
    assert f"{(~silent).sum()} rows have a label" in result.stderr


def test_labels_that_are_missing_do_not_count_and_unknown_ones_are_wrong(kept, command):
    def change(header, rows):
        rows[0][-1], rows[1][-1] = "?", "unknown"

    result = command("predict", *kept("ridge", change))
    assert "989 rows have a label" in result.stderr
    assert "1 rows have labels that the model does not know: 'unknown'" in result.stderr


def test_drift_names_the_columns_that_moved(kept, command):
    def change(header, rows):
        for i, row in enumerate(rows):
            row[2] = repr(float(row[2]) + 1)
            row[5] = "" if i % 2 else row[5]

    result = command("predict", *kept("ridge", change), "--drift")
    assert "column 'F2' looks unlike the training data: D = 0." in result.stderr
    assert "column 'F5' looks unlike the training data: D = 0.5" in result.stderr
    assert "missing 0.0% then 50.0%" in result.stderr
    assert result.stderr.count("looks unlike") == 2


def test_drift_of_categories(kept, command):
    def change(header, rows):
        for row in rows:
            row[1] = rows[0][1]

    result = command("predict", *kept("c45", change), "--drift")
    assert f"column '{table('soybean').columns[1]}' looks unlike" in result.stderr
    assert "V = 0." in result.stderr


def test_the_types_that_skops_made_are_printed(kept, command):
    result = command("predict", *kept("pipeline"))
    assert "this model holds, by skops: sklearn.naive_bayes.GaussianNB" in result.stderr


def test_the_table_itself_is_not_written_over(kept, command):
    path, new = kept("ridge")
    assert command("predict", path, new, "--out", new).exit_code == 2


def test_a_file_that_is_no_model_ends_with_2(kept, command):
    _, new = kept("ridge")
    result = command("predict", new, new)
    assert result.exit_code == 2
    assert "not a model, or damaged" in result.stderr
