"""The comparison of speeds: what is counted, and that both sides solve the same problem."""

import numba
import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier

from ecoc_bench.coding.codes import all_pairs, one_vs_all
from ecoc_bench.data.cards import load
from ecoc_bench.errors import UserError
from ecoc_bench.speed.stumps import (
    COLUMNS,
    PEERS,
    Comparison,
    Problem,
    add_weights,
    compare,
    render,
    run_speed,
    sklearn_stumps,
    time_limit,
)


def problem(code=one_vs_all, nominal=False, k=3):
    rng = np.random.default_rng(0)
    y, y_test = np.arange(45) % k, np.arange(30) % k
    X, X_test = (np.round(2 * c[:, None] + rng.normal(size=(len(c), 2))) for c in (y, y_test))
    mask = np.array([nominal, False])
    if nominal:
        X[:, 0], X_test[:, 0], X[3, 0] = y, y_test, np.nan
    return Problem(X, y, X_test, y_test, mask, code(k))


@pytest.mark.parametrize("calls", ["single", "multi"])
@pytest.mark.parametrize("nominal", [False, True])
def test_a_comparison_has_a_row_per_fit_and_alternates(nominal, calls):
    result = compare(problem(all_pairs, nominal)._replace(calls=calls), rounds=3, repeats=2)
    assert [row["who"] for row in result.rows] == ["ecoc-bench", "sklearn"] * 2
    assert all(tuple(row) == COLUMNS for row in result.rows)
    assert all(row["fit_seconds"] > 0 for row in result.rows)
    assert {row["error_rate"] < 0.5 for row in result.rows} == {True}
    assert result.compile_seconds > 0


def test_ratio_and_share_are_medians_of_paired_repeats():
    times = [(1.0, 8.0, 0.5), (2.0, 8.0, 0.5), (4.0, 8.0, 0.5)]
    rows = []
    for ours, theirs, limit in times:
        rows.append(
            {"who": "ecoc-bench", "fit_seconds": ours, "limit_seconds": limit, "error_rate": 0}
        )
        rows.append(
            {"who": "sklearn", "fit_seconds": theirs, "limit_seconds": None, "error_rate": 1}
        )
    result = Comparison("sklearn", rows, 1.25)
    assert (result.ratio, result.share_of_limit) == (4.0, 0.25)
    assert render(result).splitlines() == [
        "ecoc-bench      2.000 s  error 0.00%",
        "sklearn         8.000 s  error 100.00%",
        "4.0 times as fast as sklearn (median of the repeats)",
        "0.25 of the speed of a bare loop over the same weights",
        "not counted: compiling or loading our kernels, 1.2 s",
    ]


def test_the_peer_margin_is_that_of_adaboost():
    """f = sum_t alpha_t h_t, alpha_t = 1/2 ln((1 - eps_t)/eps_t); its weights are 2 alpha_t."""
    data = problem(k=2)
    y = data.y > 0
    model = AdaBoostClassifier(n_estimators=4, random_state=0).fit(data.X, y)
    votes = [2.0 * stump.predict(data.X) - 1 for stump in model.estimators_]
    f = np.array(model.estimator_weights_[: len(votes)]) / 2 @ np.array(votes)
    np.testing.assert_allclose(sklearn_stumps(data.X, y, 4)(data.X), f)


def test_the_limit_adds_every_non_zero_weight():
    np.testing.assert_array_equal(add_weights(np.ones((5, 3)), 4), [20, 20, 20])
    assert time_limit(problem(all_pairs), 2) > 0


def test_unknown_and_missing_peers_name_the_next_step(monkeypatch):
    with pytest.raises(UserError, match="unknown peer 'sklear'"):
        compare(problem(), peer="sklear")
    monkeypatch.setitem(PEERS, "no_such_library", sklearn_stumps)
    with pytest.raises(UserError, match="pip install no_such_library"):
        compare(problem(), peer="no_such_library")


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="takes minutes without compilation")
def test_the_command_prints_the_comparison_and_writes_the_timings(tmp_path):
    text = run_speed("soybean", "ova", 2, "single", "sklearn", 1, tmp_path / "speed.csv")
    assert text.startswith("soybean, ova (19 columns), 2 rounds, single-call\necoc-bench ")
    header, ours, theirs = (tmp_path / "speed.csv").read_text().splitlines()
    assert header == ",".join(COLUMNS)
    assert ours.startswith("ecoc-bench,0,2,19,")
    assert theirs.startswith("sklearn,0,2,19,")


def test_a_data_set_without_a_split_and_an_unknown_code_name_the_next_step():
    with pytest.raises(UserError, match="data set glass has no train/test split"):
        run_speed("glass", "ova", 2, "single", "sklearn", 1)
    with pytest.raises(UserError, match="unknown code 'dens'"):
        run_speed("vowel", "dens", 2, "single", "sklearn", 1)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="takes minutes without compilation")
@pytest.mark.parametrize("peer", sorted(set(PEERS) - {"sklearn"}))
def test_other_peers_learn_the_same_columns(peer):
    pytest.importorskip(peer, reason=f"{peer} is not installed; `make test` installs it")
    data = load("vowel")
    parts = data.X[data.train], data.y[data.train], data.X[~data.train], data.y[~data.train]
    result = compare(Problem(*parts, data.nominal, one_vs_all(11)), 10, peer, 1)
    assert result.error_rate(peer) == pytest.approx(result.error_rate("ecoc-bench"), abs=0.1)
