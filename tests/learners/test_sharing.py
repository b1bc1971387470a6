"""Kernel matrices in files that processes fill together."""

import multiprocessing
import os
import signal

import numpy as np
import pytest
from parts import called

from ecoc_bench.learners import _kernel_rows, keeping, sharing
from ecoc_bench.learners.kernels import formula_of, new_matrix
from ecoc_bench.learners.svm import SVM

row = called(_kernel_rows.row)
# All are forked from one that has loaded what is slow to load.
PROCESSES = multiprocessing.get_context("forkserver")
LOADED = ["ecoc_bench.learners.svm", "ecoc_bench.learners.keeping", "pytest"]
PROCESSES.set_forkserver_preload(LOADED)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A run's folder, in which this process shares what it keeps."""
    keeping.forget()
    monkeypatch.setattr(sharing, "_folders", [])
    sharing.share_in(str(tmp_path))
    yield tmp_path
    keeping.forget()


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(40, 3))


def matrix(X, shared=True):
    return new_matrix(formula_of("rbf", 0.5, 0.0, 1, X), X, X, np.float32, shared)


def test_a_row_is_seen_by_others_when_the_fit_that_filled_it_has_ended(folder, X):
    mine, theirs = matrix(X), matrix(X)
    with mine.filling() as rows:
        row(rows, 7)
        with theirs.filling() as other:
            assert not other.have.any()
    with theirs.filling() as other:
        assert np.flatnonzero(other.have).tolist() == [7]
        assert other.K[7].tobytes() == row(matrix(X, shared=False).rows, 7).tobytes()


def test_other_rows_or_another_kernel_have_another_matrix(folder, X):
    with matrix(X).filling() as rows:
        row(rows, 0)
    other_rows, other_kernel = X + 1.0, formula_of("rbf", 0.6, 0.0, 1, X)
    assert not matrix(other_rows).store.have.any()
    assert not new_matrix(other_kernel, X, X, np.float32, shared=True).store.have.any()


def test_a_matrix_that_one_process_drops_still_serves_the_others(folder, X):
    mine, theirs = matrix(X), matrix(X)
    with mine.filling() as rows:
        row(rows, 3)
    mine.store.drop()
    assert list(folder.iterdir()) == []
    with theirs.filling() as rows:
        assert rows.have[3]
        row(rows, 4)
    assert np.flatnonzero(theirs.store.have).tolist() == [3, 4]


def fill_and_die(folder, X):
    sharing.share_in(folder)
    with matrix(X).filling() as rows:
        row(rows, 5)
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_while_it_fills_leaves_no_row_that_others_believe(folder, X):
    victim = PROCESSES.Process(target=fill_and_die, args=(str(folder), X))
    victim.start()
    victim.join()
    assert victim.exitcode == -signal.SIGKILL
    assert len(list(folder.iterdir())) == 1
    assert not matrix(X).store.have.any()


def fill_check_drop(folder, X, truth, turns):
    """Exits with 1 as soon as a row is believed that is not the kernel's."""
    sharing.share_in(folder)
    rng = np.random.default_rng(os.getpid())
    for _ in range(turns):
        shared = matrix(X)
        with shared.filling() as rows:
            row(rows, rng.integers(len(X)))
            if not np.array_equal(rows.K[rows.have], truth[rows.have]):
                raise SystemExit(1)
        shared.store.drop()


def test_processes_that_make_and_drop_one_matrix_at_a_time_believe_no_empty_row(folder, X):
    plain = matrix(X, shared=False)
    truth = np.array([row(plain.rows, i) for i in range(len(X))])
    arguments = (str(folder), X, truth, 500)
    processes = [PROCESSES.Process(target=fill_check_drop, args=arguments) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]


def test_shared_or_not_the_margins_are_the_same_bytes(folder, X, monkeypatch):
    Y = np.sign(X[:, :2] + 0.1)
    shared = SVM().fit(X, Y).margins(X)
    assert list(folder.iterdir())
    keeping.forget()
    assert not list(folder.iterdir())
    monkeypatch.setattr(sharing, "_folders", [])
    assert SVM().fit(X, Y).margins(X).tobytes() == shared.tobytes()
