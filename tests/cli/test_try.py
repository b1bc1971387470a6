"""`ecoc-bench try`: what it prints and writes."""

import gzip
import json
import os
import signal
import subprocess
import sys

import pytest
from runs import invoke

import ecoc_bench
from ecoc_bench.files import shipped

FEW = ("--only", "ridge", "--only", "svm_pairs", "--jobs", "1", "--time", "10m")
FILES = {"MODEL_CARD.md", "leaderboard.csv", "model.ecoc", "predictions.csv", "try.yaml"}


@pytest.fixture(scope="module")
def glass(tmp_path_factory):
    path = tmp_path_factory.mktemp("try") / "glass.csv"
    path.write_bytes(gzip.decompress((shipped("datasets") / "glass.csv.gz").read_bytes()))
    return path


@pytest.fixture(scope="module")
def tried(glass):
    out = glass.parent / "out"
    result = invoke("try", glass, "--target", "class", "--report", "--out", out, *FEW)
    assert result.exit_code == 0, result.stderr
    return result, out


def test_the_verdict_comes_first_and_the_files_are_there(tried):
    result, out = tried
    assert result.stdout.startswith("Use Gaussian SVM, all pairs: on new rows like these")
    assert "least squares, one-vs-all" in result.stdout
    assert "214 rows, 9 columns" in result.stderr
    assert {path.name for path in out.iterdir()} == FILES | {".ecoc-bench", "report.html"}


def test_the_model_loads_and_predicts_the_file(tried, glass, tmp_path):
    _, out = tried
    assert list(ecoc_bench.load(out / "model.ecoc").classes_) == ["1", "2", "3", "5", "6", "7"]
    result = invoke("predict", out / "model.ecoc", glass, "--out", tmp_path / "new.csv")
    assert result.exit_code == 0, result.stderr


def test_the_config_is_one_that_run_accepts(tried, tmp_path):
    _, out = tried
    result = invoke("run", out / "try.yaml", "--dry-run", "--out", tmp_path / "run")
    assert result.exit_code == 0, result.stderr
    assert "20 cells, 1 decoders each; 5 cells of methods" in result.stdout


def test_the_answer_as_json_and_the_same_numbers_again(tried, glass):
    _, out = tried
    result = invoke("try", glass, "--target", "class", "--json", "--no-report", "--out", out, *FEW)
    found = json.loads(result.stdout)
    assert found["pick"] == "svm_pairs"
    assert len(found["leaderboard"]) == 3
    board = (out / "leaderboard.csv").read_text()
    error = next(row["error"] for row in found["leaderboard"] if row["picked"])
    assert f"{error:.6g}" in board
    assert found["verdict"] in tried[0].stdout
    assert not (out / "report.html").exists()  # of the earlier trial: it would tell of another


def test_a_dry_run_prints_the_plan_and_writes_nothing(glass, tmp_path):
    result = invoke(
        "try", glass, "--target", "class", "--dry-run", "--out", tmp_path / "out", "--time", "60s"
    )
    assert result.exit_code == 0
    assert "13 candidates x 11 fits" in result.stdout
    assert "GB of memory" in result.stdout
    assert not (tmp_path / "out").exists()


def test_a_folder_of_somebody_else_or_of_a_run_is_refused(glass, tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    result = invoke("try", glass, "--target", "class", "--out", tmp_path)
    assert result.exit_code == 2
    assert "Nothing was written" in result.stderr
    run = shipped("configs").parent / "results" / "reference" / "uci_svm"
    result = invoke("try", glass, "--target", "class", "--out", run)
    assert result.exit_code == 2
    assert "the folder of a run, not of a trial" in result.stderr


def test_a_trial_that_fails_leaves_no_folder(glass, tmp_path):
    for out in (tmp_path / "try" / "mine", glass.parent / "empty"):
        (glass.parent / "empty").mkdir(exist_ok=True)
        result = invoke("try", glass, "--target", "clas", "--out", out)
        assert result.exit_code == 2
    assert not any(tmp_path.iterdir())
    assert (glass.parent / "empty").is_dir()  # it was there before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--target", "clas"), "Did you mean 'class'?"),
        (("--target", "class", "--time", "soon"), "Write 60s, 5m or 1h."),
        (("--target", "class", "--only", "forrest"), "Did you mean 'forest'?"),
        (("--target", "class", "--add", "no_such.yaml"), "no_such.yaml"),
    ],
)
def test_a_mistake_is_exit_2_with_a_sentence(glass, tmp_path, options, said):
    result = invoke("try", glass, *options, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "out" / "model.ecoc").exists()


def test_ctrl_c_ends_the_fits_and_what_is_done_is_ranked(glass, tmp_path):
    code, said = struck(glass, tmp_path, signal.SIGINT)
    assert code == 130
    assert "interrupted; the candidates that were done by then are ranked" in said
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES | {".ecoc-bench"}
    assert b"class shares alone" in (tmp_path / "out" / "leaderboard.csv").read_bytes()
    assert not [*(tmp_path / "scratch").iterdir()]


def test_a_trial_that_is_killed_leaves_no_process_and_no_temporary_file(glass, tmp_path):
    code, _ = struck(glass, tmp_path, signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert not [*(tmp_path / "scratch").iterdir()]


def struck(table, folder, number):
    """The exit code and last words of a trial that gets a signal when a candidate is ranked.

    Its words end when the last of its processes has gone.
    """
    (folder / "scratch").mkdir()
    call = ["try", table, "--target", "class", "--time", "2m", "--no-report", "--jobs", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "ecoc_bench", *map(str, call), "--out", folder / "out"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(folder / "scratch")},
    ) as trial:  # fmt: skip
        assert any("ranked" in line for line in trial.stderr)
        trial.send_signal(number)
        return trial.wait(60), trial.stderr.read()
