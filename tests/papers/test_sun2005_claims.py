"""Claims of Sun et al. 2005 on its own numbers, and on rows and runs made up."""

import numpy as np
import pandas as pd
import pytest
from cases_sun2005 import areas, everywhere, rows_of
from judged import NOT, NOT_ENOUGH, REPRODUCED
from runs import reconfigured
from runs_sun2005 import ECC, OC, SECC, STAGES, boosted, curve, told_of, train_curve

from ecoc_bench.papers.claims import judge
from ecoc_bench.papers.sun2005.claims import CLAIMS, SCOPES
from ecoc_bench.papers.sun2005.experiment import average, experiment
from ecoc_bench.results.run import Run


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_without_its_entries_is_not_judged(name):
    rows = rows_of()
    for kept in (rows["database"].isin(["pendigits", "usps"]), rows["code"] == OC):
        assert CLAIMS[name].judge(rows[kept]).verdict == NOT_ENOUGH


def test_a_run_without_usps_is_enough():
    rows = rows_of(train=areas(everywhere))
    for claim in CLAIMS.values():
        claim.judge(rows[rows["database"] != "usps"])


def test_secc_with_eta_1_is_not_blamed_for_being_ecc():
    rows = rows_of(train=areas(everywhere, slow=OC), shrunk=False)
    assert CLAIMS["ecc_trains_fastest"].judge(rows).verdict == REPRODUCED
    assert CLAIMS["secc_trains_slowest"].judge(rows).evidence.startswith("eta* = 1 on Letters")


def test_what_the_paper_prints_supports_what_it_says_of_table_3():
    own = SCOPES["section4"].own
    for name in CLAIMS:
        if name in ("letters_halved",) or (name.endswith("_noise") and "slower" not in name):
            assert CLAIMS[name].judge(own).verdict == REPRODUCED, name
        else:
            assert CLAIMS[name].judge(own).evidence.startswith("only 0 of")
    assert CLAIMS["letters_halved"].judge(own).evidence == (
        "13.4 by SECC, 28.2 by ECC: 47.5 percent of it"
    )


def test_the_interval_of_one_database_is_students():
    from scipy.stats import ttest_1samp

    values = np.random.default_rng(0).normal(1, 2, 10)
    index = pd.MultiIndex.from_product(
        [["car"], [0.1], range(10)], names=["database", "noise", "repeat"]
    )
    found = average(pd.Series(values, index))
    expected = ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.lo, found.hi) == pytest.approx((expected.low, expected.high))
    assert np.isnan(average(pd.Series(values[:1], index[:1])).lo)


def test_secc_is_the_method_that_it_chose_at_its_own_stage(boosted_run):
    rows = experiment(Run(boosted_run)).set_index(["dataset", "code", "repeat"])
    assert len(rows) == 20 * 3 * 3
    stopped = rows.loc[("car@0.2", SECC, 1)]
    assert stopped["error"] == pytest.approx(curve(f"{SECC}@0.05", 0.2, 20) + 0.1, abs=0.01)
    assert stopped["last"] == pytest.approx(curve(f"{SECC}@0.05", 0.2, 50) + 0.1, abs=0.01)
    area = np.mean([train_curve(f"{SECC}@0.05", 0.2, stage) for stage in STAGES])
    assert stopped["train"] == pytest.approx(area)
    assert not rows.loc["car@0", "shrunk"].any()
    assert rows.loc[("car@0", SECC), "train"].tolist() == rows.loc[("car@0", ECC), "train"].tolist()


def test_a_method_that_lacks_a_run_is_left_out_of_the_data_set(boosted_run):
    run = Run(boosted_run)
    gone = run.results.eval("dataset == 'usps@0' and code == @OC and repeat == 2")
    run.results = run.results[~gone]
    rows = experiment(run).dropna()
    assert set(rows.loc[rows["dataset"] == "usps@0", "code"]) == {ECC, SECC}
    found = {v.name: v.evidence for v in judge(run)}
    assert found["ecc_better_without_noise"].endswith("; missing: USPS")
    assert "missing" not in found["oc_better_with_noise"]  # it is not about 0%
    assert "missing" not in found["secc_slower_with_noise"]  # it is not about OC
    run.results = run.results.query("not (dataset == 'usps@0' and code == @ECC and repeat == 1)")
    found = {v.name: v.evidence for v in judge(run)}
    assert found["secc_slower_with_noise"].endswith(
        "; missing: USPS with 0%; runs without all noise levels left out: USPS"
    )


