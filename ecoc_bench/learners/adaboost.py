"""AdaBoost on stumps over all the columns of a code. Allwein et al. 2000, Sections 5 and 6.

Numbers are tested by "x <= cut" midway between adjacent training values, nominal values by
"x = value"; a missing value makes no test true.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import _check_sample_weight, check_array, check_is_fitted

from ..coding import decoders
from ..coding.boosting_margins import stumps_dimension
from ._binning import bin_features, codewords, size_of, tile, weights_of, workspace
from ._boost_multi import boost_multi
from ._boost_single import boost_single
from ._boosting import add_steps, step_table
from ._lanes import zeros
from .classifier import Code, ECOCClassifier
from .contract import Learner
from .label_sets import is_indicator, signs
from .parameters import RandomState, check_int, nominal_mask, stages

MOST_ROUNDS = 1_000_000  # a stump per column and round is kept
OPTIONS = {"calls": ("single", "multi"), "outputs": ("confidence", "discrete")}


class AdaBoostLearner(Learner):
    """AdaBoost.MO on stumps, or one AdaBoost per column.

    Parameters
    ----------
    rounds : int
    record : int, list of int or None
        Rounds at which `staged_margins` yields margins; the last round is always included.
    calls : "single" or "multi"
        One test per round for all columns, or one for each column.
    outputs : "confidence" or "discrete"
        Real outputs 1/2 ln((W+ + e)/(W- + e)), or alpha_t h_t with h_t in {-1, +1} (Eqs. 13-15).
    bins : int or None
        At most this many quantile bins per number; None tries every threshold.
    nominal : boolean mask over the features, or None for none
    """

    identity = "ecoc_bench.learners.adaboost:AdaBoostLearner"
    loss = "exponential"
    inputs = "coded"
    version = 2

    def __init__(
        self,
        rounds=500,
        record=None,
        calls="single",
        outputs="confidence",
        bins=None,
        nominal=None,
    ):
        self.rounds = rounds
        self.record = record
        self.calls = calls
        self.outputs = outputs
        self.bins = bins
        self.nominal = nominal

    @property
    def single_call(self) -> bool:  # type: ignore[override]
        """Whether all columns are fitted as one problem."""
        return self.calls == "single"

    @property
    def n_stages(self) -> int:  # type: ignore[override]
        """How many rounds' margins are recorded."""
        return len(stages([] if self.record is None else self.record, self.rounds))

    def fit(self, X, Y, sample_weight=None):
        """Y[i, s] in {-1, 0, +1}; D_1 is uniform (or follows sample_weight) where Y is not 0."""
        self._check_params()
        X = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
        Y = np.asarray(Y, dtype=np.int8)
        self.nominal_ = nominal_mask(self.nominal, X.shape[1])
        self.stages_ = stages([] if self.record is None else self.record, self.rounds)
        weight = np.ones(len(X))
        if sample_weight is not None:
            used = np.asarray(sample_weight) > 0
            X, Y, weight = X[used], Y[used], np.asarray(sample_weight, dtype=float)[used]
        order, ends, words = codewords(Y)
        binned = bin_features(X[order], self.nominal_, self.bins)
        tiles = tile(words, ends, int(binned.n_bins.max()))
        sizes = np.add.reduceat(weight[order], np.r_[0, ends[:-1]])
        D = self._first_weights(tiles, words, sizes, weight[order])
        features, tests = self._boost(D, tiles, binned, words, sizes)
        self._keep_cuts(features, tests, binned)
        return self

    def _first_weights(self, tiles, words, sizes, weight):
        """D_1 over the pairs (i, s) with Y[i, s] != 0; it sums to 1, by column if multi-call."""
        D = zeros(size_of(tiles))
        used = (words != 0).astype(float)
        total = sizes @ used
        if self.single_call:
            total[:] = total.sum()
        first = np.divide(used, total, out=used, where=total > 0)
        layout = tiles.layout.tolist()  # plain numbers: to read a field of a record takes longer
        for block, after in pairwise(tiles.blocks.tolist()):
            for g, t in enumerate(range(block[0], after[0])):
                row, end, _, _, n_slots = layout[t]
                columns = block[1] + tiles.place[t, :n_slots].astype(int) % block[2]
                A = weights_of(D, *layout[t])
                np.multiply(weight[row:end, None], first[g, columns], out=A)
        return D

    def _boost(self, D, tiles, binned, words, sizes):
        """Run the rounds; e = 1/(m ell), or 1/(examples of the column) if multi-call.

        Examples count by their weights: a weight of 2 is the same as a copy.
        """
        ell = words.shape[1]
        picks = 1 if self.single_call else ell
        examples = sizes @ (words != 0)
        examples = np.full(ell, sizes.sum() * ell) if self.single_call else examples
        smoothing = np.divide(1, examples, out=np.ones(ell), where=examples > 0)
        features = np.empty((self.rounds, picks), dtype=np.int64)
        tests = np.empty_like(features)
        self.outputs_ = np.empty((self.rounds, 2, ell))
        self.normalizers_ = np.empty((self.rounds, picks))
        work = workspace(tiles, binned, picks == 1)
        run = boost_single if picks == 1 else boost_multi
        trained = features, tests, self.outputs_, self.normalizers_
        run(D, tiles, binned.data(), smoothing, self.outputs == "discrete", work, *trained)
        return features, tests

    def _keep_cuts(self, features, tests, binned):
        """The picked tests in the units of X; -inf where nothing could be tested."""
        first = np.cumsum(binned.n_tests) - binned.n_tests
        cuts = np.append(np.concatenate(binned.cuts), -np.inf)
        self.features_ = features
        self.cuts_ = cuts[np.where(tests >= 0, first[features] + tests, -1)]

    @property
    def split_gains_(self) -> np.ndarray:
        """By input: how far the tests on it lowered the log of the objective, sum_t -ln Z_t."""
        gains = np.zeros(len(self.nominal_))
        np.add.at(gains, self.features_, -np.log(np.minimum(self.normalizers_, 1.0)))
        return gains

    @property
    def eta_(self) -> np.ndarray:  # type: ignore[override]
        """eta = sum_t alpha_t at each stage and for each column: Eq. 16, Allwein et al. 2000.

        With confidence-rated outputs alpha_t is the largest |h_t(x, s)|, so that F/eta is an
        average of functions into [-1, 1], as in Eq. 17. One call has one eta for all its columns.
        """
        sizes = np.abs(self.outputs_).max(axis=1)
        if self.single_call:
            sizes = np.broadcast_to(sizes.max(axis=1, keepdims=True), sizes.shape)
        return np.cumsum(sizes, axis=0)[np.array(self.stages_) - 1]

    @property
    def log_Z_(self) -> np.ndarray | None:  # type: ignore[override]
        """sum_t ln Z_t, Z_t = 2 sqrt(eps_t (1 - eps_t)), Eq. 14, at each stage, for each column.

        Theorem 6 is about one call with discrete outputs; there eps_t = 1/(1 + e^(2 alpha_t)).
        """
        if not self.single_call or self.outputs != "discrete":
            return None
        alphas = np.abs(self.outputs_).max(axis=(1, 2))
        sums = np.cumsum(-np.log(np.cosh(alphas)))[np.array(self.stages_) - 1]  # Z = 1/cosh(alpha)
        return np.repeat(sums[:, None], self.outputs_.shape[2], axis=1)

    def vc_dimension(self, n_features: int, n_columns: int) -> int | None:
        """That of single-call stumps, at most; Section 5 is not about several calls."""
        return stumps_dimension(n_features, n_columns) if self.single_call else None

    def margins(self, X) -> np.ndarray:
        """F[i, s] = sum_t h_t(x_i, s), after all rounds."""
        check_is_fitted(self)
        X = self._check_inputs(X)
        F = np.zeros((len(X), self.outputs_.shape[2]))
        self._add_rounds(X, 0, self.rounds, F)
        return F

    def staged_margins(self, X, stages=None) -> Iterator[tuple[int, np.ndarray]]:
        """Round and margins at each of `stages`, rounds in rising order; by default `stages_`."""
        check_is_fitted(self)
        X = self._check_inputs(X)
        F = np.zeros((len(X), self.outputs_.shape[2]))
        for start, stop in pairwise([0, *(self.stages_ if stages is None else stages)]):
            self._add_rounds(X, start, stop, F)
            yield stop, F.copy()

    def _add_rounds(self, X, start, stop, F):
        """Add the stumps of these rounds to F, feature by feature: their sum is a step function."""
        c = np.require(self.outputs_[start:stop], requirements="W")  # others: compiled anew
        shape = c.shape[0], c.shape[2]
        features, cuts = self.features_[start:stop], self.cuts_[start:stop]
        for f in np.unique(features):
            used = np.unique(cuts[features == f])
            index = np.where(features == f, np.searchsorted(used, cuts), -1)
            table = np.zeros((len(used) + 1, F.shape[1]))
            step_table(np.broadcast_to(index, shape).copy(), self.nominal_[f], c, table)
            segments = np.searchsorted(used, X[:, f])
            if self.nominal_[f]:
                segments[np.append(used, np.nan)[segments] != X[:, f]] = len(used)
            add_steps(table, segments, F)

    def _check_inputs(self, X):
        X = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
        if X.shape[1] != len(self.nominal_):
            raise ValueError(
                f"X must have {len(self.nominal_)} features. Got {X.shape[1]} instead."
            )
        return X

    def _check_params(self):
        for name, allowed in OPTIONS.items():
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(
                    f"{name} must be one of {', '.join(allowed)}. Got {value!r} instead."
                )
        check_int("rounds", self.rounds, 1)
        if self.rounds > MOST_ROUNDS:
            raise ValueError(f"rounds must be at most {MOST_ROUNDS}. Got {self.rounds} instead.")
        if self.bins is not None:
            check_int("bins", self.bins, 2)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def bounds_by_round(normalizers: np.ndarray, terms: int) -> dict[str, np.ndarray]:
    """The bound on the training error after each round: terms x prod_t Z_t, for `history_`.

    prod_t Z_t is the mean of the terms e^-z of the objective, and a misclassified example has at
    least one term of 1 or more among its `terms`.

    >>> bounds_by_round(np.array([[0.5], [0.4]]), 3)["bound"].round(2).tolist()
    [1.5, 0.6]
    """
    products = np.cumprod(normalizers[:, 0])
    return {"round": np.arange(1.0, len(products) + 1), "bound": terms * products}


