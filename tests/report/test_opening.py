"""What the page opens with: the verdict and the leaderboard, in the first window at any width."""

import re

import pytest
from runs import REFERENCE, copied

from ecoc_bench.report import sections
from ecoc_bench.report.page import render_page
from ecoc_bench.results.leaderboard import verdict
from ecoc_bench.results.run import Run

WIDTHS = [420, 1300]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """The page of the run with most methods, without its figures, claims and statistics."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sections, "statistics", lambda results: [])  # a minute of Bayesian tests
        text = render_page(Run(REFERENCE / "textbook"), [], [])
    page = tmp_path_factory.mktemp("opened") / "report.html"
    page.write_text(text)
    return page


@pytest.fixture(scope="module")
def text(opened):
    return opened.read_text()


def test_the_page_opens_with_the_verdict(text):
    board = Run(REFERENCE / "textbook").leaderboard()
    said = re.search(r'id="verdict">([^<]*)<', text).group(1)
    assert said == verdict(board)
    assert text.index('id="verdict"') < text.index('id="leaderboard"') < text.index('id="summary"')


def test_the_page_has_the_bounds_and_those_of_margins_where_a_learner_is_boosted(text):
    assert "Training error and its bounds (%)" in text.split('<section id="bounds"')[1]
    page = render_page(Run(REFERENCE / "margins"), [], [])
    block = page.split("<summary>Margins of boosting and their bounds at theta = 0.01")[1]
    heads = re.findall('<th scope="col"[^>]*>([^<]+)</th>', block.split("</thead>")[0])
    assert heads[3:] == ["Median margin", "At most theta", "Theorem 6", "Eq. 24", "Theorem 3"]
    assert '<td class="num">void</td>' in block.split("</table>")[0]


def test_the_leaderboard_has_codes_and_methods_together(text):
    section = text.split('id="leaderboard"')[1].split("</section>")[0]
    names = re.findall(r'<th scope="row">(.*?)</th>', section)
    assert len(names) == 20
    assert [name.replace("<wbr>", "") for name in names[:4]] == [
        "random_forest", "crammer_singer", "adaboost_secc", "dense loss (svm)"
    ]  # fmt: skip
    assert section.count(">unclear</td>") == 17
    assert section.count(">worse</td>") == 2


def test_more_methods_than_problems_go_down_the_table(text):
    methods = text.split("<h3>Methods without a code</h3>")[1].split("</table>")[0]
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', methods)
    assert heads[:2] == ["Method", "audiology"]
    assert len(heads) == 11


@pytest.mark.parametrize("width", WIDTHS)
def test_the_answer_is_in_the_first_window_and_nothing_is_off_the_edge(look, opened, width):
    driver = look(opened, width)
    window = driver.execute_script("return innerHeight")
    places = driver.execute_script(
        "return ['#verdict', '.board tbody tr', '.board tbody th'].map((name) => {"
        "  const box = document.querySelector(name).getBoundingClientRect();"
        "  return [box.top, box.bottom, box.right];"
        "})"
    )
    assert all(0 <= top < bottom <= window for top, bottom, _ in places)
    assert places[2][2] <= width
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_error_and_judgement_of_the_best_are_seen_without_scrolling(look, opened, width):
    driver = look(opened, width)
    right = driver.execute_script(
        "const row = document.querySelector('.board tbody tr');"
        "return [...row.cells].filter((cell) => ['15.7', 'best'].includes(cell.textContent))"
        "  .map((cell) => cell.getBoundingClientRect().right)"
    )
    assert len(right) == 2
    assert max(right) <= width


def test_the_leaderboard_is_sorted_by_a_click(look, opened):
    driver = look(opened)
    head = "//table[contains(@class, 'board')]//th[normalize-space()='Seconds']//button"
    driver.find_element("xpath", head).click()
    first = driver.find_element("css selector", ".board tbody th").text
    assert first == "perceptron"  # 0.007 seconds


def test_one_data_set_needs_no_column_of_ranks(tmp_path):
    folder = copied("uci_svm", tmp_path, lambda rows: rows["dataset"] == "glass", paper=None)
    page = render_page(Run(folder), [], [])
    assert "Average rank" not in page
    assert "the lowest error of 10 on glass" in page
