"""The comparison of boosted trees: both sides run the same loop on the same data."""

import numba
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from ecoc_bench.data.cards import load
from ecoc_bench.errors import UserError
from ecoc_bench.joint.boosting import AdaBoostSECC
from ecoc_bench.learners.c45 import C45Classifier
from ecoc_bench.speed.stumps import Comparison
from ecoc_bench.speed.trees import COLUMNS, compare, render, run_speed_joint, sides, time_fit

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="slow without compilation")


def test_both_sides_see_the_same_rows():
    """Numbers stay numbers for the peer, and become the indices of their values for us."""
    data = load("vowel")
    ours, theirs = sides(data, nominal=False)
    np.testing.assert_array_equal(ours.X, data.X[data.train])
    np.testing.assert_array_equal(theirs.X_test, data.X[~data.train])
    assert not ours.base.nominal.any()
    assert theirs.base.criterion == "entropy"
    named, unchanged = sides(data, nominal=True)
    assert named.base.nominal.all()
    places = (np.unique(side.X[:, 0], return_inverse=True)[1] for side in (named, ours))
    np.testing.assert_array_equal(*places)
    assert (np.floor(named.X) == named.X).all()
    np.testing.assert_array_equal(unchanged.X, theirs.X)


def test_nominal_attributes_are_indicators_to_the_peer():
    data = load("soybean")
    ours, theirs = sides(data, nominal=False)
    assert ours.base.nominal.all()
    assert np.isnan(ours.X).any()
    assert theirs.X.shape[1] > ours.X.shape[1]
    assert set(np.unique(theirs.X)) == {0, 1}


@compiled
def test_the_fits_alternate_and_are_those_of_the_loop():
    data = load("vowel")
    y, y_test = data.y[data.train], data.y[~data.train]
    pair = sides(data, nominal=False)
    result = compare(pair, y, y_test, rounds=4, repeats=2)
    assert [row["who"] for row in result.rows] == ["ecoc-bench", "sklearn"] * 2
    assert all(tuple(row) == COLUMNS and row["fit_seconds"] > 0 for row in result.rows)
    for side, base in zip(pair, (C45Classifier, DecisionTreeClassifier), strict=True):
        seconds, model = time_fit(side, y, 4)
        assert seconds > 0
        assert isinstance(model, AdaBoostSECC)
        assert {type(e) for e in model.estimators_} == {base}
        wrong = (model.predict(side.X_test) != y_test).mean()
        assert result.error_rate(side.who) == wrong


def test_times_are_per_round_and_the_ratio_has_its_range():
    rows = []
    for ours, theirs in [(1.0, 3.0), (2.0, 8.0), (1.0, 5.0)]:
        rows.append({"who": "ecoc-bench", "rounds": 10, "fit_seconds": ours, "error_rate": 0.25})
        rows.append({"who": "sklearn", "rounds": 10, "fit_seconds": theirs, "error_rate": 0.5})
    assert render(Comparison("sklearn", rows, 1.25)).splitlines() == [
        "ecoc-bench    100.00 ms per round  error 25.00%",
        "sklearn       500.00 ms per round  error 50.00%",
        "4.0 times as fast as sklearn (median of the repeats; 3.0 to 5.0)",
        "not counted: compiling or loading our kernels, 1.2 s",
    ]


@compiled
def test_the_command_prints_the_comparison_and_writes_the_timings(command, tmp_path):
    out = tmp_path / "speed.csv"
    options = "speed --base trees --dataset satimage --pca 4 --rounds 2 --repeats 1 --out"
    result = command(*options.split(), out)
    assert result.exit_code == 0
    assert result.output.startswith("satimage, 4 components, 4435 rows, AdaBoost.SECC, 2 rounds\n")
    header, ours, theirs = out.read_text().splitlines()
    assert header == ",".join(COLUMNS)
    assert ours.startswith("ecoc-bench,0,2,")
    assert theirs.startswith("sklearn,0,2,")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--base trees --code ova", "--code goes with --base stumps"),
        ("--base trees --peer xgboost", "--peer goes with --base stumps"),
        ("--nominal", "--nominal goes with --base trees"),
        ("--pca 3", "--pca goes with --base trees"),
    ],
)
def test_options_of_the_other_base_are_refused(options, message, command):
    result = command("speed", *options.split())
    assert result.exit_code == 2
    assert message in result.output


def test_what_cannot_be_compared_names_the_next_step():
    with pytest.raises(UserError, match="data set glass has no train/test split"):
        run_speed_joint("glass", 2, 1)
    with pytest.raises(UserError, match="pca is 99, but there are only 10 attributes"):
        run_speed_joint("vowel", 2, 1, pca=99)
