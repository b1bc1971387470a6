"""Folds, parts and noise: rows dealt out fairly, and labels changed on purpose."""

import numpy as np
import pytest

from ecoc_bench.data.cards import load
from ecoc_bench.errors import ConfigError
from ecoc_bench.experiment.config import parse_config
from ecoc_bench.experiment.splits import splits

PARTS = {"train": 5, "validation": 2, "test": 3}


def made(tmp_path, *datasets, **keys):
    """The splits of each data set of an experiment, by its name."""
    config = {"name": "n", "datasets": list(datasets), "methods": ["adaboost_ecc"], **keys}
    experiment = parse_config(config, "made.yaml", tmp_path)
    return {
        spec.name: splits(load(spec.of or spec.name), spec, experiment)
        for spec in experiment.datasets
    }


@pytest.mark.parametrize("folds", [2, 3, 10])
def test_every_row_is_tested_once_in_each_repeat_and_never_trained_on_then(folds, tmp_path):
    found = made(tmp_path, "glass", evaluation={"folds": folds, "repeats": 2})["glass"]
    assert [(s.repeat, s.fold) for s in found] == [(r, f) for r in range(2) for f in range(folds)]
    for repeat in range(2):
        mine = [s for s in found if s.repeat == repeat]
        tested = np.concatenate([s.test for s in mine])
        np.testing.assert_array_equal(np.sort(tested), np.arange(214))
        for s in mine:
            both = np.concatenate([s.train, s.test])
            np.testing.assert_array_equal(np.sort(both), np.arange(214))
            assert len(s.validation) == 0
    assert (found[0].test[:20] != found[folds].test[:20]).any()


def test_equal_folds_leave_some_rows_untested_and_train_on_them_always(tmp_path):
    """Glass has 214 rows; all errors on it that Allwein et al. print are multiples of 1/210."""
    how = {"folds": 10, "equal_folds": True}
    found = made(tmp_path, "glass", evaluation=how)["glass"]
    assert [len(s.test) for s in found] == [21] * 10
    tested = np.sort(np.concatenate([s.test for s in found]))
    assert len(np.unique(tested)) == 210
    for s in found:
        both = np.concatenate([s.train, s.test])
        np.testing.assert_array_equal(np.sort(both), np.arange(214))
    counts = np.array([np.bincount(load("glass").y[s.test], minlength=6) for s in found])
    assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()
    assert len(set(load("glass").y[np.setdiff1d(np.arange(214), tested)])) > 1  # drawn from all


def test_equal_folds_are_the_plain_ones_where_no_row_is_left_over(tmp_path):
    plain, equal = (
        made(tmp_path, "segmentation", evaluation={"folds": 10, "equal_folds": equal})
        for equal in (False, True)
    )
    for a, b in zip(plain["segmentation"], equal["segmentation"], strict=True):
        np.testing.assert_array_equal(a.test, b.test)


def test_small_classes_are_spread_over_the_folds(tmp_path):
    found = made(tmp_path, "yeast", evaluation={"folds": 10})["yeast"]
    y = load("yeast").y
    counts = np.array([np.bincount(y[s.test], minlength=10) for s in found])
    assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()
    assert counts.sum(axis=1).max() - counts.sum(axis=1).min() <= 1


def test_the_original_split_is_taken_unless_the_config_says_no(tmp_path):
    data = load("vowel")
    [split] = made(tmp_path, "vowel")["vowel"]
    np.testing.assert_array_equal(split.train, np.flatnonzero(data.train))
    np.testing.assert_array_equal(split.test, np.flatnonzero(~data.train))
    how = {"folds": 3, "original_split": False}
    assert len(made(tmp_path, "vowel", evaluation=how)["vowel"]) == 3


def test_the_seed_decides_the_rows_and_other_data_sets_do_not(tmp_path):
    alone = made(tmp_path, "glass", seed=1)["glass"]
    beside = made(tmp_path, "ecoli", "glass", "vowel", seed=1)["glass"]
    other = made(tmp_path, "glass", seed=2)["glass"]
    for a, b in zip(alone, beside, strict=True):
        np.testing.assert_array_equal(a.test, b.test)
    assert not any(np.array_equal(a.test, b.test) for a, b in zip(alone, other, strict=True))


def test_parts_are_disjoint_whole_and_alike_in_every_class(tmp_path):
    found = made(tmp_path, "glass", parts=PARTS, evaluation={"repeats": 2})["glass"]
    y = load("glass").y
    for split in found:
        parts = split.train, split.validation, split.test
        np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(214))
        for r, n in enumerate(np.bincount(y)):
            shares = [(y[part] == r).sum() / n for part in parts]
            np.testing.assert_allclose(shares, [0.5, 0.2, 0.3], atol=1 / n)
    assert (found[0].train[:50] != found[1].train[:50]).any()


def test_a_validation_part_can_be_taken_from_the_original_training_part(tmp_path):
    data = load("vowel")
    [split] = made(tmp_path, "vowel", parts={"validation": 0.25, "of": "train"})["vowel"]
    assert len(split.validation) == 132  # a quarter of 48 examples of each of 11 classes
    np.testing.assert_array_equal(split.test, np.flatnonzero(~data.train))
    both = np.concatenate([split.train, split.validation])
    np.testing.assert_array_equal(np.sort(both), np.flatnonzero(data.train))


def test_noise_changes_its_share_of_training_and_validation_labels_and_no_test_label(tmp_path):
    vowel = {"name": "vowel", "parts": {"validation": 0.25, "of": "train"}}
    found = made(tmp_path, "glass", vowel, parts=PARTS, noise=[0, 0.2])
    for name in ("glass", "vowel"):
        y = load(name).y
        clean, split = found[f"{name}@0"][0], found[f"{name}@0.2"][0]
        for part in ("train", "validation", "test"):
            np.testing.assert_array_equal(getattr(clean, part), getattr(split, part))
        np.testing.assert_array_equal(clean.labels, y)
        for part in (split.train, split.validation):
            assert (split.labels[part] != y[part]).sum() == round(0.2 * len(part))
        np.testing.assert_array_equal(split.labels[split.test], y[split.test])
        assert set(split.labels) == set(y)


def test_a_higher_level_of_noise_keeps_what_a_lower_one_has_changed(tmp_path):
    found = made(tmp_path, "glass", parts=PARTS, noise=[0.1, 0.3])
    low, high = found["glass@0.1"][0].labels, found["glass@0.3"][0].labels
    changed = low != load("glass").y
    assert changed.any()
    np.testing.assert_array_equal(low[changed], high[changed])
    assert (high != low).any()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"evaluation": {"folds": 77}}, "evaluation.folds is 77, but the largest class of 'glass'"),
        ({"parts": {"validation": 0.5, "of": "train"}}, "'glass' has no original split"),
        ({"parts": {"train": 1, "test": 1e-5}}, "parts leave 'glass' no test rows"),
    ],
)
def test_rows_that_cannot_be_dealt_out_so_are_refused(keys, message, tmp_path):
    with pytest.raises(ConfigError, match=message):
        made(tmp_path, "glass", **keys)
