"""The committed runs of Sun et al. 2005 and Passerini et al. 2004: what we say of them holds."""

import pandas as pd
import pytest
from runs import REFERENCE, committed

from ecoc_bench.data.cards import locate, read_card
from ecoc_bench.experiment.config import find_config
from ecoc_bench.papers.sun2005.tables import GRID, table2
from ecoc_bench.results.run import Run

SUN = REFERENCE / "sun_table3"


def test_table_3_of_sun_is_as_near_to_the_paper_as_we_say():
    table = Run(SUN).summary()
    databases = table["dataset"].str.partition("@")[0]
    assert len(table) == 60
    near = table[databases != "pendigits"]
    assert near["difference"].abs().mean() <= 1.5
    assert table[databases == "pendigits"]["difference"].between(-3, 0).all()


def test_the_chosen_eta_is_near_the_papers():
    table = table2(Run(SUN)).query("quantity == 'eta'")
    steps = [
        abs(GRID.index(ours) - GRID.index(paper))
        for ours, paper in zip(table["ours"], table["paper"], strict=True)
    ]
    assert len(steps) == 20
    assert sum(step <= 1 for step in steps) >= 14


def test_letters_at_10_percent_noise_are_halved_by_shrinkage():
    table = Run(SUN).summary().query("dataset == 'letter@0.1'").set_index("code")
    assert table["error"]["adaboost_secc"] < 0.55 * table["error"]["adaboost_ecc"]


@pytest.mark.parametrize(
    ("dataset", "code"), [("car@0.2", "adaboost_ecc"), ("imageseg@0.1", "adaboost_secc@0.05")]
)
def test_cells_of_sun_run_again_are_the_committed_rows(dataset, code, config, command, tmp_path):
    """Two of the ten repeats: each is drawn and fitted by itself."""
    if locate(read_card(dataset.partition("@")[0])) is None:
        pytest.skip(f"{dataset.partition('@')[0]} is not fetched")
    shipped = find_config("sun_table3").read_text()
    path = config(shipped.replace("evaluation: {repeats: 10}", "evaluation: {repeats: 2}"))
    only = ["--only", f"dataset={dataset}", "--only", f"code={code}"]
    assert command("run", path, *only, "--out", tmp_path / "out").exit_code == 0
    again = pd.read_csv(tmp_path / "out" / "results.csv")
    before = committed("sun_table3").query("dataset == @dataset and code == @code and repeat < 2")
    pd.testing.assert_frame_equal(again, before.reset_index(drop=True))
