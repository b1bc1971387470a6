"""The candidates of `ecoc-bench try`: how each is fitted, and about what it costs.

They, their grids and their order were chosen on the shipped data, never on the user's. Each is
fitted with one thread; what is random has a seed.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import UserError, unknown

GAMMAS = (0.0625, 0.25, 1.0, 4.0)  # times 1/d, of standardized inputs
PRICES = (1.0, 10.0, 100.0)  # C
MOST_SEARCHED = 1500  # rows of the inner split that gamma and C are chosen on
HELD = 3  # every third of them is held out


class Size(NamedTuple):
    """What the cost of a fit depends on."""

    n: int  # training rows
    d: int  # inputs, categories counted one by one
    k: int  # classes


class Candidate(NamedTuple):
    """A method with its settings."""

    name: str
    title: str
    simplicity: float  # place in the order of preference among equals
    inputs: str  # a mode of data.inputs
    fit: Callable[[np.ndarray, np.ndarray, np.ndarray, int], Any]  # X, y, nominal, seed -> fitted
    seconds: Callable[[Size], float]  # of a fit, roughly
    fewest: int = 2  # classes; with fewer it is the same as another candidate
    compiling: float = 0.0  # seconds that its kernels take on their first use on a machine


def prior(X, y, nominal, seed):
    """The shares of the classes, whatever the row."""
    from sklearn.dummy import DummyClassifier

    return DummyClassifier(strategy="prior").fit(X, y)


def ridge(X, y, nominal, seed):
    """Least squares on the signs of one-vs-all, in closed form."""
    from sklearn.linear_model import RidgeClassifier

    return RidgeClassifier(alpha=1.0).fit(X, y)


def _logistic(code: str):
    def fit(X, y, nominal, seed):
        from sklearn.linear_model import LogisticRegression

        from ..learners.classifier import ECOCClassifier

        return ECOCClassifier(
            LogisticRegression(max_iter=300),
            code=_code(code, len(np.unique(y))),
            decoder="logistic",
            random_state=seed,
        ).fit(X, y)

    return fit


def _code(name: str, k: int) -> str:
    """The dense code needs more dichotomies than a few classes have: all of them, then."""
    return "complete" if name == "dense" and 2 ** (k - 1) <= 10 * np.log2(k) else name


def _svm(code: str):
    def fit(X, y, nominal, seed):
        from ..learners.classifier import ECOCClassifier
        from ..learners.svm import SVM

        gamma, C = searched(X, y, seed)
        # libsvm needs no compilation, which can take longer than a short trial.
        machine = SVM(kernel="rbf", gamma=gamma, C=C, solver="libsvm")
        return ECOCClassifier(machine, code=code, decoder="hinge", random_state=seed).fit(X, y)

    return fit


def searched(X: np.ndarray, y: np.ndarray, seed: int) -> tuple[float, float]:
    """Gamma and C of least error on one inner split; of equals, the smoothest machine's."""
    from sklearn.svm import SVC

    from ..coding.folds import dealt

    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(y))[:MOST_SEARCHED]
    held = dealt(y[rows], HELD, rng) == 0
    fitted, checked = rows[~held], rows[held]
    if len(np.unique(y[fitted])) < 2:
        return 1 / X.shape[1], 1.0
    errors = {}
    for factor in GAMMAS:
        for C in PRICES:
            gamma = factor / X.shape[1]
            machine = SVC(gamma=gamma, C=C, max_iter=100_000).fit(X[fitted], y[fitted])
            errors[gamma, C] = float((machine.predict(X[checked]) != y[checked]).mean())
    return min(errors, key=lambda place: (errors[place], place[1], place[0]))


def multiclass_svm(X, y, nominal, seed):
    """One problem for all classes, Gaussian kernel."""
    from ..joint.crammer_singer import MulticlassSVM

    gamma, C = searched(X, y, seed)
    return MulticlassSVM(kernel="rbf", gamma=gamma, C=C).fit(X, y)


def forest(X, y, nominal, seed):
    """200 trees on bootstrap samples."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(200, random_state=seed, n_jobs=1).fit(X, y)


def hist_boosting(X, y, nominal, seed):
    """Gradient boosting on binned inputs; it stops when a tenth of the rows says so."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    counts = np.bincount(y)
    enough = len(y) >= 500 and counts[counts > 0].min() >= 2
    return HistGradientBoostingClassifier(
        max_iter=100, early_stopping=bool(enough), random_state=seed
    ).fit(X, y)


