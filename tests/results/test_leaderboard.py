"""The leaderboard: its order and its tests by hand, what is missing, ties, and its sentences."""

from math import sqrt

import pandas as pd
import pytest
from runs import REFERENCE, copied, made_up
from worked import measured

from ecoc_bench.results.catalogue import FILES
from ecoc_bench.results.leaderboard import leaderboard, opening, render, verdict
from ecoc_bench.results.leaderboard.text import frame, notes
from ecoc_bench.results.run import Run
from ecoc_bench.results.summary import wilson

TEN = [f"d{i}" for i in range(10)]


def board_of(errors, costs=None, config=None, **options):
    """`errors`: code -> data set -> errors of 100 test rows, or a list of those of each fold."""
    rows = [
        measured(dataset, code, "loss", count, fold=fold)
        for code, by_dataset in errors.items()
        for dataset, counts in by_dataset.items()
        for fold, count in enumerate(counts if isinstance(counts, list) else [counts])
    ]
    return leaderboard(pd.DataFrame(rows), costs, config or {}, **options)


def named(board):
    return {standing.name.removesuffix(" loss (svm)"): standing for standing in board.standings}


def in_order(datasets=TEN):
    """a has the lowest error on every data set, then b, then c."""
    return {code: {d: 10 * (i + 1) for d in datasets} for i, code in enumerate(["a", "b", "c"])}


def test_average_ranks_errors_and_nemenyis_difference_by_hand():
    """k = 3, N = 10: CD = 2.343 sqrt(3 * 4 / 60) = 1.048; b is 1 rank from the best, c is 2."""
    board = board_of(in_order())
    assert [(s.rank, s.average_rank, s.error) for s in board.standings] == [
        (1, 1.0, 10.0), (2, 2.0, 20.0), (3, 3.0, 30.0)
    ]  # fmt: skip
    assert [s.against_best for s in board.standings] == ["best", "unclear", "worse"]
    assert verdict(board) == (
        "a loss (svm) ranks first of 3: average rank 1.00 over 10 data sets, mean error 10.0%. "
        "1 of the 2 others cannot be told from it at 0.05 (Friedman and Nemenyi: average ranks "
        "must differ by 1.0)."
    )


def test_the_interval_joins_the_arms_of_the_data_sets():
    board = board_of({"a": {"x": 10, "y": 30}, "b": {"x": 50, "y": 60}})
    arms = [[100 * bound - 100 * rate for bound in wilson(rate, 100)] for rate in (0.1, 0.3)]
    first = board.standings[0]
    assert first.error == 20.0
    assert first.lo == pytest.approx(20 - sqrt(sum(lo**2 for lo, _ in arms)) / 2)
    assert first.hi == pytest.approx(20 + sqrt(sum(hi**2 for _, hi in arms)) / 2)


def test_friedmans_test_comes_before_nemenyis():
    """The ranks differ as much one way as the other: all have 1.5 on average, or nearly so."""
    turns = {"a": [1, 2, 3], "b": [2, 3, 1], "c": [3, 1, 2]}
    errors = {code: {d: 10 * turns[code][i % 3] for i, d in enumerate(TEN)} for code in turns}
    board = board_of(errors)
    assert {s.against_best for s in board.standings} == {"best", "unclear"}
    assert "Friedman: as a whole they do not differ, p = " in verdict(board)


def test_a_test_that_cannot_see_anything_says_so():
    few = board_of(in_order(TEN[:2]))
    assert [s.against_best for s in few.standings] == ["best", "unclear", "unclear"]
    assert "On 2 data sets these tests cannot tell any of 3 apart" in verdict(few)
    two = {code: errors for code, errors in in_order(TEN[:5]).items() if code != "c"}
    assert "On 5 data sets this test cannot tell two apart" in verdict(board_of(two))


def test_two_are_compared_by_wilcoxons_test():
    """Six data sets that all say the same: p = 2 / 2^6 = 0.031."""
    two = {code: errors for code, errors in in_order(TEN[:6]).items() if code != "c"}
    board = board_of(two)
    assert [s.against_best for s in board.standings] == ["best", "worse"]
    assert verdict(board).endswith(
        "The other is worse at 0.05 (Wilcoxon's signed-rank test over 6 data sets)."
    )


