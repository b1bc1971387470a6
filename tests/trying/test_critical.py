"""The critical differences agree with the tests that judge the candidates."""

from dataclasses import replace

import numpy as np
import pytest
from answers import iris_answer
from scipy import stats

from ecoc_bench.trying.choose import tied
from ecoc_bench.trying.critical import gaps
from ecoc_bench.trying.folds import ratio


@pytest.mark.parametrize("metric", ["error", "balanced_accuracy"])
def test_who_is_within_the_critical_difference_is_tied(metric):
    answer = iris_answer(metric=metric)
    found = gaps(answer)
    assert [gap.name for gap in found] == [one.name for one in answer.ranked[1:]]
    for gap in found:
        assert (abs(gap.worse) <= gap.critical) == answer.entry(gap.name).tied


def test_ties_agree_with_holms_procedure_on_random_folds(answer):
    rng = np.random.default_rng(0)
    for _ in range(200):
        by_fold = rng.normal(0, 0.03, (4, 6)) + rng.normal(0, 0.05, (4, 1))
        scores = by_fold.mean(axis=1)
        order = np.argsort(scores)
        entries = [
            replace(answer.ranked[i], by_fold=by_fold[c], scores={"error": scores[c]})
            for i, c in enumerate(order)
        ]
        found = gaps(replace(answer, entries=tuple(entries), best=entries[0].name))
        same = tied(scores[None, order], by_fold[None, order], ratio(answer.folds))[0]
        assert [abs(gap.worse) <= gap.critical for gap in found] == same[1:].tolist()


def test_one_other_candidate_is_tested_at_5_percent(answer):
    first, second = answer.ranked[:2]
    (gap,) = gaps(replace(answer, entries=(first, second), best=first.name))
    difference = second.by_fold - first.by_fold
    J = len(difference)
    error = np.sqrt((1 / J + 1 / 2) * difference.var(ddof=1))  # three folds: one tests, two train
    assert gap.critical == pytest.approx(stats.t.ppf(0.975, J - 1) * error)


def test_candidates_with_a_single_test_part_have_no_critical_difference(answer):
    entries = tuple(replace(one, by_fold=one.by_fold[:1]) for one in answer.ranked)
    assert gaps(replace(answer, entries=entries)) == []
