"""Demsar's worked examples, and plain-loop twins of the tests."""

from itertools import combinations, product
from math import inf, isnan, sqrt

import numpy as np
import pytest
import scikit_posthocs
from demsar import LOSS, slow_corrected_t
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ecoc_bench.results.significance import procedures as P
from ecoc_bench.results.significance.comparison import rank_groups

# --- the published numbers


def test_average_ranks_of_demsars_table_6():
    assert P.average_ranks(LOSS) == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)


def test_friedman_and_iman_davenport_of_demsars_example():
    test = P.friedman(LOSS)
    assert test.chi2 == pytest.approx(9.28, abs=0.005)
    assert pytest.approx(3.69, abs=0.005) == test.F
    assert test.df == (3, 39)
    assert test.p_F < 0.05  # the critical value of F(3, 39) is 2.85
    assert stats.f.isf(0.05, 3, 39) == pytest.approx(2.85, abs=0.005)


def test_critical_difference_of_demsars_example_is_1_25():
    assert P.critical_difference(4, 14, 0.05) == pytest.approx(1.25, abs=0.005)
    assert P.critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize(
    ("alpha", "values"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_values_of_demsars_table_5(alpha, values):
    for k, value in enumerate(values, start=2):
        q = P.critical_difference(k, 1, alpha) / sqrt(k * (k + 1) / 6)
        # The printed values are off by up to 0.0007: 2.343 for 2.3437, 2.949 for 2.9483.
        assert q == pytest.approx(value, abs=0.001)


def test_wilcoxon_of_demsars_table_2():
    """C4.5 against C4.5+m: R+ = 93, R- = 12, and T = 12 is below the critical 21."""
    test = P.wilcoxon(LOSS[:, 0], LOSS[:, 1])
    assert test.T == 12
    assert test.p < 0.05


# --- other implementations


@pytest.fixture
def tables():
    rng = np.random.default_rng(1)
    sizes = [(int(rng.integers(3, 14)), int(rng.integers(3, 7))) for _ in range(25)]
    # Whole numbers: ties within rows and zero differences are common.
    return [rng.integers(0, 12, size).astype(float) for size in sizes]


def slow_ranks(row):
    return [sum(b < a for b in row) + (sum(b == a for b in row) + 1) / 2 for a in row]


def test_ranks_and_friedman_agree_with_plain_loops_and_scipy(tables):
    for table in [LOSS, *tables]:
        N, k = table.shape
        R = [sum(slow_ranks(row)[j] for row in table.tolist()) / N for j in range(k)]
        assert P.average_ranks(table) == pytest.approx(R)
        test = P.friedman(table)
        # Another form of the same: between-method sum of squares of ranks.
        assert test.chi2 == pytest.approx(
            12 * N / (k * (k + 1)) * sum((r - (k + 1) / 2) ** 2 for r in R), abs=1e-9
        )
        assert test.chi2_ties >= test.chi2 - 1e-9
        assert (test.chi2_ties, test.p_ties) == pytest.approx(stats.friedmanchisquare(*table.T))


def test_friedman_without_ties_is_scipys():
    table = np.random.default_rng(2).normal(size=(9, 4))
    test = P.friedman(table)
    assert (test.chi2, test.p_chi2) == pytest.approx((test.chi2_ties, test.p_ties))


def test_friedman_at_its_ends():
    alike = np.tile([1.0, 2.0, 3.0], (6, 1))
    assert inf == P.friedman(alike).F
    assert P.friedman(alike).p_F == 0
    tied = P.friedman(np.ones((6, 3)))
    assert (tied.chi2, tied.chi2_ties, tied.F) == (0, 0, 0)
    assert tied.p_F == tied.p_ties == 1


def test_nemenyi_and_the_critical_difference_say_the_same(tables):
    for table in [LOSS, *tables]:
        N, k = table.shape
        R, p = P.average_ranks(table), P.nemenyi(table)
        assert p == pytest.approx(scikit_posthocs.posthoc_nemenyi_friedman(table).to_numpy())
        cd = P.critical_difference(k, N, 0.05)
        for i, j in combinations(range(k), 2):
            q = abs(R[i] - R[j]) / sqrt(k * (k + 1) / (6 * N)) * sqrt(2)
            assert p[i, j] == pytest.approx(stats.studentized_range.sf(q, k, inf), abs=1e-6)
            assert (p[i, j] < 0.05) == (abs(R[i] - R[j]) > cd)


def slow_wilcoxon(a, b):
    """T and exact p by all signs; the ranks of zeros go half to either side."""
    d = [round(x - y, 9) for x, y in zip(a, b, strict=True)]
    ranks = slow_ranks([abs(x) for x in d])

    def plus(signs):
        pairs = zip(signs, ranks, strict=True)
        return sum(rank * (sign > 0) + rank * (sign == 0) / 2 for sign, rank in pairs)

    total, seen = sum(ranks), plus(d)
    moving = [(1, -1) if x else (0,) for x in d]
    every = [plus(signs) for signs in product(*moving)]
    extreme = sum(abs(one - total / 2) >= abs(seen - total / 2) - 1e-9 for one in every)
    return min(seen, total - seen), extreme / len(every)


def test_wilcoxon_agrees_with_plain_loops_over_all_signs(tables):
    for table in tables:
        a, b = table[:10, 0], table[:10, 1]
        T, p = slow_wilcoxon(a.tolist(), b.tolist())
        test = P.wilcoxon(a, b)
        assert pytest.approx(T) == test.T
        assert test.p == pytest.approx(p, abs=1e-9)


def test_wilcoxon_agrees_with_scikit_posthocs():
    a, b = LOSS[:, 0], LOSS[:, 3]
    other = scikit_posthocs.posthoc_wilcoxon([a.tolist(), b.tolist()], zero_method="zsplit")
    assert P.wilcoxon(a, b).p == pytest.approx(other.to_numpy()[0, 1])


def test_methods_that_never_differ():
    a = np.array([1.0, 2.0, 3.0])
    assert P.wilcoxon(a, a) == (3.0, 1.0)
    assert P.bayesian_signed_rank(a, a, 1.0) == (0, 1, 0)
    assert P.corrected_t(a, a, 0.1) == (0, 1)


def slow_holm(p):
    adjusted = []
    for value in p:
        smaller = [x for x in p if x <= value]
        steps = [x * (len(p) - sum(y < x for y in p)) for x in smaller]
        adjusted.append(min(1, max(steps)))
    return adjusted


def test_holm_agrees_with_plain_loops_and_statsmodels():
    rng = np.random.default_rng(3)
    for size in range(1, 12):
        p = rng.random(size) ** 3
        assert P.holm(p) == pytest.approx(slow_holm(p.tolist()))
    assert P.holm(p).tolist() == multipletests(p, method="holm")[1].tolist()
    assert P.holm(np.array([])).tolist() == []


def test_corrected_t_agrees_with_plain_loops_and_exceeds_the_naive_p():
    rng = np.random.default_rng(4)
    for folds in (2, 5, 10):
        a, b = rng.normal(20, 3, folds), rng.normal(22, 3, folds)
        test = P.corrected_t(a, b, 1 / (folds - 1))
        assert test == pytest.approx(slow_corrected_t(a, b, folds - 1, 1), abs=1e-6)
        assert test.p > stats.ttest_rel(a, b).pvalue


def test_corrected_t_without_variance_is_not_judged():
    assert isnan(P.corrected_t(np.array([2.0, 3.0]), np.array([1.0, 2.0]), 1.0).p)


def test_bayesian_test_knows_who_is_better_and_repeats_itself():
    rng = np.random.default_rng(5)
    a = rng.normal(20, 1, 12)
    assert P.bayesian_signed_rank(a, a + 5, 1.0).first_better > 0.99
    assert P.bayesian_signed_rank(a + 5, a, 1.0).second_better > 0.99
    assert P.bayesian_signed_rank(a, a + 0.5, 1.0).equal > 0.99
    b = a + rng.normal(1, 1, 12)
    one = P.bayesian_signed_rank(a, b, 1.0)
    assert one == P.bayesian_signed_rank(a, b, 1.0)
    assert sum(one) == pytest.approx(1)
    assert one.equal < P.bayesian_signed_rank(a, b, 2.0).equal


def test_groups_within_the_critical_difference():
    assert rank_groups({"a": 1.0, "b": 1.5, "c": 2.9, "d": 5.0}, 2.0) == (("a", "b", "c"),)
    assert rank_groups({"a": 1.0, "b": 2.5, "c": 4.0}, 1.4) == ()
