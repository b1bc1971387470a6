"""The measured cost of the runner and of the command line: what is counted."""

import pandas as pd
import pytest

from ecoc_bench.speed.overhead import COLUMNS, Round, measure, report, startup


def test_each_round_times_the_same_fits_bare_and_in_a_run(config):
    rounds = measure(str(config()), ["dataset=glass", "code=ova"], repeats=2)
    assert len(rounds) == 2
    assert all(min(r) > 0 for r in rounds)
    assert {r.cells for r in rounds} == {3}  # glass in three folds


def test_overhead_is_the_share_beyond_the_bare_fits():
    round_ = Round(planning=5.0, bare=10.0, run=11.0, cells=1000)
    assert round_.overhead == pytest.approx(0.1)
    assert round_.ms_per_cell == pytest.approx(6.0)


def test_the_report_writes_its_timings(config, tmp_path):
    out = tmp_path / "overhead.csv"
    text = report(str(config()), ["dataset=glass", "code=ova"], 1, out)
    assert "more than its fits" in text
    assert "ms a cell on top of the fits (3 cells, median)" in text
    assert tuple(pd.read_csv(out).columns) == COLUMNS


def test_help_starts_within_two_and_a_half_times_an_import_of_click():
    """Both are started in turn in this one run: the ratio does not depend on the machine."""
    assert startup(repeats=7) < 2.5
