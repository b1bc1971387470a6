"""The folder of a run: starting over, freeing space, and what is left alone."""

import os

import pytest
from runs import SMALL

ONLY = ["--only", "dataset=glass", "--only", "code=ova"]


@pytest.fixture
def finished(config, command, tmp_path):
    """The folder of a small run, with a file of the user's own in it."""
    out = tmp_path / "out"
    command("run", config(), "--out", out, *ONLY)
    (out / "notes.txt").write_text("mine")
    return out


def test_fresh_starts_over_and_leaves_other_files_alone(finished, config, command):
    before = (finished / "results.csv").read_bytes()
    (finished / "failures.csv").write_text("old")
    result = command("run", config(), "--out", finished, "--fresh", *ONLY)
    assert "18 columns fitted" in result.stderr
    assert "of earlier runs removed" in result.stderr
    assert not (finished / "failures.csv").exists()
    assert (finished / "notes.txt").read_text() == "mine"
    assert (finished / "results.csv").read_bytes() == before


def test_fresh_removes_nothing_when_the_config_is_wrong(finished, config, command):
    result = command("run", config(SMALL.replace("ova", "ovaa")), "--out", finished, "--fresh")
    assert result.exit_code == 2
    assert list((finished / "store").iterdir())


def test_clean_frees_what_the_config_no_longer_uses(finished, config, command):
    old = set(os.listdir(finished / "store"))
    (finished / "store" / "x.damaged").write_bytes(b"x" * 5000)
    other = config(SMALL.replace("degree: 2", "degree: 3"))
    command("run", other, "--out", finished, *ONLY)
    rows = (finished / "results.csv").read_bytes()
    would = command("clean", finished, "--dry-run").stdout
    assert old <= set(os.listdir(finished / "store"))
    freed = command("clean", finished).stdout
    assert freed == would.replace("would be ", "")
    assert not old & set(os.listdir(finished / "store"))
    again = command("run", other, "--out", finished, *ONLY)
    assert "0 columns fitted" in again.stderr
    assert (finished / "results.csv").read_bytes() == rows


def test_clean_all_keeps_the_results_only(finished, command):
    assert "freed" in command("clean", finished, "--all").stdout
    assert not (finished / "store").exists()
    assert (finished / "results.csv").exists()
    assert (finished / "notes.txt").exists()


def test_clean_refuses_a_folder_that_is_no_run(command, tmp_path):
    (tmp_path / "store").mkdir()
    result = command("clean", tmp_path, "--all")
    assert result.exit_code == 2
    assert "not the folder of a run" in result.stderr
    assert (tmp_path / "store").exists()


def test_what_a_killed_run_had_half_written_is_swept(finished, config, command):
    half = finished / "store" / ".abc.record.k2_9xy01"
    half.write_bytes(b"half")
    command("run", config(), "--out", finished, *ONLY)
    assert not half.exists()
