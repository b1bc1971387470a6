"""The page of a run: what it says, what it must not do, and how it behaves in a browser."""

import json
import re
import shutil
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from runs import REFERENCE, copied

from ecoc_bench.errors import UserError
from ecoc_bench.report.write import write_page
from ecoc_bench.results.run import Run


@pytest.fixture(scope="module")
def svm_text(svm):
    return svm.read_text()


def test_the_page_sets_our_number_beside_the_papers(svm_text):
    assert "<h1>Output codes with support-vector machines, standardised inputs</h1>" in svm_text
    assert "Allwein et al. 2000, Table 3" in svm_text
    names = r'<tr data-dataset="vowel"[^>]*data-code="all_pairs" data-decoder="loss"'
    row = re.search(f"{names}.*?</tr>", svm_text, re.DOTALL)
    entries = re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", row.group())
    assert entries[:3] == ["vowel", "All-Pairs", "loss"]
    assert entries[3:7] == ["49.8", "45.2 to 54.3", "39.0", "+10.8"]


def test_the_summary_is_that_of_the_committed_table(svm_text):
    """4.69 points over 78 entries, 55 inside: the foot of results/reference/uci_svm/tables."""
    committed = (REFERENCE / "uci_svm" / "tables" / "table.txt").read_text()
    assert "in all 4.69 (78 entries)" in " ".join(committed.split())
    assert "<dd>4.69</dd>" in svm_text
    assert "<dd>55</dd>" in svm_text


def test_the_page_holds_figures_claims_statistics_notes_and_provenance(svm_text):
    assert svm_text.count("data:image/svg+xml;base64,") >= 3
    assert "almost always better than Hamming decoding" in svm_text
    assert "Critical-difference diagram" in svm_text
    assert "48 variants of the protocol" in svm_text  # the note on yeast
    facts = Run(REFERENCE / "uci_svm").facts
    assert facts["data"]["glass"]["sha256"] in svm_text
    assert facts["source"]["commit"] in svm_text
    assert "original split, 528 / 462" in svm_text
    assert "name: uci_svm" in svm_text


def test_the_page_names_no_address_to_load_from(svm_text):
    outside = re.sub(r"(data:image/svg\+xml;base64,)[A-Za-z0-9+/=]+", r"\1", svm_text)
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:)[^"']*""", outside)
    assert "url(" not in outside
    assert "@import" not in outside


def test_the_page_stays_small(svm):
    assert svm.stat().st_size < 1_000_000


EVIL = '</script><script>document.title="owned"</script><img src=x onerror="document.title=1">'


def evil(facts):
    """Names and notes that are HTML."""
    facts["config"]["learners"][0]["name"] = facts["data"]["glass"]["note"] = EVIL
    facts["absent"].append("isolet")
    facts["left_out"].append({"dataset": EVIL, "code": EVIL, "why": EVIL})


@pytest.fixture(scope="module")
def evil_page(tmp_path_factory):
    def rows(results):
        few = results[results["dataset"].isin(["glass", "vowel"])]
        return few.replace({"dataset": {"glass": EVIL}}).assign(learner=EVIL)

    folder = tmp_path_factory.mktemp("evil")
    copied("uci_svm", folder, rows, evil, paper=None, title=EVIL)
    header = "dataset,learner,repeat,fold,reason,details,columns,code,draw,decoder,context"
    quoted = '"' + EVIL.replace('"', '""') + '"'
    failure = f"glass,{quoted},0,3,{quoted},{quoted},+-0 +0-,,0,,key"
    (folder / "failures.csv").write_text(f"{header}\n{failure}\n")
    return write_page(Run(folder))


def test_names_of_a_run_cannot_become_html(evil_page):
    text = evil_page.read_text()
    assert text.count("<script") == 1
    assert "<img src=x" not in text
    assert "&lt;/script&gt;" in text


def test_without_a_paper_there_is_no_column_for_it(evil_page):
    text = evil_page.read_text()
    assert ">Error</th>" in text
    assert ">Paper</th>" not in text
    assert "Why entries differ" not in text


def test_what_is_not_in_the_tables_is_said(evil_page):
    text = evil_page.read_text()
    assert "isolet: not fetched; <code>ecoc-bench data fetch isolet</code> gets it." in text
    assert "left out of soybean" not in text  # which this run does not have


