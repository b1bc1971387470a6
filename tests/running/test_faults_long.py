"""Kills at random moments and Dask clusters that lose their parts: `make test-faults`."""

import random
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


class Moments:
    """When to strike: some moments count from now, others from the next record."""

    def __init__(self, seed: int):
        self.draw = random.Random(seed)

    def wait(self, run: Run) -> bool:
        """Wait for the next one; False when the run was over before."""
        if self.draw.random() < 0.6:
            kept = len(records(run.out))
            wait_for(lambda: run.has_records(kept + 1), "a record")
        end = time.monotonic() + self.draw.uniform(0, 1.5)
        while time.monotonic() < end and run.process.poll() is None:
            time.sleep(0.005)
        return run.process.poll() is None


def disturb(run: Run, moments: Moments, workers) -> int:
    """Kill up to three workers of a run and then the run itself; the number of kills."""
    kills = 0
    for _ in range(moments.draw.randint(0, 3)):
        if not moments.wait(run):
            return kills
        if living := workers():
            moments.draw.choice(living).kill()
            kills += 1
    if moments.wait(run):
        run.kill()
        kills += 1
    return kills


def kill_often(path, folder, moments, wanted, start, workers_of) -> list:
    """Runs that are killed and taken up again until there were enough kills; their folders."""
    kills, outs, kept = 0, [folder / "out0"], set()
    while kills < wanted:
        with start(path, outs[-1]) as run:
            kills += disturb(run, moments, lambda run=run: workers_of(run))
            code = run.end()
        now = records(outs[-1])
        assert kept <= now  # what was recorded is neither lost nor fitted again
        kept = now
        if code == 0:
            outs, kept = [*outs, folder / f"out{len(outs)}"], set()
    print(f"{kills} kills, {len(outs)} folders, {len(kept)} records in the last")
    return outs


def check_completed(path, out, whole):
    kept = records(out)
    with Run(path, out, "-j", 2) as run:
        assert run.end() == 0, run.stderr
    assert kept <= records(out)
    assert outputs(out) == whole
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("seed", range(4))
def test_kills_at_random_moments_change_nothing(seed, tmp_path, whole):
    path = write_config(tmp_path, FOLDS, codes=CODES)
    outs = kill_often(
        path,
        tmp_path,
        Moments(seed),
        10,
        lambda path, out: Run(path, out, "-j", 2, pause=0.1),
        Run.workers,
    )
    for out in outs:
        check_completed(path, out, whole)


def on(cluster: Cluster):
    """The options of a run on a cluster."""
    return "--backend", "dask", "--scheduler", cluster.address


def test_kills_of_dask_workers_at_random_moments_change_nothing(tmp_path, whole):
    path = write_config(tmp_path, FOLDS, codes=CODES)
    with Cluster(tmp_path, pause=0.1) as cluster:
        outs = kill_often(
            path,
            tmp_path,
            Moments(5),
            12,
            lambda path, out: Run(path, out, *on(cluster)),
            lambda run: cluster.workers(),
        )
        for out in outs:
            check_completed(path, out, whole)


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
