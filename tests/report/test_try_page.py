"""The page of a trial: what it says, also of absent parts, and how a browser sees it."""

import re
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, iris_answer
from sklearn.datasets import load_breast_cancer

from ecoc_bench.report.try_board import board
from ecoc_bench.report.try_page import render_try_page
from ecoc_bench.report.try_words import MEASURES, against_baseline, more_data, short_names
from ecoc_bench.trying.held_out import held_out
from ecoc_bench.trying.wrong_rows import confidently_wrong

SECTIONS = (
    "why", "leaderboard", "time", "confusion", "classes", "probabilities", "code", "parting",
    "coverage", "data", "wrong", "importance", "unranked", "provenance",
)  # fmt: skip


@pytest.fixture(scope="module")
def answer():
    return iris_answer()


@pytest.fixture(scope="module")
def text(answer):
    return render_try_page(answer)


@pytest.fixture(scope="module")
def two_classes():
    """Of two classes and another metric, with nothing that the time must allow."""
    data = load_breast_cancer()
    return answer_of(
        data.data, data.target, data.target_names.tolist(), data.feature_names.tolist(),
        ("bayes", "prior"), "balanced_accuracy", learning_curve=(), importance=(),
    )  # fmt: skip


def section(text, name):
    """The words of a section, without tags."""
    found = re.search(f'<section id="{name}".*?</section>', text, re.DOTALL).group()
    return " ".join(re.sub("<[^>]*>", " ", found).split())


def test_every_section_is_there_and_linked(text):
    assert tuple(re.findall('<section id="([a-z]+)"', text)) == SECTIONS
    assert tuple(re.findall('<li><a href="#([a-z]+)"', text)) == SECTIONS


def test_the_same_answer_gives_the_same_bytes(answer, text):
    assert render_try_page(answer) == text


def test_nothing_is_loaded_from_elsewhere(text):
    addresses = re.findall(r'(?:src|href)="([^"]*)"', text)
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert "http" not in re.sub('data:image[^"]*|http-equiv', "", text)


def test_the_verdict_has_the_honest_number_and_its_interval(answer, text):
    honest, percent = answer.honest, MEASURES["error"]
    for number in (honest.estimate, honest.low, honest.high, honest.naive):
        assert percent.bare(number) in section(text, "why")
    assert answer.why in section(text, "why")


def test_the_leaderboard_marks_the_pick_and_the_tied_group(answer, text):
    rows = re.findall('<tr class="(best|unclear|worse)">(.*?)</tr>', text, re.DOTALL)
    assert [kind for kind, _ in rows] == ["best", "unclear", "unclear", "worse"]
    assert ["pick</span>" in row for _, row in rows] == [
        one.name == answer.pick for one in answer.ranked
    ]
    assert "Critical differences" in section(text, "leaderboard")


@pytest.mark.parametrize("metric", ["error", "macro_f1", "log_loss"])
def test_dots_of_the_leaderboard_stand_in_the_order_of_the_scores(metric):
    answer = iris_answer(metric=metric)
    shown = [(line.score.order, float(line.bar["error"])) for line in board(answer) if line.bar]
    assert len(shown) >= 3
    assert [place for _, place in sorted(shown)] == sorted(place for _, place in shown)


def test_a_wrong_row_has_the_line_of_its_file(answer, text):
    """The first row is in line 2: line 1 has the names of the columns."""
    wrong = confidently_wrong(held_out(answer, answer.pick), 15)
    part = text[text.index('id="wrong"') : text.index('id="importance"')]
    shown = re.findall(r'<th scope="row" class="num">(\d+)</th>', part)
    assert [int(line) for line in shown] == [one.row + 2 for one in wrong] != []


def test_failures_provenance_command_and_config_are_shown(answer, text):
    assert "the fit ended with MemoryError" in section(text, "unranked")
    assert "3 of 6 folds were done" in section(text, "unranked")
    shown = section(text, "provenance")
    for fact in ("ab" * 32, "--target label --time 1m", "name: try seed: 0", "asked 60.0"):
        assert fact in shown


