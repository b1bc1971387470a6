"""The transcription of the papers' tables, against totals summed from the printed pages."""

import pytest

from ecoc_bench.coding.codes import CODES
from ecoc_bench.errors import UserError
from ecoc_bench.joint import METHODS
from ecoc_bench.published import load_paper, load_table, table_names

CODE_ORDER = {
    "allwein2000": ["ova", "complete", "all_pairs", "dense", "sparse"],
    "sun2005": ["adaboost_ecc", "adaboost_secc", "adaboost_oc"],
}
TABLES = {name: load_table(name) for name in table_names()}

# Column totals of each printed block, in print order.
COLUMN_TOTALS = {
    ("allwein2000.table2", "hamming"): [273.1, 175.9, 198.1, 261.0, 250.3],
    ("allwein2000.table2", "l1"): [216.2, 175.0, 195.9, 250.5, 247.9],
    ("allwein2000.table2", "exponential"): [214.7, 164.6, 196.2, 242.6, 229.9],
    ("allwein2000.table3", "hamming"): [257.2, 163.8, 212.7, 176.1, 186.4],
    ("allwein2000.table3", "loss"): [246.2, 159.6, 169.1, 170.1, 169.5],
    ("sun2005.table3", "joint"): [337.9, 253.1, 298.8],
}
# Row totals of the same blocks, in print order.
ROW_TOTALS = {
    ("allwein2000.table2", "hamming"): [
        *[19.8, 64.4, 146.3, 0.3, 96.4, 36.0, 222.5, 293.9, 30.8, 28.2, 96.2, 30.1, 93.5]
    ],
    ("allwein2000.table2", "l1"): [
        *[19.0, 59.5, 138.1, 0.9, 91.3, 31.7, 219.2, 282.9, 29.0, 26.5, 84.6, 25.2, 77.6]
    ],
    ("allwein2000.table2", "exponential"): [
        *[18.5, 59.8, 137.1, 0.0, 85.3, 27.6, 218.3, 272.5, 26.4, 25.1, 80.7, 24.4, 72.3]
    ],
    ("allwein2000.table3", "hamming"): [17.0, 148.0, 168.6, 73.3, 37.2, 247.7, 256.3, 48.1],
    ("allwein2000.table3", "loss"): [17.5, 110.2, 171.6, 72.6, 12.3, 241.2, 239.9, 49.2],
    ("sun2005.table3", "joint"): [
        *[18.3, 38.3, 57.8, 81.4, 13.2, 24.6, 40.6, 63.6, 25.6, 61.4, 77.4, 96.7],
        *[39.7, 44.7, 51.1, 60.3, 19.0, 20.8, 25.1, 30.2],
    ],
}
# Dashes per block: complete from soybean on; in Table 2 also all-pairs of thyroid and isolet.
DASHES = {"allwein2000.table2": 5 + 2, "allwein2000.table3": 1, "sun2005.table3": 0}
ENTRIES = {
    "allwein2000.table2": 3 * 13 * 5,
    "allwein2000.table3": 2 * 8 * 5,
    "sun2005.table3": 5 * 4 * 3,
}


def codes_of(table):
    return CODE_ORDER[table.name.partition(".")[0]]


def total(errors):
    return round(sum(error for error in errors if error is not None), 1)


@pytest.mark.parametrize(("name", "decoder"), COLUMN_TOTALS)
def test_block_has_the_column_totals_of_print(name, decoder):
    table = TABLES[name]
    totals = [
        total(table.error(d, code, decoder) for d in table.datasets) for code in codes_of(table)
    ]
    assert totals == COLUMN_TOTALS[name, decoder]


@pytest.mark.parametrize(("name", "decoder"), ROW_TOTALS)
def test_block_has_the_row_totals_of_print(name, decoder):
    table = TABLES[name]
    totals = [
        total(table.error(d, code, decoder) for code in codes_of(table)) for d in table.datasets
    ]
    assert totals == ROW_TOTALS[name, decoder]


@pytest.mark.parametrize("name", ENTRIES)
def test_table_has_all_entries_and_the_dashes_of_print(name):
    table = TABLES[name]
    assert len(table.entries) == ENTRIES[name]
    for decoder in table.block_titles:
        dashes = [
            key for key, error in table.entries.items() if key[2] == decoder and error is None
        ]
        assert len(dashes) == DASHES[name]


def test_totals_cover_every_block():
    blocks = {(name, decoder) for name, table in TABLES.items() for decoder in table.block_titles}
    assert blocks == set(COLUMN_TOTALS) == set(ROW_TOTALS)


def test_table_1_has_the_totals_of_print():
    table = load_paper("allwein2000")["datasets"]
    columns = dict(zip(table["columns"], zip(*table["rows"].values(), strict=True), strict=True))
    assert {name: total(values) for name, values in columns.items()} == {
        "train": 49110,
        "test": 11895,
        "attributes": 906,
        "classes": 180,
    }
    assert len(table["rows"]) == 13
    assert columns["test"].count(None) == 7


def test_tables_list_the_data_sets_of_table_1_in_its_order():
    order = list(load_paper("allwein2000")["datasets"]["rows"])
    for table in (TABLES["allwein2000.table2"], TABLES["allwein2000.table3"]):
        assert [d for d in order if d in table.datasets] == list(table.datasets)


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_codes_and_notes_use_our_names(table):
    assert list(table.code_titles) == codes_of(table)
    assert set(table.code_titles) <= {*CODES, *METHODS}
    for note in table.notes:
        assert note.dataset is None or note.dataset in table.datasets
        assert set(note.codes) <= set(table.code_titles)
        assert note.text.endswith(".")


def test_every_note_of_a_file_is_of_some_data_set():
    for name, table in TABLES.items():
        paper, _, key = name.partition(".")
        written = {note["text"] for note in load_paper(paper)["tables"][key]["notes"]}
        assert {note.text for note in table.notes} == written


def test_stand_in_is_compared_with_the_set_it_stands_in_for():
    table = TABLES["allwein2000.table3"]
    assert table.error("dermatology358", "sparse", "hamming") == 2.5
    assert table.title == "Allwein et al. 2000, Table 3"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("allwein2000.table33", "'allwein2000.table3'"), ("table2", "Known: allwein2000.table2")],
)
def test_unknown_table_names_the_known_ones(name, hint):
    with pytest.raises(UserError, match=hint):
        load_table(name)


def test_unknown_paper_names_the_known_ones():
    with pytest.raises(UserError, match="Did you mean 'allwein2000'"):
        load_paper("allwein200")