def test_runs_that_no_method_has_are_named(boosted_run):
    run = Run(boosted_run)
    run.results = run.results.query("not (dataset == 'letter@0.1' and repeat == 2)")
    found = {v.name: v.evidence for v in judge(run)}
    for name in ("secc_best_with_noise", "letters_halved"):
        assert found[name].endswith("; runs left out: 1 of 3 on Letters at 10%")
    assert "runs left out" not in found["ecc_better_without_noise"]
    run.results = run.results.query("dataset != 'car@0.2'")
    assert (
        "; missing: Cars with 20%"
        in {v.name: v.evidence for v in judge(run)}["early_stopping_helps"]
    )


def test_entries_in_which_secc_is_ecc_are_named():
    rows = rows_of(train=areas(everywhere))
    rows.loc[(rows["database"] == "car") & (rows["noise"] == 0), "shrunk"] = False
    found = CLAIMS["secc_trains_slowest"].judge(rows)
    assert found.evidence.endswith("; left out, since eta* = 1: Cars at 0%")


def test_a_run_is_judged_by_every_claim_beside_the_papers_own_numbers(boosted_run):
    found = {v.name: v for v in judge(Run(boosted_run))}
    assert list(found) == list(CLAIMS)
    assert {v.source for v in found.values()} == {"Sun et al. 2005, Section 4"}
    assert found["ecc_trains_fastest"].verdict == REPRODUCED
    assert found["ecc_trains_fastest"].evidence.startswith("lowest in 20 of 20 entries, on Letters")
    assert found["letters_halved"].paper_verdict == REPRODUCED
    assert found["ecc_better_without_noise"].verdict == REPRODUCED


def test_a_run_without_choices_is_judged_on_the_rest(tmp_path):
    bare = boosted(tmp_path / "bare")
    selected = bare / "selected.csv"
    selected.write_text(selected.read_text().partition("\n")[0] + "\n")
    empty = {v.name: v.verdict for v in judge(Run(bare))}
    selected.unlink()
    found = {v.name: v.verdict for v in judge(Run(bare))}
    assert found == empty
    assert found["oc_better_with_noise"] == REPRODUCED
    assert found["secc_best_with_noise"] == NOT_ENOUGH


@pytest.mark.parametrize("name", [name for name in CLAIMS if "figure4" in CLAIMS[name].scopes])
def test_rounds_that_were_not_recorded_cannot_refute_a_claim(name):
    rows = rows_of(train=areas(everywhere, fast=SECC, slow=ECC))
    rows.loc[rows["noise"].eq(0) & rows["code"].eq(SECC), "train"] += 9  # it is not slower by noise
    every = CLAIMS[name].judge(rows)
    tenth = CLAIMS[name].judge(rows.assign(gap=10))
    assert every.verdict == NOT
    assert tenth.verdict == NOT_ENOUGH
    assert tenth.evidence.startswith("of every 10th round only: ")
    supported = rows_of(train=areas(everywhere)).assign(gap=10)
    assert CLAIMS["ecc_trains_fastest"].judge(supported).verdict == REPRODUCED


def test_training_errors_of_every_round_are_judged_where_a_run_has_them(tmp_path):
    run = Run(boosted(tmp_path / "run", ["car@0.1", "letter@0"], runs=2))
    assert set(experiment(run)["gap"]) == {10}
    told = told_of(run.results)
    told.to_csv(run.folder / "rounds.csv", index=False)
    table = experiment(Run(run.folder)).set_index(["dataset", "code", "repeat"])
    assert set(table["gap"]) == {1}
    mine = told[(told["dataset"] == "car@0.1") & (told["code"] == OC) & (told["repeat"] == 1)]
    assert len(mine) == 50
    area = 100 * mine["train_error"].mean()
    assert table.loc[("car@0.1", OC, 1), "train"] == pytest.approx(area)
    reconfigured(run.folder, paper=None)
    found = judge(Run(run.folder))
    assert {v.source for v in found} == {"Sun et al. 2005, Figure 4, on every round"}
    assert [v.name for v in found] == [n for n in CLAIMS if "figure4" in CLAIMS[n].scopes]


def test_other_runs_are_not_judged_by_these_claims(tmp_path):
    other = reconfigured(boosted(tmp_path / "other", ["car@0"]), paper=None)
    assert judge(Run(other)) == []
