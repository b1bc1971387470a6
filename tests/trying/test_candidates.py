"""The candidates: each fits, scores and becomes a model that predicts the same."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from ecoc_bench.errors import UserError
from ecoc_bench.models.file import load
from ecoc_bench.trying import work
from ecoc_bench.trying.candidates import CANDIDATES, Size, chosen, estimated


@pytest.fixture(scope="module")
def few(iris):
    """Two thirds of iris, the rest to be scored."""
    rows = np.arange(len(iris.y))
    work.receive(iris, sys.path)
    return rows[rows % 3 > 0], rows[rows % 3 == 0]


@pytest.mark.parametrize("name", CANDIDATES)
def test_a_candidate_scores_held_out_rows_and_its_file_scores_them_alike(name, few, iris, tmp_path):
    train, test = few
    found = work.fit_part(CANDIDATES[name], train, test, 0)
    assert found.scores.shape == (len(test), 3)
    assert np.isfinite(found.scores).all()
    error = (found.scores.argmax(axis=1) != iris.y[test]).mean()
    assert error < 0.25 if name != "prior" else error > 0.5
    path = tmp_path / "model.ecoc"
    facts = {"target": "species"}
    size = work.fit_whole(CANDIDATES[name], train, 0, 1.0, facts, None, path)
    assert size == path.stat().st_size
    assert np.allclose(load(path).scores(iris.X[test]), found.scores, rtol=1e-9, atol=1e-9)


def test_a_class_that_a_training_part_lacks_is_never_the_highest(iris):
    work.receive(iris, sys.path)
    two = np.flatnonzero(iris.y != 1)
    scores = work.fit_part(CANDIDATES["ridge"], two, np.arange(150), 0).scores
    assert scores.shape == (150, 3)
    assert (scores.argmax(axis=1) != 1).all()


def test_two_classes_leave_out_what_would_be_the_same_twice():
    names = [one.name for one in chosen((), 2)]
    assert "linear_pairs" not in names
    assert "svm_ova" not in names
    assert names[0] == "prior"
    assert [one.name for one in chosen(("ridge", "prior"), 2)] == ["prior", "ridge"]
    with pytest.raises(UserError, match="Did you mean 'forest'"):
        chosen(("forrest",), 3)


def test_more_rows_cost_more(iris):
    for one in CANDIDATES.values():
        costs = [estimated(one, Size(n, 10, 5), 6) for n in (100, 10_000, 1_000_000)]
        assert costs == sorted(costs)


def test_the_same_rows_and_seed_give_the_same_scores(iris):
    work.receive(replace(iris), sys.path)
    rows = np.arange(0, 150, 2)
    first, again = (work.fit_part(CANDIDATES["forest"], rows, rows, 7).scores for _ in range(2))
    assert (first == again).all()