def test_within_one_data_set_folds_are_compared_with_correction():
    folds = {"a": [10, 12, 11, 10, 12], "b": [11, 11, 12, 11, 12], "c": [40, 43, 41, 40, 44]}
    board = board_of({code: {"glass": counts} for code, counts in folds.items()})
    assert {name: s.against_best for name, s in named(board).items()} == {
        "a": "best", "b": "unclear", "c": "worse"
    }  # fmt: skip
    assert verdict(board).startswith("a loss (svm) has the lowest error of 3 on glass, 11.0%.")
    assert "corrected resampled t-test over 5 folds, Holm over 3 pairs" in verdict(board)
    first = board.standings[0]
    assert (first.lo, first.hi) == pytest.approx([100 * b for b in wilson(0.11, 500)])


def test_on_one_split_error_counts_are_compared():
    """Fisher's exact test of 10 and 40 of 100: p below 0.00001; of 10 and 15, 0.39."""
    board = board_of({"a": {"vowel": 10}, "b": {"vowel": 15}, "c": {"vowel": 40}})
    assert [s.against_best for s in board.standings] == ["best", "unclear", "worse"]
    assert "Fisher's exact test on 100 test rows, Holm over 3 pairs" in verdict(board)


def test_equal_ranks_share_a_place_and_all_the_first_are_named():
    errors = in_order() | {"twin": in_order()["a"]}
    board = board_of(errors)
    assert [(s.rank, s.average_rank) for s in board.standings] == [
        (1, 1.5), (1, 1.5), (3, 3.0), (4, 4.0)
    ]  # fmt: skip
    assert verdict(board).startswith(
        "a loss (svm) and twin loss (svm) share the first place of 4: average rank 1.50 over 10 "
        "data sets, mean error 10.0%."
    )


def test_the_lowest_mean_error_is_named_if_it_is_anothers():
    errors = {"a": dict.fromkeys(TEN, 10), "b": dict.fromkeys(TEN, 11), "c": dict.fromkeys(TEN, 12)}
    errors["a"][TEN[0]] = 99
    assert "The lowest mean error is that of b loss (svm), 11.0%." in verdict(board_of(errors))


def test_a_code_that_is_often_too_large_is_shown_without_a_rank():
    errors = in_order()
    errors["a"] = {d: 10 for d in TEN[:2]}
    board = board_of(errors)
    last = board.standings[-1]
    assert [s.name for s in board.ranked] == ["b loss (svm)", "c loss (svm)"]
    assert (last.name, last.rank, last.error) == ("a loss (svm)", None, 10.0)
    assert last.missing == tuple(TEN[2:])
    assert "Not ranked, with the error on what there is: a loss (svm)" in " ".join(notes(board))
    assert "–" in render(board).splitlines()[-7]


def test_a_data_set_that_one_lacks_is_not_counted_and_that_is_said():
    errors = in_order()
    del errors["a"]["d9"]
    board = board_of(errors)
    assert len(board.ranked) == 3
    assert board.datasets == tuple(TEN[:9])
    assert "Not counted: d9 (no result of a loss (svm))." in notes(board)


def test_of_methods_that_share_no_data_set_one_is_ranked_and_nothing_is_compared():
    board = board_of({"a": {"x": 10, "y": 30}, "b": {"z": 20}})
    assert [(s.name, s.rank, s.error) for s in board.standings] == [
        ("a loss (svm)", 1, 20.0), ("b loss (svm)", None, 20.0)
    ]  # fmt: skip
    assert board.judged is None
    assert "b loss (svm) (no result on x, y)" in " ".join(notes(board))


def test_what_lacks_folds_or_draws_is_named():
    errors = {"a": {"glass": [10, 10]}, "b": {"glass": [20]}}
    board = board_of(errors)
    assert [s.name for s in board.standings] == ["a loss (svm)"]
    assert "there is nothing to compare" in verdict(board)
    assert "Folds or draws are missing: b loss (svm) on glass. Run again." in notes(board)
    none = board_of(in_order(), expected={(d, "svm", c): 2 for d in TEN for c in "abc"})
    assert verdict(none).startswith("Nothing can be ranked")
    assert render(none)


def test_levels_of_noise_are_no_data_sets_of_their_own_and_that_is_said():
    config = {"datasets": [{"name": d, "of": f"of_{d in TEN[:5]}"} for d in TEN]}
    assert any(
        "10 data sets are versions of 2" in note
        for note in notes(board_of(in_order(), config=config))
    )
    assert not any("versions" in note for note in notes(board_of(in_order())))


