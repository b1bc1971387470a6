"""The data in files that all workers see: what goes over the network, what is read, and by whom."""

import os
import pickle
import platform
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from distributed import Client, LocalCluster
from faults import Cluster, Run, outputs, wait_for, write_config
from scipy.sparse import csr_matrix

from ecoc_bench.data.cards import load
from ecoc_bench.errors import UserError
from ecoc_bench.experiment.tasks import Context, Task
from ecoc_bench.files import scratch
from ecoc_bench.running.workers import shelf as shelves
from ecoc_bench.running.workers.shelf import Shelf, opened, opened_task

ONLY = ["--only", "dataset=vowel", "--only", "code=ova"]


@pytest.fixture(scope="module")
def vowel():
    return load("vowel")


def sent(thing):
    """What a worker makes of the bytes that it gets."""
    return pickle.loads(pickle.dumps(thing))


def task_on(rows):
    y = np.arange(rows) % 3
    parts = np.arange(rows), np.arange(rows, rows + 5)
    context = Context("key", "vowel", "svm", 0, 0, *parts, y, y[:5])
    return Task(context, ("+-0",), np.array([[1], [-1], [0]], dtype=np.int8))


@pytest.mark.parametrize("slab", [1, 1000, 10**9])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_from_a_file_are_those_of_the_array(slab, order, vowel, tmp_path, monkeypatch):
    monkeypatch.setattr(shelves, "SLAB", slab)
    data = replace(vowel, X=np.asarray(vowel.X, order=order))
    X = opened(sent(Shelf(tmp_path).data(data))).X
    draw = np.random.default_rng(0).permutation(len(data.y))
    for rows in (draw, np.sort(draw[:300]), draw[:1], draw[:0], np.array([7, 3, 7])):
        assert X[rows].tobytes() == data.X[rows].tobytes()
        assert X[rows].flags.c_contiguous == data.X[rows].flags.c_contiguous
        assert X[rows].flags.writeable


def test_a_sparse_matrix_keeps_its_kind(vowel, tmp_path):
    data = replace(vowel, X=csr_matrix(vowel.X))
    X = opened(sent(Shelf(tmp_path).data(data))).X
    rows = np.array([5, 2, 900])
    assert type(X) is csr_matrix
    assert (X[rows].toarray() == vowel.X[rows]).all()


def test_sequences_go_into_a_file_too(vowel, tmp_path):
    data = replace(vowel, sequences=np.arange(len(vowel.y)) // 3)
    filed = Shelf(tmp_path).data(data)
    assert len(pickle.dumps(filed)) < 3000 < data.X.nbytes
    found = opened(sent(filed))
    assert (found.sequences == data.sequences).all()
    assert (found.y == data.y).all()


def test_one_content_is_one_file(vowel, tmp_path):
    shelf = Shelf(tmp_path)
    first = shelf.data(vowel)
    assert shelf.data(replace(vowel, name="vowel@0.1", X=vowel.X.copy())).X == first.X
    assert len(list(tmp_path.iterdir())) == 2
    assert shelf.data(replace(vowel, X=vowel.X + 1)).X != first.X


def test_large_arrays_of_tasks_go_into_files_and_small_ones_along(tmp_path):
    shelf, small, large = Shelf(tmp_path), task_on(10), task_on(100_000)
    assert opened_task(sent(shelf.task(small))).context.train.tolist() == list(range(10))
    assert not list(tmp_path.iterdir())
    shelf = Shelf(tmp_path)
    filed = shelf.task(large)
    assert len(pickle.dumps(filed)) < 2000
    assert shelf.task(replace(large, columns=("other",))).context is filed.context
    found = opened_task(sent(filed))
    assert found.columns == large.columns
    assert (found.block == large.block).all()
    for name in ("train", "test", "y_train", "y_test"):
        ours = getattr(found.context, name)
        assert type(ours) is np.ndarray
        assert (ours == getattr(large.context, name)).all()


def test_a_worker_whose_folder_is_gone_says_which_and_what_to_do(vowel, tmp_path):
    filed = Shelf(tmp_path).data(vowel)
    for path in tmp_path.iterdir():
        path.unlink()
    with pytest.raises(UserError) as refused:
        opened(sent(filed)).X[np.array([0])]
    for part in (str(tmp_path), platform.node(), "FileNotFoundError", "--shared"):
        assert part in str(refused.value)


def test_folders_of_killed_runs_go_and_those_of_other_machines_stay(tmp_path):
    gone = subprocess.Popen(["true"])
    gone.wait()
    names = [f"ecoc-bench-{gone.pid}-{host}-abc" for host in ("other", "other-" + platform.node())]
    names += [f"ecoc-bench-{os.getpid()}-{platform.node()}-abc"]
    for name in (*names, f"ecoc-bench-{gone.pid}-{platform.node()}-abc"):
        (tmp_path / name).mkdir()
    with scratch(tmp_path) as folder:
        assert folder.parent == tmp_path
        assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*names, folder.name])
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(names)


