"""What is printed fits the terminal, a pipe has 80 columns, and files have their own width."""

import io
import os
import pty
import subprocess
import sys
import termios

import pytest
from runs import REFERENCE, ran

from ecoc_bench.results.formats import WIDTH, for_terminal, line_width
from ecoc_bench.results.run import Run

CALLS = {
    "table": ["table", REFERENCE / "quick"],
    "several runs": ["table", REFERENCE / "uci_svm", REFERENCE / "allwein_table3"],
    "stats": ["stats", REFERENCE / "textbook", "--compare", "method"],
    "claims": ["claims", REFERENCE / "uci_svm"],
    "check": ["check", REFERENCE / "quick", "--against", REFERENCE / "quick"],
    "run": ["show", "run", REFERENCE / "uci_adaboost"],
    "data set": ["show", "dataset", "glass"],
}


def widest(text):
    return max(map(len, text.splitlines()))


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("columns", [80, 100])
def test_what_is_printed_fits(call, columns, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    text = command(*CALLS[call]).stdout
    assert columns - 20 < widest(text) <= columns


def test_blocks_of_columns_hold_every_number(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    wide = command("table", REFERENCE / "quick").stdout
    monkeypatch.setenv("COLUMNS", "80")  # the leaderboard needs as many
    narrow = command("table", REFERENCE / "quick").stdout
    assert widest(narrow) <= 80 < widest(wide)
    numbers = [word for word in wide.split() if "." in word and word[0].isdigit()]
    assert sorted(numbers) == sorted(w for w in narrow.split() if "." in w and w[0].isdigit())


def test_a_pipe_has_80_columns_and_other_notations_have_no_width(command, monkeypatch):
    monkeypatch.delenv("COLUMNS")
    assert widest(command("table", REFERENCE / "quick").stdout) <= 80
    assert widest(command("table", REFERENCE / "quick", "--style", "markdown").stdout) > WIDTH


@pytest.mark.parametrize(
    ("columns", "width"), [("0", 80), ("", 80), ("wide", 80), ("-5", 80), ("7", 40), ("200", 200)]
)
def test_a_width_that_is_none_is_ignored_and_a_tiny_one_is_not_filled(columns, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with for_terminal():
        assert line_width() == width
    assert line_width() == WIDTH


def test_a_terminal_has_its_own_width():
    parent, child = pty.openpty()
    termios.tcsetwinsize(child, (24, 66))
    script = (
        "from ecoc_bench.results.formats import for_terminal, line_width\n"
        "with for_terminal(): print(line_width())"
    )
    environment = {name: text for name, text in os.environ.items() if name != "COLUMNS"}
    subprocess.run([sys.executable, "-c", script], stdout=child, env=environment, check=True)
    assert os.read(parent, 100).decode().strip() == "66"


def test_the_files_of_a_run_do_not_depend_on_the_terminal(tmp_path, monkeypatch):
    text = """
    name: wide
    datasets: [glass]
    evaluation: {folds: 2}
    learners: [least_squares]
    codes: [ova, all_pairs, {name: dense, columns: 8}, {name: short, family: dense, columns: 6}]
    decoders: [hamming]
    """
    monkeypatch.setenv("COLUMNS", "80")
    narrow = ran(text, tmp_path / "narrow")
    monkeypatch.setenv("COLUMNS", "120")
    wide = ran(text, tmp_path / "wide")
    files = [(run / "tables" / "table.txt").read_text() for run in (narrow, wide)]
    assert files[0] == files[1] == Run(wide).table()
    assert widest((narrow.parent / "stdout").read_text()) <= 80 < widest(files[0])
