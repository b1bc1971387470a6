"""A user's CSV: what is read from it, and what can be wrong with it."""

import gzip
import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecoc_bench.data.cards import load_csv
from ecoc_bench.errors import DataError

GOOD = "colour,size,label\nred,1,a\nblue,2.5,b\nred,,a\nblue,-3e1,b\n"


def own(tmp_path, text, name="mine.csv", **options):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_csv(path, name="mine", **{"target": "label", **options})


def test_kinds_are_inferred(tmp_path):
    data = own(tmp_path, GOOD)
    assert (data.columns, data.classes) == (("colour", "size"), ("a", "b"))
    assert data.categories == (("blue", "red"), None)
    assert data.y.tolist() == [0, 1, 0, 1]
    np.testing.assert_array_equal(data.X, [[1, 1], [0, 2.5], [1, np.nan], [0, -30]])
    assert data.train is None


def test_a_gzip_gives_the_same_data_and_checksum(tmp_path):
    plain = own(tmp_path, GOOD)
    packed = own(tmp_path, gzip.compress(GOOD.encode()), name="mine.csv.gz")
    assert packed.sha256 == plain.sha256 == hashlib.sha256(GOOD.encode()).hexdigest()
    np.testing.assert_array_equal(packed.X, plain.X)


def test_numbers_declared_nominal_are_nominal(tmp_path):
    data = own(tmp_path, GOOD, nominal=["colour", "size"])
    assert data.categories[1] == ("-3e1", "1", "2.5")


def test_byte_order_mark_spaces_blank_lines_and_quotes_are_read(tmp_path):
    text = '\ufeffcolour , size,label\n"red, dark", 1,a\n\nblue,2,b\nblue,2,b\n"red, dark",1,a\n\n'
    data = own(tmp_path, text)
    assert data.columns == ("colour", "size")
    assert data.categories[0] == ("blue", "red, dark")


def test_a_code_with_an_underscore_is_text(tmp_path):
    assert own(tmp_path, "x,label\n1_0,a\n2_0,b\n1_0,a\n2_0,b\n").categories == (("1_0", "2_0"),)


@pytest.mark.parametrize("column", ["split", "part"])
def test_a_split_column_is_the_split(tmp_path, column):
    text = f"{column},x,label\ntrain,1,a\ntrain,2,b\ntest,3,a\ntrain,1,a\ntrain,2,b\n"
    data = own(tmp_path, text, split=None if column == "split" else column)
    assert data.columns == ("x",)
    assert data.train.tolist() == [True, True, False, True, True]


def test_rare_classes_are_kept_or_dropped(tmp_path):
    text = "colour,label\nred,a\nred,a\nblue,b\nblue,b\ngreen,c\n"
    assert own(tmp_path, text, rare_classes="keep").classes == ("a", "b", "c")
    data = own(tmp_path, text, rare_classes="drop")
    assert (data.classes, data.categories, len(data.y)) == (("a", "b"), (("blue", "red"),), 4)


ROWS = "1,a\n1,a\n2,b\n2,b\n"
BAD = {
    "empty": ("", {}, "mine.csv: empty. Give a header"),
    "only a header": ("x,label\n", {}, "a header and no rows"),
    "no target": ("x,lable\n" + ROWS, {}, "no column 'label' for target. Did you mean 'lable'?"),
    "no such nominal": (
        "colour,label\n" + ROWS,
        {"nominal": ["color"]},
        "no column 'color' for nominal. Did you mean 'colour'?",
    ),
    "no such split": ("x,label\n" + ROWS, {"split": "part"}, "no column 'part' for split. It has"),
    "target as nominal": ("x,label\n" + ROWS, {"nominal": ["label"]}, "'label' is no attribute"),
    "target as split": ("x,label\n" + ROWS, {"split": "label"}, "both target and split"),
    "ragged": ("x,label\n1,a\n2,b,c\n", {}, "line 3: 3 cells, the header has 2. Quote"),
    "open quote": ('x,label\n1,a\n"2,b\n', {}, "line 3: unexpected end of data. Fix"),
    "no label": (
        "x,label\n1,a\n\n2,\n",
        {},
        "line 4: no label in column 'label' (1 of 2 rows have none). Fill",
    ),
    "text": (
        "c,x,label\nr,1,a\nr,1,a\nr,big,b\nr,1,b\n",
        {"nominal": ["c"]},
        "line 4: column 'x': 'big' is not a number. Fix it, or declare",
    ),
    "infinite": (
        "x,label\n1,a\n1,a\n-inf,b\n2,b\n",
        {},
        "line 4: column 'x': '-inf' is not finite",
    ),
    "one class": ("x,label\n1,a\n1,a\n", {}, "column 'label' has 1 classes to learn"),
    "all dropped": ("x,label\n1,a\n1,b\n", {"rare_classes": "drop"}, "has 0 classes to learn"),
    "no attributes": ("label\na\na\nb\nb\n", {}, "no attribute columns. Add one"),
    "rare class": ("x,label\n" + ROWS + "3,c\n", {}, "line 6: class 'c' has 1 rows, at least 2"),
    "not trained": (
        "split,x,label\ntrain,1,a\ntrain,1,a\ntrain,2,b\ntrain,2,b\ntest,3,c\ntest,3,c\n",
        {},
        "line 6: class 'c' has 0 training rows",
    ),
    "rare option": ("x,label\n" + ROWS, {"rare_classes": "kep"}, "Did you mean 'keep'?"),
    "twice": ("x,x,label\n1,1,a\n", {}, "line 1: 2 columns named 'x'. Give each"),
    "nameless": (",x,label\n0,1,a\n", {}, "line 1: a column without a name"),
    "split values": (
        "split,x,label\ntrain,1,a\nvalid,1,a\n",
        {},
        "line 3: column 'split' has 'valid'",
    ),
    "no test part": ("split,x,label\ntrain,1,a\ntrain,1,a\n", {}, "has no test row"),
    "not UTF-8": (b"x,label\n1,a\n2,\xe9\n", {}, "line 3: not UTF-8. Save"),
    "damaged gzip": (gzip.compress(GOOD.encode())[:-9], {}, "cannot be read"),
}


@pytest.mark.parametrize("case", BAD)
def test_an_error_says_where_what_and_what_next(tmp_path, case):
    text, options, message = BAD[case]
    with pytest.raises(DataError) as error:
        own(tmp_path, text, **options)
    assert str(error.value).startswith(str(tmp_path / "mine.csv") + ": ")
    assert message in str(error.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.csv: no such file"):
        load_csv(tmp_path / "none.csv", name="mine", target="label")
    with pytest.raises(DataError, match="cannot be read"):
        load_csv(tmp_path, name="mine", target="label")


@given(
    st.lists(
        st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from("abc")),
        min_size=2,
        max_size=20,
    )
)
def test_numbers_and_labels_come_back_as_written(tmp_path_factory, rows):
    rows = rows + [(0.0, label) for label in "abc"] * 2
    text = "x,label\n" + "".join(f"{value!r},{label}\n" for value, label in rows)
    data = own(tmp_path_factory.mktemp("own"), text)
    assert data.X[:, 0].tolist() == [value for value, _ in rows]
    assert [data.classes[i] for i in data.y] == [label for _, label in rows]
