"""Table 9.1: what is timed, and the fit of exponents on made-up timings. No time is judged."""

import numpy as np
import pandas as pd
import pytest

from ecoc_bench.data.cards import load
from ecoc_bench.learners.adaboost import AdaBoostLearner
from ecoc_bench.learners.svm import SVM
from ecoc_bench.speed import class_costs, scaling
from ecoc_bench.speed.class_costs import (
    BINARY,
    COLUMNS,
    EXPONENT_COLUMNS,
    SOURCES,
    Source,
    exponents,
    problems,
    render,
)
from ecoc_bench.speed.scaling import clouds, mean_seconds

SMALL = Source(
    "Small clouds", 48, (4, 6, 8), lambda m, k: clouds(m, k, np.random.default_rng(0))[0]
)


@pytest.fixture
def quick(monkeypatch):
    """The same measurement in a second: few examples, few rounds, one call each."""
    stumps = AdaBoostLearner(rounds=2, calls="multi")
    monkeypatch.setattr(class_costs, "SOURCES", {"clouds": SMALL})
    monkeypatch.setattr(class_costs, "LEARNERS", {"svm": SVM(kernel="rbf"), "stumps": stumps})
    monkeypatch.setattr(class_costs, "ENOUGH", 1e-4)


def timings(alpha, m=4096, ks=(4, 8, 16, 32, 64)):
    """Rows that cost just what Table 9.1 says: n^alpha to train a column, 1 to test it."""
    rows = [("clouds", "svm", BINARY, 4, 1, n, 3 * n**alpha, 1.0, None) for n in (128, 1024, m)]
    for k in ks:
        pairs = k * (k - 1) // 2
        rows.append(("clouds", "svm", "ova", k, k, m, k * m**alpha, k, 100 / k))
        trained = pairs * (2 * m / k) ** alpha
        rows.append(("clouds", "svm", "all_pairs", k, pairs, m, trained, pairs, None))
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.3])
def test_costs_that_follow_table_9_1_have_its_exponents(alpha):
    table = exponents(timings(alpha)).set_index(["code", "cost"])
    assert table.loc[(BINARY, "training"), "measured"] == pytest.approx(alpha)
    theory = {"training": {"ova": 1, "all_pairs": 2 - alpha}, "testing": {"ova": 1, "all_pairs": 2}}
    for cost, codes in theory.items():
        for code, power in codes.items():
            line = table.loc[(code, cost)]
            assert line["theory"] == pytest.approx(power)
            assert line["measured"] == pytest.approx(line["counted"])
            assert (line["counted"] > line["theory"] + 0.05) == (code == "all_pairs")


def test_columns_counted_over_4_to_64_classes_grow_by_a_tenth_more_than_their_square():
    """By plain sums: the slope of log k(k-1)/2 over log k, less 2."""
    x = [np.log(k) for k in (4, 8, 16, 32, 64)]
    y = [np.log(k * (k - 1) / 2) for k in (4, 8, 16, 32, 64)]
    mx, my = sum(x) / 5, sum(y) / 5
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sum(
        (a - mx) ** 2 for a in x
    )
    line = exponents(timings(1.0)).set_index(["code", "cost"]).loc[("all_pairs", "testing")]
    assert line["counted"] == pytest.approx(slope)


def test_support_vectors_have_a_line_where_there_are_any():
    table = exponents(timings(1.0))
    found = table[table["cost"] == "support vectors"]
    assert found["code"].tolist() == ["ova"]
    assert found["measured"].tolist() == pytest.approx([-1.0])
    assert (found["first"].item(), found["last"].item()) == (25.0, 100 / 64)


def test_noise_gives_a_standard_error():
    rows = timings(1.0)
    for row, factor in zip(
        rows, np.random.default_rng(0).uniform(0.8, 1.2, len(rows)), strict=True
    ):
        row["training"] *= factor
    line = exponents(rows).set_index(["code", "cost"]).loc[("ova", "training")]
    assert 0 < abs(line["measured"] - 1) < 3 * line["standard_error"]


def test_m_is_fixed_and_each_class_has_m_over_k_examples():
    for source in SOURCES.values():
        for k in source.classes:
            assert source.m % k == 0
    found = list(problems(SMALL))
    assert [(code, k, *Y.shape) for code, k, _, Y in found] == [
        *((BINARY, 4, n, 1) for n in (12, 16, 24, 48)),
        *(("ova", 4, 48, 4), ("all_pairs", 4, 48, 6)),
        *(("ova", 6, 48, 6), ("all_pairs", 6, 48, 15)),
        *(("ova", 8, 48, 8), ("all_pairs", 8, 48, 28)),
    ]
    for code, k, X, Y in found:
        assert len(X) == len(Y)
        positive, used = (Y == 1).sum(axis=0), (Y != 0).sum(axis=0)
        if code != BINARY:
            assert (positive == 48 // k).all()
            assert (used == (48 if code == "ova" else 2 * 48 // k)).all()
        else:
            assert positive == len(Y) / 2


def test_rows_of_letter_are_of_the_letters_in_turn():
    data, (_, m, ks, rows) = load("letter"), SOURCES["letter"]
    X = rows(m, 26)
    assert X.shape == (m, 16)
    for i in (0, 25, 26, m - 1):
        assert (X[i] == data.X[np.flatnonzero(data.y == i % 26)[i // 26]]).all()
    assert all(np.bincount(data.y)[:k].min() >= m / k for k in ks)


def test_seconds_leave_out_the_first_call(monkeypatch):
    """Of a clock that each call moves on by one second, but the first by a hundred."""
    moved = []
    monkeypatch.setattr(scaling.time, "process_time", lambda: sum(moved))
    assert mean_seconds(lambda: moved.append(1 if moved else 100), 3) == 1
    assert len(moved) == 4


def test_the_command_writes_timings_and_table(quick, command, tmp_path):
    result = command("scaling", "--codes", "--out", tmp_path)
    assert result.exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("class_costs.csv", "table9_1.csv", "table9_1.md", "table9_1.txt"),
    ]
    rows = pd.read_csv(tmp_path / "class_costs.csv")
    assert tuple(rows.columns) == COLUMNS
    assert len(rows) == 2 * (4 + 6)
    assert (rows[["training", "testing"]] > 0).all(axis=None)
    assert rows["support_vectors"].notna().tolist() == (rows["learner"] == "svm").tolist()
    table = pd.read_csv(tmp_path / "table9_1.csv")
    assert tuple(table.columns) == EXPONENT_COLUMNS
    assert table.groupby("learner").size().to_dict() == {"svm": 7, "stumps": 5}
    assert result.stdout == (tmp_path / "table9_1.txt").read_text()
    assert "Small clouds: m = 48, k = 4, 6, 8" in result.stdout
    assert "O(k^(2−α) m^α)" in (tmp_path / "table9_1.md").read_text()


def test_a_line_shows_theory_counted_measured_and_the_ends():
    text = render(exponents(timings(2.0, ks=(4, 8))), "terminal")
    line = next(line for line in text.splitlines() if "all_pairs  testing" in line)
    steeper = np.log2(28 / 6)  # a line through two points
    expected = ["2.00", f"{steeper:.2f}", f"{steeper:.2f}", "±", "0.00", "6", "s,", "28", "s"]
    assert line.split()[-9:] == expected
