"""Cost against size: what is timed, and the exponents. No time is judged."""

import numpy as np
import pandas as pd
import pytest

from ecoc_bench.learners.svm import SVM
from ecoc_bench.speed import scaling
from ecoc_bench.speed.scaling import (
    CODE_COLUMNS,
    COLUMNS,
    FAMILIES,
    STEPS,
    Size,
    exponent,
    problem,
    run_scaling,
    sizes,
)


@pytest.mark.parametrize("axis", ["rows", "classes", "columns"])
def test_a_series_changes_its_own_axis_only(axis):
    series = [size for size in sizes(100) if size.axis == axis]
    other = {"rows": "classes", "classes": "rows", "columns": "rows"}[axis]
    assert len({getattr(size, axis) for size in series}) == len(series)
    assert len({getattr(size, other) for size in series}) == 1


def test_problems_have_both_signs_in_every_column():
    X, Y = problem(Size("columns", 64, 16, 30), np.random.default_rng(0))
    assert X.shape == (64, 16)
    assert Y.shape == (64, 30)
    assert (Y.max(axis=0) == 1).all()
    assert (Y.min(axis=0) == -1).all()


def test_an_exponent_is_the_slope_of_the_logarithms():
    assert exponent([10, 100, 1000], [2, 20, 200]) == pytest.approx(1)


def test_codes_and_learners_are_timed_over_their_sizes(monkeypatch, tmp_path):
    for name, value in {"ENOUGH": 1e-4, "MANY": (8, 16), "CODE_ROWS": 64}.items():
        monkeypatch.setattr(scaling, name, value)
    monkeypatch.setattr(scaling, "LEARNERS", {"svm": (SVM(), 70)})
    monkeypatch.setattr(scaling, "exponent", lambda x, seconds: 1.0)  # seconds may be 0 here
    text = run_scaling(tmp_path)
    assert (tmp_path / "scaling.md").read_text() == text + "\n"
    assert tuple(pd.read_csv(tmp_path / "scaling.csv").columns) == COLUMNS
    codes = pd.read_csv(tmp_path / "codes.csv")
    assert tuple(codes.columns) == CODE_COLUMNS
    assert codes["code"].tolist() == [name for name in FAMILIES for _ in range(2)]
    assert codes.set_index(["code", "classes"])["columns"].loc["ova"].tolist() == [8, 16]
    assert (codes[list(STEPS.values())] >= 0).all(axis=None)
    for family in FAMILIES:
        assert text.count(f"| {family} ") == len(STEPS)
