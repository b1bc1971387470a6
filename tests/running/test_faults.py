"""Faults of learners, disks, users and machines: what was done is kept, the rest is done again.

Kills at random moments are in the attack; test_faults_long.py has the Dask clusters.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pandas as pd
import pytest
from distributed import Client
from faults import PATIENCE, Run, outputs, records, remount, small_disk, wait_for, write_config
from runs import invoke

from ecoc_bench.__main__ import start
from ecoc_bench.experiment.plan import Plan
from ecoc_bench.running import manifest
from ecoc_bench.running.workers.child import send
from ecoc_bench.running.workers.process import starting_processes

GUILTY = "000+-0"  # the column of glass that the faulty learner's fault is about


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What undisturbed runs of 2 and of 10 folds leave, fitted by one worker."""
    found = {}
    for folds in (2, 10):
        folder = tmp_path_factory.mktemp("whole")
        path = write_config(folder, folds)
        invoke("run", path, "--out", folder / "out", "-j", 1)
        found[folds] = outputs(folder / "out")
    return found


def check_one_column_fails(exit_code, out, reason):
    """The other columns are measured, and failures.csv names the one that is not."""
    assert exit_code == 1
    failures = pd.read_csv(out / "failures.csv")
    assert set(failures["columns"]) == {GUILTY}
    assert len(failures) == 2
    assert failures.reason.str.contains(reason).all(), failures.reason.tolist()
    assert set(pd.read_csv(out / "results.csv").code) == {"ova"}


@pytest.mark.parametrize(
    ("fault", "reason", "timeout", "jobs"),
    [
        ("raise", "RuntimeError: not today", "null", 1),
        ("exit", "SystemExit: 3", "null", 1),
        ("nan", "not finite", "null", 1),
        ("shape", r"must have shape \(107, 1\)", "null", 1),
        ("uneven", "at the same stages", "null", 1),
        ("loop", "TimeoutError: took longer than 3 s", 3, 1),
        ("kill", "the process of the fit died .exit code -9", "null", 2),
    ],
)
def test_a_faulty_column_fails_alone_and_only_it_is_fitted_again(
    fault, reason, timeout, jobs, command, tmp_path, whole
):
    path, out = write_config(tmp_path, timeout=timeout), tmp_path / "out"
    (tmp_path / "switch").write_text(fault)
    result = command("run", path, "--out", out, "-j", jobs)
    check_one_column_fails(result.exit_code, out, reason)
    (tmp_path / "switch").unlink()
    before = records(out)
    again = command("run", path, "--out", out, "-j", jobs, "--only-failed")
    assert "\n2 columns fitted" in again.stderr
    assert again.exit_code == 0
    assert not (out / "failures.csv").exists()
    assert before <= records(out)
    assert outputs(out) == whole[2]


def check_the_rest_is_done(command, path, out, whole):
    """Running again keeps the records and ends as if nothing had been."""
    before = records(out)
    result = command("run", path, "--out", out, "-j", 2)
    assert result.exit_code == 0, result.stderr
    assert before <= records(out)
    assert outputs(out) == whole[10]
    assert not [name for name in os.listdir(out / "store") if not name.endswith(".record")]


@pytest.fixture
def slow(tmp_path):
    """A run that takes long enough to be disturbed, with its first record written."""
    path = write_config(tmp_path, folds=10)
    with Run(path, tmp_path / "out", "-j", 2, pause=0.05) as run:
        wait_for(lambda: run.has_records(1), "a record")
        run.descendants()
        yield run


def test_a_second_run_is_refused_and_sigterm_keeps_what_the_first_has_done(slow, command, whole):
    second = command("run", slow.config, "--out", slow.out)
    assert second.exit_code == 2
    assert "another run is using this folder" in second.stderr
    slow.process.send_signal(signal.SIGTERM)
    assert slow.end() == 130, slow.stderr
    assert "run again to continue" in slow.stderr
    assert "Traceback" not in slow.stderr
    check_the_rest_is_done(command, slow.config, slow.out, whole)


def test_workers_that_wait_for_a_task_end_with_a_killed_run(tmp_path):
    path = write_config(tmp_path, codes="[ova]")
    with Run(path, tmp_path / "out", "-j", 6, pause=0.5) as run:
        wait_for(lambda: len(run.workers()) == 6, "the workers")
        wait_for(lambda: run.has_records(1), "a record")
        run.kill()
        assert run.end() == -signal.SIGKILL


