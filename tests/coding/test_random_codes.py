import json
from itertools import product
from math import ceil, log2

import numpy as np
import pytest
from oracles_codes import slow_best_draw
from runs import REFERENCE, committed

from ecoc_bench.coding import random_codes
from ecoc_bench.coding.codes import CODES, check_code, dense, sparse
from ecoc_bench.coding.distances import rho
from ecoc_bench.errors import CodeTooLarge
from ecoc_bench.experiment.codebook import fingerprint
from ecoc_bench.seeds import seed_for

ALPHABETS = {"dense": np.array([-1, 1], np.int8), "sparse": np.array([-1, 0, 0, 1], np.int8)}
SMALLEST = {"dense": 6, "sparse": 5}  # fewer classes lack the columns


def both(name, k, seed, ell, tries):
    """The matrix of the search and that of its slow twin, which leaves the generator alike."""
    fast, slow = np.random.default_rng(seed), np.random.default_rng(seed)
    found = random_codes.best_draw(name == "sparse", k, ell, tries, fast)
    expected = slow_best_draw(ALPHABETS[name], k, ell, tries, slow, random_codes.BATCH)
    assert fast.bit_generator.state == slow.bit_generator.state
    return found, expected


@pytest.mark.parametrize("k", range(3, 31))
@pytest.mark.parametrize("name", sorted(ALPHABETS))
def test_the_search_finds_the_matrix_of_its_slow_twin(name, k, monkeypatch):
    """Two batches and a part of the next: what is drawn again for the first comes in between."""
    monkeypatch.setattr(random_codes, "BATCH", 40)
    ell = ceil({"dense": 10, "sparse": 15}[name] * log2(k)) if k >= SMALLEST[name] else 3
    for seed, tries in ((k, 90), (k + 100, 30)):
        np.testing.assert_array_equal(*both(name, k, seed, ell, tries))


@pytest.mark.parametrize("name", sorted(ALPHABETS))
@pytest.mark.parametrize("k", [63, 64, 65, 130, 300])
def test_rows_are_compared_across_blocks_of_many_classes(name, k):
    np.testing.assert_array_equal(*both(name, k, seed=k, ell=20, tries=30))


@pytest.mark.parametrize("name", sorted(ALPHABETS))
def test_columns_that_agree_in_the_first_rows_only_are_not_drawn_again(name, monkeypatch):
    monkeypatch.setattr(random_codes, "HEAD", 3)
    np.testing.assert_array_equal(*both(name, k=12, seed=0, ell=30, tries=50))


def test_the_matrix_does_not_depend_on_how_many_are_held_at_a_time(monkeypatch):
    expected = [dense(8, np.random.default_rng(s), tries=600) for s in range(5)]
    monkeypatch.setattr(random_codes, "CHUNK", 7 * 8 * 30)
    monkeypatch.setattr(random_codes, "BLOCK", 3)
    for s, M in enumerate(expected):
        np.testing.assert_array_equal(dense(8, np.random.default_rng(s), tries=600), M)


def test_a_search_without_a_valid_matrix_finds_none():
    """One column has three different entries at most: rows of twelve classes are equal."""
    found, expected = both("sparse", k=12, seed=0, ell=1, tries=5)
    assert found is None
    assert expected is None


def drawn_again(run, draws):
    """The codes of a committed run: their fingerprints in its manifest, and drawn once more."""
    facts = json.loads((REFERENCE / run / "manifest.json").read_text())
    classes = committed(run).groupby("dataset").n_classes.first()
    for (dataset, k), spec, draw in product(classes.items(), facts["config"]["codes"], draws):
        name = f"{dataset}.{spec['name']}.{draw}"
        if name in facts["codes"] and CODES[spec["family"]].random:
            seed = facts["config"]["seed"], "code", dataset, k, spec["family"], spec["params"], draw
            rng = np.random.default_rng(seed_for(*seed))
            M = CODES[spec["family"]].make(k, rng, **spec["params"])
            yield name, facts["codes"][name], fingerprint(M)


def test_the_codes_of_a_committed_run_are_drawn_again():
    """Of problems with 6 to 26 classes, both families, the best of 10,000."""
    found = list(drawn_again("uci_svm", draws=[0]))
    assert len(found) == 16
    assert [committed for _, committed, _ in found] == [again for _, _, again in found]


@pytest.mark.parametrize("family", [dense, sparse])
def test_a_thousand_classes_are_searched_without_their_distances_at_once(family):
    M = family(1000, np.random.default_rng(0), columns=100, tries=60)
    np.testing.assert_array_equal(check_code(M), M)
    assert rho(M) > rho(family(1000, np.random.default_rng(0), columns=100, tries=1))


@pytest.mark.parametrize("family", [dense, sparse])
def test_a_search_that_would_not_fit_into_memory_is_refused(family):
    with pytest.raises(CodeTooLarge, match="Set fewer columns or tries"):
        family(10**9, np.random.default_rng(0))
