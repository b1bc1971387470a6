"""A file becomes a problem, or a sentence that says what to do next."""

import gzip

import numpy as np
import pytest

from ecoc_bench.errors import DataError
from ecoc_bench.files import shipped
from ecoc_bench.trying.look import clashing, read_problem, sampled

GOOD = "a,b,kind\n1,2,x\n2,3,y\n3,1,x\n4,5,y\n5,6,x\n6,7,y\n"
LONG = [(i % 7, f"n{i}", "xy"[i % 2]) for i in range(100)]


def told(tmp_path, content, target="kind", **options):
    """The error that a file gives."""
    path = tmp_path / "my.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError) as error:
        read_problem(path, target, **options)
    return str(error.value).replace(f"{path}: ", "")


def problem(tmp_path, content, **options):
    path = tmp_path / "my.csv"
    path.write_text(content)
    return read_problem(path, "kind", **options)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "empty. Give a header line"),
        ("a,kind\n", "a header and no rows"),
        (GOOD.encode("utf-16"), "line 1: not UTF-8, but UTF-16. Save the file as UTF-8."),
        (GOOD + "1,2\n", "line 8: 2 cells, the header has 3"),
        (GOOD.replace(",y\n", ",x\n"), "column 'kind' has one class, 'x'"),
        (GOOD + "7,8,z\n", "line 8: class 'z' has one row, at least 2 are needed. Merge it"),
        ("a,kind\n1,\n2,?\n", "column 'kind' is empty. Name another --target."),
        ("a,kind\n" + "1,x\n1,y\n" * 9, "no column to learn from: column 'a' is constant"),
    ],
)
def test_a_bad_file_gets_a_sentence_with_the_next_step(tmp_path, content, said):
    assert said in told(tmp_path, content)


def test_a_wrong_target_gets_the_nearest_name(tmp_path):
    assert told(tmp_path, GOOD, "knd") == "no column 'knd' for --target. Did you mean 'kind'?"
    assert told(tmp_path, GOOD, "zz") == "no column 'zz' for --target. It has: a, b, kind."
    assert "for --group" in told(tmp_path, GOOD, group="zz")
    assert "is the --target" in told(tmp_path, GOOD, drop=["kind"])


def test_many_numbers_as_target_may_be_a_regression(tmp_path):
    rows = "".join(f"{i % 5},{i / 2}\n" for i in range(100))
    assert "100 different numbers: a regression?" in told(tmp_path, "a,kind\n" + rows)


def test_a_name_for_each_row_is_no_class(tmp_path):
    rows = "".join(f"{a},{name}\n" for a, name, _ in LONG)
    assert "an identifier or text, not a class" in told(tmp_path, "a,kind\n" + rows)


def test_columns_that_say_nothing_are_left_out_with_a_remark(tmp_path):
    rows = "".join(f"{a},,7,row {name} of the long file,{y}\n" for a, name, y in LONG)
    found = problem(tmp_path, "a,gap,same,note,kind\n" + rows)
    assert found.data.columns == ("a",)
    assert found.left_out == ("gap", "same", "note")
    assert [remark.partition(" and is")[0] for remark in found.look.remarks[:3]] == [
        "column 'gap' is all missing",
        "column 'same' is constant",
        "column 'note' has free text, which no candidate reads,",
    ]


def test_rows_without_a_label_are_left_out_and_lines_stay_those_of_the_file(tmp_path):
    found = problem(tmp_path, GOOD.replace("2,3,y", "2,3,"))
    assert found.lines.tolist() == [2, 4, 5, 6, 7]
    assert "1 rows without a label" in found.look.remarks[0]


def test_a_test_file_is_the_test_part_and_needs_the_same_columns(tmp_path):
    test = tmp_path / "test.csv"
    test.write_text("kind,b,a\nx,1,9\ny,2,8\n")
    found = problem(tmp_path, GOOD, test=test)
    assert found.train is not None
    assert found.train.tolist() == [True] * 6 + [False] * 2
    assert found.data.X[-1].tolist() == [8, 2]
    test.write_text("kind,a\nx,1\n")
    assert "no column 'b'" in told(tmp_path, GOOD, test=test)
    test.write_text("kind,b,a\nz,1,9\n")
    assert "class 'z' has no row to train on" in told(tmp_path, GOOD, test=test)


def test_equal_rows_of_other_classes_are_counted():
    X = np.array([[0.0, np.nan], [-0.0, np.nan], [0.0, np.nan], [1.0, 1.0]])
    assert clashing(X, np.array([0, 1, 0, 1])) == 3
    assert clashing(X, np.array([0, 0, 0, 1])) == 0


def test_a_sample_keeps_every_class_and_says_so(tmp_path):
    path = tmp_path / "letter.csv"
    path.write_bytes(gzip.decompress((shipped("datasets") / "letter.csv.gz").read_bytes()))
    found = sampled(read_problem(path, "class"), 520, 0)
    assert abs(len(found.data.y) - 520) < 20
    assert len(np.unique(found.data.y)) == 26
    assert "of 20000 rows, drawn at random" in found.look.remarks[-1]
