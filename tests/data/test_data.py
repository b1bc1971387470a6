"""Cards against their files and the papers' tables."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from ecoc_bench.data.cards import (
    card_names,
    load,
    load_if_here,
    locate,
    read_bytes,
    read_card,
)
from ecoc_bench.data.sparse import is_sparse
from ecoc_bench.errors import DataError
from ecoc_bench.files import PACKAGE

NAMES = card_names()
BUNDLED = [name for name in NAMES if not read_card(name).sources]

# name: rows, (train, test), numeric, nominal, classes, empty cells
FACTS = {
    "aloi": (108000, None, 128, 0, 1000, 0),
    "anneal": (898, (798, 100), 6, 32, 5, 22175),
    "audiology": (226, (200, 26), 0, 69, 24, 317),
    "car": (1728, None, 0, 6, 4, 0),
    "dermatology": (366, None, 34, 0, 6, 8),
    "dermatology358": (358, None, 34, 0, 6, 0),
    "ecoli": (336, None, 7, 0, 8, 0),
    "emotions": (593, None, 72, 0, 6, 0),
    "glass": (214, None, 9, 0, 6, 0),
    "han": (15000, (11000, 4000), 256, 0, 1000, 0),
    "imageseg": (2310, (210, 2100), 19, 0, 7, 0),
    "isolet": (7797, (6238, 1559), 617, 0, 26, 0),
    "isolet_part": (3119, (1560, 1559), 617, 0, 26, 0),
    "letter": (20000, (16000, 4000), 16, 0, 26, 0),
    "optdigits": (5620, (3823, 1797), 64, 0, 10, 0),
    "pendigits": (10992, (7494, 3498), 16, 0, 10, 0),
    "satimage": (6435, (4435, 2000), 36, 0, 6, 0),
    "sector": (9619, (6412, 3207), 55197, 0, 105, 0),
    "segmentation": (2310, None, 19, 0, 7, 0),
    "soybean": (683, (307, 376), 0, 35, 19, 2337),
    "thyroid": (9172, None, 7, 22, 20, 14629),
    "usps": (9298, (7291, 2007), 256, 0, 10, 0),
    "vowel": (990, (528, 462), 10, 0, 11, 0),
    "yeast": (1484, None, 8, 0, 10, 0),
}
COUNTED = {"aloi", "sector"}  # no checksum is published
# Table 1 of each paper: rows, test rows, attributes, classes.
ALLWEIN = {
    "dermatology": (366, 0, 34, 6),
    "satimage": (4435, 2000, 36, 6),
    "glass": (214, 0, 9, 7),
    "segmentation": (2310, 0, 19, 7),
    "ecoli": (336, 0, 8, 8),
    "pendigits": (7494, 3498, 16, 10),
    "yeast": (1484, 0, 8, 10),
    "vowel": (528, 462, 10, 11),
    "soybean": (307, 376, 35, 19),
    "thyroid": (9172, 0, 29, 20),
    "audiology": (226, 0, 69, 24),
    "isolet": (6238, 1559, 617, 26),
    "letter": (16000, 4000, 16, 26),
}
PASSERINI = {
    "anneal": (898, 5, 38),
    "ecoli": (336, 8, 7),
    "glass": (214, 6, 9),
    "letter": (20000, 26, 16),
    "optdigits": (5620, 10, 64),
    "pendigits": (10992, 10, 16),
    "satimage": (6435, 6, 36),
    "segmentation": (2310, 7, 19),
    "soybean": (683, 19, 35),
    "yeast": (1484, 10, 8),
}
SUN = {"car": 1728, "imageseg": 2310, "letter": 20000, "pendigits": 10992, "usps": 9298}


def present(name):
    if locate(read_card(name)) is None:
        pytest.skip(f"{name} is not fetched and not in ECOC_BENCH_DATA")
    return load(name)


def test_there_is_a_card_for_each_of_the_24_sets():
    assert sorted(FACTS) == NAMES
    assert len(BUNDLED) == 16


@pytest.mark.parametrize("name", NAMES)
def test_a_card_states_the_facts(name):
    card = read_card(name)
    rows, split, numeric, nominal, classes, missing = FACTS[name]
    assert (card.rows, card.attributes, card.classes) == (rows, numeric + nominal, classes)
    assert card.missing_cells == missing
    assert (card.split and (card.split["train"], card.split["test"])) == split
    assert len(card.sha256 or card.sha256_test) == 64 or name in COUNTED
    assert card.is_counted == (name in COUNTED)
    assert card.format == ("svmlight" if name == "sector" else "csv")
    assert all((card.title, card.source, card.licence, card.citation, card.notes))
    assert card.home.startswith("https://")


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name != "isolet" or locate(read_card(name))]
)
def test_a_file_agrees_with_its_card(name):
    data = present(name)
    rows, split, numeric, nominal, classes, missing = FACTS[name]
    assert data.X.shape == (rows, numeric + nominal)
    assert data.X.dtype == np.float64
    assert data.y.dtype == np.int64
    assert data.nominal.sum() == nominal
    in_y = classes if data.sets is None else len(data.sets)
    assert np.array_equal(np.unique(data.y), np.arange(in_y))
    assert data.n_classes == classes
    raw = read_bytes(locate(read_card(name)))
    cells = [line.split(b",") for line in raw.splitlines()]
    assert sum(cell == b"" for row in cells for cell in row) == missing
    cells = data.X.data if is_sparse(data.X) else data.X
    assert np.isnan(cells).sum() == (0 if name == "anneal" else missing)
    assert data.sha256 == hashlib.sha256(raw).hexdigest()
    found = data.train if data.train is None else (data.train.sum(), (~data.train).sum())
    assert found == split


def test_allwein_table_1_but_for_glass_and_ecoli():
    assert {n for n in NAMES if "allwein2000" in read_card(n).papers} == set(ALLWEIN)
    for name, (rows, test, attributes, classes) in ALLWEIN.items():
        card = read_card(name)
        assert card.rows == rows + test
        if card.split and name != "audiology":
            assert card.split["test"] == test
        # The paper counts the sequence name of ecoli and the empty class of glass.
        assert card.attributes == attributes - (name == "ecoli")
        assert card.classes == classes - (name == "glass")


def test_passerini_table_1():
    assert {n for n in NAMES if "passerini2004" in read_card(n).papers} == set(PASSERINI)
    for name, facts in PASSERINI.items():
        card = read_card(name)
        assert (card.rows, card.classes, card.attributes) == facts


def test_sun_table_1():
    assert {n for n in NAMES if "sun2005" in read_card(n).papers} == set(SUN)
    assert {name: read_card(name).rows for name in SUN} == SUN


def test_classes_are_sorted_numerically_if_all_are_numbers():
    assert load("vowel").classes == tuple(str(i) for i in range(11))
    assert load("satimage").classes == ("1", "2", "3", "4", "5", "7")
    assert load("car").classes == ("acc", "good", "unacc", "vgood")


def test_an_empty_cell_of_anneal_is_a_value():
    data = load("anneal")
    assert data.categories[data.columns.index("m")] == ("",)
    assert data.categories[data.columns.index("bore")] == ("0", "500", "600")
    assert data.categories[data.columns.index("carbon")] is None
    assert "" in data.categories[data.columns.index("formability")]


def test_a_missing_cell_of_soybean_is_missing():
    data = load("soybean")
    assert all("" not in values for values in data.categories)
    missing = np.isnan(data.X).any(axis=1)
    assert missing.sum() == 121
    tied = {data.classes[i] for i in data.y[missing]}
    assert len(tied) == 5
    assert "phytophthora-rot" in tied


def test_nominal_codes_index_the_categories():
    data = load("car")
    doors = data.columns.index("doors")
    assert data.categories[doors] == ("2", "3", "4", "5more")
    assert np.array_equal(np.unique(data.X[:, doors]), np.arange(4))


def test_letter_has_380_test_rows_that_occur_in_training():
    data = load("letter")
    rows = np.column_stack([data.X, data.y])
    training = {tuple(row) for row in rows[data.train]}
    assert sum(tuple(row) in training for row in rows[~data.train]) == 380


def test_imageseg_has_all_210_training_rows_in_the_test_part():
    data = present("imageseg")
    rows = np.column_stack([data.X, data.y])
    test = {tuple(row) for row in rows[~data.train]}
    assert sum(tuple(row) in test for row in rows[data.train]) == 210


def test_thyroid_has_the_class_counts_of_the_first_letter():
    data = present("thyroid")
    counts = dict(zip(data.classes, np.bincount(data.y).tolist(), strict=True))
    assert {key: counts[key] for key in "-KGE"} == {"-": 6771, "K": 447, "G": 419, "E": 1}
    missing = dict(zip(data.columns, np.isnan(data.X).sum(axis=0).tolist(), strict=True))
    assert (missing["sex"], missing["TSH"], missing["TBG"]) == (307, 842, 8823)


def test_stand_in_takes_the_name_and_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path))
    monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path)
    data = load_if_here("dermatology")
    assert (data.name, len(data.y)) == ("dermatology", 358)
    assert "358 of 366 rows" in data.note
    with pytest.raises(DataError, match=r"ecoc-bench data fetch dermatology.*ECOC_BENCH_DATA"):
        load("dermatology")


def test_a_stand_in_that_is_not_here_either_is_none(monkeypatch, tmp_path):
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path))
    monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path)
    assert load_if_here("isolet") is None


def test_stand_in_is_not_used_where_the_set_is_there():
    present("dermatology")
    data = load_if_here("dermatology")
    assert (len(data.y), data.note) == (366, "")


def test_an_unknown_name_gets_the_nearest():
    with pytest.raises(DataError, match="Did you mean 'pendigits'"):
        load("pendigit")


def test_a_changed_file_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path))
    path = tmp_path / "thyroid.csv"
    path.write_text("age,class\n1,a\n")
    with pytest.raises(DataError, match=r"thyroid\.csv.*sha256.*data fetch thyroid"):
        load("thyroid")


def test_data_imports_nothing_heavy():
    code = (
        "import sys; from ecoc_bench.data.cards import card_names, locate, read_card;"
        "[locate(read_card(n)) for n in card_names()];"
        "print([m for m in ('sklearn', 'numba', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert run.stdout.strip() == "[]", run.stderr
