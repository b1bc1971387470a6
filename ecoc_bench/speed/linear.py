"""How fast our linear learners are: all columns of a code in one call, against scikit-learn.

Ridge regression is scikit-learn's RidgeClassifier on all columns at once; logistic regression is
its LogisticRegression in OneVsRestClassifier, or one for each pair of classes. Both have the same
penalties and standardised inputs, and are fitted in turn, in one thread. Without a data set: 1,000
clusters in 50 dimensions, 20,000 rows. Compilation is not counted.
"""

import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from threadpoolctl import threadpool_limits

from ..coding.codes import CODES
from ..errors import UserError
from ..learners.linear import LeastSquares, LogisticRegressions
from ..results.rows import to_csv
from .machines import problem_of

COLUMNS = (
    "dataset", "code", "learner", "who", "repeat", "n_train", "columns", "fit_seconds",
    "cpu_seconds",
)  # fmt: skip
CLUSTERS, ROWS, DIMENSIONS = 1000, 20_000, 50
OURS, THEIRS = "ecoc-bench", "sklearn"


def run_speed_linear(dataset: str | None, code: str, repeats: int, out: Path | None) -> str:
    """What `ecoc-bench speed --base linear` prints; the single timings go to the CSV `out`."""
    if code not in PEERS:
        raise UserError(f"--base linear compares the codes {' and '.join(PEERS)}. Got {code!r}.")
    name = dataset or "clusters"
    X, y = clusters() if dataset is None else problem_of(dataset, code)[:2]
    rows = compare(X, y, name, code, repeats)
    if out is not None:
        out.write_text(to_csv(COLUMNS, rows))
    return render(rows)


def clusters(k: int = CLUSTERS, n: int = ROWS, d: int = DIMENSIONS):
    """Normal clusters about normal centres, standardised, and their numbers."""
    rng, y = np.random.default_rng(0), np.arange(n) % k
    X = rng.normal(size=(k, d))[y] + rng.normal(size=(n, d))
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def compare(X, y, dataset: str, code: str, repeats: int) -> list[dict[str, Any]]:
    """Fit each learner and its peer in turn, `repeats` times."""
    M = CODES[code].make(y.max() + 1, np.random.default_rng(0))
    rows = []
    with threadpool_limits(1):
        for name, learner in LEARNERS.items():
            few = np.flatnonzero(np.isin(y, [0, 1]))
            learner().fit(X[few], M[y[few]])
            sides = {
                OURS: lambda make=learner: make().fit(X, M[y]),
                THEIRS: lambda make=PEERS[code][name]: make().fit(X, y),
            }
            for repeat in range(repeats):
                for who, fit in sides.items():
                    size = len(y), M.shape[1]
                    values = dataset, code, name, who, repeat, *size, *_timed(fit)
                    rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def _timed(fit) -> tuple[float, float]:
    start, cpu = time.perf_counter(), time.process_time()
    fit()
    return time.perf_counter() - start, time.process_time() - cpu


def render(rows: list[dict[str, Any]]) -> str:
    """The comparison in a few lines of text."""
    first = rows[0]
    lines = [
        f"{first['dataset']}, {first['code']}: {first['columns']} columns, {first['n_train']} "
        "training examples"
    ]
    for name in LEARNERS:
        ours, theirs = (
            [row["cpu_seconds"] for row in rows if (row["learner"], row["who"]) == (name, who)]
            for who in (OURS, THEIRS)
        )
        ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
        lines.append(
            f"  {name:14} {median(ours):7.2f} s, scikit-learn {median(theirs):7.2f} s of processor "
            f"time: {median(ratios):.1f} times as fast ({min(ratios):.1f} to {max(ratios):.1f})"
        )
    return "\n".join(lines)


def _logistic() -> LogisticRegression:
    return LogisticRegression(max_iter=1000)


LEARNERS = {
    "least_squares": LeastSquares,
    "logistic": lambda: LogisticRegressions(solver="newton"),
}
PEERS: dict[str, dict[str, Any]] = {
    "ova": {"least_squares": RidgeClassifier, "logistic": lambda: OneVsRestClassifier(_logistic())},
    "all_pairs": {
        "least_squares": lambda: OneVsOneClassifier(RidgeClassifier()),
        "logistic": lambda: OneVsOneClassifier(_logistic()),
    },
}
