"""Others next to a run: a second command in its folder, Ctrl-C to workers that start, Dask workers
without the package or with another version of it.
"""

import os
import sys
import threading
import time
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import psutil
import pytest
from faults import Cluster, Run, wait_for, write_config

import ecoc_bench
from ecoc_bench.errors import UserError
from ecoc_bench.results.ownership import Ownership, claim
from ecoc_bench.running.folder import locked

ONLY = ["--only", "dataset=glass", "--only", "code=ova"]


def test_clean_is_refused_while_a_run_uses_the_folder(config, command, tmp_path):
    out = tmp_path / "out"
    command("run", config(), "--out", out, *ONLY)
    before = {path: path.read_bytes() for path in (out / "store").iterdir()}
    with locked(out):
        for options in ([], ["--all"]):
            result = command("clean", out, *options)
            assert result.exit_code == 2
            assert "another run is using this folder" in result.stderr
    assert {path: path.read_bytes() for path in (out / "store").iterdir()} == before


def test_a_page_that_is_written_while_a_run_ends_takes_nothing_from_its_notes(tmp_path):
    page, run = claim(tmp_path), claim(tmp_path)
    run.write({"results.csv": "rows"})
    page.write({"report.html": "page"})
    noted = Ownership(tmp_path)
    assert "report.html" in noted
    assert not noted.is_damaged("results.csv", b"rows")
    assert noted.is_damaged("results.csv", b"other")


def test_rows_are_the_same_when_the_clock_jumps(config, command, tmp_path, monkeypatch):
    command("run", config(), "--out", tmp_path / "even", *ONLY)
    hours = iter(range(0, 10**6, 5))
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() - 3600 * next(hours))
    assert command("run", config(), "--out", tmp_path / "odd", *ONLY).exit_code == 0
    for name in ("results.csv", "mistakes.csv", "bounds.csv"):
        even, odd = (tmp_path / folder / name for folder in ("even", "odd"))
        assert even.read_bytes() == odd.read_bytes()
    assert "0 columns fitted" in command("run", config(), "--out", tmp_path / "odd", *ONLY).stderr


@pytest.mark.parametrize("delay", [0.0, 0.4, pytest.param(0.8, marks=pytest.mark.long)])
def test_ctrl_c_while_workers_start_shows_no_traceback(delay, tmp_path):
    path = write_config(tmp_path, folds=10)
    with Run(path, tmp_path / "out", "-j", 2, pause=0.05) as run:
        wait_for(run.workers, "workers")
        time.sleep(delay)
        run.interrupt()
        assert run.end() == 130, run.stderr
    assert "Traceback" not in run.stderr
    assert "KeyboardInterrupt" not in run.stderr


STRANGERS = {
    "raise ModuleNotFoundError('no such module')": "cannot import ecoc-bench (ModuleNotFoundError",
    "__version__ = '0.0.1'": "has ecoc-bench 0.0.1, this process",
}


@pytest.mark.long
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("python", STRANGERS)
def test_dask_workers_without_this_package_are_refused(python, command, tmp_path, monkeypatch):
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "ecoc_bench.py").write_text(python)
    with Cluster(tmp_path, n_workers=0) as cluster:
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            patch.setenv("PYTHONPATH", str(tmp_path / "strange"))
            cluster.nannies.append(cluster.add_worker())
        wait_for(lambda: "Registered to" in (tmp_path / "cluster.log").read_text(), "the worker")
        options = "--backend", "dask", "--scheduler", cluster.address
        result = command("run", write_config(tmp_path), "--out", tmp_path / "out", *options)
    assert result.exit_code == 2, result.stderr
    assert STRANGERS[python] in result.stderr
    assert "Install it there: pip install ecoc-bench==" in result.stderr
    assert "Traceback" not in result.stderr


OTHER_DASK = """
import distributed
from distributed.scheduler import Scheduler
distributed.__version__ = "2000.1.0"
"""
OLD_DASK = """
identity = Scheduler.identity
Scheduler.identity = lambda self: identity(self)
"""


def start_other_scheduler(folder, python, patch):
    """A cluster whose scheduler runs these lines first."""
    (folder / "other").mkdir()
    (folder / "other" / "sitecustomize.py").write_text(python)
    with patch.context() as other:
        other.setenv("PYTHONPATH", str(folder / "other"))
        return Cluster(folder, n_workers=0)


