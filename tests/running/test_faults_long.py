"""Dask clusters that lose their parts: `make test-faults`."""

import time

import pytest
from faults import Cluster, Run, outputs, records, wait_for, write_config
from test_faults import check_one_column_fails

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("default")]
FOLDS = 40
CODES = "[ova]"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What an undisturbed run leaves."""
    folder = tmp_path_factory.mktemp("whole")
    with Run(write_config(folder, FOLDS, codes=CODES), folder / "out", "-j", 1) as run:
        assert run.end() == 0, run.stderr
    return outputs(folder / "out")


def check_completed(path, out, whole):
    kept = records(out)
    with Run(path, out, "-j", 2) as run:
        assert run.end() == 0, run.stderr
    assert kept <= records(out)
    assert outputs(out) == whole
    assert "Traceback" not in run.stderr


def on(cluster: Cluster):
    """The options of a run on a cluster."""
    return "--backend", "dask", "--scheduler", cluster.address


def test_dask_gives_the_same_bytes_and_its_workers_lose_only_what_they_were_at(tmp_path, whole):
    path = write_config(tmp_path, FOLDS, codes=CODES)
    with Run(path, tmp_path / "local", "--backend", "dask", "-j", 2) as run:
        assert run.end() == 0, run.stderr
    assert outputs(tmp_path / "local") == whole
    with Cluster(tmp_path, pause=0.05) as cluster:
        with Run(path, tmp_path / "out", *on(cluster)) as run:
            wait_for(lambda: run.has_records(3), "records")
            for worker in cluster.workers():  # with them all copies of the data are gone
                worker.kill()
            assert run.end() == 0, run.stderr
        assert outputs(tmp_path / "out") == whole
        with Run(path, tmp_path / "interrupted", *on(cluster)) as run:
            wait_for(lambda: run.has_records(3), "records")
            run.interrupt()
            assert run.end() == 130, run.stderr
        assert "Traceback" not in run.stderr
        check_completed(path, tmp_path / "interrupted", whole)


def test_dask_gets_the_data_once(config, tmp_path, command, monkeypatch):
    from distributed import Client

    sent = []

    def scatter(self, data, *args, scatter=Client.scatter, **kwargs):
        sent.append(data)
        return scatter(self, data, *args, **kwargs)

    monkeypatch.setattr(Client, "scatter", scatter)
    with Cluster(tmp_path) as cluster:
        assert command("run", config(), "--out", tmp_path / "out", *on(cluster)).exit_code == 0
    names = [[getattr(item, "name", "") for item in data] for data in sent if type(data) is list]
    assert names == [["glass", "vowel"]]
    assert "Dataset" not in {type(data).__name__ for data in sent}


@pytest.mark.parametrize("fault", ["die", "kill", "sleep"])
def test_a_column_that_kills_or_stops_its_worker_fails_alone(fault, tmp_path, command):
    reason = {"die": "exit code 7", "kill": "exit code -9", "sleep": "longer than 3 s"}[fault]
    path = write_config(tmp_path, timeout=3 if fault == "sleep" else "null")
    (tmp_path / "switch").write_text(fault)
    out = tmp_path / "out"
    alone = fault == "die"  # joblib takes a lone worker for none, and fits in the run's process
    with Cluster(tmp_path, 1 if alone else 2) as cluster, Run(path, out, *on(cluster)) as run:
        code = run.end()
    check_one_column_fails(code, out, reason)
    local = tmp_path / "local"
    with Run(path, local, "-j", 2) as run:
        code = run.end()
    check_one_column_fails(code, local, reason)
    (tmp_path / "switch").unlink()
    for folder in (out, local):
        assert command("run", path, "--out", folder, "-j", 1, "--only-failed").exit_code == 0
    assert outputs(out) == outputs(local)


def test_a_scheduler_that_does_not_answer_or_has_no_worker_is_exit_code_2(tmp_path):
    path = write_config(tmp_path)
    start = time.monotonic()
    silent = ("--backend", "dask", "--scheduler", "tcp://127.0.0.1:9")
    with Run(path, tmp_path / "out", *silent) as run:
        assert run.end() == 2
    assert time.monotonic() - start < 60
    assert "--scheduler tcp://127.0.0.1:9: no Dask scheduler answers there" in run.stderr
    with (
        Cluster(tmp_path, n_workers=0) as cluster,
        Run(path, tmp_path / "idle", *on(cluster)) as run,
    ):
        assert run.end() == 2, run.stderr
    assert f"Start some with `dask worker {cluster.address}`" in run.stderr
    assert "Traceback" not in run.stderr


def test_the_death_of_the_scheduler_ends_the_run_with_a_sentence(tmp_path, whole):
    path, out = write_config(tmp_path, FOLDS, codes=CODES), tmp_path / "out"
    with Cluster(tmp_path, pause=0.1) as cluster, Run(path, out, *on(cluster)) as run:
        wait_for(lambda: run.has_records(3), "records")
        cluster.scheduler.kill()
        assert run.end() == 2, run.stderr
    assert "Finished work is kept" in run.stderr
    assert "Traceback" not in run.stderr
    check_completed(path, out, whole)