def test_failures_are_on_the_page_with_their_reason(evil_page):
    section = evil_page.read_text().split('id="failures"')[1].split("</section>")[0]
    assert "<td>–</td>" in section  # no decoder failed
    assert '<td class="num" data-order="2">2</td>' in section  # columns
    assert "onerror" in section


def two_stages(results):
    few = results.query("dataset in ['vowel', 'soybean'] and code in ['ova', 'dense']")
    return pd.concat([few.assign(stage=50, errors=few["errors"] + 1), few])


@pytest.fixture(scope="module")
def staged_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("staged")
    return write_page(Run(copied("uci_adaboost", folder, two_stages, paper=None)))


def test_of_several_stages_the_last_is_shown_and_the_others_can_be_chosen(staged_page):
    rows = re.findall(r'<tr data-dataset[^>]*data-stage="(\d+)"([^>]*)>', staged_page.read_text())
    assert {(stage, "hidden" in rest) for stage, rest in rows} == {("50", True), ("500", False)}
    assert '<option value="last">last</option>' in staged_page.read_text()


def test_the_same_run_gives_the_same_bytes(staged_page, tmp_path):
    other = shutil.copytree(staged_page.parent, tmp_path / "other")
    again = write_page(Run(other), tmp_path / "elsewhere" / "page.html")
    assert again.read_bytes() == staged_page.read_bytes()


def test_a_run_without_rows_is_refused_with_the_next_step(tmp_path):
    folder = copied("uci_svm", tmp_path, lambda rows: rows[:0])
    with pytest.raises(UserError, match=r"no rows.*Run its config"):
        write_page(Run(folder))


def test_a_manifest_without_what_the_page_shows_is_refused(tmp_path):
    folder = copied("uci_svm", tmp_path, facts=dict.clear)
    with pytest.raises(UserError, match=r"manifest.json: no 'ecoc_bench'.*Run its config again"):
        write_page(Run(folder))


