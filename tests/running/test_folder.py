"""The folder of a run: starting over, freeing space, and what is left alone."""

import json
import os
import subprocess
import tempfile

import pytest
from faults import records
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
    result = command("run", config(), "--out", finished, "--fresh", *ONLY)
    assert "18 columns fitted" in result.stderr
    assert "of earlier runs removed" in result.stderr
    assert (finished / "notes.txt").read_text() == "mine"
    assert (finished / "results.csv").read_bytes() == before


def test_fresh_removes_nothing_when_the_config_is_wrong(finished, config, command):
    result = command("run", config(SMALL.replace("ova", "ovaa")), "--out", finished, "--fresh")
    assert result.exit_code == 2
    assert list((finished / "store").iterdir())


def test_clean_frees_what_the_config_no_longer_uses(finished, config, command):
    old = records(finished)
    (finished / "store" / "00001.damaged").write_bytes(b"x" * 5000)
    other = config(SMALL.replace("degree: 2", "degree: 3"))
    command("run", other, "--out", finished, *ONLY)
    rows = (finished / "results.csv").read_bytes()
    would = command("clean", finished, "--dry-run").stdout
    assert old <= records(finished)
    freed = command("clean", finished).stdout
    assert freed == would.replace("would be ", "")
    assert records(finished)
    assert not old & records(finished)
    assert not (finished / "store" / "00001.damaged").exists()
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
    gone = subprocess.Popen(["true"])
    gone.wait()
    half = finished / "store" / f".ecoc-bench-{gone.pid}-k2_9xy01.tmp"
    alive = finished / "store" / f".ecoc-bench-{os.getpid()}-k2_9xy01.tmp"
    others = finished / ".env.template", finished / "store" / ".abc.record.k2_9xy01"
    for path in (half, alive, *others):
        path.write_bytes(b"half")
    command("run", config(), "--out", finished, *ONLY)
    assert not half.exists()
    assert alive.exists()
    assert all(path.exists() for path in others)


# Folders and files of somebody else


FOREIGN = ("results.csv", "validation.csv", "selected.csv", "criteria.csv", "calibration.csv",
           "failures.csv", "costs.csv", ".env.template", "notes/mine.txt")  # fmt: skip


def put(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"mine: {name}")


def unchanged(folder, *names):
    return all((folder / name).read_text() == f"mine: {name}" for name in names)


@pytest.mark.parametrize("options", [[], ["--fresh"]])
def test_a_folder_of_somebody_else_is_refused_and_left_as_it_is(config, command, tmp_path, options):
    project = tmp_path / "project"
    put(project, *FOREIGN)
    result = command("run", config(), "--out", project, *ONLY, *options)
    assert result.exit_code == 2
    assert "not the folder of a run, and not empty" in result.stderr
    assert "Choose a new folder with --out" in result.stderr
    assert unchanged(project, *FOREIGN)
    assert not (project / ".ecoc-bench").exists()
    assert not (project / ".lock").exists()


def test_an_empty_folder_is_taken(config, command, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".gitkeep").touch()
    assert command("run", config(), "--out", tmp_path / "out", *ONLY).exit_code == 0


def test_what_somebody_put_into_our_folder_stays(finished, config, command):
    own = ("validation.csv", "figures/mine.svg", "tables/mine.txt", "codes/mine.csv", "store/mine")
    put(finished, *own)
    for options in (["--fresh"], []):
        assert command("run", config(), "--out", finished, *ONLY, *options).exit_code == 0
        assert unchanged(finished, *own)
    command("clean", finished, "--all")
    assert unchanged(finished, *own)
    assert not list((finished / "store").glob("*.record"))


