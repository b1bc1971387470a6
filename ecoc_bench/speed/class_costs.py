"""One-vs-all against one-vs-one (all-pairs): Table 9.1 of Mohri et al., Section 9.4.2.

The number m of training examples is fixed, each of k classes has m/k of them, and training and
testing are timed over k with an SVM and with boosted stumps. The alpha of a binary problem's
training cost O(n^alpha) is measured, too. Testing is the evaluation of the binary classifiers, as
in the table, without the decoding. Times are processor seconds on one core: on a busy machine,
elapsed time says little.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import linregress
from sklearn.base import BaseEstimator, clone
from threadpoolctl import threadpool_limits

from ..coding.codes import all_pairs, one_vs_all
from ..data.cards import load
from ..data.inputs import prepare
from ..files import write_atomically
from ..learners.adaboost import AdaBoostLearner
from ..learners.svm import SVM
from ..results.formats import Style, document, grid
from ..results.rows import to_csv
from ..results.tables import DASH
from .scaling import ENOUGH, clouds, mean_seconds

COLUMNS = (
    "data", "learner", "code", "classes", "columns", "examples", "training", "testing",
    "support_vectors",
)  # fmt: skip
EXPONENT_COLUMNS = (
    "data", "learner", "code", "cost", "complexity", "theory", "counted", "measured",
    "standard_error", "first", "last",
)  # fmt: skip
BINARY = "binary"  # in the column of the code: the problem on which alpha is measured
VECTORS = "support vectors"
TEST_ROWS = 1000
SUFFIXES: dict[str, Style] = {".txt": "terminal", ".md": "markdown"}


class Source(NamedTuple):
    """Data with m examples of any number of classes in `classes`."""

    title: str
    m: int
    classes: tuple[int, ...]
    rows: Callable[[int, int], np.ndarray]  # (m, k) -> X, whose row i is of class i mod k


class Timed(NamedTuple):
    """Seconds, and the mean number of support vectors of a column if it has any."""

    training: float
    testing: float
    support_vectors: float | None


class Slope(NamedTuple):
    """The slope of a line through logarithms."""

    exponent: float
    standard_error: float


def slope(x, y) -> Slope:
    """The exponent of y ~ x^exponent by least squares on logarithms.

    >>> round(slope([1, 2, 4], [3, 12, 48]).exponent, 6)
    2.0
    """
    line = linregress(np.log(x), np.log(y))
    return Slope(float(line.slope), float(line.stderr))


def run_class_costs(out: Path) -> str:
    """Measure all, write class_costs.csv and table9_1 (.txt, .md, .csv), and return the table."""
    with threadpool_limits(1):
        rows = [row for name in SOURCES for who in LEARNERS for row in measure(name, who)]
    table = exponents(rows)
    write_atomically(out / "class_costs.csv", to_csv(COLUMNS, rows))
    write_atomically(out / "table9_1.csv", table.to_csv(index=False, float_format="%.4g"))
    for suffix, style in SUFFIXES.items():
        write_atomically(out / f"table9_1{suffix}", render(table, style))
    return render(table, "terminal")


def measure(data: str, who: str) -> Iterator[dict[str, Any]]:
    """The binary problem over its size, and both codes over k."""
    learner = LEARNERS[who]
    for code, k, X, Y in problems(SOURCES[data]):
        inputs = prepare(learner.inputs, np.zeros(X.shape[1], dtype=bool), X)[0]
        values = (data, who, code, k, Y.shape[1], len(Y), *timed(learner, inputs, Y))
        yield dict(zip(COLUMNS, values, strict=True))


def problems(source: Source) -> Iterator[tuple[str, int, np.ndarray, np.ndarray]]:
    """Code, k, X and the coded labels Y = M[y] of each problem.

    The binary problem has half the classes of the smallest k against the others, on samples of
    2m/k, the smallest of all-pairs, up to all m, as in one-vs-all.
    """
    m, fewest = source.m, source.classes[0]
    X = source.rows(m, fewest)
    halves = np.where(np.arange(m) % fewest % 2 == 0, 1, -1).astype(np.int8)[:, None]
    for n in (*(2 * m // k for k in reversed(source.classes)), m):
        yield BINARY, fewest, X[:n], halves[:n]
    for k in source.classes:
        X = source.rows(m, k)
        for name, code in CODES.items():
            yield name, k, X, code(k)[np.arange(m) % k]


def timed(learner: BaseEstimator, X, Y) -> Timed:
    """Seconds to fit, and to compute margins of equally many examples for each problem."""
    test = np.resize(X, (TEST_ROWS, X.shape[1]))  # rows repeat if there are fewer
    fitted = clone(learner)
    training = mean_seconds(lambda: fitted.fit(X, Y), ENOUGH)
    testing = mean_seconds(lambda: fitted.margins(test), ENOUGH)
    columns = getattr(fitted, "estimators_", ())
    vectors = float(np.mean([len(column.support_) for column in columns])) if columns else None
    return Timed(training, testing, vectors)


def exponents(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Fitted exponents next to those of Table 9.1, for each data, learner, code and cost.

    `theory` is the table's exponent of k, with the measured alpha. `counted` is what the same fit
    finds if the k(k-1)/2 columns of all-pairs, of 2m/k examples each, cost exactly as in theory:
    k(k-1) is not yet k^2 for few classes.
    """
    groups = pd.DataFrame(rows).groupby(["data", "learner"], sort=False)
    found = [(*names, *line) for names, mine in groups for line in _exponents(mine)]
    return pd.DataFrame(found, columns=EXPONENT_COLUMNS).astype({"theory": float, "counted": float})


