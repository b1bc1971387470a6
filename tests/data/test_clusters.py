"""Made clusters of many classes."""

import numpy as np
import pytest

from ecoc_bench.data.clusters import clusters
from ecoc_bench.errors import ConfigError


def made(seed=0, **params):
    return clusters(np.random.default_rng(seed), **params)


def test_a_thousand_classes_have_the_same_number_of_training_rows_each():
    X, y, train = made(classes=1000, per_class=12)
    assert X.shape == (12_000 + 4000, 50)
    assert np.bincount(y[train]).tolist() == [12] * 1000
    assert np.bincount(y[~train]).tolist() == [4] * 1000


@pytest.mark.parametrize(("centres", "fewest", "most"), [(1, 0, 0.1), (4, 0.3, 0.9)])
def test_least_squares_of_one_class_against_the_rest_is_good_around_one_centre_alone(
    centres, fewest, most
):
    X, y, train = made(classes=60, centres=centres, per_class=40)
    A = np.column_stack([X, np.ones(len(X))])
    W = np.linalg.lstsq(A[train], np.eye(60)[y[train]], rcond=None)[0]
    wrong = (A[~train] @ W).argmax(axis=1) != y[~train]
    assert fewest <= wrong.mean() <= most


@pytest.mark.parametrize("centres", [1, 4])
def test_the_nearest_centre_is_nearly_always_that_of_the_class(centres):
    X, y, train = made(classes=30, centres=centres, per_class=40 * centres)
    centre = np.concatenate([np.arange(train.sum()), np.arange((~train).sum())]) // 30 % centres
    place = y + 30 * centre
    means = np.array([X[train & (place == p)].mean(axis=0) for p in range(30 * centres)])
    far = ((X[~train][:, None] - means) ** 2).sum(axis=2)
    assert (far.argmin(axis=1) % 30 != y[~train]).mean() < 0.05


def test_the_generator_decides_the_rows():
    first, again, other = (made(seed, classes=5)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    "params",
    [{"classes": 1}, {"classes": 3, "centres": 30}, {"classes": 3, "spread": 0},
     {"classes": 3, "dimensions": 2.5}],
)  # fmt: skip
def test_what_makes_no_clusters_is_refused(params):
    with pytest.raises(ConfigError, match="must be a"):
        made(**params)
