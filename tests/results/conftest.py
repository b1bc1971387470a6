import pytest

from ecoc_bench.results.significance import procedures


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    """The Bayesian sample is most of the time of a comparison; a small one shows the same."""
    monkeypatch.setattr(procedures, "SAMPLES", 2000)
