import os
import textwrap

import pytest
from click.testing import CliRunner
from hypothesis import settings
from runs import SMALL

from ecoc_bench.cli import main

settings.register_profile("fixed", derandomize=True)  # a test passes or fails every time
settings.load_profile("fixed")
os.environ["ECOC_BENCH_REPORT"] = "0"  # most runs of the tests need no figures


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

    def call(*arguments):
        result = CliRunner().invoke(main, [str(a) for a in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call