def test_what_is_absent_is_said_in_a_sentence(two_classes):
    text = render_try_page(replace(two_classes, entries=two_classes.ranked))
    assert "Two classes are one binary problem" in section(text, "code")
    assert "Two classes are one pair" in section(text, "parting")
    assert "There is no learning curve" in section(text, "data")
    assert "No column was permuted" in section(text, "importance")
    assert "every candidate was finished" in section(text, "unranked")


def test_a_lone_candidate_without_predictions_still_has_a_page(answer):
    pick = replace(answer.entry(answer.pick), probabilities=None, by_fold=None)
    alone = replace(
        answer, entries=(pick,), best=pick.name, code=None, config="", provenance={"seed": 0}
    )
    text = render_try_page(alone)
    assert "asked for in Python" in section(text, "provenance")
    assert "There is no config" in section(text, "provenance")
    assert "no two ranked candidates" in section(text, "time")
    assert "is no reduction to binary problems, or the time was up" in section(text, "code")
    for name in ("confusion", "classes", "probabilities", "parting", "coverage", "wrong"):
        assert "No predictions of logistic regression" in section(text, name)


def test_names_of_the_table_are_text_and_never_html(answer):
    names = ("<script>alert(1)</script>", "$x$ & 'y'", "versicolor" * 20)
    odd = replace(answer, look=replace(answer.look, classes=names, target="<b>"))
    text = render_try_page(odd)
    assert "<script>alert" not in text
    assert "Predicting &lt;b&gt; from my table.csv" in text


def test_many_classes_fold_all_but_the_hardest():
    rng = np.random.default_rng(0)
    y = np.arange(600) % 40
    X = rng.normal(size=(600, 2)) + y[:, None]
    answer = answer_of(X, y, [f"class {c}" for c in range(40)], ["a", "b"], ("bayes", "prior"))
    text = render_try_page(answer)
    assert "The other 25 classes" in section(text, "classes")
    assert "The 15 classes with the most wrong rows" in section(text, "confusion")
    assert "the other 39 classes" in section(text, "code")


def test_the_baseline_is_beaten_only_if_the_interval_is_clear_of_it(answer):
    assert "tell the classes apart" in against_baseline(answer)
    wide = replace(answer, honest=replace(answer.honest, high=0.9))
    assert "it is not shown" in against_baseline(wide)


def test_more_data_is_worth_it_if_the_last_step_is_beyond_its_uncertainty(answer):
    assert "still improves" in more_data(answer)
    flat = ((75, 0.06, 0.03, 0.09), (150, 0.05, 0.02, 0.08))
    assert "within its uncertainty" in more_data(replace(answer, learning_curve=flat))
    worse = replace(answer, higher_is_better=True)
    assert "did not improve" in more_data(worse)


def test_short_names_stay_distinct():
    names = short_names(["a" * 50 + "x", "a" * 50 + "x ", "\x00"], 20)
    assert len(set(names)) == 3
    assert all(len(name) <= 20 for name in names)


@pytest.fixture(scope="module")
def page(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("try") / "report.html"
    path.write_text(text)
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_a_browser_shows_all_pictures_and_never_scrolls_sideways(look, page, width, scheme):
    driver = look(page, width, scheme)
    assert driver.get_log("browser") == []
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    sizes = driver.execute_script(
        "return [...document.images].map(i => [i.complete, i.naturalWidth, i.alt.length])"
    )
    assert len(sizes) == 9
    assert all(complete and wide and alt for complete, wide, alt in sizes)


def test_a_click_sorts_the_leaderboard_of_a_trial(look, page):
    driver = look(page)
    rows = "#leaderboard tbody th"
    before = [row.text for row in driver.find_elements("css selector", rows)]
    heads = driver.find_elements("css selector", "#leaderboard thead th")
    heads[0].find_element("css selector", "button").click()
    heads[0].find_element("css selector", "button").click()
    assert [row.text for row in driver.find_elements("css selector", rows)] == before[::-1]