def _exponents(mine: pd.DataFrame) -> Iterator[tuple]:
    """The lines of one learner on one data set."""
    binary = mine[mine["code"] == BINARY]
    alpha, *rest = _fitted(binary, "training", "examples")
    yield BINARY, "training", "O(n^α)", None, None, alpha, *rest
    for (code, cost), (complexity, theory, power) in TABLE_9_1.items():
        part = mine[mine["code"] == code]
        counted = theory(alpha) - power + slope(part["classes"], part["columns"]).exponent
        yield code, cost, complexity, theory(alpha), counted, *_fitted(part, cost)
    for code in CODES:
        part = mine[(mine["code"] == code) & mine["support_vectors"].notna()]
        if len(part):
            yield code, VECTORS, "", None, None, *_fitted(part, "support_vectors")


def _fitted(part: pd.DataFrame, cost: str, size: str = "classes") -> tuple[float, ...]:
    """Exponent, its standard error, and the first and the last value."""
    values = part[cost].astype(float).tolist()
    return *slope(part[size], values), values[0], values[-1]


def render(table: pd.DataFrame, style: Style) -> str:
    """A block for each data set, and how to read it."""
    head = ["Learner", "Code", "Cost", "Table 9.1", "theory", "counted", "measured", "from, to"]
    blocks = []
    for data, rows in table.groupby("data", sort=False):
        lines = [[[cell] for cell in _line(row)] for row in rows.itertuples(index=False)]
        source = SOURCES[str(data)]
        span = f"m = {source.m:,}, k = {', '.join(map(str, source.classes))}"
        blocks.append((f"{source.title}: {span}", grid(head, lines, style)))
    title = "Exponents of k in the cost of one-vs-all and all-pairs (Table 9.1 of Mohri et al.)"
    return document(title, blocks, NOTES, style)


def _line(row) -> list[str]:
    unit = "" if row.cost == VECTORS else " s"
    theory, counted = (DASH if np.isnan(v) else f"{v:.2f}" for v in (row.theory, row.counted))
    measured = f"{row.measured:.2f} ± {row.standard_error:.2f}"
    ends = f"{row.first:.3g}{unit}, {row.last:.3g}{unit}"
    return [
        row.learner,
        row.code,
        row.cost,
        row.complexity or DASH,
        theory,
        counted,
        measured,
        ends,
    ]


def _clouds(m: int, k: int) -> np.ndarray:
    return clouds(m, k, np.random.default_rng(0))[0]


def _letter(m: int, k: int) -> np.ndarray:
    """The first m/k examples of each of the first k letters, the letters in turn."""
    data = load("letter")
    rows = [np.flatnonzero(data.y == r)[: m // k] for r in range(k)]
    return data.X[np.stack(rows, axis=1).ravel()]


NOTES = (
    "theory: the exponent of k in Table 9.1, with the α measured in the row of the binary problem, "
    "whose exponent is of n, its examples.",
    "counted: the same with k(k−1)/2 columns in the place of k².",
    "measured: slope of a line through the logarithms, ± its standard error; next to it the values "
    "at the smallest and the largest k (n), in seconds of this machine's processor, one core.",
    "support vectors: of a column, on average. Table 9.1 takes the cost of testing one classifier, "
    "c_t, as fixed; for an SVM it follows them.",
    f"testing: the margins of {TEST_ROWS:,} examples, without the decoding.",
)

# (code, cost): complexity, its exponent of k given alpha, and the power of k in the columns.
TABLE_9_1: dict[tuple[str, str], tuple[str, Callable[[float], float], int]] = {
    ("ova", "training"): ("O(k m^α)", lambda alpha: 1.0, 1),
    ("all_pairs", "training"): ("O(k^(2−α) m^α)", lambda alpha: 2.0 - alpha, 2),
    ("ova", "testing"): ("O(k c_t)", lambda alpha: 1.0, 1),
    ("all_pairs", "testing"): ("O(k² c_t)", lambda alpha: 2.0, 2),
}
CODES: dict[str, Callable[[int], np.ndarray]] = {"ova": one_vs_all, "all_pairs": all_pairs}
LEARNERS: dict[str, Any] = {
    "svm, Gaussian": SVM(kernel="rbf"),
    "stumps, 50 rounds": AdaBoostLearner(rounds=50, calls="multi"),
}
SOURCES: dict[str, Source] = {
    "clouds": Source("Normal clouds, 16 attributes", 4096, (4, 8, 16, 32, 64), _clouds),
    "letter": Source("letter, its first k letters", 2080, (4, 8, 16, 26), _letter),
}
