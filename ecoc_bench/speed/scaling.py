"""Cost against size: seconds of a fit over rows, classes and columns, with the exponent fitted.

Data are normal clouds around random centres; the code is one-vs-all if classes vary, and random
columns of -1 and +1 if columns vary. Codes for many classes are drawn, fitted by least squares and
decoded over their classes. Processor time of one core; compilation is not counted.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tabulate import tabulate
from threadpoolctl import threadpool_limits

from ..coding.codes import CODES, one_vs_all
from ..coding.decoders import square
from ..coding.labels import find
from ..files import write_atomically
from ..learners.adaboost import AdaBoostLearner
from ..learners.linear import LeastSquares
from ..learners.svm import SVM
from ..results.rows import to_csv

N_FEATURES = 16
COLUMNS = ("learner", "axis", "rows", "classes", "columns", "fit_seconds", "margins_seconds")
CODE_COLUMNS = (
    "code", "rows", "classes", "columns", "draw_seconds", "fit_seconds", "margins_seconds",
    "decode_seconds",
)  # fmt: skip
STEPS = {"drawn": "draw_seconds", "fitted": "fit_seconds", "margins": "margins_seconds",
         "decoded": "decode_seconds"}  # fmt: skip
MANY = (100, 200, 500, 1000)  # classes
CODE_ROWS = 20_000
ENOUGH = 0.3  # seconds: some systems count the processor's time in steps of 4 ms


class Size(NamedTuple):
    """One point of a series."""

    axis: str
    rows: int
    classes: int
    columns: int


def sizes(rows: int) -> Iterator[Size]:
    """One axis at a time, the others fixed: rows x 1 to 8, classes 4 to 64, columns 10 to 1,000."""
    for times in (1, 2, 4, 8):
        yield Size("rows", rows * times, 10, 10)
    for k in (4, 8, 16, 32, 64):
        yield Size("classes", 2 * rows, k, k)
    for ell in (10, 30, 100, 300, 1000):
        yield Size("columns", rows, 16, ell)


def clouds(rows: int, classes: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """X and y: normal clouds around random centres, row i of class i mod `classes`."""
    y = np.arange(rows) % classes
    centres = rng.normal(size=(classes, N_FEATURES))
    return (centres[y] + rng.normal(size=(rows, N_FEATURES))).round(2), y


def problem(size: Size, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """X and the coded labels Y = M[y]."""
    X, y = clouds(size.rows, size.classes, rng)
    if size.axis != "columns":
        return X, one_vs_all(size.classes)[y]
    M = rng.choice(np.array([-1, 1], dtype=np.int8), size=(size.classes, size.columns))
    M[0], M[1] = 1, -1  # every column has both signs
    return X, M[y]


def mean_seconds(call: Callable[[], object], enough: float) -> float:
    """Mean processor time of a call in so many seconds, after one call that may compile."""
    call()
    calls, spent, start = 0, 0.0, time.process_time()
    while not calls or spent < enough:
        call()
        calls += 1
        spent = time.process_time() - start
    return spent / calls


def measure(learner, size: Size) -> tuple[float, float]:
    """Seconds to fit, and to compute the margins of as many rows as in training."""
    X, Y = problem(size, np.random.default_rng(0))
    fitting = mean_seconds(lambda: learner.fit(X, Y), ENOUGH)
    return fitting, mean_seconds(lambda: learner.margins(X), ENOUGH)


def measure_code(family: str, k: int, rows: int) -> tuple[int, float, float, float, float]:
    """The columns of a code, and seconds to draw it, to fit it, for its margins, to decode them."""
    X, y = clouds(rows, k, np.random.default_rng(0))
    learner = LeastSquares()
    drawing = mean_seconds(lambda: CODES[family].make(k, np.random.default_rng(0)), ENOUGH)
    M = CODES[family].make(k, np.random.default_rng(0))
    fitting = mean_seconds(lambda: learner.fit(X, M[y]), ENOUGH)
    F = learner.margins(X)
    margins = mean_seconds(lambda: learner.margins(X), ENOUGH)
    return M.shape[1], drawing, fitting, margins, mean_seconds(lambda: find(square, M, F), ENOUGH)


def exponent(x, seconds) -> float:
    """The slope of log seconds over log size, by least squares.

    >>> round(exponent([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    return float(np.polyfit(np.log(x), np.log(seconds), 1)[0])


def run_scaling(out: Path) -> str:
    """Measure every series, write scaling.csv, codes.csv and scaling.md, and return the tables."""
    with threadpool_limits(1):
        rows, codes = list(_learners()), list(_codes())
    text = "\n\n".join((_table(rows), _table_of_codes(codes)))
    write_atomically(out / "scaling.csv", to_csv(COLUMNS, rows))
    write_atomically(out / "codes.csv", to_csv(CODE_COLUMNS, codes))
    write_atomically(out / "scaling.md", text + "\n")
    return text


def _learners() -> Iterator[dict]:
    for name, (learner, n) in LEARNERS.items():
        learner.fit(*problem(Size("rows", 100, 4, 4), np.random.default_rng(0)))
        for size in sizes(n):
            fit, margins = measure(learner, size)
            values = (name, *size, f"{fit:.4f}", f"{margins:.4f}")
            yield dict(zip(COLUMNS, values, strict=True))


def _codes() -> Iterator[dict]:
    for family in FAMILIES:
        measure_code(family, MANY[0], MANY[0])  # compiles
        for k in MANY:
            columns, *seconds = measure_code(family, k, CODE_ROWS)
            values = (family, CODE_ROWS, k, columns, *(f"{value:.4g}" for value in seconds))
            yield dict(zip(CODE_COLUMNS, values, strict=True))


def _table(rows: list[dict]) -> str:
    lines = []
    for learner, axis in dict.fromkeys((row["learner"], row["axis"]) for row in rows):
        series = [row for row in rows if (row["learner"], row["axis"]) == (learner, axis)]
        lines.append([learner, axis, *_series(series, axis, "fit_seconds")])
    return tabulate(lines, ["learner", "over", "fit", "exponent"], tablefmt="github")


def _table_of_codes(rows: list[dict]) -> str:
    lines = []
    for code in dict.fromkeys(row["code"] for row in rows):
        series = [row for row in rows if row["code"] == code]
        columns = f"{series[0]['columns']:,} to {series[-1]['columns']:,}"
        lines += [
            [code, columns, step, *_series(series, "classes", name)] for step, name in STEPS.items()
        ]
    head = ["code", "columns", f"{CODE_ROWS:,} rows", "over classes", "exponent"]
    return tabulate(lines, head, tablefmt="github")


def _series(rows: list[dict], axis: str, name: str) -> tuple[str, str]:
    """The seconds over the sizes, and their exponent."""
    x, seconds = [row[axis] for row in rows], [float(row[name]) for row in rows]
    points = ", ".join(f"{a:,}: {s:.3g} s" for a, s in zip(x, seconds, strict=True))
    return points, f"{exponent(x, seconds):.2f}"


LEARNERS: dict[str, tuple[Any, int]] = {
    "adaboost, 50 rounds, single-call": (AdaBoostLearner(rounds=50), 4000),
    "adaboost, 50 rounds, multi-call": (AdaBoostLearner(rounds=50, calls="multi"), 4000),
    "svm, degree 4": (SVM(), 500),
}
FAMILIES = ("ova", "hadamard", "dense", "trellis")
