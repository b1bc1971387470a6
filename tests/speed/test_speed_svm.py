"""`ecoc-bench speed --base svm`: our machines and libsvm's, in turn."""

import pandas as pd
import pytest

from ecoc_bench.errors import UserError
from ecoc_bench.speed.machines import COLUMNS, OURS, THEIRS, Comparison, compare, problem_of, render


@pytest.fixture(scope="module")
def comparison():
    return compare(problem_of("glass", "ova"), "glass", "ova", repeats=2)


def test_the_fits_alternate_and_end_at_the_same_optimum(comparison):
    assert [row["who"] for row in comparison.rows] == [OURS, THEIRS] * 2
    ours, theirs = comparison.rows[:2]
    assert (ours["n_train"], ours["columns"]) == (192, 6)
    assert ours["newtons"] > 0
    assert theirs["newtons"] == 0
    assert ours["objective"] == pytest.approx(theirs["objective"], rel=1e-5)
    assert comparison.worst_gap < 1e-6
    assert comparison.beyond == 0


def test_ratios_are_paired_and_printed_with_their_range():
    times = [(OURS, 1.0), (THEIRS, 4.0), (OURS, 2.0), (THEIRS, 6.0), (OURS, 1.0), (THEIRS, 5.0)]
    rows = [
        dict(
            zip(
                COLUMNS, ("glass", "ova", who, i // 2, 192, 6, s, s, s, 9, 2, 1.0, 0.3), strict=True
            )
        )
        for i, (who, s) in enumerate(times)
    ]
    text = render(Comparison(rows, -1e-9, 3, 0))
    assert "4.0 times as fast (3.0 to 5.0)" in text
    assert "at most 0.0e+00 below" in text
    assert "3 test margins differ in sign, 0 of them not near 0" in text


def test_the_command_prints_the_comparison_and_writes_the_timings(command, tmp_path):
    out = tmp_path / "speed.csv"
    call = ["speed", "--base", "svm", "--dataset", "glass", "--repeats", 1, "--out", out]
    assert "glass, ova: 6 columns, 192 training examples" in command(*call).stdout
    assert tuple(pd.read_csv(out).columns) == COLUMNS


def test_an_unknown_code_and_options_of_another_base_are_refused(command):
    with pytest.raises(UserError, match="unknown code"):
        problem_of("glass", "ovaa")
    result = command("speed", "--base", "svm", "--rounds", 5)
    assert result.exit_code == 2
    assert "--rounds goes with --base stumps or trees" in result.stderr
