"""A user's CSV: its separator, columns to leave out, rows without a label, suspect columns."""

from pathlib import Path

import numpy as np
import pytest
import statsmodels.datasets
from sklearn.datasets import load_iris

from ecoc_bench.data import suspects as suspicion
from ecoc_bench.data.cards import card_names, load_csv, load_if_here
from ecoc_bench.data.suspects import determines, suspects
from ecoc_bench.errors import DataError

ELSEWHERE = Path(statsmodels.datasets.__file__).parent


def own(tmp_path, text, **options):
    path = tmp_path / "mine.csv"
    path.write_text(text)
    return load_csv(path, name="mine", **{"target": "kind", **options})


def iris(tmp_path, **options):
    """Iris as a spreadsheet has it: with a first column of row names, sorted by species."""
    frame = load_iris(as_frame=True).frame.rename_axis("rownames")
    frame["target"] = np.array(["setosa", "versicolor", "virginica"])[frame["target"]]
    frame.to_csv(tmp_path / "iris.csv")
    return load_csv(tmp_path / "iris.csv", name="iris", target="target", **options)


COMMAS = "size,weight,kind\n1.5,20,a\n2.5,,b\n-3.5,10,a\n0.5,1e2,b\n"


@pytest.mark.parametrize(("separator", "name"), [(";", "semicolons"), ("\t", "tabs")])
@pytest.mark.parametrize("decimal", [".", ","])
def test_semicolons_tabs_and_decimal_commas_give_the_same_data_and_are_said(
    separator, name, decimal, tmp_path
):
    plain = own(tmp_path, COMMAS)
    data = own(tmp_path, COMMAS.replace(",", separator).replace(".", decimal))
    np.testing.assert_array_equal(data.X, plain.X)
    assert data.categories == plain.categories == (None, None)
    said = [f"its cells are separated by {name}"]
    assert list(data.remarks) == said + ["decimal commas were read in size"] * (decimal == ",")
    assert plain.remarks == ()


def test_a_file_of_another_package_with_semicolons_is_read():
    path = ELSEWHERE / "modechoice" / "modechoice.csv"
    data = load_csv(path, name="mode", target="mode")
    assert (data.X.shape, data.n_classes) == ((840, 8), 4)
    assert data.remarks == ("its cells are separated by semicolons",)


def test_text_with_semicolons_and_commas_stays_text(tmp_path):
    data = own(tmp_path, 'note,kind\n"a;b",a\n"1,5 or 2",b\n"a;b",a\n"red, 1",b\n')
    assert data.categories == (("1,5 or 2", "a;b", "red, 1"),)
    codes = own(tmp_path, 'note,kind\n"1,2",a\nred,b\nblue,a\ngreen,b\n')
    assert codes.categories == (("1,2", "blue", "green", "red"),)


def test_commas_in_a_column_declared_nominal_are_text(tmp_path):
    data = own(tmp_path, "x;kind\n1,5;a\n1,5;a\n2,5;b\n2,5;b\n", nominal=["x"])
    assert data.categories == (("1,5", "2,5"),)


def test_dropped_columns_are_not_even_looked_at(tmp_path):
    text = "junk,x,kind\n1,1,a\n2,2,b\n3,1,a\nfour,2,b\n"
    with pytest.raises(DataError, match="'four' is not a number"):
        own(tmp_path, text)
    data = own(tmp_path, text, drop=["junk"])
    assert data.columns == ("x",)


def test_row_names_without_a_name_can_be_dropped(tmp_path):
    text = ",x,kind\n1,1,a\n2,2,b\n3,1,a\n4,2,b\n"
    with pytest.raises(DataError, match=r'line 1: a column without a name.*drop: \[""\]'):
        own(tmp_path, text)
    assert own(tmp_path, text, drop=[""]).columns == ("x",)


def test_a_column_split_can_be_dropped(tmp_path):
    data = own(tmp_path, "split,x,kind\n1,1,a\n2,2,b\n3,1,a\n4,2,b\n", drop=["split"])
    assert (data.columns, data.train) == (("x",), None)


def test_nominal_all_makes_every_attribute_nominal(tmp_path):
    text = "x,colour,kind\n1,red,a\n2,blue,b\n1,red,a\n2,blue,b\n"
    assert own(tmp_path, text, nominal=["*"]).categories == (("1", "2"), ("blue", "red"))


def test_rows_without_a_label_are_dropped_and_counted(tmp_path):
    text = (
        "x,split,kind\n1,train,a\n2,train,\n3,train,b\n4,train,a\n5,train,NA\n6,train,b\n7,test,a\n"
    )
    with pytest.raises(DataError, match=r"line 3: .*2 of 7 rows have none.*missing_labels: drop"):
        own(tmp_path, text)
    data = own(tmp_path, text, missing_labels="drop")
    assert data.X[:, 0].tolist() == [1, 3, 4, 6, 7]
    assert [data.classes[i] for i in data.y] == list("ababa")
    assert data.train.tolist() == [True, True, True, True, False]
    assert data.note == "2 rows without a label were left out"


