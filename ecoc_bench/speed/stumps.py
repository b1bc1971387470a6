"""How fast boosting of stumps over a code is: ours against another library's, on the same problem.

Both fit the same columns for the same number of rounds, in turn and several times, in one thread;
the peer fits one classifier per column on the column's non-zero examples. Times are processor
seconds, so that other programs count little; compilation is timed separately. The limit is the time
to read and add, in a bare vectorised loop, as many weights as rounds that count every histogram
again. Single-call rounds count only what changed: their share of the limit can exceed 1.
"""

import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from sklearn.ensemble import AdaBoostClassifier
from threadpoolctl import threadpool_limits

from ..coding.codes import CODES
from ..coding.decoders import exponential, predict
from ..data.cards import load_classes
from ..data.inputs import prepare
from ..errors import UserError, unknown
from ..learners.adaboost import AdaBoostLearner
from ..results.rows import to_csv

COLUMNS = ("who", "repeat", "rounds", "columns", "fit_seconds", "limit_seconds", "error_rate")


class Problem(NamedTuple):
    """Training and test data, coded, the code that both sides use, and our learner's `calls`.

    Multi-call is what a peer does: a test per column and round. Single-call has one test for all
    columns: its rounds are faster, and it needs more of them for the same error.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    nominal: np.ndarray
    M: np.ndarray
    calls: str = "multi"


class Comparison(NamedTuple):
    """One row per fit, and the time that our kernels took to compile or to load."""

    peer: str
    rows: list[dict[str, Any]]
    compile_seconds: float

    def seconds(self, who: str) -> float:
        """Median fit time."""
        return median(row["fit_seconds"] for row in self.rows if row["who"] == who)

    def error_rate(self, who: str) -> float:
        return next(row["error_rate"] for row in self.rows if row["who"] == who)

    @property
    def ratio(self) -> float:
        """Median over the repeats of the peer's time divided by ours."""
        ours = [row["fit_seconds"] for row in self.rows if row["who"] == "ecoc-bench"]
        theirs = [row["fit_seconds"] for row in self.rows if row["who"] == self.peer]
        return median(b / a for a, b in zip(ours, theirs, strict=True))

    @property
    def share_of_limit(self) -> float:
        """Median over the repeats of the bare loop's time divided by ours."""
        ours = [row for row in self.rows if row["who"] == "ecoc-bench"]
        return median(row["limit_seconds"] / row["fit_seconds"] for row in ours)


def run_speed(dataset, code, rounds, calls, peer, repeats, out: Path | None = None) -> str:
    """What `ecoc-bench speed` prints; the single timings go to the CSV `out`."""
    data = load_classes(dataset)
    if data.train is None:
        raise UserError(
            f"data set {dataset} has no train/test split. Use one that has, such as letter."
        )
    if code not in CODES:
        raise UserError(unknown("code", code, CODES))
    M = CODES[code].make(data.n_classes, np.random.default_rng(0))
    parts = data.X[data.train], data.y[data.train], data.X[~data.train], data.y[~data.train]
    comparison = compare(Problem(*parts, data.nominal, M, calls), rounds, peer, repeats)
    if out is not None:
        out.write_text(to_csv(COLUMNS, comparison.rows))
    title = f"{dataset}, {code} ({M.shape[1]} columns), {rounds} rounds, {calls}-call"
    return f"{title}\n{render(comparison)}"


def compare(
    problem: Problem, rounds: int = 20, peer: str = "sklearn", repeats: int = 3
) -> Comparison:
    """Fit both in turn, `repeats` times."""
    make = _peer(peer)
    inputs = prepare("raw", problem.nominal, problem.X, problem.X_test)
    rows: list[dict[str, Any]] = []
    with threadpool_limits(1):
        compile_seconds = warm_up(problem)
        for repeat in range(repeats):
            for who, (fit, limit, error_rate) in (
                ("ecoc-bench", _time_ours(problem, rounds)),
                (peer, _time_peer(problem, make, rounds, *inputs)),
            ):
                values = (who, repeat, rounds, problem.M.shape[1], fit, limit, error_rate)
                rows.append(dict(zip(COLUMNS, values, strict=True)))
    return Comparison(peer, rows, compile_seconds)


