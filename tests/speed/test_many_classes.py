"""Codes and other libraries' classifiers as the classes grow."""

import numpy as np
import pandas as pd
import pytest

from ecoc_bench.plots.frontier import write_frontier
from ecoc_bench.results.frontier import COLUMNS, paired, pays, render
from ecoc_bench.speed import contenders, many_classes, one_fit
from ecoc_bench.speed.contenders import Contender
from ecoc_bench.speed.one_fit import Fits, Limits, Problem

LIMITS = Limits(seconds=60, gigabytes=8)
FEW = ("ova least squares", "dense least squares", "lda", "nearest neighbour")


@pytest.fixture(scope="module")
def problem():
    return many_classes.SOURCES["one centre"].problem(10)


@pytest.fixture(autouse=True)
def _a_short_fit_is_repeated_for_a_short_time(monkeypatch):
    monkeypatch.setattr(one_fit, "ENOUGH", 0.01)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What the command says and leaves, for a few contenders; of 10 classes it is run again."""
    chosen = {name: contenders.CONTENDERS[name] for name in FEW}
    absent = Contender(lambda k: None, lambda k: k, needs="a_library_that_nobody_has")
    out, said = tmp_path_factory.mktemp("made"), list[str]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many_classes, "CONTENDERS", {**chosen, "absent": absent})
        many_classes.run_many_classes(out, ["one centre"], [10, 30], LIMITS, said.append)
        first = pd.read_csv(out / "many_classes.csv")
        many_classes.run_many_classes(out, ["one centre"], [10], LIMITS, said.append)
    write_frontier(out / "many_classes.csv")
    return out, first, said


def test_there_is_a_row_for_each_contender_that_is_installed_and_the_others_are_named(made):
    out, rows, said = made
    assert list(rows.columns) == list(COLUMNS)
    assert rows.contender.tolist() == [*FEW] * 2
    assert "absent is left out: pip install a_library_that_nobody_has" in said
    assert (rows.test_rows == 4000).all()
    assert (rows.to_best >= 0).all()
    assert rows.groupby("classes").to_best.min().tolist() == [0, 0]
    assert {path.name for path in out.iterdir()} == {
        f"many_classes.{kind}" for kind in ("csv", "txt", "md", "svg", "png")
    }


def test_rows_of_the_same_data_and_classes_are_replaced(made):
    out, first, _ = made
    exact = ["data", "classes", "contender", "models", "errors", "to_best_low"]
    assert pd.read_csv(out / "many_classes.csv")[exact].equals(first[exact])


class Here:
    """Fits in this process."""

    def fit(self, name, problem, limits):
        return one_fit.measured(name, problem, limits)


class Hasty(Here):
    """The same, but linear discriminants are never done."""

    def fit(self, name, problem, limits):
        return "not finished after 1 s" if name == "lda" else super().fit(name, problem, limits)

    def close(self):
        pass


def test_what_is_not_finished_is_a_row_that_says_why_and_is_not_tried_again(tmp_path, monkeypatch):
    chosen = {name: contenders.CONTENDERS[name] for name in FEW}
    monkeypatch.setattr(many_classes, "CONTENDERS", chosen)
    monkeypatch.setattr(many_classes, "Fits", Hasty)
    text = many_classes.run_many_classes(tmp_path, ["one centre"], [10, 30], LIMITS, print)
    rows = pd.read_csv(tmp_path / "many_classes.csv").query("contender == 'lda'")
    assert rows.note.tolist() == ["not finished after 1 s", "not tried, after fewer classes"]
    assert rows[["models", "fit_seconds", "errors", "to_best"]].isna().all(axis=None)
    assert "not finished after 1 s" in text


def test_an_interrupted_table_has_what_was_done(tmp_path, monkeypatch):
    def say(line):
        if line.startswith("one centre, 10 classes, lda"):
            raise KeyboardInterrupt

    chosen = {name: contenders.CONTENDERS[name] for name in FEW}
    monkeypatch.setattr(many_classes, "CONTENDERS", chosen)
    monkeypatch.setattr(many_classes, "Fits", Here)
    with pytest.raises(KeyboardInterrupt):
        many_classes.run_many_classes(tmp_path, ["one centre"], [10], LIMITS, say)
    rows = pd.read_csv(tmp_path / "many_classes.csv")
    assert rows.contender.tolist() == list(FEW[:2])
    assert rows.to_best.min() == 0
    assert "dense least squares" in (tmp_path / "many_classes.txt").read_text()


def test_data_of_another_name_are_refused(command, tmp_path):
    result = command("frontier", "--data", "one center", "--out", tmp_path)
    assert result.exit_code == 2
    assert "one centre" in result.stderr


@pytest.mark.parametrize("text", ["", "data,classes\nletter,26\n", "mine\n"])
def test_a_file_of_somebody_else_is_kept(text, command, tmp_path):
    (tmp_path / "many_classes.csv").write_text(text)
    result = command("frontier", "--data", "letter", "--out", tmp_path)
    assert result.exit_code == 2
    assert "Choose another --out." in result.stderr
    assert (tmp_path / "many_classes.csv").read_text() == text


def test_a_fit_that_takes_too_long_or_too_much_memory_is_ended_and_the_next_one_is_made(problem):
    X, y = np.tile(problem.X, (60, 1)), np.tile(problem.y, 60)
    large, process = Problem(X, y, *problem[2:]), Fits()
    slow = process.fit("random forest", large, LIMITS._replace(seconds=0.03))
    assert slow == "not finished after 0.03 s"
    many = Problem(np.tile(problem.X, (100, 1)), np.arange(100 * len(problem.X)) // 3, *problem[2:])
    greedy = process.fit("ova least squares", many, LIMITS._replace(gigabytes=0.1))
    assert greedy == "not finished in 0.1 GB"
    fit = process.fit("lda", problem, LIMITS)
    process.close()
    assert isinstance(fit, one_fit.Fit)
    assert fit.wrong.shape == (4000,)


def test_a_fit_says_its_columns_its_time_and_its_megabytes(problem):
    fit = one_fit.measured("dense least squares", problem, LIMITS)
    assert fit.models == 34
    assert 0 < fit.fit_seconds < 30
    assert 0 < fit.microseconds < 1000
    assert 0.001 < fit.megabytes < 1


@pytest.mark.parametrize("code", list(contenders.CODES))
@pytest.mark.parametrize("learner", list(contenders.LEARNERS))
def test_each_code_over_each_learner_learns_clusters_better_than_chance(code, learner, problem):
    own = contenders.CONTENDERS[f"{code} {learner}"]
    pytest.importorskip(own.needs)
    X, y = problem.X[:60], problem.y[:60]
    assert (own.make(10).fit(X, y).predict(X) == y).mean() > 0.5


@pytest.mark.parametrize("name", list(contenders.PEERS))
def test_each_peer_learns_clusters_better_than_chance(name, problem):
    peer = contenders.PEERS[name]
    pytest.importorskip(peer.needs)
    small = Problem(problem.X[:60], problem.y[:60], problem.X[:60], problem.y[:60])
    with np.errstate(all="ignore"):
        model = peer.make(10).fit(small.X, small.y)
    assert (model.predict(small.X) == small.y).mean() > 0.5


def test_fewer_classes_of_a_data_set_are_among_more():
    few, more = (many_classes._card("pendigits", k) for k in (3, 9))
    assert (few.n_classes, more.n_classes) == (3, 9)
    assert set(np.bincount(few.y).tolist()) <= set(np.bincount(more.y).tolist())


def test_the_interval_of_a_difference_covers_it_as_often_as_it_says():
    rng, inside = np.random.default_rng(0), 0
    for _ in range(2000):
        u = rng.random(200)
        _, low, high = paired(u < 0.3, (u > 0.1) & (u < 0.35))
        inside += low <= 0.05 <= high
    assert 0.93 < inside / 2000 < 0.98


def row(who, error, seconds, models, **others):
    values = {"data": "made", "classes": 100, "attributes": 5, "rows": 500, "test_rows": 100,
              "contender": who, "models": models, "fit_seconds": seconds, "errors": error,
              "error": error, "note": ""}  # fmt: skip
    return {**dict.fromkeys(COLUMNS, np.nan), **values, **others}


def test_a_code_pays_if_it_is_as_good_in_a_fifth_of_the_time_or_of_the_columns():
    base = [row("ova tree", 30, 10, 100), row("lightgbm", 20, 10, 2000)]
    assert pays(pd.DataFrame([*base, row("dense tree", 20.4, 2, 66)])) == [
        "made, 100 classes: dense tree has 20.4% to lightgbm's 20.0% in 0.2 of its time."
    ]
    assert pays(pd.DataFrame([*base, row("dense tree", 29, 9, 20)])) == [
        "made, 100 classes: dense tree has 29.0% to one-vs-all's 30.0% with 20 columns to 100."
    ]
    for other in (row("dense tree", 20.6, 2, 66), row("dense tree", 20, 2.1, 66),
                  row("dense tree", 31, 9, 20), row("random forest", 10, 1, 10)):  # fmt: skip
        assert pays(pd.DataFrame([*base, other])) == []


def test_the_settings_of_a_learner_are_said_once_for_all_codes():
    names = ("ova lightgbm", "trellis lightgbm", "lightgbm")
    table = pd.DataFrame([row(name, 3, 1, 5, note=f"{name[-8:]} set") for name in names])
    said = " ".join(render(table, {}, "terminal").split())
    assert "codes over lightgbm: lightgbm set; lightgbm: lightgbm set." in said


def test_what_is_not_finished_is_shown_as_such():
    table = pd.DataFrame(
        [row("lda", 3, 1, 5), row("slow", np.nan, np.nan, np.nan, note="after 9 s")]
    )
    assert "after 9 s" in render(table, {"made": "Made"}, "terminal")
    assert "Codes pay nowhere" in render(table, {"made": "Made"}, "markdown")
