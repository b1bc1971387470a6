"""The committed run of the default decoder: it is not worse than scikit-learn's own classifiers."""

import json

import pytest
from runs import REFERENCE

from ecoc_bench.coding.decoders import DEFAULTS
from ecoc_bench.experiment.config import find_config, parse_config, read_config
from ecoc_bench.results.peers import decoders, peers
from ecoc_bench.results.run import Run

FOLDER = REFERENCE / "defaults"
HALF_A_POINT = 0.5


@pytest.fixture(scope="module")
def run():
    return Run(FOLDER)


def test_the_run_is_that_of_the_shipped_config():
    facts = json.loads((FOLDER / "manifest.json").read_text())
    shipped = read_config(find_config("defaults"))
    assert parse_config(facts["config"], "manifest", shipped.folder) == shipped
    assert facts["source"]["clean"]
    assert facts["exit_code"] == 0


def test_ten_learners_five_codes_and_all_shipped_data_were_measured(run):
    coded = run.results[run.results["learner"] != "joint"]
    assert coded["learner"].nunique() == 10
    assert coded["code"].nunique() == 5
    assert coded["dataset"].nunique() == 14


def test_the_default_is_nowhere_half_a_point_worse_than_scikit_learn(run):
    """But for stochastic gradients one-vs-all, where both sides do the same with other seeds."""
    table = peers(run)
    assert len(table) == 50
    assert table["datasets"].min() >= 12
    worse = table[table["difference"] > HALF_A_POINT]
    assert set(zip(worse["learner"], worse["code"], strict=True)) <= {("sgd", "ova")}


def test_the_default_is_not_worse_than_votes_with_any_code(run):
    means = decoders(run).groupby("code").mean(numeric_only=True)
    assert (means["auto"] <= means["hamming"]).all()


def test_the_linear_loss_on_all_pairs_is_the_trap_that_we_say_it_is(run):
    means = decoders(run).groupby("code").mean(numeric_only=True)
    assert means["linear"]["all_pairs"] > means["auto"]["all_pairs"] + 3
    assert DEFAULTS["all_pairs"] == "majority"