def test_staged_learners_count_after_their_last_round_or_after_that_stage():
    rows = [
        measured(d, code, "loss", errors, stage=stage)
        for d in TEN
        for code, early, late in (("a", 10, 30), ("b", 20, 25))
        for stage, errors in ((5, early), (50, late))
    ]
    table = pd.DataFrame(rows)
    assert [s.error for s in leaderboard(table, None, {}).standings] == [25.0, 30.0]
    assert [s.error for s in leaderboard(table, None, {}, stage=5).standings] == [10.0, 20.0]


def test_seconds_are_a_geometric_mean_and_absent_where_they_were_not_noted():
    places = [("x", "a", 1.0), ("y", "a", 4.0), ("x", "b", 2.0)]
    costs = pd.DataFrame(
        [(d, "svm", c, 0, 0, 0, s) for d, c, s in places], columns=FILES["costs.csv"].columns
    )
    board = board_of({"a": {"x": 10, "y": 10}, "b": {"x": 20, "y": 20}}, costs)
    assert named(board)["a"].seconds == pytest.approx(2.0)
    assert named(board)["b"].seconds is None
    assert "Seconds" not in render(board_of(in_order()))


def test_the_choice_of_a_run_is_ranked_and_not_its_members(tmp_path):
    specs = [{"name": f"svm@{c}", "type": "svm", "of": "svm", "swept": {"C": c}} for c in (1, 10)]
    members = [
        measured(d, "ova", "loss", errors, learner=f"svm@{c}")
        for d in "xy"
        for c, errors in ((1, 10), (10, 20))
    ]
    chosen = [
        m | {"learner": "best", "chosen": 1, "criterion": 0} for m in members if m["errors"] == 10
    ]
    config = {
        "datasets": [{"name": "x"}, {"name": "y"}],
        "learners": specs,
        "select": {"best": {"among": ["svm"], "by": "cv"}},
    }
    folder = made_up(tmp_path, members, config, selected=pd.DataFrame(chosen))
    assert [s.name for s in Run(folder).leaderboard().standings] == ["ova loss (best)"]


@pytest.mark.parametrize("name", ["textbook", "quick", "uci_adaboost", "passerini/small"])
def test_the_terminal_opens_with_the_verdict_in_80_columns(name):
    board = Run(REFERENCE / name).leaderboard()
    text = opening(board)
    assert max(map(len, text.splitlines())) <= 80
    assert " ".join(text.split("\n\n")[0].split()) == verdict(board)
    hidden = len(board.standings) - 10
    assert f"- And {hidden} more: tables/leaderboard.txt" in text
    assert "more: tables" not in render(board)


def test_long_names_stay_within_80_columns():
    long = {f"a_code_with_a_very_long_name_of_{i}": dict.fromkeys(TEN, i) for i in (98, 99, 100)}
    costs = pd.DataFrame(
        [(d, "svm", c, 0, 0, 0, 1e-6 / 3) for d in TEN for c in long],
        columns=FILES["costs.csv"].columns,
    )
    text = opening(board_of(long, costs))
    assert "Seconds" in text
    assert max(map(len, text.splitlines())) <= 80


def test_of_the_textbook_the_forest_is_first_and_seventeen_cannot_be_told_from_it():
    """As `stats --compare method` and results/README.md say."""
    board = Run(REFERENCE / "textbook").leaderboard()
    assert board.standings[0].name == "random_forest"
    assert board.standings[0].average_rank == pytest.approx(4.95)
    assert [s.against_best for s in board.standings] == ["best", *["unclear"] * 17, *["worse"] * 2]


def test_the_csv_has_a_row_for_each_and_the_other_styles_the_verdict(tmp_path):
    board = board_of(in_order())
    assert list(frame(board)["rank"]) == [1, 2, 3]
    assert render(board, "csv").startswith("name,rank,average_rank,error,lo,hi,against_best")
    for style in ("markdown", "latex"):
        assert "ranks first of 3" in render(board, style)


def test_table_opens_with_the_leaderboard_and_its_other_styles_do_not(command, tmp_path):
    folder = copied("uci_svm", tmp_path, lambda rows: rows["dataset"].isin(["glass", "ecoli"]))
    text = command("table", folder).stdout
    assert text.split(" of ")[0].endswith(("ranks first", "share the first place"))
    assert text.index("Vs best") < text.index("Test error (%) of svm")
    assert command("table", folder, "--style", "csv").stdout.startswith("dataset,learner,code")
