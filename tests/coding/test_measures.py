"""Measures of test labels against scikit-learn's and by hand; what is undefined."""

import warnings
from math import isnan

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score

from ecoc_bench.coding import measures
from ecoc_bench.coding.measures import MEASURES, Measure, balanced_error, macro_f1, values
from ecoc_bench.errors import ConfigError


@pytest.mark.parametrize("seed", range(20))
def test_measures_are_those_of_scikit_learn_where_it_defines_them(seed):
    rng = np.random.default_rng(seed)
    y, predicted = rng.integers(0, 6, (2, int(rng.integers(1, 40))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some classes have no rows
        assert balanced_error(y, predicted) == pytest.approx(
            1 - balanced_accuracy_score(y, predicted)
        )
        # Without `labels`, it counts the classes that are in either of the two.
        assert macro_f1(y, predicted) == pytest.approx(
            f1_score(y, predicted, average="macro", zero_division=0)
        )


def test_a_class_without_test_rows_is_left_out_of_the_balanced_error():
    assert balanced_error([0, 0, 3], [0, 1, 3]) == 0.25


def test_a_class_without_test_rows_counts_in_macro_f1_only_if_it_is_predicted():
    assert macro_f1([0, 0, 3], [0, 0, 3]) == 1
    assert macro_f1([0, 0, 3], [0, 0, 1]) == pytest.approx((1 + 0 + 0) / 3)


def test_without_rows_nothing_is_defined():
    nothing = np.zeros(0, dtype=np.int64)
    assert isnan(balanced_error(nothing, nothing))
    assert isnan(macro_f1(nothing, nothing))


def test_a_measure_gets_what_it_names_and_has_no_value_where_that_is_missing(monkeypatch):
    def top(y, predicted, *, scores):
        return float(scores.max())

    monkeypatch.setitem(MEASURES, "top", Measure(top, "Top"))
    assert MEASURES["top"].needs == ["scores"]
    known = {"scores": np.array([[1.0, 7.0]]), "costs": None}
    found = values(["balanced_error", "top"], [0], [0], known)
    assert found == {"balanced_error": 0.0, "top": 7.0}
    assert values(["top"], [0], [0], {"costs": None}) == {}


def test_an_unknown_measure_is_named_with_the_one_that_was_meant():
    with pytest.raises(ConfigError, match="Did you mean 'macro_f1'"):
        measures.named("macro_f")
