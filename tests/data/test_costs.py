"""Costs of mistakes from a CSV and from a tree of classes; what is refused, and in which words."""

import numpy as np
import pytest

from ecoc_bench.data.costs import read_costs, tree_costs
from ecoc_bench.errors import DataError

CLASSES = ("a", "b", "c")
GOOD = ",c,a,b\na,1,0,2\nc,0,3,4\nb,5.5,6,0\n"


def test_lines_and_columns_come_in_any_order(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("\ufeff" + GOOD + "\n")
    assert read_costs(path, CLASSES).tolist() == [[0, 2, 1], [6, 0, 5.5], [3, 4, 0]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (",c,a,b", ",c,a,B", "the header: unknown class 'B'. Known: a, b, c."),
        (",c,a,b", ",c,a,a", "the header: class 'a' is there twice. Keep one."),
        ("b,5.5,6,0\n", "", "the first column: without class 'b'. Add it"),
        ("a,1,0,2", "a,1,0", "class 'a': 3 cells, the header has 4."),
        ("5.5", "much", "the cost of predicting 'c' for 'b' must be a number. Got 'much' instead."),
        ("5.5", "-1", "the cost of predicting 'c' for 'b' must be 0 or more, and finite."),
        ("5.5", "inf", "must be 0 or more, and finite. Got 'inf' instead."),
        ("5.5", "nan", "must be 0 or more, and finite. Got 'nan' instead."),
        ("a,1,0,2", "a,1,7,2", "the cost of predicting 'a' for 'a' must be 0: it is right."),
        (GOOD, "", "empty. Write a header with the classes"),
    ],
)
def test_a_bad_file_is_refused_with_place_and_reason(old, new, message, tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(DataError) as caught:
        read_costs(path, CLASSES)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_bytes(b"\xff\xfe,\x00")
    with pytest.raises(DataError, match="cannot be read as a CSV in UTF-8"):
        read_costs(path, CLASSES)


def test_the_cost_of_a_tree_is_the_number_of_edges_between_two_classes():
    tree = {"windows": {"float": [1, 3], "other": 2}, "rest": [5, "6"]}
    L = tree_costs(tree, ["1", "2", "3", "5", "6"])
    assert (L == L.T).all()
    assert np.diag(L).tolist() == [0] * 5
    assert L[0].tolist() == [0, 3, 2, 5, 5]  # to 2: up twice, down once
    assert L[3, 4] == 2


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([["a", "b"], "d"], "the tree: unknown class 'd'"),
        ([["a", "b"], "a", "c"], "the tree: class 'a' is there twice"),
        (["a", ["b"]], "the tree: without class 'c'"),
        (["a", "b", "c", []], "a node without classes"),
    ],
)
def test_a_bad_tree_is_refused(tree, message):
    with pytest.raises(DataError, match=message):
        tree_costs(tree, CLASSES)