class AdaBoostMO(ECOCClassifier):
    """AdaBoost.MO on stumps (Schapire & Singer 1999; Allwein et al. 2000, Section 5).

    Parameters are those of AdaBoostLearner and of ECOCClassifier. The default decoder is loss-based
    with the exponential loss, Eq. 15.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = AdaBoostMO(rounds=20).fit(X, y)
    >>> errors = [(labels != y).sum() for labels in clf.staged_predict(X)]
    >>> len(errors), bool(errors[-1] <= errors[0])
    (20, True)
    """

    def __init__(
        self,
        code: Code = "all_pairs",
        rounds: int = 500,
        outputs: str = "confidence",
        bins: int | None = None,
        nominal: Sequence[bool] | np.ndarray | None = None,
        decoder: str | decoders.Decoder = "loss",
        random_state: RandomState = None,
    ) -> None:
        self.code = code
        self.rounds = rounds
        self.outputs = outputs
        self.bins = bins
        self.nominal = nominal
        self.decoder = decoder
        self.random_state = random_state

    @property  # type: ignore[misc]  # made of the parameters, so that it cannot be set
    def learner(self) -> AdaBoostLearner:
        """The single-call learner with these parameters."""
        return AdaBoostLearner(
            rounds=self.rounds, outputs=self.outputs, bins=self.bins, nominal=self.nominal
        )

    def staged_decision_function(self, X: Any) -> Iterator[np.ndarray]:
        """`decision_function` after each round."""
        for F in self._staged(X):
            yield self._scores(F)

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """`predict` after each round."""
        for F in self._staged(X):
            yield self._decide(F)

    def _staged(self, X):
        check_is_fitted(self)
        X = self._inputs(X)
        for _, F in self.learner_.staged_margins(X, range(1, len(self.learner_.outputs_) + 1)):
            yield F


