import pytest
from runs_passerini2004 import LARGE, swept
from runs_sun2005 import CHOSEN, boosted


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """A run of Figures 3 and 4 of Passerini et al. 2004."""
    return swept(tmp_path_factory.mktemp("passerini") / "large", LARGE, folds=1)


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A run of two of the data sets of their Figure 2."""
    return swept(tmp_path_factory.mktemp("passerini") / "small", ["glass", "yeast"])


@pytest.fixture(scope="session")
def boosted_run(tmp_path_factory):
    """A run of Table 3 of Sun et al. 2005."""
    return boosted(tmp_path_factory.mktemp("sun") / "run", chosen=CHOSEN)
