"""An answer about iris, and the table itself."""

import pytest
from answers import iris_answer

from ecoc_bench.files import shipped
from ecoc_bench.trying.look import read_problem


@pytest.fixture(scope="session")
def answer():
    return iris_answer()


@pytest.fixture(scope="session")
def iris():
    """Fisher's flowers as they are read."""
    return read_problem(shipped("configs") / "examples" / "iris.csv", "species").data
