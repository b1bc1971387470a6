"""Label sets of a CSV: cells with a separator, or 0/1 columns; what can be wrong with them."""

import numpy as np
import pytest

from ecoc_bench.data.cards import load, load_classes, load_csv
from ecoc_bench.data.label_sets import Labels
from ecoc_bench.errors import DataError

CELLS = "size,tags\n1,red;round\n2,\n3,round\n4,red ; blue;round\n5,blue\n6,round;red\n"
COLUMNS = "red,size,blue,round\n1,1,0,1\n0,2,0,0\n0,3,0,1\n1,4,1,1\n0,5,1,0\n1,6,0,1\n"
SPLIT = "split,red,blue,size\ntrain,1,0,1\ntrain,1,1,2\ntrain,0,1,2\ntest,0,0,3\n"
IN_CELLS = Labels(separator=";")
IN_COLUMNS = Labels(columns=("red", "blue", "round"))


def own(tmp_path, text, labels, **options):
    path = tmp_path / "mine.csv"
    path.write_text(text)
    return load_csv(path, name="mine", target="tags", labels=labels, **options)


def rows_of(data):
    """The labels of each row, by name."""
    return [{data.classes[a] for a in np.flatnonzero(data.sets[s] > 0)} for s in data.y]


def test_cells_and_columns_give_the_same_sets(tmp_path):
    cells, columns = own(tmp_path, CELLS, IN_CELLS), own(tmp_path, COLUMNS, IN_COLUMNS)
    due = [{"red", "round"}, set(), {"round"}, {"red", "blue", "round"}, {"blue"}, {"red", "round"}]
    assert rows_of(cells) == rows_of(columns) == due
    assert cells.classes == ("blue", "red", "round")  # by alphabet; columns as they are named
    assert columns.classes == ("red", "blue", "round")
    assert cells.columns == columns.columns == ("size",)
    assert len(cells.sets) == 5
    assert "an error is a set with a wrong label" in cells.note


def test_labels_that_are_numbers_are_in_their_order(tmp_path):
    assert own(tmp_path, "size,tags\n1,10;9\n2,9\n3,10\n", IN_CELLS).classes == ("9", "10")


def test_all_other_columns_may_be_nominal(tmp_path):
    assert own(tmp_path, COLUMNS, IN_COLUMNS, nominal=("*",)).nominal.all()


@pytest.mark.parametrize(
    ("text", "labels", "message"),
    [
        (
            CELLS.replace("round;red", "red;;red"),
            IN_CELLS,
            "line 7: column 'tags': 'red;;red' holds",
        ),
        (
            CELLS.replace("round;red", "red;red"),
            IN_CELLS,
            "the label 'red' twice. Fix the cell, or",
        ),
        (
            CELLS.replace("round;red", "red;"),
            IN_CELLS,
            "an empty label. Fix the cell, or set another",
        ),
        (
            CELLS.replace("round;red", "?"),
            IN_CELLS,
            "line 7: no label in column 'tags' (1 of 6 rows",
        ),
        (CELLS, Labels(separator="|"), "label 'blue' has 1 rows, at least 2 are needed. Merge it"),
        (
            COLUMNS.replace("5,1,0", "5,2,0"),
            IN_COLUMNS,
            "line 6: column 'blue': a label's cell must be",
        ),
        (COLUMNS.replace("5,1,0", "5,,0"), IN_COLUMNS, "line 6: no label in a column of labels"),
        (COLUMNS.replace("5,1,0", "5,0,0"), IN_COLUMNS, "label 'blue' has 1 rows"),
        (
            COLUMNS,
            Labels(columns=("red", "bleu")),
            "no column 'bleu' for target. Did you mean 'blue'?",
        ),
        (SPLIT.replace("0,1,2", "0,0,2"), IN_COLUMNS, "no column 'round' for target"),
        (
            SPLIT.replace("0,1,2", "0,0,2"),
            Labels(columns=("red", "blue")),
            "label 'blue' has 1 training rows",
        ),
    ],
)
def test_bad_labels_are_said_with_their_place_and_the_next_step(text, labels, message, tmp_path):
    with pytest.raises(DataError) as caught:
        own(tmp_path, text, labels)
    assert message in str(caught.value)
    assert str(caught.value).endswith((".", "?"))


def test_a_column_of_labels_is_no_attribute(tmp_path):
    with pytest.raises(DataError, match=r"'blue' is no attribute. Remove it from drop"):
        own(tmp_path, COLUMNS, IN_COLUMNS, drop=("blue",))


def test_rare_labels_and_unknown_rows_can_be_left_out(tmp_path):
    rare = CELLS.replace("round;red", "round;odd").replace("5,blue", "5,?")
    data = own(tmp_path, rare, IN_CELLS, rare_classes="drop", missing_labels="drop")
    assert data.classes == ("red", "round")
    assert rows_of(data) == [{"red", "round"}, set(), {"round"}, {"red", "round"}, {"round"}]
    assert data.note.startswith("1 rows without a label were left out; rows have sets of 2 labels")
    assert own(tmp_path, rare, IN_CELLS, rare_classes="keep", missing_labels="drop").n_classes == 4


def test_a_label_is_needed_besides_one(tmp_path):
    with pytest.raises(DataError, match="1 labels to learn, at least 2 are needed"):
        own(tmp_path, "size,tags\n1,red\n2,red\n3,\n", IN_CELLS)


def test_emotions_are_those_of_other_libraries():
    """R's mldr counts so many rows of each label, 27 sets and 1.868465 labels in a row."""
    data = load("emotions")
    has = data.sets[data.y] > 0
    assert has.sum(axis=0).tolist() == [173, 166, 264, 148, 168, 189]
    assert len(data.sets) == 27
    assert has.sum() / len(has) == pytest.approx(1.868465, abs=1e-6)
    assert data.sha256.startswith("1d18e5a3")


def test_what_measures_speed_needs_one_label():
    with pytest.raises(DataError, match="emotions has several labels in a row"):
        load_classes("emotions")