def test_an_unknown_way_with_missing_labels_is_refused(tmp_path):
    with pytest.raises(DataError, match="unknown missing_labels 'droop'"):
        own(tmp_path, COMMAS, missing_labels="droop")


def test_row_names_of_iris_are_suspect_and_its_measures_are_not(tmp_path):
    assert iris(tmp_path).remarks == (
        "column 'rownames' looks like an identifier and determines the label alone; "
        "drop: [rownames] leaves it out",
    )
    assert iris(tmp_path, drop=["rownames"]).remarks == ()


def test_a_number_for_each_patient_determines_the_treatment(tmp_path):
    subject = np.repeat(np.arange(20), 3)
    rows = [f"{s},{i % 7},{'ab'[s % 2]}" for i, s in enumerate(subject)]
    (remark,) = own(tmp_path, "subject,x,kind\n" + "\n".join(rows)).remarks
    assert remark == "column 'subject' determines the label alone; drop: [subject] leaves it out"


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("day", lambda i: f"2026-01-{i % 28 + 1:02}", "a date"),
        ("day", lambda i: f"{i % 28 + 1}.3.26", "a date"),
        ("day", lambda i: f"{i % 28 + 1}-Sep-03", "a date"),
        ("day", lambda i: f"2026-01-{i % 28 + 1:02} 12:30:01", "a date"),
        ("day", lambda i: 20260101 + i % 28, "a date"),
        ("number", lambda i: i + 17, "an identifier"),
        ("number", lambda i: 100 - i, "an identifier"),
        ("person", lambda i: f"Mr. {i}", "an identifier"),
        ("passengerId", lambda i: 7 * i % 41, "an identifier"),
        ("customer_id", lambda i: 7 * i % 41, "an identifier"),
        ("width", lambda i: i / 3, None),
        ("count", lambda i: 7 * i % 41, None),
        ("colour", lambda i: ["red", "blue"][i // 2 % 2], None),
        ("valid", lambda i: 7 * i % 41, None),
        ("when", lambda i: 20260101 + min(i % 7, 40 - i), None),
        ("number", lambda i: i if i < 50 else i + 0.5, None),
        ("number", lambda i: abs(i - 40), None),
    ],
)
@pytest.mark.parametrize("first", [30, 10_000])
def test_identifiers_and_dates_are_known_by_their_values_or_names(
    name, value, what, first, tmp_path, monkeypatch
):
    monkeypatch.setattr(suspicion, "FIRST", first)
    text = f"{name},kind\n" + "".join(f"{value(i)},{'aab'[i % 3]}\n" for i in range(60))
    remarks = own(tmp_path, text).remarks
    expected = f"column '{name}' looks like {what}; drop: [{name}] leaves it out"
    assert list(remarks) == ([expected] if what else [])


def test_a_label_follows_from_a_value_or_from_thresholds_and_not_from_values_of_single_rows():
    y = np.repeat([0, 1, 2], 10)
    sorted_values = np.arange(30.0)
    assert determines(sorted_values, y, None)
    assert not determines(np.arange(30.0), y, tuple("abc"))
    shuffled = np.random.default_rng(0).permutation(30)
    assert not determines(shuffled.astype(float), y, None)
    code = np.array([5.0, 1.0, 3.0])[y]
    assert determines(code, y, None)
    assert determines(code, y, tuple("abc"))
    code[0] = np.nan
    assert determines(code, y, None)
    code[-1] = np.nan
    assert not determines(code, y, None)


def test_a_look_at_some_of_the_rows_changes_no_answer(monkeypatch):
    rng = np.random.default_rng(0)
    answers = []
    for _ in range(3000):
        n = int(rng.integers(12, 40))
        y = rng.integers(0, 3, n)
        values = rng.integers(0, rng.integers(2, 60), n).astype(float)
        if rng.random() < 0.5:
            values = y * rng.integers(1, 3) + rng.integers(0, 2) * values / 100
        values[rng.random(n) < 0.05] = np.nan
        categories = None if rng.random() < 0.7 else ("a",)
        monkeypatch.setattr(suspicion, "SAMPLES", (4, 8))
        answers.append(determines(values, y, categories))
        monkeypatch.setattr(suspicion, "SAMPLES", (100,))
        assert answers[-1] == determines(values, y, categories)
    assert 300 < sum(answers) < 2700


@pytest.mark.parametrize("name", card_names())
def test_no_column_of_a_card_is_suspect(name):
    data = load_if_here(name)
    assert data is None or not list(suspects(data))
