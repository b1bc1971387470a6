"""Parquet: the data are those of the same table in a CSV; what is refused, and in which words."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet
from runs import invoke, planned
from test_fast_csv import same

from ecoc_bench.data.cards import load, read_card
from ecoc_bench.data.formats import load_file
from ecoc_bench.errors import ConfigError, DataError
from ecoc_bench.files import shipped

NAMES = ["anneal", "emotions", "glass", "satimage", "soybean"]  # nominal, labels, split, missing
TABLE = {
    "size": [1.5, 2.5, -3.5, None],
    "count": [1, 2, None, 2**53 + 1],
    "colour": ["red", None, " blue ", "red"],
    "ripe": [True, False, None, True],
    "kind": ["a", "b", "a", "b"],
}
CSV = (
    "size,count,colour,ripe,kind\n1.5,1,red,True,a\n2.5,2,,False,b\n-3.5,, blue ,,a\n"
    ",9007199254740993,red,True,b\n"
)


def written(path, columns, **options):
    parquet.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), path)
    return load_file(path, name="mine", **{"target": "kind", **options})


def as_csv(path, text=CSV, **options):
    path.write_text(text)
    return load_file(path, name="mine", **{"target": "kind", **options})


def alike(one, other):
    same(replace(one, sha256=""), replace(other, sha256=""))


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_set_has_the_same_data_in_parquet_as_in_csv(name, tmp_path):
    card, data, source = read_card(name), load(name), shipped("datasets") / f"{name}.csv.gz"
    frame = pd.read_csv(source, na_values=["?"]).convert_dtypes()
    frame.to_parquet(tmp_path / "mine.parquet")
    options = {
        "name": name,
        "target": card.target,
        "labels": card.labels,
        "rare_classes": card.rare_classes,
        "nominal": card.nominal(data.columns),
    }
    alike(load_file(tmp_path / "mine.parquet", **options), load_file(source, **options))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"dtype": "float32"},
        {"nominal": ["count", "colour", "ripe"]},
        {"nominal": ["*"]},
        {"drop": ["size", "ripe"]},
        {"target": "ripe", "missing_labels": "drop", "rare_classes": "keep"},
        {"sequence": "kind", "target": "colour", "missing_labels": "drop", "rare_classes": "keep"},
    ],
)
def test_keys_of_a_csv_give_the_same_data(options, tmp_path):
    alike(written(tmp_path / "mine.pq", TABLE, **options), as_csv(tmp_path / "a.csv", **options))


@pytest.mark.parametrize("kind", [pa.float32(), pa.float16(), pa.int8(), pa.uint64()])
def test_numbers_of_every_width_are_numbers_and_names_without_a_point(kind, tmp_path):
    columns = {"x": pa.array([1, 2, None, 2], kind), "kind": pa.array([0, 1, 0, 1], kind)}
    data = written(tmp_path / "mine.parquet", columns)
    np.testing.assert_array_equal(data.X[:, 0], [1, 2, np.nan, 2])
    assert (data.classes, data.categories) == (("0", "1"), (None,))
    assert written(tmp_path / "mine.parquet", columns, nominal=["x"]).categories == (("1", "2"),)


def test_categories_dates_and_decimals_are_what_they_hold(tmp_path):
    days = pd.date_range("2026-01-01", periods=4)
    columns = {
        "colour": pa.array(["red", None, "blue", "red"]).dictionary_encode(),
        "size": pa.array([3, 1, None, 3]).dictionary_encode(),
        "price": pa.array(["0.10", "1.25", None, "7.00"]).cast(pa.decimal128(5, 2)),
        "day": pa.array(days.date),
        "text": pa.array([b"u", b"v", b"u", None]),
        "nothing": pa.nulls(4),
        "kind": list("abab"),
    }
    data = written(tmp_path / "mine.parquet", columns)
    assert data.categories[0] == ("blue", "red")
    np.testing.assert_array_equal(data.X[:, 1], [3, 1, np.nan, 3])
    np.testing.assert_array_equal(data.X[:, 2], [0.1, 1.25, np.nan, 7])
    assert data.categories[3][0] == "2026-01-01"
    assert data.categories[4] == ("u", "v")
    assert np.isnan(data.X[:, 5]).all()


def test_many_parts_are_put_together_in_order(tmp_path):
    n = 150_000  # more than two parts of 65,536 rows
    columns = {
        "x": np.arange(n) / 7,
        "word": np.array(["a", "b", "c"])[np.arange(n) % 3],
        "kind": np.arange(n) % 2,
    }
    data = written(tmp_path / "mine.parquet", columns)
    np.testing.assert_array_equal(data.X, np.column_stack([columns["x"], np.arange(n) % 3]))
    np.testing.assert_array_equal(data.y, np.arange(n) % 2)


def test_row_numbers_of_pandas_are_left_out_and_named_ones_are_a_column(tmp_path):
    frame = pd.DataFrame(TABLE).iloc[[3, 0, 1, 2]]
    frame.to_parquet(tmp_path / "mine.parquet")
    assert "ripe" in load_file(tmp_path / "mine.parquet", name="m", target="kind").columns
    assert load_file(tmp_path / "mine.parquet", name="m", target="kind").columns[0] == "size"
    frame.rename_axis("plant").to_parquet(tmp_path / "mine.parquet")
    assert "plant" in load_file(tmp_path / "mine.parquet", name="m", target="kind").columns


@pytest.mark.parametrize(
    ("changed", "options", "message"),
    [
        ({"kind": ["a", None, "a", "b"]}, {}, "row 2: no label in column 'kind' (1 of 4 rows have"),
        ({"kind": list("abaa")}, {}, "row 2: class 'b' has 1 rows, at least 2 are needed"),
        ({"size": [1, 2, np.inf, 3]}, {}, "row 3: column 'size': 'inf' is not finite"),
        ({"size": ["1", "2", "big", "4"]}, {}, "row 3: column 'size': 'big' is not a number"),
        ({"size": ["1,5"] * 4}, {}, "row 1: column 'size': '1,5' is not a number. Write numbers"),
        ({"size": [1e40] * 4}, {"dtype": "float32"}, "1e+40 is too large for dtype: float32"),
        ({"split": [1, 2, 3, 4]}, {}, "row 1: column 'split' has '1', must be train or test"),
        ({}, {"target": "knd"}, "no column 'knd' for target. Did you mean 'kind'?"),
        ({}, {"drop": ["knd"]}, "no column 'knd' for drop. Did you mean 'kind'?"),
        ({"size": [[1], [2], [3], None]}, {}, "column 'size' holds list<"),
        ({"size": [{"a": 1}] * 4}, {}, "which is neither numbers nor text. Leave it out by drop"),
        ({"size": [b"\xff"] * 4}, {}, "column 'size' holds binary, which is neither"),
        ({"": [1, 2, 3, 4]}, {}, "a column without a name. Give each column its own name or leave"),
        ({name: [] for name in TABLE}, {}, "mine.parquet: a header and no rows. Give a row"),
    ],
)
def test_a_mistake_is_named_by_its_row_and_column(changed, options, message, tmp_path):
    with pytest.raises(DataError) as error:
        written(tmp_path / "mine.parquet", TABLE | changed, **options)
    assert message in str(error.value)
    assert str(error.value).startswith(str(tmp_path / "mine.parquet"))


def test_a_nested_column_and_one_without_a_name_can_be_dropped(tmp_path):
    nested = TABLE | {"size": [[1], [2], [3], None], "": [1, 2, 3, 4]}
    data = written(tmp_path / "mine.parquet", nested, drop=["size", ""])
    assert data.columns == ("count", "colour", "ripe")


def test_columns_of_one_name_are_refused(tmp_path):
    table = pa.table([pa.array([1, 2]), pa.array([1, 2])], names=["x", "x"])
    with pytest.raises(DataError, match=r"2 columns named 'x'\. Give each column its own name"):
        written(tmp_path / "mine.parquet", table)


def test_damaged_files_are_refused_whichever_bytes_are_wrong(tmp_path):
    path = tmp_path / "mine.parquet"
    n = 300
    written(path, {"x": np.arange(n) / 3, "word": list("abc") * 100, "kind": list("uv") * 150})
    whole, refused = path.read_bytes(), 0
    rng = np.random.default_rng(0)
    for _ in range(60):
        changed = np.frombuffer(whole, np.uint8).copy()
        changed[rng.integers(0, len(whole), 3)] ^= rng.integers(1, 256, 3, dtype=np.uint8)
        path.write_bytes(changed.tobytes())
        try:
            load_file(path, name="mine", target="kind")
        except DataError as error:
            refused += "cannot be read as Parquet (" in str(error)
    assert refused > 30


@pytest.mark.parametrize("content", [b"", b"PAR1", b"x,kind\n1,a\n2,b\n1,a\n2,b\n"])
def test_what_is_no_parquet_file_is_refused_with_the_next_step(content, tmp_path):
    (tmp_path / "mine.parquet").write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be read as Parquet \(.*\)\. Get a new copy of it"):
        load_file(tmp_path / "mine.parquet", name="mine", target="kind")


def test_missing_files_and_folders_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"none\.pq: no such file"):
        load_file(tmp_path / "none.pq", name="mine", target="kind")
    (tmp_path / "parts.parquet").mkdir()
    with pytest.raises(DataError, match="it is not a file"):
        load_file(tmp_path / "parts.parquet", name="mine", target="kind")


CONFIG = """
name: own
datasets: [{name: mine, path: mine.bin, format: parquet, target: kind}]
evaluation: {folds: 2}
learners: {least_squares: {}}
codes: [ova]
decoders: [hamming]
"""


def test_a_config_takes_the_format_and_names_the_data_set_that_is_wrong(tmp_path):
    (tmp_path / "config.yaml").write_text(CONFIG)
    parquet.write_table(pa.table(TABLE), tmp_path / "mine.bin")
    assert planned(tmp_path / "config.yaml").datasets["mine"].classes == ("a", "b")
    (tmp_path / "mine.bin").write_bytes(b"PAR1")
    with pytest.raises((ConfigError, DataError), match=r"datasets\[0\]: .*as Parquet"):
        planned(tmp_path / "config.yaml")


def test_show_dataset_says_what_a_parquet_file_holds(tmp_path):
    path = tmp_path / "mine.parquet"
    parquet.write_table(pa.table(TABLE), path)
    found = invoke("show", "dataset", str(path), "--target", "kind")
    assert found.exit_code == 0, found.stderr
    assert "4 (2 numeric, 2 nominal): size, count, colour, ripe" in found.stdout
    wrong = invoke("show", "dataset", str(path), "--target", "kin")
    assert wrong.exit_code == 2
    assert "Did you mean 'kind'?" in wrong.stderr


def test_without_pyarrow_a_sentence_says_what_to_install(tmp_path, monkeypatch):
    path = tmp_path / "mine.parquet"
    parquet.write_table(pa.table(TABLE), path)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    found = invoke("show", "dataset", str(path), "--target", "kind")
    assert found.exit_code == 2
    assert "pyarrow, which reads Parquet, is not here. Install it" in found.stderr
    assert "ecoc-bench[parquet]" in found.stderr
