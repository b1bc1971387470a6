"""Processes for fits: they answer, they are killed in time, and there is a next one."""

import os
import time

import numpy as np
import pytest

from ecoc_bench.data.csvfile import Dataset
from ecoc_bench.trying.workers import Prepared, crew

DATA = Dataset("d", np.eye(2), np.array([0, 1]), ("a", "b"), ("x", "y"), (None, None), None, "")


@pytest.fixture(scope="module")
def hired():
    with crew(1) as found:
        yield found


def test_a_call_comes_back_with_its_result_or_its_error(hired):
    worker = hired.workers[0]
    assert worker.call(60, DATA, divmod, 7, 2) == (3, 1)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        worker.call(60, DATA, divmod, 7, 0)


def test_a_call_that_takes_too_long_is_killed_and_the_next_one_is_answered(hired):
    worker = hired.workers[0]
    pid = worker.call(60, DATA, os.getpid)
    with pytest.raises(TimeoutError):
        worker.call(0.2, DATA, time.sleep, 60)
    assert worker.call(60, DATA, os.getpid) != pid
    assert not _is_running(pid)


def test_a_process_that_dies_is_an_error_and_the_next_one_is_answered(hired):
    worker = hired.workers[0]
    with pytest.raises(RuntimeError, match="died"):
        worker.call(60, DATA, os._exit, 3)
    assert worker.call(60, DATA, divmod, 7, 2) == (3, 1)


def test_a_prepared_module_is_called_by_name_and_not_loaded_here(hired):
    assert Prepared(hired.nursery, "colorsys", 60).call(60, "rgb_to_hsv", 1, 1, 1) == (0.0, 0.0, 1)
    with pytest.raises(RuntimeError, match="no_such_module"):
        Prepared(hired.nursery, "no_such_module", 60).call(60, "f")


def test_no_process_is_left():
    with crew(2) as found:
        pids = [worker.call(60, DATA, os.getpid) for worker in found.workers]
    assert not any(map(_is_running, pids))


def _is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
