"""Han characters drawn with fonts, next to the shipped file."""

import numpy as np
import pytest

from ecoc_bench.data import han as module
from ecoc_bench.data.cards import load
from ecoc_bench.data.han import FONTS, TEST_FONTS, han
from ecoc_bench.errors import ConfigError, DataError


@pytest.fixture(scope="module")
def fonts():
    try:
        return module._found()
    except DataError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def data():
    return load("han")


def test_each_character_is_once_in_each_font_and_the_last_fonts_are_for_the_test(data):
    assert np.bincount(data.y).tolist() == [len(FONTS)] * 1000
    assert np.bincount(data.y[~data.train]).tolist() == [TEST_FONTS] * 1000
    assert set(np.unique(data.X)) == set(range(module.LEVELS))


def test_all_characters_are_frequent_in_three_standards(data):
    frequent = [chr(code) for code in range(0x4E00, 0xA000) if module._frequent(chr(code))]
    assert len(frequent) == 1583
    assert set(data.classes) <= {f"U+{ord(character):04X}" for character in frequent}


def test_the_nearest_training_row_has_the_class_of_most_test_rows_but_not_of_all(data):
    X, y = data.X[data.train], data.y[data.train]
    some = np.flatnonzero(~data.train)[::40]
    far = (X**2).sum(axis=1) - 2 * data.X[some] @ X.T
    near = y[far.argmin(axis=1)]
    assert 0.1 < (near != data.y[some]).mean() < 0.5


def test_the_generator_decides_the_drawings_and_their_characters(fonts):
    first, again, other = (han(np.random.default_rng(seed), 5, 12) for seed in (1, 1, 2))
    assert np.array_equal(first[0], again[0])
    assert first[1].tolist() == again[1].tolist() != other[1].tolist()
    assert first[0].shape == (5 * len(FONTS), 144)


def test_the_shipped_file_is_what_the_function_draws(fonts, monkeypatch, data):
    only = dict(list(FONTS.items())[:1])
    monkeypatch.setattr(module, "FONTS", only)
    X, y, _ = han(np.random.default_rng(1000))
    assert [data.classes[i] for i in data.y[:1000]] == y.tolist()
    # Another version of FreeType draws edges a little differently.
    assert np.abs(data.X[:1000] - X).mean() < 0.05


def test_fonts_that_are_not_installed_are_named_with_their_packages(monkeypatch):
    monkeypatch.setattr(module, "FONTS", {"nowhere.ttf": "fonts-nowhere"})
    with pytest.raises(DataError, match=r"nowhere.ttf.*apt-get install fonts-nowhere"):
        han(np.random.default_rng(0), 2)


@pytest.mark.parametrize("params", [{"classes": 1}, {"classes": 1584}, {"size": 97}])
def test_more_characters_or_pixels_than_there_are_are_refused(params):
    with pytest.raises(ConfigError, match="must be a whole number from 2 to"):
        han(np.random.default_rng(0), **params)
