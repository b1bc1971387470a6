"""AdaBoost.MR and the algorithm of exercise 9.3 (Mohri, Rostamizadeh & Talwalkar, chapter 9).

Both are coordinate descent over stumps h: X x Y -> {-1, +1}, each on its own objective; the labels
are y_i[l] = +1 for the class of x_i, or for the labels of its set, and -1 for the others.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..learners._binning import size_of, workspace
from ..learners._boosting import LEAST_ERROR
from ..learners._stumps import search_one
from ..learners.adaboost import AdaBoostLearner
from ._ranking import agreements, lay_out, ordered, pair_weights, reweight_pairs, vote
from .stumps import StumpClassifier


class Search:
    """The stump of steepest descent, by the kernels of single-call discrete AdaBoost.

    The slope is sum_j sum_l |W+_jl - W-_jl|, the sum of all weights minus twice the sum of min(W+,
    W-): the test of lowest error is the steepest.
    """

    def __init__(self, memory, tiles, binned, Y):
        self.memory, self.tiles, self.binned, self.Y = memory, tiles, binned, Y
        self.work = workspace(tiles, binned, single=False)
        self.sides = np.empty(len(Y), dtype=np.int64)

    def __call__(self, a, feature, test):
        """h(x, l) on each side, 2 x classes; sets `feature`, `test` and `sides` to the stump's."""
        lay_out(a, self.tiles, self.memory)
        search_one(self.memory, self.tiles, self.binned.data(), self.work, feature, test)
        v, f = np.empty((2, a.shape[1])), feature[0]
        vote(a, self.Y, self.binned.codes[f], test[0], self.binned.nominal[f], self.sides, v)
        return v


class DescentStumps(AdaBoostLearner):
    """The stumps of a coordinate descent; a subclass sets the weights and the step of a round."""

    def __init__(self, rounds=500, record=None, bins=None, nominal=None):
        super().__init__(rounds, record, "single", "discrete", bins, nominal)

    def _first_weights(self, tiles, words, sizes, weight):
        """Memory for the tiles of the search, and the examples' weights."""
        return np.zeros(size_of(tiles)), weight

    def _boost(self, D, tiles, binned, words, sizes):
        """Run the rounds and return the tests they pick; outputs and Z_t are kept."""
        (memory, weight), k = D, words.shape[1]
        group = (tiles.layout.end - tiles.layout.row)[: len(words)]
        Y = np.repeat(words, group, axis=0)
        features = np.empty((self.rounds, 1), dtype=np.int64)
        tests = np.empty_like(features)
        self.outputs_ = np.empty((self.rounds, 2, k))
        self.normalizers_ = np.empty((self.rounds, 1))
        find = Search(memory, tiles, binned, Y)
        D = self._start(weight, words, group)
        for t in range(self.rounds):
            v = find(self._slopes(D, Y), features[t], tests[t])
            self.outputs_[t], self.normalizers_[t] = self._step(D, Y, find.sides, v)
        return features, tests

    def _start(self, weight, words, group) -> Any:
        """D_1, of sum 1, of groups of examples that have the same labels `words`."""
        raise NotImplementedError

    def _slopes(self, D, Y) -> np.ndarray:
        """a(i, l), examples x classes."""
        raise NotImplementedError

    def _step(self, D, Y, sides, v) -> tuple[np.ndarray, float]:
        """alpha_t h_t and Z_t; D_t becomes D_{t+1}."""
        raise NotImplementedError


class Pairs(NamedTuple):
    """The weights D of pairs: label `above` of example `row` is in its set, `below` is not."""

    D: np.ndarray
    row: np.ndarray
    above: np.ndarray
    below: np.ndarray


def all_pairs_of(words, group) -> Pairs:
    """Every pair of every example, of weight 1: `group[g]` examples have the labels `words[g]`.

    >>> [part.tolist() for part in all_pairs_of(np.array([[1, 1, -1], [1, -1, -1]]), [1, 1])[1:]]
    [[0, 0, 1, 1], [0, 1, 0, 0], [2, 2, 1, 2]]
    """
    places, n_rows = [], 0
    for word, size in zip(words, group, strict=True):
        pairs = np.argwhere((word[:, None] > 0) & (word < 0)).astype(np.int32)
        rows = np.repeat(np.arange(n_rows, n_rows + size, dtype=np.int32), len(pairs))
        places.append(np.column_stack([rows, np.tile(pairs, (size, 1))]))
        n_rows += size
    row, above, below = np.ascontiguousarray(np.concatenate(places).T)
    return Pairs(np.ones(len(row)), row, above, below)


