"""What compiling a kernel takes is told apart from what a fit takes."""

import time

import numba
import numpy as np
import pytest
from numba import njit

from ecoc_bench.learners.compiling import Stopwatch


def slow_sum(values):
    total = 0.0
    for value in np.sort(values):
        total += value
    return total


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_stopwatch_stands_still_while_kernels_are_compiled():
    kernel, clock, start = njit(slow_sum), Stopwatch(), time.perf_counter()
    assert kernel(np.array([2.0, 1.0])) == 3.0
    first = time.perf_counter() - start
    assert clock.read() < first / 2
    time.sleep(0.05)
    assert 0.05 <= clock.read() < time.perf_counter() - start
