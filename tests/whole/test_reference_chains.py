"""The committed run of chains: what results/README.md says about it, with intervals by words."""

import re

import numpy as np
import pandas as pd
import pytest
from results_readme import README, rows
from runs import REFERENCE

from ecoc_bench.experiment.config import read_config
from ecoc_bench.experiment.resolve import load_dataset
from ecoc_bench.experiment.splits import splits
from ecoc_bench.files import PACKAGE
from ecoc_bench.notebook import Run

CHAINS = REFERENCE / "chains"


@pytest.fixture(scope="module")
def wrong():
    """(data set, code) -> for each word: its letters, and how many of them are wrong."""
    experiment = read_config(PACKAGE.parent / "configs" / "chains.yaml")
    data, tests = {}, {}
    for spec in experiment.datasets:
        data[spec.name] = load_dataset(spec, experiment.folder, experiment.seed)
        for split in splits(data[spec.name], spec, experiment):
            tests[spec.name, split.repeat, split.fold] = split.test
    rows = pd.read_csv(CHAINS / "mistakes.csv", dtype={"mistakes": str})
    found = {}
    for (dataset, code), cells in rows.groupby(["dataset", "code"]):
        parts = []
        for cell in cells.itertuples():
            test = tests[dataset, cell.repeat, cell.fold]
            bits = np.unpackbits(np.frombuffer(bytes.fromhex(cell.mistakes), dtype=np.uint8))
            chains = data[dataset].sequences[test]
            parts.append(pd.DataFrame({"word": chains, "wrong": bits[: len(test)].astype(int)}))
        words = pd.concat(parts).groupby("word").wrong
        found[dataset, code] = words.agg(["size", "sum"])
    return found


def difference(one, other):
    """Percent of letters that `one` has more wrong than `other`, and 1.96 standard errors.

    Words are independent, the letters of a word are not: the errors are those of a ratio of sums
    over words.
    """
    gain, size = one["sum"] - other["sum"], one["size"]
    share = gain.sum() / size.sum()
    spread = np.sqrt(((gain - share * size) ** 2).sum()) / size.sum()
    return 100 * share, 196 * spread


def test_the_readme_shows_the_errors_of_the_committed_run():
    errors = Run(CHAINS).results.groupby(["dataset", "code"])[["errors", "n_test"]].sum()
    measures = Run(CHAINS).rows("measures.csv").groupby(["dataset", "code"]).value.mean()
    lines = [[code.strip("`"), *shown] for code, *shown in rows("chains")]
    assert {code for code, *_ in lines} == set(errors.index.get_level_values("code"))
    for code, *shown in lines:
        for dataset, (letters, whole) in zip(
            ("words", "unseen_words"), (shown[:2], shown[2:]), strict=True
        ):
            errs = errors.loc[dataset, code]
            assert letters == f"{100 * errs.errors / errs.n_test:.1f}"
            assert whole == f"{100 * measures[dataset, code]:.1f}"


def test_the_readme_says_what_the_chain_is_worth(wrong):
    pattern = r"`(\w+)` against `(\w+)`\s+on\s+`(\w+)`:\s+([\d.]+)\s+±\s+([\d.]+)\s+points"
    found = re.findall(pattern, README)
    assert len(found) == 4
    for chained, plain, dataset, points, width in found:
        worth, spread = difference(wrong[dataset, plain], wrong[dataset, chained])
        assert (points, width) == (f"{worth:.1f}", f"{spread:.1f}")
