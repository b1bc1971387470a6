"""Summaries worked by hand: folds pooled, repeats and draws averaged, the paper's numbers."""

import pandas as pd
import pytest
from scipy.stats import binomtest
from worked import measured, one, summary_of

from ecoc_bench.published import load_table
from ecoc_bench.results.summary import agreement, at_stage, compared, notable, wilson

PAPER = load_table("allwein2000.table3")


# Wilson


@pytest.mark.parametrize(("errors", "n"), [(0, 10), (1, 10), (15, 100), (462, 462), (40, 2000)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_agrees_with_scipy(errors, n, level):
    expected = binomtest(errors, n).proportion_ci(level, method="wilson")
    assert wilson(errors / n, n, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_textbook_value():
    # Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662.
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_wilson_without_examples_is_unknown():
    assert all(pd.isna(bound) for bound in wilson(0.5, 0))


# Summaries


def test_folds_are_pooled_not_averaged():
    # 10 of 20 and 0 of 80: 10 of 100 pooled, where the mean of the rates would be 25%.
    entry = one(measured(errors=10, n_test=20, fold=0), measured(errors=0, n_test=80, fold=1))
    assert entry["error"] == pytest.approx(10.0)
    assert entry["n_test"] == 100
    assert (entry["lo"], entry["hi"]) == pytest.approx([100 * b for b in wilson(0.1, 100)])


def test_repeats_are_averaged_and_do_not_narrow_the_interval():
    entry = one(measured(errors=10, repeat=0), measured(errors=20, repeat=1))
    assert entry["error"] == pytest.approx(15.0)
    assert entry["n_test"] == 100
    assert entry["draws"] == 1
    assert pd.isna(entry["sd_draws"])


def test_folds_are_pooled_before_repeats_and_draws_are_averaged():
    # Draw 0 has repeats of 10% (10 of 20, 0 of 80) and 30%, draw 1 has 40%; all rows: 31.7%.
    entry = one(
        *(measured(errors=e, n_test=n, fold=f) for f, (e, n) in enumerate([(10, 20), (0, 80)])),
        *(measured(errors=15, n_test=50, fold=f, repeat=1) for f in range(2)),
        *(measured(errors=20, n_test=50, fold=f, draw=1) for f in range(2)),
    )
    assert entry["error"] == pytest.approx((20 + 40) / 2)
    assert (entry["min_draw"], entry["max_draw"]) == pytest.approx((20, 40))
    assert entry["n_test"] == 100


def test_draws_have_mean_and_spread():
    entry = one(*(measured(code="dense", errors=e, draw=d) for d, e in enumerate([10, 12, 17])))
    assert entry["error"] == pytest.approx(13.0)
    # Squared deviations 9, 1 and 16 over two degrees of freedom.
    assert entry["sd_draws"] == pytest.approx(13**0.5)
    assert (entry["draws"], entry["min_draw"], entry["max_draw"]) == (3, 10.0, 17.0)


def test_shares_are_in_percent_and_counts_are_totals():
    entry = one(measured(fold=0, unconverged=2), measured(fold=1, unconverged=1))
    assert entry["ties"] == pytest.approx(5.0)
    assert entry["train_error"] == pytest.approx(10.0)
    assert entry["binary_error"] == pytest.approx(5.0)
    assert (entry["unconverged"], entry["columns_fitted"]) == (3, 12)


def test_tables_use_each_learners_last_stage_unless_told():
    rows = [measured(errors=e, stage=s) for e, s in [(30, 10), (20, 100)]]
    rows.append(measured(errors=40, learner="logistic"))
    last = summary_of(*rows).set_index("learner")["error"]
    assert last.to_dict() == {"svm": 20.0, "logistic": 40.0}
    assert one(*rows, stage=10)["error"] == pytest.approx(30.0)


def test_missing_fold_is_seen_beside_the_other_codes():
    table = summary_of(
        *(measured(code="ova", fold=f) for f in range(3)),
        *(measured(code="dense", fold=f) for f in range(2)),
    )
    assert table.set_index("code")["complete"].to_dict() == {"ova": True, "dense": False}


def test_missing_draw_is_seen_against_the_plan():
    rows = [measured(code="dense", draw=0), measured(code="dense", draw=1)]
    assert one(*rows)["complete"]
    assert not one(*rows, expected={("glass", "svm", "dense"): 3})["complete"]
    assert one(*rows, expected={("glass", "svm", "dense"): 2})["complete"]


def test_a_row_that_comes_twice_does_not_make_up_for_a_missing_fold():
    rows = [measured(code="ova", fold=f) for f in range(3)]
    rows += [measured(code="dense", fold=f) for f in (0, 0, 1)]
    table = summary_of(*rows).set_index("code")["complete"]
    assert table.to_dict() == {"ova": True, "dense": False}


def test_the_last_stage_is_that_of_each_learner_and_code():
    rows = pd.DataFrame(
        [measured(code=c, stage=s) for c, s in [("ova", 5), ("ova", 50), ("dense", 5)]]
    )
    assert at_stage(rows, None)[["code", "stage"]].to_numpy().tolist() == [
        ["ova", 50],
        ["dense", 5],
    ]
    assert set(at_stage(rows, 5)["code"]) == {"ova", "dense"}


def test_summary_keeps_the_order_of_the_run():
    table = summary_of(
        measured("yeast", "sparse"), measured("ecoli", "ova"), measured("yeast", "dense")
    )
    assert list(table["dataset"]) == ["yeast", "ecoli", "yeast"]


# Comparison


def test_comparison_with_the_paper():
    table = compared(summary_of(measured(errors=30), measured("mine", errors=30)), PAPER)
    # The paper has 37.6 for glass; 30 of 100 has the interval 21.9 to 39.6.
    assert table.loc[0, ["paper", "difference"]].tolist() == pytest.approx([37.6, -7.6])
    assert table.loc[0, "within"]
    assert pd.isna(table.loc[1, "paper"])
    assert pd.isna(table.loc[1, "within"])
    assert not notable(table).any()


def test_comparison_of_a_filtered_summary_stays_aligned():
    table = summary_of(measured("ecoli", errors=10), measured("glass", errors=30))
    assert compared(table[table["dataset"] == "glass"], PAPER)["paper"].tolist() == [37.6]


def test_agreement_counts_only_entries_of_both():
    table = compared(
        summary_of(measured(errors=30), measured("ecoli", errors=45), measured("mine")), PAPER
    )
    # 30 - 37.6 inside the interval, 45 - 15.8 outside.
    assert agreement(table) == (2, pytest.approx((7.6 + 29.2) / 2), 1)
    assert notable(table).tolist() == [False, True, False]
