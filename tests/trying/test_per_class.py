"""Precision, recall and F1 of each class."""

import numpy as np
import pytest
from sklearn.metrics import precision_recall_fscore_support

from ecoc_bench.results.summary import wilson
from ecoc_bench.trying.confusion import counts
from ecoc_bench.trying.held_out import HeldOut
from ecoc_bench.trying.per_class import class_scores


def test_scores_are_scikit_learns_with_wilsons_intervals():
    rng = np.random.default_rng(0)
    y, P = rng.integers(0, 3, 60), rng.dirichlet([1, 1, 1], 60)
    found = class_scores(counts(HeldOut(np.arange(60), y, P)))
    expected = precision_recall_fscore_support(y, P.argmax(axis=1))
    for c, one in enumerate(found):
        values = [one.precision.value, one.recall.value, one.f1.value, one.rows]
        assert values == pytest.approx([column[c] for column in expected])
        assert one.recall[1:] == wilson(one.recall.value, one.rows)
        assert one.f1.low < one.f1.value < one.f1.high


def test_a_class_that_is_never_predicted_has_no_precision():
    one = class_scores(np.array([[4.0, 0], [2, 0]]))[1]
    assert np.isnan(one.precision).all()
    assert one.recall.value == one.f1.value == 0
