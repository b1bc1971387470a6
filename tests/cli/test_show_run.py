"""`ecoc-bench show run`: the facts of a run, and its bounds beside its errors."""

import pandas as pd
import pytest
from fits import write_bounds
from runs import copied

from ecoc_bench.results.failures import FAILURE_COLUMNS, Failure, as_rows
from ecoc_bench.results.rows import to_csv


@pytest.fixture
def run_folder(tmp_path):
    """A committed run."""
    return copied("uci_svm", tmp_path)


def test_show_run_prints_facts_and_bounds(run_folder, command):
    write_bounds(run_folder)
    text = command("show", "run", run_folder).stdout
    assert "run:         uci_svm" in text
    assert "failures:    none" in text
    assert "gamma=1/d" in text
    line = next(line for line in text.splitlines() if line.startswith("glass") and "ova" in line)
    last = (
        pd.read_csv(run_folder / "bounds.csv")
        .query("stage == 500 and code == 'ova'")
        .mean(numeric_only=True)
    )
    assert f"{100 * last['loss_error']:.1f}" in line.split()
    assert f"{100 * last['hamming_error']:.1f}" in line.split()
    pairs = next(line for line in text.splitlines() if "all_pairs" in line and "glass" in line)
    assert pairs.split()[4] == "void"  # six classes: Theorem 1 cannot speak
    assert "Theorem 1 in 2, Eq. 10 in 1" in " ".join(text.split())
    assert "Margins of boosting and their bounds at theta = 0.01" in text
    assert "– among the bounds of margins" in text  # all-pairs has zeros
    assert "does not satisfy Eq. 7" not in text
    assert "Eq. 24" in text
    assert max(map(len, text.splitlines())) <= 120


def test_show_run_marks_bounds_that_do_not_exist(run_folder, command):
    write_bounds(run_folder, loss="linear")
    text = command("show", "run", run_folder).stdout
    line = next(line for line in text.splitlines() if line.startswith("glass") and "ova" in line)
    assert line.split()[4] == "–"
    assert "does not satisfy Eq. 7" in text


def test_show_run_without_bounds_says_how_to_get_them(run_folder, command):
    result = command("show", "run", run_folder)
    assert result.exit_code == 0
    assert "no bounds.csv" in " ".join(result.stdout.split())
    assert "Run its config again" in " ".join(result.stdout.split())


def test_show_run_of_no_run_is_an_error_in_words(tmp_path, command):
    result = command("show", "run", tmp_path / "nowhere")
    assert result.exit_code == 2
    assert "not the folder of a run" in result.stderr


def test_show_run_names_the_first_failure(run_folder, command):
    failed = [Failure("glass", "svm", 0, 1, "ValueError: no", columns=("a",))]
    (run_folder / "failures.csv").write_text(to_csv(FAILURE_COLUMNS, as_rows(failed)))
    text = " ".join(command("show", "run", run_folder).stdout.split())
    assert "failures: 1, see" in text
    assert "svm on glass: ValueError: no" in text