def warm_up(problem: Problem) -> float:
    """Seconds of a first fit of one round: compilation, or loading what an earlier run compiled."""
    start = time.process_time()
    _fit_ours(problem, 1).margins(problem.X_test)
    add_weights(np.ones((2, 2)), 1)
    return time.process_time() - start


def _fit_ours(problem, rounds):
    learner = AdaBoostLearner(rounds=rounds, calls=problem.calls, nominal=problem.nominal)
    return learner.fit(problem.X, problem.M[problem.y])


def _time_ours(problem, rounds):
    start = time.process_time()
    learner = _fit_ours(problem, rounds)
    seconds = time.process_time() - start
    F = learner.margins(problem.X_test)
    return seconds, time_limit(problem, rounds), _error_rate(problem, F)


def _time_peer(problem, make, rounds, X, X_test):
    Y = problem.M[problem.y]
    F = np.zeros((len(X_test), Y.shape[1]))
    seconds = 0.0
    for s, y in enumerate(Y.T):
        used = y != 0
        start = time.process_time()
        margins = make(X[used], y[used] > 0, rounds)
        seconds += time.process_time() - start
        F[:, s] = margins(X_test)
    return seconds, None, _error_rate(problem, F)


def time_limit(problem: Problem, rounds: int) -> float:
    """Seconds to add every non-zero weight once per feature and round, in the bare loop."""
    n_weights = np.count_nonzero(problem.M, axis=1)[problem.y].sum()
    width = np.count_nonzero(problem.M, axis=1).max()
    A = np.ones((-(-n_weights // width), width))
    start = time.process_time()
    add_weights(A, problem.X.shape[1] * rounds)
    return time.process_time() - start


@njit(cache=True)
def add_weights(A, times):
    """Sum the columns of A `times` times: only reading and adding."""
    total = np.zeros(A.shape[1])
    for _ in range(times):
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                total[j] += A[i, j]
    return total


def _error_rate(problem, F):
    return float((predict(exponential(problem.M, F)) != problem.y_test).mean())


def render(comparison: Comparison) -> str:
    """The comparison in a few lines of text."""
    peer, ours = comparison.peer, "ecoc-bench"
    wide = max(len(peer), len(ours))
    lines = [
        f"{who:{wide}}  {comparison.seconds(who):9.3f} s  error {comparison.error_rate(who):.2%}"
        for who in (ours, peer)
    ]
    return "\n".join(
        [
            *lines,
            f"{comparison.ratio:.1f} times as fast as {peer} (median of the repeats)",
            f"{comparison.share_of_limit:.2f} of the speed of a bare loop over the same weights",
            f"not counted: compiling or loading our kernels, {comparison.compile_seconds:.1f} s",
        ]
    )


def _peer(name):
    if name not in PEERS:
        raise UserError(unknown("peer", name, PEERS))
    if find_spec(name) is None:
        raise UserError(f"peer '{name}' is not installed. Install it: pip install {name}")
    return PEERS[name]


def sklearn_stumps(X, y, rounds):
    """AdaBoostClassifier on stumps; sum_t alpha_t h_t is a quarter of its unscaled decision."""
    model = AdaBoostClassifier(n_estimators=rounds, random_state=0).fit(X, y)
    return lambda X: model.decision_function(X) * model.estimator_weights_.sum() / 4


def lightgbm_stumps(X, y, rounds):
    """Gradient boosting of two-leaf trees; margins are half the log-odds."""
    make = import_module("lightgbm").LGBMClassifier
    model = make(n_estimators=rounds, num_leaves=2, n_jobs=1, verbose=-1).fit(X, y)
    return lambda X: model.predict(X, raw_score=True) / 2


def xgboost_stumps(X, y, rounds):
    """Gradient boosting of depth-1 trees on histograms; margins are half the log-odds."""
    make = import_module("xgboost").XGBClassifier
    model = make(n_estimators=rounds, max_depth=1, n_jobs=1).fit(X, y)
    return lambda X: model.predict(X, output_margin=True) / 2


PEERS: dict[str, Callable] = {
    "sklearn": sklearn_stumps,
    "lightgbm": lightgbm_stumps,
    "xgboost": xgboost_stumps,
}
