"""The committed run of configs/costs.yaml, and what results/README.md says of it."""

import re

import pytest
from results_readme import README, rows
from runs import REFERENCE

from ecoc_bench.experiment.config import find_config, read_config
from ecoc_bench.experiment.resolve import load_dataset
from ecoc_bench.results.measured import summary_of
from ecoc_bench.results.run import Run

KNOWS = re.compile("expected_cost|rescaling")  # the costs
LINES = [
    ("ova", "likelihood"), ("ova", "expected_cost"), ("all_pairs", "likelihood"),
    ("all_pairs", "expected_cost"), ("crammer_singer", "joint"), ("margin_rescaling_svm", "joint"),
    ("slack_rescaling_svm", "joint"),
]  # fmt: skip


@pytest.fixture(scope="module")
def run():
    return Run(REFERENCE / "costs")


@pytest.fixture(scope="module")
def costs(run):
    return summary_of(run.measured("mean_cost")).set_index(["dataset", "code", "decoder"])["value"]


def test_the_table_of_the_readme_is_that_of_the_run(costs):
    said = [line[1:] for line in rows("costs")]
    assert said == [[f"{costs[data, *line]:.1f}" for data in ("glass", "ecoli")] for line in LINES]


def test_what_the_readme_says_of_it(run, costs):
    saved = [
        costs[data, code, "likelihood"] - costs[data, code, "expected_cost"]
        for data in ("glass", "ecoli")
        for code in ("ova", "all_pairs")
    ]
    assert sum(value > 0 for value in saved) == 3
    assert f"by {max(saved):.1f} of 100 at most" in README
    for method in ("margin_rescaling_svm", "slack_rescaling_svm"):
        for data in ("glass", "ecoli"):
            assert costs[data, method, "joint"] > costs[data, "crammer_singer", "joint"]
    within = run.stats("method", measure="mean_cost").within
    knowing = [one.test.p for one in within if KNOWS.search(f"{one.first} {one.second}")]
    assert len(knowing) == 2 * (9 * 8 - 5 * 4) / 2
    assert min(knowing) > 0.05


def test_the_costs_are_those_of_the_config(run):
    experiment = read_config(find_config("costs"))
    for spec in experiment.datasets:
        data = load_dataset(spec, experiment.folder, experiment.seed)
        assert run.facts["data"][spec.name]["costs"] == data.costs.tolist()
