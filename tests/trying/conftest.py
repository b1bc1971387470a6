"""An answer about iris."""

import pytest
from answers import iris_answer


@pytest.fixture(scope="session")
def answer():
    return iris_answer()