class PairStumps(DescentStumps):
    """AdaBoost.MR: D_t over the pairs (i, l), l != y_i, or (i, l, l'), l in the set and l' not."""

    def _start(self, weight, words, group):
        """Each example has its weight, spread over its pairs; one without pairs has none."""
        pairs = all_pairs_of(words, group)
        if not len(pairs.D):
            raise ValueError("no example has one label and lacks another: nothing is to be ranked.")
        counts = np.bincount(pairs.row, minlength=len(weight))
        share = weight * (counts.max() / np.maximum(counts, 1))
        D = share[pairs.row]
        return pairs._replace(D=D / D.sum())

    def _slopes(self, D, Y):
        a = np.empty(Y.shape)
        pair_weights(D.D, D.row, D.above, D.below, a)
        return a

    def _step(self, D, Y, sides, v):
        right, wrong = ordered(D.D, D.row, D.above, D.below, sides, v)
        c = 0.25 * math.log(max(right, LEAST_ERROR) / max(wrong, LEAST_ERROR)) * v
        return c, reweight_pairs(D.D, D.row, D.above, D.below, sides, c)


class MeanStumps(DescentStumps):
    """Exercise 9.3: D_t(i) over the examples."""

    def _start(self, weight, words, group):
        return weight / weight.sum()

    def _slopes(self, D, Y):
        return np.repeat(D[:, None] / Y.shape[1], Y.shape[1], axis=1)

    def _step(self, D, Y, sides, v):
        g = np.empty(len(Y))
        agreements(Y, sides, v, g)
        error = max(0.5 - 0.5 * float(D @ g), LEAST_ERROR)
        alpha = 0.5 * math.log((1 - error) / error)
        D *= np.exp(-alpha * g)
        Z = float(D.sum())
        D /= Z
        return alpha * v, Z


class AdaBoostMR(StumpClassifier):
    """AdaBoost.MR, exercise 9.4: coordinate descent on F of Eq. 9.26, with stumps.

    F = sum_i sum_{l != y_i} exp(-(f(x_i, y_i) - f(x_i, l))), to which every misclassified example
    adds at least 1 (b). A round takes the stump of steepest descent and the exact step alpha_t =
    1/4 ln(eps+/eps-), where eps+ and eps- are the weights D_t of the pairs (i, l) with h_t(x_i,
    y_i) above and below h_t(x_i, l). This is RankBoost on the pairs ((x_i, l), (x_i, y_i)), the
    second to be ranked higher, with rankers (1 + h)/2 of twice the step.

    Label sets (Schapire & Singer 1999, Section 8): F = sum_i 1/(|Y_i| (k - |Y_i|)) sum exp(-(f(x_i,
    l) - f(x_i, l'))), l in Y_i and l' not, which is at least m times the ranking loss. A set
    without any label, or with all of them, has no pair and teaches nothing. The set of x are the
    labels above the threshold of lowest Hamming loss on the training examples.

    Deviation: eps+ and eps- are at least 1e-12, so that the step of a perfect stump is finite.
    Parameters and attributes are those of StumpClassifier.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = AdaBoostMR(rounds=40, record=[5, 20]).fit(X, y)
    >>> clf.stages_
    [5, 20, 40]
    >>> errors = [int((labels != y).sum()) for labels in clf.staged_predict(X)]
    >>> errors[-1] < errors[0]
    True
    """

    ranks = True

    def _learner(self):
        return PairStumps(self.rounds, self.record, self.bins, self.nominal)

    def _terms(self):
        return len(self.classes_) - 1


class MeanMarginBoost(StumpClassifier):
    """The algorithm of exercise 9.3: descent on G of Eq. 9.25, with stumps.

    G = sum_i exp(-1/k sum_l y_i[l] f(x_i, l)) weighs examples, where AdaBoost.MH weighs the pairs
    (i, l); since exp is convex, k G is at most F of Eq. 9.13. A round takes the stump of steepest
    descent: the lowest eps_t = P[h_t(x_i, l) != y_i[l]] for i drawn by D_t and l uniformly. The
    step is AdaBoost's 1/2 ln((1 - eps_t)/eps_t), which lowers G by a factor of at most
    2 sqrt(eps_t (1 - eps_t)).

    Deviations. The exact step along a coordinate does not exist in general: a stump that says -1
    for all classes agrees with (k - 2)/k of the signs of every example, so from k = 3 on G falls to
    0 along it although it separates no two classes. For the same reason G bounds the share of
    examples with sum_l y_i[l] f(x_i, l) <= 0, but not the multi-label error, as the exercise
    claims. eps_t is at least 1e-12. The set of x are the labels with f(x, l) > 0.
    Parameters and attributes are those of StumpClassifier.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = MeanMarginBoost(rounds=40).fit(X, y)
    >>> float(clf.score(X, y)) > 0.9
    True
    """

    def _learner(self):
        return MeanStumps(self.rounds, self.record, self.bins, self.nominal)
