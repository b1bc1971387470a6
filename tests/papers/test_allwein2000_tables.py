"""Table 1 of Allwein et al. 2000 next to the sizes of a run."""

from runs import REFERENCE, copied

from ecoc_bench.papers.allwein2000.table1 import table1, tables
from ecoc_bench.results.run import Run


def test_table_1_sets_our_sizes_next_to_the_papers():
    table = table1(Run(REFERENCE / "uci_adaboost")).set_index(["dataset", "quantity"])
    assert len(table) == 12 * 4  # all but isolet
    assert table.loc["letter", "ours"].tolist() == [16000, 4000, 16, 26]
    assert table.loc[("dermatology", "train")].tolist() == [366, 366]
    differ = table[table["ours"].fillna(-1) != table["paper"].fillna(-1)]
    assert sorted(differ.index) == [
        ("audiology", "test"),
        ("audiology", "train"),
        ("ecoli", "attributes"),
        ("glass", "classes"),
    ]


def test_the_sizes_of_a_run_with_missing_folds_are_those_of_its_data(tmp_path):
    folder = copied("uci_adaboost", tmp_path, lambda r: r["fold"] == 0)
    table = table1(Run(folder)).set_index(["dataset", "quantity"])
    assert table.loc[("glass", "train"), "ours"] == 214
    assert table.loc[("glass", "test")].isna().all()


def test_what_differs_is_marked_and_explained():
    [(name, text)] = tables(Run(REFERENCE / "uci_svm"))
    shown = text("terminal")
    assert name == "table1"
    assert "paper 7" in shown
    assert "a kind of glass that has no rows" in shown
    assert "audiology" not in shown
    assert text("csv").startswith("dataset,quantity,ours,paper")


def test_a_run_of_another_paper_has_no_table_1(tmp_path):
    assert list(tables(Run(copied("uci_svm", tmp_path, paper=None)))) == []