def test_the_command_prints_the_page_and_opens_it(command, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    one = "dataset == 'vowel' and code == 'ova'"
    folder = copied("uci_svm", tmp_path / "run", lambda rows: rows.query(one), paper=None)
    result = command("report", folder, "--out", tmp_path / "page.html", "--open")
    assert result.exit_code == 0
    assert Path(result.stdout.strip()) == tmp_path / "page.html"
    assert opened == [(tmp_path / "page.html").as_uri()]
    assert not (folder / "report.html").exists()
    # One data set with one split: nothing to test, and the page says so.
    assert "not enough data: one data set with" in (tmp_path / "page.html").read_text()


def test_the_command_says_what_is_not_a_run(command, tmp_path):
    result = command("report", tmp_path)
    assert result.exit_code == 2
    assert "not the folder of a run" in result.stderr


def until(driver, condition):
    """Waits for what the page does after an event: the driver may well be there before it."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(driver, 60).until(lambda _: condition())


def find(driver, selector):
    return driver.find_element("css selector", selector)


def column(driver, title):
    """The shown texts of a column of the table of all entries."""
    script = """
    const table = document.getElementById("all");
    const heads = [...table.tHead.rows[0].cells];
    const at = heads.findIndex((head) => head.textContent.trim() === arguments[0]);
    return [...table.tBodies[0].rows].filter((row) => !row.hidden)
                                     .map((row) => row.cells[at].textContent.trim());
    """
    return driver.execute_script(script, title)


def head(driver, title):
    path = f"//table[@id='all']//th[normalize-space()='{title}']"
    return driver.find_element("xpath", path)


def numbers(texts):
    return [float(text.replace("−", "-")) for text in texts]


def test_a_click_sorts_by_number_and_a_second_one_turns_the_order(look, svm):
    driver = look(svm)
    before = numbers(column(driver, "Error"))
    button = head(driver, "Error").find_element("css selector", "button")
    button.click()
    assert numbers(column(driver, "Error")) == sorted(before) != before
    assert head(driver, "Error").get_attribute("aria-sort") == "ascending"
    button.click()
    assert numbers(column(driver, "Error")) == sorted(before, reverse=True)
    assert head(driver, "Error").get_attribute("aria-sort") == "descending"


def test_the_keyboard_sorts_and_only_one_column_is_marked(look, svm):
    driver = look(svm)
    head(driver, "Data set").find_element("css selector", "button").click()
    button = head(driver, "Difference").find_element("css selector", "button")
    driver.execute_script("arguments[0].focus()", button)
    driver.switch_to.active_element.send_keys("\ue007")  # Enter
    found = numbers(column(driver, "Difference"))
    assert found == sorted(found)
    assert found[0] < -40  # by value: "−0.1" comes first as a text
    assert len(driver.find_elements("css selector", "#all [aria-sort]")) == 1
    driver.switch_to.active_element.send_keys(" ")
    assert numbers(column(driver, "Difference")) == sorted(found, reverse=True)


def test_entries_without_a_number_stay_at_the_end(look, svm):
    driver = look(svm)
    button = head(driver, "Over draws").find_element("css selector", "button")
    for _ in range(2):
        button.click()
        texts = column(driver, "Over draws")
        assert "–" not in texts[:30]
        assert set(texts[-40:]) == {"–"}


def test_filters_hide_rows_and_can_be_cleared(look, svm):
    driver = look(svm)
    find(driver, "[name=words]").send_keys("GLASS dense")
    assert set(column(driver, "Data set")) == {"glass"}
    assert set(column(driver, "Code")) == {"Dense"}
    find(driver, "[name=decoder] option[value=loss]").click()
    assert column(driver, "Decoder") == ["loss"]
    assert find(driver, "#shown").text == "1 of 78 shown"
    find(driver, "button[type=reset]").click()
    until(driver, lambda: find(driver, "#shown").text == "78 of 78 shown")
    assert len(column(driver, "Code")) == 78


def test_the_stage_is_a_filter(look, staged_page):
    driver = look(staged_page)
    assert set(column(driver, "Stage")) == {"500"}
    find(driver, "[name=stage] option[value='50']").click()
    assert set(column(driver, "Stage")) == {"50"}
    find(driver, "[name=stage] option[value='']").click()
    assert set(column(driver, "Stage")) == {"50", "500"}


BACKGROUND = "return getComputedStyle(document.body).backgroundColor"


def test_the_theme_follows_the_system_until_it_is_turned(look, svm):
    light = look(svm, scheme="light").execute_script(BACKGROUND)
    driver = look(svm, scheme="dark")
    dark = driver.execute_script(BACKGROUND)
    assert dark != light
    button = find(driver, "#theme")
    assert button.text == "Light theme"
    button.click()
    assert driver.execute_script(BACKGROUND) == light
    assert button.text == "Dark theme"
    driver.refresh()
    assert driver.execute_script(BACKGROUND) == dark  # nothing is kept


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_itself_never_scrolls_sideways(look, svm, evil_page, width):
    for page in (svm, evil_page):
        driver = look(page, width)
        root = "document.documentElement"
        sizes = driver.execute_script(f"return [{root}.scrollWidth, {root}.clientWidth]")
        assert sizes[0] <= sizes[1] <= width


def test_nothing_is_logged_and_nothing_is_loaded(look, svm, evil_page):
    for page in (svm, evil_page):
        driver = look(page)
        find(driver, "#theme").click()
        assert driver.get_log("browser") == []
        events = [json.loads(e["message"])["message"] for e in driver.get_log("performance")]
        sent = [e["params"] for e in events if e["method"] == "Network.requestWillBeSent"]
        urls = [event["request"]["url"] for event in sent]
        assert urls[0] == page.as_uri()
        assert all(url.startswith("data:") for url in urls[1:])


def test_html_in_names_does_not_run(look, evil_page):
    driver = look(evil_page)
    assert driver.title.startswith("</script>")
    assert find(driver, "h1").text == EVIL


def test_every_control_has_a_name_and_every_heading_comes_in_order(look, svm):
    driver = look(svm)
    controls = driver.find_elements("css selector", "main input, main select, button")
    assert controls
    assert all(control.accessible_name.strip() for control in controls)
    levels = driver.execute_script(
        "return [...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))


def test_on_paper_there_are_no_controls_and_no_dark(look, svm):
    driver = look(svm)
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
    assert driver.execute_script(BACKGROUND) == "rgb(255, 255, 255)"
    hidden = [find(driver, selector) for selector in ("#theme", "#filters", "nav")]
    assert not any(element.is_displayed() for element in hidden)
    overflow = "return getComputedStyle(document.querySelector('.tall')).overflow"
    assert driver.execute_script(overflow) == "visible"
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