def test_nothing_is_removed_through_a_link(finished, config, command, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    os.rename(finished / "store", elsewhere)
    (finished / "store").symlink_to(elsewhere)
    records = sorted(os.listdir(elsewhere))
    command("clean", finished, "--all")
    assert sorted(os.listdir(elsewhere)) == records
    assert "0 columns fitted" in command("run", config(), "--out", finished, *ONLY).stderr


def test_a_manifest_that_is_not_ours_makes_no_run(command, tmp_path):
    """A web app has a manifest.json, too."""
    (tmp_path / "manifest.json").write_text('{"name": "app", "icons": []}')
    put(tmp_path, "store/state.js", "codes/mine.csv")
    result = command("clean", tmp_path, "--all")
    assert result.exit_code == 2
    assert "not the folder of a run" in result.stderr
    assert unchanged(tmp_path, "store/state.js", "codes/mine.csv")


def test_an_older_run_without_a_marker_is_ours(finished, config, command):
    (finished / ".ecoc-bench").unlink()
    assert "0 columns fitted" in command("run", config(), "--out", finished, *ONLY).stderr
    assert (finished / ".ecoc-bench").exists()


def test_a_marker_of_somebody_else_removes_nothing_outside_its_folder(finished, config, command):
    outside = finished.parent / "precious.txt"
    put(finished.parent, "precious.txt")
    marker = finished / ".ecoc-bench"
    content = json.loads(marker.read_text())
    content["files"] |= {
        "../precious.txt": ["0"],
        str(outside): ["0"],
        "tables/../../precious.txt": [],
    }
    marker.write_text(json.dumps(content))
    assert command("run", config(), "--out", finished, "--fresh", *ONLY).exit_code == 0
    assert unchanged(finished.parent, "precious.txt")


def test_a_folder_of_a_newer_version_is_refused(finished, config, command):
    (finished / ".ecoc-bench").write_text('{"ecoc_bench_run": 2, "files": {}}')
    result = command("run", config(), "--out", finished, *ONLY)
    assert result.exit_code == 2
    assert "made by a newer ecoc-bench" in result.stderr


# Files that were changed


def test_one_changed_entry_of_a_code_is_noticed(config, command, tmp_path):
    out, only = tmp_path / "out", ["--only", "dataset=glass", "--only", "code=dense"]
    command("run", config(), "--out", out, *only)
    rows = (out / "results.csv").read_bytes()
    code = min((out / "codes").iterdir())
    text = code.read_text()
    first, second = text.index("\n1,") + 1, text.rindex("\n-1,") + 1
    altered = (text[:first] + "-" + text[first:], text[:second] + text[second + 1 :])
    for spoiled in (*altered, "?" + text[1:], text[:-1], text + "1,1\n", ""):
        code.write_text(spoiled)
        result = command("run", config(), "--out", out, *only)
        assert "1 damaged files were set aside and made again" in result.stderr
        assert "0 columns fitted" in result.stderr
        assert (out / "results.csv").read_bytes() == rows
        assert code.read_text() == text
        assert code.with_suffix(".damaged").read_text() == spoiled


def test_the_draws_of_a_code_are_one_file_which_grows(config, command, tmp_path):
    out, only = tmp_path / "out", ["--only", "dataset=glass", "--only", "code=dense"]
    command("run", config(), "--out", out, *only)
    before = (out / "codes" / "glass.dense.csv").read_text()
    assert before.count("# glass.dense.") == 2
    more = config(SMALL.replace("draws: 2", "draws: 5"))
    assert command("run", more, "--out", out, *only).exit_code == 0
    after = (out / "codes" / "glass.dense.csv").read_text()
    assert after.startswith(before)
    assert after.count("# glass.dense.") == 5
    assert [path.name for path in (out / "codes").iterdir()] == ["glass.dense.csv"]


@pytest.mark.parametrize("name", ["results.csv", "manifest.json", "bounds.csv"])
def test_a_changed_file_is_not_believed_and_made_again(finished, config, command, name):
    content = (finished / name).read_bytes()
    (finished / name).write_bytes(content.replace(b"glass", b"grass", 1))
    result = command("show", "run", finished)
    assert result.exit_code == 2
    assert f"{name}: not as the run wrote it: its checksum differs" in result.stderr
    assert "nothing that is stored is refitted" in result.stderr
    assert command("run", config(), "--out", finished, *ONLY).exit_code == 0
    assert command("show", "run", finished).exit_code == 0


def test_the_temporary_folder_of_a_run_that_was_killed_with_all_its_processes_goes(
    config, command, tmp_path, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    gone = subprocess.Popen(["true"])
    gone.wait()
    left = tmp_path / "temporary" / f"ecoc-bench-{gone.pid}-abc"
    others = [left.with_name(f"ecoc-bench-{os.getpid()}-abc"), left.with_name("ecoc-bench-notes-1")]
    for folder in (left, *others):
        folder.mkdir(parents=True)
    (left / "0X.npy").write_bytes(b"data")
    command("run", config(), "--out", tmp_path / "out", *ONLY, "--jobs", 2)
    assert sorted((tmp_path / "temporary").glob("ecoc-bench-*")) == sorted(others)
