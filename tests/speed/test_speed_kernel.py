"""The multiclass SVM beside all pairs: what is timed, and the target."""

import numba
import pytest

from ecoc_bench.errors import UserError
from ecoc_bench.speed.kernels import COLUMNS, SIDES, measure, ratio, render, run_speed_kernel

compiled = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="takes minutes without compilation"
)


@compiled
def test_the_comparison_with_all_pairs_alternates():
    rows = measure("vowel", repeats=2)
    assert [row["who"] for row in rows] == list(SIDES) * 2
    assert all(tuple(row) == COLUMNS for row in rows)
    assert all(row["fit_seconds"] > 0 and row["error_rate"] < 0.6 for row in rows)
    assert [row["duality_gap"] is None for row in rows] == [False, True] * 2
    text = render(rows)
    assert text.startswith("vowel, 528 training examples, C = 1\n  crammer_singer ")
    assert text.endswith(f"  {ratio(rows):.2f} times the time of all pairs (median of the repeats)")


def test_the_ratio_is_the_median_of_paired_repeats():
    rows = [
        {"who": who, "fit_seconds": seconds}
        for times in ((2.0, 1.0), (3.0, 1.0), (20.0, 2.0))
        for who, seconds in zip(SIDES, times, strict=True)
    ]
    assert ratio(rows) == 3.0


def test_a_data_set_without_a_split_names_the_next_step():
    with pytest.raises(UserError, match="data set glass has no train/test split"):
        measure("glass")


@pytest.mark.long
@compiled
@pytest.mark.parametrize("name", ["satimage", "pendigits"])
def test_full_training_parts_take_at_most_five_times_the_time_of_all_pairs(name):
    rows = measure(name)
    assert ratio(rows) <= 5
    ours, pairs = (next(r["error_rate"] for r in rows if r["who"] == who) for who in SIDES)
    assert ours < pairs + 0.005


@compiled
def test_the_timings_are_written(tmp_path):
    text = run_speed_kernel(["vowel"], C=0.5, repeats=1, out=tmp_path / "kernel.csv")
    assert text.startswith("vowel, 528 training examples, C = 0.5")
    header, ours, pairs = (tmp_path / "kernel.csv").read_text().splitlines()
    assert header == ",".join(COLUMNS)
    assert ours.startswith("vowel,crammer_singer,0,528,0.5,")
    assert pairs.startswith("vowel,all_pairs,0,528,0.5,")
