"""Sun et al. 2005: its tables as data, and Tables 1 and 2 of runs made up."""

import pandas as pd
from judged import text_of
from runs_sun2005 import DATABASES, ECC, LEVELS, OC, SECC, boosted

from ecoc_bench.papers.sun2005.experiment import choices
from ecoc_bench.papers.sun2005.tables import table1, table2
from ecoc_bench.published import load_paper, load_table
from ecoc_bench.report.tables import write_further_tables
from ecoc_bench.results.run import Run

# Typed from the printed page, one line after the other: noise, ECC, SECC, T* (if any), OC.
TABLE_3 = """
Cars 0 5.5 5.5 7.3
Cars 10 12.5 12.5 13.3
Cars 20 20.8 17.0 (70) 20.0
Cars 30 30.2 22.9 (90) 28.3
Images 0 4.5 4.2 4.5
Images 10 8.6 7.6 (70) 8.4
Images 20 15.1 11.5 (160) 14.0
Images 30 22.5 18.2 (150) 22.9
Letters 0 9.3 8.0 8.3
Letters 10 28.2 13.4 19.8
Letters 20 35.6 16.9 24.9
Letters 30 41.9 23.3 31.5
PenDigits 0 12.9 12.9 13.9
PenDigits 10 15.2 14.7 14.8
PenDigits 20 17.7 16.3 17.1
PenDigits 30 21.7 19.2 19.4
USPS 0 6.3 6.2 6.5
USPS 10 7.3 6.6 6.9
USPS 20 9.7 7.5 7.9
USPS 30 12.4 8.7 9.1
"""


def test_table_3_and_its_t_stars_are_those_of_print():
    table, paper = load_table("sun2005.table3"), load_paper("sun2005")
    assert table.title == "Sun et al. 2005, Table 3"
    assert list(table.datasets) == [f"{d}@{noise}" for d in DATABASES for noise in LEVELS]
    names = {name: database for database, name in paper["names"].items()}
    for dataset, line in zip(table.datasets, TABLE_3.split("\n")[1:-1], strict=True):
        name, percent, ecc, secc, *stop, oc = line.split()
        assert dataset == f"{names[name]}@{int(percent) / 100:g}"
        errors = [table.error(dataset, code, "joint") for code in (ECC, SECC, OC)]
        assert errors == [float(ecc), float(secc), float(oc)]
        steps = paper["steps"]["rows"][names[name]][int(percent) // 10]
        assert steps == (int(stop[0].strip("()")) if stop else 500)


def test_tables_1_and_2_have_the_totals_of_print():
    paper = load_paper("sun2005")
    assert [sum(column) for column in zip(*paper["datasets"]["rows"].values(), strict=True)] == [
        865 + 210 + 8039 + 5621 + 6931,
        286 + 210 + 3976 + 1873 + 360,
        577 + 1890 + 7985 + 3498 + 2007,
    ]
    eta = paper["shrinkage"]
    assert list(eta["rows"]) == DATABASES
    assert [round(sum(row), 2) for row in eta["rows"].values()] == [2.1, 0.65, 0.35, 2.2, 0.95]
    assert [round(sum(c), 2) for c in zip(*eta["rows"].values(), strict=True)] == [
        *[3.2, 1.95, 0.7, 0.4]
    ]
    assert {value for row in eta["rows"].values() for value in row} == set(eta["grid"])


# Tables 1 and 2


def test_tables_say_how_near_the_choices_are(boosted_run):
    text = text_of(boosted_run)
    assert "13 of 15 sizes are the paper's" in text
    run = Run(boosted_run)
    chosen = choices(run)["eta"]
    grid = [1, 0.5, 0.35, 0.2, 0.05]
    printed = load_paper("sun2005")["shrinkage"]["rows"]
    steps = [
        abs(grid.index(chosen[f"{d}@{noise}"]) - grid.index(printed[d][i]))
        for d in DATABASES
        for i, noise in enumerate(LEVELS)
    ]
    near, same = sum(step <= 1 for step in steps), steps.count(0)
    assert 0 < same < near < 20
    joined = " ".join(text.split())
    assert f"The paper's eta in {same} of 20 entries; within one grid step of the" in joined
    assert f"paper's eta in {near} of 20 entries (grid 1, 0.5, 0.35, 0.2, 0.05)" in joined
    assert "0.05 / 20" in text
    assert "paper 0.05 / 70" in text


def test_tables_of_a_run_of_some_sets_have_dashes(tmp_path):
    part = boosted(tmp_path / "part", ["car@0", "letter@0.1"])
    run = Run(part)
    assert table1(run).dropna()["dataset"].unique().tolist() == ["car", "letter"]
    assert table2(run).dropna()["dataset"].unique().tolist() == ["car@0", "letter@0.1"]
    assert "– / –" in text_of(part)
    (part / "selected.csv").unlink()
    assert table2(Run(part))["ours"].isna().all()
    assert "in 0 of 0 entries" in " ".join(text_of(part).split())


def test_tables_are_written_in_three_styles(tmp_path):
    part = boosted(tmp_path / "part", ["car@0", "car@0.2"], chosen={"car@0.2": (ECC, 10)})
    write_further_tables(Run(part))
    assert sorted(p.name for p in (part / "tables").iterdir()) == sorted(
        f"{name}{suffix}" for name in ("table1", "table2") for suffix in (".txt", ".md", ".csv")
    )
    rows = pd.read_csv(part / "tables" / "table2.csv").set_index(["dataset", "quantity"])
    assert rows.loc[("car@0.2", "eta")].tolist() == ["table2", 1, 0.05]
    assert rows.loc[("car@0.2", "steps")].tolist() == ["table2", 10, 70]
    assert "| Cars " in (part / "tables" / "table1.md").read_text()
    sizes = pd.read_csv(part / "tables" / "table1.csv")
    assert sizes["table"].tolist() == ["table1"] * 15
    assert len(rows) == 40
