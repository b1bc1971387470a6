"""Signed-rank tests, ours against the libraries that do the same in plain loops."""

import numpy as np
import pytest
from baycomp import SignedRankTest
from scipy.stats import PermutationMethod
from scipy.stats import wilcoxon as scipy_wilcoxon

from ecoc_bench.results.significance.procedures import (
    SAMPLES,
    SEED,
    bayesian_signed_rank,
    wilcoxon,
)


def errors(seed, n):
    """Two methods on n data sets, in steps that make ties and zero differences likely."""
    rng = np.random.default_rng(seed)
    return rng.integers(10, 20, n) / 2, rng.integers(10, 20, n) / 2


@pytest.mark.parametrize("rope", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("n", [2, 5, 12, 30])
def test_the_bayesian_test_gives_baycomps_probabilities(n, rope):
    first, second = errors(n, n)
    posterior = SignedRankTest(-first, -second, rope, nsamples=SAMPLES, random_state=SEED)
    found = bayesian_signed_rank(first, second, rope)
    # Sums in another order may break a tie between two samples differently.
    assert found == pytest.approx(tuple(map(float, posterior.probs())), abs=2 / SAMPLES)


@pytest.mark.parametrize("n", [3, 6, 8])
def test_the_exact_p_with_ties_is_that_of_all_changes_of_signs(n):
    for seed in range(8):
        first, second = errors(seed, n)
        difference = np.round(first - second, 9)
        if not difference.any():
            continue
        every = scipy_wilcoxon(difference, zero_method="zsplit", method=PermutationMethod())
        found = wilcoxon(first, second)
        assert pytest.approx(every.statistic) == found.T
        assert found.p == pytest.approx(every.pvalue)
