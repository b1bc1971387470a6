import gc
import os
import signal
import textwrap

import pytest
from hypothesis import settings
from runs import SMALL, invoke

from ecoc_bench.__main__ import OBJECTS

settings.register_profile("fixed", derandomize=True)  # a test passes or fails every time
settings.load_profile("fixed")
os.environ["ECOC_BENCH_REPORT"] = "0"  # most runs of the tests need no figures
os.environ["COLUMNS"] = "120"  # what is printed is as wide as the tables in files
gc.set_threshold(OBJECTS)  # as in a process of ours: a sixth of the time of imports and compilers
# A shell starts what runs in its background with Ctrl-C ignored: the tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """The examples are in the package: to look for them in all the tests, too, takes seconds."""
    return [found for found in (yield) if type(found) is pytest.Module]


@pytest.fixture
def config(tmp_path):
    """Writes a config into the test's folder and gives its path."""

    def write(text=SMALL, name="small.yaml"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text))
        return path

    return write


@pytest.fixture
def command():
    """Runs `ecoc-bench ...` in this process; the result has exit_code, stdout and stderr."""
    return invoke