def trees_dense(X, y, nominal, seed):
    """A dense code whose columns are boosted trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    from ..learners.classifier import ECOCClassifier

    trees = HistGradientBoostingClassifier(max_iter=60, early_stopping=False)
    code = _code("dense", len(np.unique(y)))
    return ECOCClassifier(trees, code=code, decoder="logistic", random_state=seed).fit(X, y)


def stumps_pairs(X, y, nominal, seed):
    """AdaBoost.MO on stumps over all pairs."""
    from ..learners.adaboost import AdaBoostLearner
    from ..learners.classifier import ECOCClassifier

    learner = AdaBoostLearner(rounds=300, nominal=nominal)
    code = ECOCClassifier(learner, code="all_pairs", decoder="exponential", random_state=seed)
    return code.fit(X, y)


def secc(X, y, nominal, seed):
    """AdaBoost.SECC on unpruned C4.5 trees."""
    from ..joint.boosting import AdaBoostSECC
    from ..learners.c45 import C45Classifier

    tree = C45Classifier(prune=False, nominal=nominal)
    return AdaBoostSECC(tree, rounds=100, eta=0.2, record=100, random_state=seed).fit(X, y)


def _linear(per_column: float, columns: Callable[[int], int], share=lambda k: 1.0):
    """Logistic regression: columns x rows x inputs."""
    return lambda s: 0.005 * columns(s.k) + per_column * columns(s.k) * share(s.k) * s.n * s.d


def _machines(s: Size, columns: int, rows: float) -> float:
    searched = len(GAMMAS) * len(PRICES) * _kernel(min(s.n, MOST_SEARCHED), s.d)
    return searched + columns * _kernel(rows, s.d)


def _kernel(n: float, d: int) -> float:
    return 1e-9 * n**2 * (d + 20)


def pairs(k: int) -> int:
    return k * (k - 1) // 2


def dense_columns(k: int) -> int:
    """Columns of the dense code, ceil(10 log2 k), or all dichotomies if these are fewer."""
    return min(int(np.ceil(10 * np.log2(k))), 2 ** min(k - 1, 30) - 1)


def _boosting(s: Size, rounds: int, outputs: int) -> float:
    return rounds * outputs * (0.0015 + 3e-9 * s.n * s.d)


def estimated(candidate: Candidate, size: Size, n_fits: int) -> float:
    """Seconds of all the fits of a candidate, one after the other, roughly."""
    return n_fits * candidate.seconds(size) + candidate.compiling


def chosen(names: Sequence[str], k: int, added: Sequence[Candidate] = ()) -> list[Candidate]:
    """The candidates for k classes, in our order, then the added ones; of `--only`, these."""
    known = CANDIDATES | {one.name: one for one in added}
    for name in names:
        if name not in known:
            raise UserError(f"--only: {unknown('candidate', name, known)}")
    wanted = [one for one in known.values() if not names or one.name in names]
    return [one for one in wanted if k >= one.fewest] or [CANDIDATES["prior"]]


# In the order in which they are fitted: first what is cheap, then what often wins.
CANDIDATES = {
    one.name: one
    for one in (
        Candidate("prior", "class shares alone", 0, "coded", prior, lambda s: 1e-3),
        Candidate(
            "ridge", "least squares, one-vs-all", 1, "standardize", ridge,
            lambda s: 1e-3 + 1e-9 * s.n * s.d * (s.d + s.k + 10),
        ),
        Candidate(
            "linear_ova", "logistic regression, one-vs-all", 2, "standardize", _logistic("ova"),
            _linear(3e-7, lambda k: k if k > 2 else 1),
        ),
        Candidate(
            "forest", "random forest", 9, "raw", forest,
            lambda s: 0.35 + 8e-6 * s.n * np.log2(s.n + 2) * s.d**0.5,
        ),
        Candidate(
            "svm_pairs", "Gaussian SVM, all pairs", 5, "standardize", _svm("all_pairs"),
            lambda s: _machines(s, pairs(s.k), 2 * s.n / s.k),
        ),
        Candidate(
            "hist_boosting", "histogram gradient boosting", 10, "raw", hist_boosting,
            lambda s: _boosting(s, 100, s.k if s.k > 2 else 1),
        ),
        Candidate(
            "linear_pairs", "logistic regression, all pairs", 3, "standardize",
            _logistic("all_pairs"), _linear(2e-7, pairs, lambda k: 2 / k), 3,
        ),
        Candidate(
            "linear_dense", "logistic regression, dense code", 4, "standardize",
            _logistic("dense"), _linear(3e-7, dense_columns), 4,
        ),
        Candidate(
            "svm_ova", "Gaussian SVM, one-vs-all", 6, "standardize", _svm("ova"),
            lambda s: _machines(s, s.k, s.n), 3,
        ),
        Candidate(
            "stumps_pairs", "boosted stumps, all pairs", 8, "coded", stumps_pairs,
            lambda s: 300 * (1e-4 + 2e-10 * s.n * s.d * s.k), 2, 20.0,
        ),
        Candidate(
            "multiclass_svm", "multiclass SVM (Crammer & Singer)", 7, "standardize",
            multiclass_svm, lambda s: _machines(s, s.k, s.n), 2, 10.0,
        ),
        Candidate(
            "trees_dense", "dense code of boosted trees", 12, "raw", trees_dense,
            lambda s: _boosting(s, 60, dense_columns(s.k)), 3,
        ),
        Candidate(
            "secc_c45", "AdaBoost.SECC on C4.5 trees", 11, "coded", secc,
            lambda s: 100 * (1e-3 + 5e-8 * s.n * s.d * np.log2(s.n + 2)), 2, 60.0,
        ),
    )
}  # fmt: skip
