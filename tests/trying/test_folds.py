"""Which rows are tested when."""

import numpy as np
import pytest

from ecoc_bench.errors import DataError
from ecoc_bench.trying.folds import compared_rows, make_folds, parts, ratio

Y = np.repeat([0, 1, 2], [30, 15, 5])


def test_every_row_is_tested_once_in_each_repeat_class_by_class():
    folds = make_folds(Y, None, None, 0, 60.0)
    assert folds.shape == (2, 50)
    for row in folds:
        assert [np.bincount(Y[row == f]).tolist() for f in range(5)] == [[6, 3, 1]] * 5
    assert (folds == make_folds(Y, None, None, 0, 60.0)).all()
    assert (folds != make_folds(Y, None, None, 1, 60.0)).any()


def test_a_group_is_never_divided():
    groups = np.arange(50) // 5
    for row in make_folds(Y, groups, None, 0, 60.0):
        assert all(len(np.unique(row[groups == g])) == 1 for g in range(10))
    with pytest.raises(DataError, match="one group"):
        make_folds(Y, np.zeros(50, dtype=int), None, 0, 60.0)


def test_a_test_file_is_one_part_compared_in_independent_pieces():
    train = np.arange(50) < 30
    folds = make_folds(Y, None, train, 0, 60.0)
    assert parts(folds) == [(0, 0)]
    assert ratio(folds) == 0
    pieces = compared_rows(folds)
    assert sorted(np.concatenate([rows for _, rows in pieces])) == list(range(30, 50))
    assert ratio(make_folds(Y, None, None, 0, 60.0)) == 1 / 4
