"""bounds.csv of a run, read back."""

import pandas as pd
import pytest
from fits import write_bounds
from runs import copied

from ecoc_bench.coding import boosting_margins
from ecoc_bench.errors import UserError
from ecoc_bench.results.bound_tables import bound_blocks
from ecoc_bench.results.bounds import margin_distributions
from ecoc_bench.results.catalogue import FILES, SECTION5
from ecoc_bench.results.run import Run


def test_margin_distributions_rise_from_the_lowest_to_the_highest_margin(tmp_path):
    write_bounds(tmp_path)
    table = margin_distributions(pd.read_csv(tmp_path / "bounds.csv"))
    assert list(table.columns) == ["dataset", "learner", "code", "stage", "share", "margin"]
    curves = table.groupby(["code", "stage"], sort=False)
    assert list(curves.indices) == [
        ("ova", 50),
        ("ova", 500),
        ("all_pairs", 50),
        ("all_pairs", 500),
    ]
    for _, curve in curves:
        assert curve["share"].tolist() == [percent / 100 for percent in boosting_margins.QUANTILES]
        assert curve["margin"].is_monotonic_increasing
        assert curve["margin"].between(-1, 1).all()
    means = pd.read_csv(tmp_path / "bounds.csv").groupby(["code", "stage"])["margin_50"].mean()
    middle = table[table["share"] == 0.5].set_index(["code", "stage"])["margin"]
    assert middle["ova", 500] == pytest.approx(means["ova", 500])


def test_a_learner_without_section_5_margins_has_no_distribution(tmp_path):
    write_bounds(tmp_path, "svm", "hinge")
    assert margin_distributions(pd.read_csv(tmp_path / "bounds.csv")).empty


def test_a_bounds_csv_of_an_earlier_version_lacks_section_5_and_is_read(tmp_path):
    folder = copied("uci_svm", tmp_path)
    write_bounds(folder)
    rows = pd.read_csv(folder / "bounds.csv")
    rows.drop(columns=list(SECTION5)).to_csv(folder / "bounds.csv", index=False)
    read = Run(folder).rows("bounds.csv")
    assert tuple(read.columns) == FILES["bounds.csv"].columns
    assert read[list(SECTION5)].isna().all(axis=None)
    assert [block.head[3] for block in bound_blocks(read)] == ["Loss-based"]
    assert [block.head[3] for block in bound_blocks(rows)] == ["Loss-based", "Median margin"]


@pytest.mark.parametrize("content", ["", "dataset,learner\nglass,svm\n"])
def test_a_damaged_bounds_csv_is_named(tmp_path, content):
    folder = copied("uci_svm", tmp_path)
    (folder / "bounds.csv").write_text(content)
    with pytest.raises(UserError, match=r"bounds.csv: (cannot be read|no column)"):
        Run(folder).rows("bounds.csv")