def test_the_process_of_a_fit_says_nothing_when_its_worker_has_gone():
    call = [sys.executable, "-m", "ecoc_bench.running.workers.child"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(call, **pipes) as child:
        send(child.stdin, (None, time.sleep, (0.2,)))
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait() == 1


def test_workers_that_start_do_not_hear_ctrl_c():
    """Ctrl-C in a terminal reaches them, too: they would print tracebacks of their imports."""
    asked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with starting_processes():
        heard = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    assert heard.stdout == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


KILLED = """
import os, signal
from joblib.externals.loky.backend import resource_tracker
from ecoc_bench.running.workers.process import start_trackers
start_trackers()
resource_tracker.register("was removed before", "folder")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_cleans_up_after_a_killed_run_says_nothing():
    result = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True)
    assert result.returncode == -signal.SIGKILL
    assert result.stderr == ""


def test_ctrl_c_during_the_first_imports_is_no_traceback(tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt")
    call = [sys.executable, "-m", "ecoc_bench", "--version"]
    path = os.pathsep.join([str(tmp_path), str(manifest.PACKAGE.parent)])
    result = subprocess.run(
        call, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert result.returncode == 130
    assert result.stderr == ""


def test_a_second_ctrl_c_where_the_first_is_answered_is_no_traceback(monkeypatch):
    def interrupted(number, handler):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "argv", ["ecoc-bench", "--version"])
    monkeypatch.setattr(signal, "signal", interrupted)
    monkeypatch.setattr("ecoc_bench.__main__.end_soon", lambda: None)  # it would end the tests
    with pytest.raises(SystemExit) as exit:
        start()
    assert exit.value.code == 130


HANGS = """
import sys, threading
import ecoc_bench.cli
from ecoc_bench import __main__
def interrupted(prog_name):
    threading.Thread(target=threading.Event().wait).start()
    sys.exit(130)
ecoc_bench.cli.main = interrupted
__main__.PATIENCE = 0.1
__main__.start()
"""


def test_an_interrupted_run_ends_though_a_thread_of_a_library_does_not():
    result = subprocess.run([sys.executable, "-c", HANGS], capture_output=True, timeout=PATIENCE)
    assert result.returncode == 130
    assert result.stderr == b""


def test_a_full_disk_is_exit_code_1_and_nothing_is_half_written(command, tmp_path, whole):
    path, disk = write_config(tmp_path, folds=10), tmp_path / "disk"
    with small_disk(disk, "300k") as possible:
        if not possible:
            pytest.skip("only root may mount a small file system")
        result = command("run", path, "--out", disk / "out", "-j", 1, "--no-room-check")
        assert result.exit_code == 1
        assert "cannot be written (No space left on device)" in result.stderr
        assert 0 < len(records(disk / "out")) < 10
        assert not list((disk / "out").rglob(".?*.????????"))
        refused = command("run", path, "--out", disk / "out", "-j", 1)
        assert refused.exit_code == 2
        assert "of disk" in refused.stderr
        remount(disk, "size=20m")
        check_the_rest_is_done(command, path, disk / "out", whole)


def test_a_read_only_folder_is_exit_code_2(command, tmp_path):
    path, disk = write_config(tmp_path), tmp_path / "disk"
    with small_disk(disk, "2m") as possible:
        if not possible:
            pytest.skip("only root may mount a small file system")
        remount(disk, "ro")
        result = command("run", path, "--out", disk / "out", "-j", 1)
        assert result.exit_code == 2
        assert "cannot be written to (Read-only file system)" in result.stderr
        assert "--out" in result.stderr


@pytest.mark.parametrize(
    "options", [("-j", 2), ("-j", 4), ("-j", 3, "--backend", "threading")], ids=str
)
def test_any_number_and_kind_of_workers_give_the_same_bytes(options, command, tmp_path, whole):
    path = write_config(tmp_path, folds=10)
    assert command("run", path, "--out", tmp_path / "out", *options).exit_code == 0
    assert outputs(tmp_path / "out") == whole[10]


def test_any_order_of_the_tasks_gives_the_same_bytes(command, tmp_path, whole, monkeypatch):
    def shuffled(self, cells, stored, tasks=Plan.tasks):
        found = tasks(self, cells, stored)
        random.Random(1).shuffle(found)
        return found

    monkeypatch.setattr(Plan, "tasks", shuffled)
    path = write_config(tmp_path, folds=10)
    assert command("run", path, "--out", tmp_path / "out", "-j", 1).exit_code == 0
    assert outputs(tmp_path / "out") == whole[10]


def test_a_run_that_needs_more_memory_than_is_free_says_what_would_fit(
    command, tmp_path, monkeypatch
):
    free = SimpleNamespace(available=1.2e9)
    monkeypatch.setattr("ecoc_bench.experiment.room.psutil.virtual_memory", lambda: free)
    path, out = write_config(tmp_path), tmp_path / "out"
    result = command("run", path, "--out", out, "-j", 64)
    assert result.exit_code == 2
    assert "Use --jobs 3" in result.stderr
    assert not (out / "store").exists()
    assert command("run", path, "--out", out, "-j", 3).exit_code == 0
    assert command("run", path, "--out", tmp_path / "dry", "-j", 64, "--dry-run").exit_code == 0


@pytest.mark.parametrize("only", [(), ("--only", "code=ova")], ids=["all", "only"])
def test_a_manifest_runs_again_to_the_same_bytes(only, command, tmp_path):
    path, out = write_config(tmp_path), tmp_path / "out"
    assert command("run", path, "--out", out, "-j", 1, *only).exit_code == 0
    other = tmp_path / "deep" / "other"
    assert command("run", out / "manifest.json", "--out", other, "-j", 1).exit_code == 0
    assert outputs(other) == outputs(out)


def own_data(tmp_path):
    """A config on a file of the user's own, that can change."""
    rows = "a,class\n" + "".join(f"{i % 7},{'xyz'[i % 3]}\n" for i in range(60))
    (tmp_path / "mine.csv").write_text(rows)
    path = write_config(tmp_path)
    path.write_text(path.read_text().replace("[glass]", "[{name: mine, path: mine.csv}]"))
    return path


def test_a_manifest_whose_data_have_changed_is_refused(command, tmp_path):
    path, out = own_data(tmp_path), tmp_path / "out"
    assert command("run", path, "--out", out, "-j", 1).exit_code == 0
    with open(tmp_path / "mine.csv", "a") as file:
        file.write("3,x\n")
    result = command("run", out / "manifest.json", "--out", tmp_path / "again", "-j", 1)
    assert result.exit_code == 2
    assert "data set 'mine' is not what it was in the manifest" in result.stderr
    (tmp_path / "mine.csv").unlink()
    result = command("run", out / "manifest.json", "--out", tmp_path / "again", "-j", 1)
    assert result.exit_code == 2
    assert "mine.csv" in result.stderr


@pytest.mark.parametrize(
    "damage",
    ["cut", "empty", "list", "no codes", "null", "bytes", "lists in a list", "no checksum"],
)
def test_a_damaged_manifest_is_refused_with_a_sentence(damage, command, tmp_path):
    path, out = write_config(tmp_path), tmp_path / "out"
    command("run", path, "--out", out, "-j", 1, "--only", "code=ova")
    text = (out / "manifest.json").read_text()
    facts = {name: value for name, value in json.loads(text).items() if name != "codes"}
    damaged = {
        "cut": text[: len(text) // 2].encode(),
        "empty": b"",
        "list": b"[1, 2]",
        "no codes": json.dumps(facts).encode(),
        "null": json.dumps({**json.loads(text), "data": None}).encode(),
        "lists in a list": json.dumps({**json.loads(text), "only": [["code=ova"]]}).encode(),
        "no checksum": json.dumps({**json.loads(text), "codes": {"glass.ova.0": 7}}).encode(),
        "bytes": b"\xff\xfe" + text.encode(),
    }
    (tmp_path / "manifest.json").write_bytes(damaged[damage])
    result = command("run", tmp_path / "manifest.json", "--out", tmp_path / "again")
    assert result.exit_code == 2
    assert "not the manifest of a run" in result.stderr


def test_enforce_clean_refuses_a_checkout_with_changes(command, tmp_path, monkeypatch):
    checkout = tmp_path / "checkout"
    (checkout / ".git").mkdir(parents=True)
    monkeypatch.setattr(manifest, "PACKAGE", checkout / "ecoc_bench")
    answers = {"rev-parse": "c0ffee" * 6, "status": " M ecoc_bench/run.py"}
    monkeypatch.setattr(manifest, "_git", lambda *call: answers[call[0]])
    path, out = write_config(tmp_path), tmp_path / "out"
    call = ["run", path, "--out", out, "-j", 1, "--only", "code=ova", "--enforce-clean"]
    result = command(*call)
    assert result.exit_code == 2
    assert "the checkout of commit c0ffeec0ffee has changes" in result.stderr
    answers["status"] = ""
    assert command(*call).exit_code == 0
    assert json.loads((out / "manifest.json").read_text())["source"]["clean"] is True
    shutil.rmtree(checkout / ".git")
    assert command(*call).exit_code == 0


def test_a_run_asks_git_without_writing_to_the_checkout(tmp_path, monkeypatch):
    """Killed while it writes, git would leave a lock that stops its user's next command."""
    monkeypatch.setattr(manifest, "PACKAGE", tmp_path / "ecoc_bench")
    for call in (["init", "-q"], ["add", "."]):
        (tmp_path / "file").write_text("as it was")
        subprocess.run(["git", "-C", tmp_path, *call], check=True)
    before = (tmp_path / ".git" / "index").read_bytes()
    os.utime(tmp_path / "file", (1, 1))
    assert manifest._git("status", "--porcelain") == "A  file"
    assert (tmp_path / ".git" / "index").read_bytes() == before
    subprocess.run(["git", "-C", tmp_path, "status"], check=True, capture_output=True)
    assert (tmp_path / ".git" / "index").read_bytes() != before


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1", "http://", "tcp://:::x"])
def test_a_wrong_address_of_a_scheduler_is_exit_code_2(address, command, tmp_path):
    path = write_config(tmp_path)
    call = ["run", path, "--out", tmp_path / "out", "--backend", "dask", "--scheduler", address]
    result = command(*call)
    assert result.exit_code == 2
    assert f"--scheduler {address}" in result.stderr
    assert {client.status for client in Client._instances} <= {"closed"}  # none is left half made
