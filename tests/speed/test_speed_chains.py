"""The comparison of our conditional random field with crfsuite."""

import pandas as pd
import pytest
from runs import REFERENCE

from ecoc_bench.speed.chains import OURS, THEIRS, run_speed_chains


def test_both_come_to_the_same_objective_and_the_timings_are_written(tmp_path):
    pytest.importorskip("pycrfsuite")
    text = run_speed_chains(2, tmp_path / "speed.csv", n_words=60)
    rows = pd.read_csv(tmp_path / "speed.csv")
    assert rows.who.tolist() == [OURS, THEIRS] * 2
    assert (rows.chains == 60).all()
    assert rows.objective.max() <= rows.objective.min() * (1 + 1e-3)
    assert "times as fast by processor time" in text


def test_the_committed_timings_are_of_a_problem_with_an_objective_as_low_as_theirs():
    rows = pd.read_csv(REFERENCE / "speed" / "chains.csv").set_index("who")
    assert rows.positions.min() >= 10_000
    assert rows.objective[OURS].max() <= rows.objective[THEIRS].min() * (1 + 1e-5)
