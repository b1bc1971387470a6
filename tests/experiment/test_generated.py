"""Data sets made by a function of the user's own."""

import numpy as np
import pytest

from ecoc_bench.errors import UserError
from ecoc_bench.experiment.config import parse_config
from ecoc_bench.experiment.resolve import load_dataset

PLAIN = {
    "name": "made",
    "learners": ["svm"],
    "codes": ["ova"],
    "decoders": ["hamming"],
}


def specs(tmp_path, *datasets):
    return parse_config({**PLAIN, "datasets": list(datasets)}, "made.yaml", tmp_path).datasets


def blobs(rng, k=3, n=10):
    y = np.repeat(np.arange(k), n)
    return rng.normal(size=(k * n, 2)) + y[:, None], y, np.tile([True, False], k * n // 2)


def test_copies_are_data_sets_of_their_own_that_do_not_change_each_other(tmp_path):
    one, two = specs(tmp_path, {"name": "b", "make": "test_generated:blobs", "copies": 2})
    assert (one.name, two.name) == ("b.1", "b.2")
    first, second = (load_dataset(spec, tmp_path, 5) for spec in (one, two))
    assert first.sha256 != second.sha256
    alone = specs(tmp_path, {"name": "b", "make": "test_generated:blobs", "copies": 1})
    assert load_dataset(alone[0], tmp_path, 5).sha256 == first.sha256
    assert load_dataset(one, tmp_path, 6).sha256 != first.sha256


def test_params_reach_the_function_and_labels_keep_their_order(tmp_path):
    spec = {"name": "b", "make": "test_generated:blobs", "params": {"k": 12, "n": 4}}
    data = load_dataset(specs(tmp_path, spec)[0], tmp_path, 0)
    assert data.classes == tuple(map(str, range(12)))
    assert data.train.sum() == 24
    np.testing.assert_array_equal(data.y, np.repeat(np.arange(12), 4))


def no_tuple(rng):
    return np.ones((4, 2))


def text(rng):
    return [["a"], ["b"]], [0, 1], None


def short(rng):
    return np.ones((4, 2)), [0, 1], None


def infinite(rng):
    return np.full((4, 2), np.inf), [0, 0, 1, 1], None


def all_train(rng):
    return np.ones((4, 2)), [0, 0, 1, 1], np.ones(4, dtype=bool)


def lonely(rng):
    return np.ones((3, 2)), [0, 0, 1], None


def raising(rng):
    raise RuntimeError("no luck")


NOT_CALLABLE = 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        ("no_tuple", "must give .X, y, train.. Got ndarray"),
        ("text", "X must be a matrix of numbers"),
        ("short", "a label for each row"),
        ("infinite", "infinite values"),
        ("all_train", "train must be None, or a boolean for each row"),
        ("lonely", "at least 2 rows"),
        ("raising", "fails: RuntimeError: no luck"),
        ("NOT_CALLABLE", "must be a function"),
        ("absent", "has no 'absent'"),
    ],
)
def test_a_wrong_function_gets_a_sentence(make, message, tmp_path):
    spec = specs(tmp_path, {"name": "b", "make": f"test_generated:{make}"})[0]
    with pytest.raises(UserError, match=message):
        load_dataset(spec, tmp_path, 0)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"name": "b", "make": "test_generated:blobs", "path": "b.csv"}, "exclude each other"),
        ({"name": "b", "make": "blobs"}, "must be an import path"),
        ({"name": "b", "make": "m:f", "target": "x"}, "'target' goes with a 'path'"),
        ({"name": "b", "make": "m:f", "copies": 0}, "1 to 1000"),
        ({"name": "b", "path": "b.csv", "copies": 2}, "'copies' goes with a 'make'"),
        ({"name": "glass", "params": {"k": 2}}, "'params' goes with a 'make'"),
    ],
)
def test_keys_that_do_not_go_together_are_refused(spec, message, tmp_path):
    with pytest.raises(UserError, match=message):
        specs(tmp_path, spec)