@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_this_dask_cannot_talk_with_is_exit_code_2(
    config, command, tmp_path, monkeypatch
):
    with start_other_scheduler(tmp_path, OTHER_DASK + OLD_DASK, monkeypatch) as cluster:
        options = "--backend", "dask", "--scheduler", cluster.address
        result = command("run", config(), "--out", tmp_path / "out", *ONLY, *options)
    assert result.exit_code == 2, result.stderr
    assert "of this process do not understand each other (TypeError:" in result.stderr
    assert "pip install 'dask[distributed]==" in result.stderr


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_a_scheduler_with_another_dask_is_named_and_used(config, command, tmp_path, monkeypatch):
    with start_other_scheduler(tmp_path, OTHER_DASK, monkeypatch) as cluster:
        cluster.nannies.append(cluster.add_worker())
        options = "--backend", "dask", "--scheduler", cluster.address
        result = command("run", config(), "--out", tmp_path / "out", *ONLY, *options)
    assert result.exit_code == 0, result.stderr
    assert f"at {cluster.address} has Dask 2000.1.0, this process" in result.stderr
    assert "Mismatched versions" not in result.stderr


DIES_ONCE = """
import os, sys
if not os.path.exists("died"):
    open("died", "w").close()
    os._exit(1)
sys.path.remove(os.path.dirname(__file__))
del sys.modules["ecoc_bench"]
import ecoc_bench
"""


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_a_dask_worker_that_dies_while_it_is_asked_for_versions_is_no_stranger(
    command, tmp_path, monkeypatch
):
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "ecoc_bench.py").write_text(DIES_ONCE)
    monkeypatch.delitem(sys.modules, "faulty", raising=False)  # of another test's folder
    with Cluster(tmp_path, n_workers=0) as cluster:
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            package = Path(ecoc_bench.__file__).parents[1]
            patch.setenv("PYTHONPATH", os.pathsep.join(map(str, (tmp_path / "strange", package))))
            cluster.nannies.append(cluster.add_worker())
        wait_for(lambda: "Registered to" in (tmp_path / "cluster.log").read_text(), "the worker")
        options = "--backend", "dask", "--scheduler", cluster.address
        result = command("run", write_config(tmp_path), "--out", tmp_path / "out", *options)
    assert (tmp_path / "died").exists()
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize("deaths", [0, 1, 2, 3])
def test_a_file_is_sent_again_when_a_worker_dies_meanwhile(deaths, monkeypatch):
    """The attack does it with real workers; the moment is too short to be hit at will."""
    from distributed.comm import CommClosedError

    from ecoc_bench.running.workers import dask

    monkeypatch.setattr(dask.time, "sleep", lambda seconds: None)
    answers = [*[CommClosedError("Stream is closed")] * deaths, None]
    client, send = Mock(), Mock(side_effect=answers)
    if deaths < 3:
        dask._sent(client, send)
    else:
        with pytest.raises(UserError, match="is gone or has no worker \\(Stream is closed\\)"):
            dask._sent(client, send)
    assert send.call_count == min(deaths + 1, 3)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("which", [min, max])
def test_data_are_sent_again_when_a_worker_dies_meanwhile(which, tmp_path):
    """One array is sent to the first worker and copied to the second, by Dask itself for ever."""
    from ecoc_bench.running.workers import dask

    data = np.arange(1000.0)
    with Cluster(tmp_path) as cluster, dask._connected(cluster.address) as client:
        client.wait_for_workers(2)
        pids = client.run(os.getpid)
        unlucky = psutil.Process(pids[which(pids)])
        unlucky.suspend()
        threading.Timer(0.5, unlucky.kill).start()
        sent = dask._backend(client, [data]).data_futures[id(data)]
        assert sent.result().sum() == data.sum()
        assert client.copies == (which is min)
        assert not unlucky.is_running()


@pytest.mark.filterwarnings("default")
def test_data_are_sent_again_when_the_scheduler_counts_on_workers_that_have_gone(
    tmp_path, monkeypatch
):
    """What it then raises; the moment is too short to be hit at will."""
    from ecoc_bench.running.workers import dask

    errors = [KeyError("tcp://127.0.0.1:1"), ValueError("Can not use replicate to delete data")]
    scatter = dask.Client._scatter

    async def scattered(self, *data, **how):
        if errors:
            raise errors.pop(0)
        return await scatter(self, *data, **how)

    monkeypatch.setattr(dask.Client, "_scatter", scattered)
    with Cluster(tmp_path, n_workers=1) as cluster, dask._connected(cluster.address) as client:
        sent = dask._backend(client, [7]).data_futures[id(7)]
        assert sent.result() == 7
    assert not errors
