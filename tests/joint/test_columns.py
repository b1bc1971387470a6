"""Step 3 of Figs. 1 and 2, Sun et al. 2005: how the columns of AdaBoost.ECC and .OC are drawn."""

from itertools import product

import numpy as np
import oracles_joint as oracles
import pytest
from problems import STUMP, TREE, draw, methods, random_weights, table
from sklearn.exceptions import ConvergenceWarning
from sklearn.tree import DecisionTreeClassifier

from ecoc_bench.joint.boosting import AdaBoostECC
from ecoc_bench.joint.columns import COLUMNS
from ecoc_bench.joint.loop import REDRAWS
from ecoc_bench.joint.weights import first_weights, reweight, separated


def test_half_splits_the_classes_evenly():
    rng = np.random.default_rng(0)
    for k in range(2, 12):
        drawn = {tuple(COLUMNS["half"](np.ones((1, k)), None, rng)) for _ in range(100)}
        assert {sum(np.array(column) == 1) for column in drawn} == {k // 2}
        assert len(drawn) >= min(k, 4) // 2 * 2


def test_bits_are_uniform_over_the_columns_with_both_signs():
    rng = np.random.default_rng(0)
    columns = [tuple(COLUMNS["bits"](np.ones((1, 4)), None, rng)) for _ in range(7000)]
    counts = {column: columns.count(column) for column in set(columns)}
    assert len(counts) == 2**4 - 2
    assert max(abs(count - 500) for count in counts.values()) < 5 * np.sqrt(500)


def test_maxcut_finds_columns_of_high_U():
    best = 0
    for seed in range(40):
        D, y, *_ = random_weights(seed)
        k = D.shape[1]
        column = COLUMNS["maxcut"](D, y, np.random.default_rng(seed))
        U = oracles.cut(D.tolist(), y.tolist(), column.tolist())
        assert U >= 0.5 - 1e-9
        for c in range(k):
            flipped = np.where(np.arange(k) == c, -column, column).tolist()
            assert oracles.cut(D.tolist(), y.tolist(), flipped) <= U + 1e-9
        every = product([-1, 1], repeat=k)
        top = max(oracles.cut(D.tolist(), y.tolist(), list(column)) for column in every)
        best += top <= U + 1e-9
    assert best > 32


def test_maxcut_raises_the_U_of_a_run():
    X, y = table("vowel")
    half, cut = (AdaBoostECC(TREE, 20, columns, random_state=0) for columns in ("half", "maxcut"))
    assert cut.fit(X, y).cuts_.mean() > half.fit(X, y).cuts_.mean() + 0.02


def test_columns_of_a_function():
    """The proof of Theorem 1 takes the code as given: here one-vs-all, again and again."""
    X, y, k = draw(3, k=4)
    ova = iter([np.where(np.arange(k) == t % k, 1, -1) for t in range(100)])
    clf = AdaBoostECC(TREE, rounds=8, columns=lambda D, y, rng: next(ova)).fit(X, y)
    assert ((clf.code_matrix_ == 1).sum(axis=0) == 1).all()
    for bad in ([1, 1, 1, 1], [1, -1], [1, 0, -1, 1], [1, 2, -1, -1]):
        with pytest.raises(ValueError, match=r"columns must give 4 numbers -1 and \+1"):
            AdaBoostECC(TREE, rounds=2, columns=lambda D, y, rng, bad=bad: bad).fit(X, y)


class Fickle(DecisionTreeClassifier):
    """Calls every label by the other sign, in all but one of four trainings."""

    trainings = 0

    def fit(self, X, y, sample_weight=None):
        Fickle.trainings += 1
        return super().fit(X, y if Fickle.trainings % 4 == 0 else -y, sample_weight)


def test_columns_worse_than_chance_are_redrawn():
    X, y, k = draw(2, k=5)
    Fickle.trainings = 0
    clf = AdaBoostECC(Fickle(max_depth=3), rounds=6, random_state=0).fit(X, y)
    assert (Fickle.trainings, clf.n_redraws_) == (24, 18)
    assert (clf.errors_ < 0.5).all()
    D = first_weights(y, k, np.ones(len(y)))
    for column, f, U in zip(
        clf.code_matrix_.T.copy(), clf.margins(X).T.copy(), clf.cuts_, strict=True
    ):
        np.testing.assert_allclose(separated(D, y, column).sum(), U, rtol=1e-9)
        reweight(D, y, column, f)


@methods
def test_redraws_end_and_say_so(method):
    """Four equal classes, no features worth the name: every column has eps_t = 1/2."""
    X, y = np.zeros((8, 1)), np.arange(8) % 4
    clf = method(STUMP, rounds=30, record=[10])
    with pytest.warns(ConvergenceWarning, match="stopped after 0 of 30 rounds"):
        clf.fit(X, y)
    assert clf.n_redraws_ == REDRAWS + 1
    assert clf.code_matrix_.shape == (4, 0)
    assert [labels.tolist() for labels in clf.staged_predict(X)] == [[0] * 8] * 2
    assert clf.margins(X).shape == (8, 0)