class AdaBoostMH(AdaBoostMO):
    """AdaBoost.MH on stumps: AdaBoost.MO of the one-vs-all code (Mohri et al., Section 9.3.2).

    Its rule, the label of highest f(x, l), is loss-based decoding: of all the terms of Eq. 15 only
    exp(-f(x, y)) - exp(f(x, y)) depends on y, and it falls with f(x, y).

    Trained on label sets, an indicator matrix, it predicts one: sgn(f(x, l)) for every label, as in
    Figure 9.1, whose base classifiers have `outputs="discrete"`. By any loss the nearest of all 2^k
    sets is the same one, so the decoder does not matter. f(x, l) = 0 leaves the label out.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(random_state=0)
    >>> AdaBoostMH(rounds=20).fit(X, Y).predict(X).shape == Y.shape
    True
    """

    label_sets_: bool = False

    def __init__(
        self,
        rounds: int = 500,
        outputs: str = "confidence",
        bins: int | None = None,
        nominal: Sequence[bool] | np.ndarray | None = None,
        decoder: str | decoders.Decoder = "loss",
        random_state: RandomState = None,
    ) -> None:
        super().__init__("ova", rounds, outputs, bins, nominal, decoder, random_state)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "AdaBoostMH":
        """Fit the stumps to one label of each example, or to a set of labels."""
        self.label_sets_ = is_indicator(y)
        if not self.label_sets_:
            super().fit(X, y, sample_weight)
            return self
        if decoders.is_calibrated(self.decoder):
            raise ValueError(f"decoder={self.decoder!r} is for one label. Got sets of labels in y.")
        X, Y = self._inputs(X, reset=True), signs(y)
        check_consistent_length(X, Y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
        self.classes_ = np.arange(Y.shape[1])
        self._index, self._sign = self.classes_, np.ones(Y.shape[1], dtype=np.int8)
        self.learner_ = self.learner.fit(X, Y, sample_weight)
        return self

    def _scores(self, F):
        return F if self.label_sets_ else super()._scores(F)

    def _decide(self, F):
        return (F > 0).astype(int) if self.label_sets_ else super()._decide(F)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @property
    def history_(self) -> dict[str, np.ndarray]:
        """The bound on the training error after each round; an example has a term per class."""
        check_is_fitted(self)
        return bounds_by_round(self.learner_.normalizers_, len(self.classes_))