@pytest.fixture
def scheduler():
    """The address of a cluster whose worker is a thread of this process."""
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1",
        dashboard_address=None,
    ) as cluster:  # fmt: skip
        yield cluster.scheduler_address


@pytest.mark.filterwarnings("default")
def test_a_shared_folder_gives_the_same_bytes_and_the_data_are_not_sent(
    scheduler, config, command, tmp_path, monkeypatch
):
    scattered = []

    def scatter(self, data, *args, scatter=Client.scatter, **kwargs):
        scattered.append(len(pickle.dumps(data)))
        return scatter(self, data, *args, **kwargs)

    monkeypatch.setattr(Client, "scatter", scatter)
    monkeypatch.setattr(shelves, "LARGE", 100)
    (tmp_path / "shared").mkdir()
    assert command("run", config(), "--out", tmp_path / "alone", *ONLY).exit_code == 0
    on = ("--backend", "dask", "--scheduler", scheduler)
    for name, options in {"sent": (), "read": ("--shared", tmp_path / "shared")}.items():
        result = command("run", config(), "--out", tmp_path / name, *ONLY, *on, *options)
        assert result.exit_code == 0, result.stderr
        assert outputs(tmp_path / name) == outputs(tmp_path / "alone")
    sent, read = scattered
    assert sent > 80_000 > 10_000 > read
    assert not list((tmp_path / "shared").iterdir())


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_workers_that_die_lose_nothing_of_a_shared_folder(tmp_path):
    path = write_config(tmp_path, folds=40, codes="[ova]")
    with Run(path, tmp_path / "loky", "-j", 2) as run:
        assert run.end() == 0, run.stderr
    (tmp_path / "shared").mkdir()
    with Cluster(tmp_path, pause=0.05) as cluster:
        on = ("--backend", "dask", "--scheduler", cluster.address)
        with Run(path, tmp_path / "out", *on, "--shared", tmp_path / "shared") as run:
            wait_for(lambda: run.has_records(3), "records")
            assert len(list(tmp_path.glob("shared/ecoc-bench-*/*.npy"))) == 2
            for worker in cluster.workers():
                worker.kill()
            assert run.end() == 0, run.stderr
        assert outputs(tmp_path / "out") == outputs(tmp_path / "loky")
        with Run(path, tmp_path / "killed", *on, "--shared", tmp_path / "shared") as run:
            wait_for(lambda: run.has_records(3), "records")
            run.kill()
            run.end()
    wait_for(lambda: not list((tmp_path / "shared").iterdir()), "the folder to go", 30)


def test_a_shared_folder_needs_dask_and_must_exist(config, command, tmp_path):
    result = command("run", config(), "--shared", tmp_path)
    assert result.exit_code == 2
    assert "--shared goes with --backend dask" in result.stderr
    result = command("run", config(), "--backend", "dask", "--shared", tmp_path / "none")
    assert result.exit_code == 2
    assert "does not exist" in result.stderr


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_a_worker_that_does_not_see_the_folder_is_refused_before_any_fit(command, tmp_path):
    (tmp_path / "shared").mkdir()
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("only root may hide a folder from a process")
    with Cluster(tmp_path, n_workers=1) as cluster:
        cluster.nannies.append(cluster.add_worker(hidden=tmp_path / "shared"))
        wait_for(lambda: len(cluster.workers()) == 2, "the worker")
        options = ("--backend", "dask", "--scheduler", cluster.address, "--shared")
        path, out = write_config(tmp_path), tmp_path / "out"
        result = command("run", path, "--out", out, *options, tmp_path / "shared")
    assert result.exit_code == 2, result.stderr
    for part in (str(tmp_path / "shared"), "the Dask worker at tcp://127.0.0.1", "--shared"):
        assert part in result.stderr
    assert "Traceback" not in result.stderr
    assert not (out / "store").exists()
    assert not list((tmp_path / "shared").iterdir())
