"""The comparison of linear learners: a row per fit, in turn, and ratios of processor time."""

import pytest

from ecoc_bench.errors import UserError
from ecoc_bench.speed.linear import COLUMNS, clusters, compare, render, run_speed_linear


@pytest.mark.parametrize(("code", "columns"), [("ova", 6), ("all_pairs", 15)])
def test_a_comparison_has_a_row_per_fit_and_alternates(code, columns):
    rows = compare(*clusters(k=6, n=90, d=3), "clusters", code, repeats=2)
    assert [row["who"] for row in rows] == ["ecoc-bench", "sklearn"] * 4
    assert all(tuple(row) == COLUMNS for row in rows)
    assert {row["columns"] for row in rows} == {columns}
    text = render(rows)
    assert f"{columns} columns, 90 training examples" in text
    assert text.count("times as fast") == 2


def test_another_code_gets_a_sentence():
    with pytest.raises(UserError, match="ova and all_pairs"):
        run_speed_linear(None, "dense", 1, None)
