"""Cost against size: seconds of a fit over rows, classes and columns, with the exponent fitted.

Data are normal clouds around random centres; the code is one-vs-all if classes vary, and random
columns of -1 and +1 if columns vary. One core; compilation is not counted.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tabulate import tabulate
from threadpoolctl import threadpool_limits

from ..coding.codes import one_vs_all
from ..files import write_atomically
from ..learners.adaboost import AdaBoostLearner
from ..learners.svm import SVM
from ..results.rows import to_csv

N_FEATURES = 16
COLUMNS = ("learner", "axis", "rows", "classes", "columns", "fit_seconds", "margins_seconds")


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


def measure(learner, size: Size) -> tuple[float, float]:
    """Seconds to fit, and to compute the margins of as many rows as in training."""
    X, Y = problem(size, np.random.default_rng(0))
    start = time.perf_counter()
    learner.fit(X, Y)
    fitted = time.perf_counter()
    learner.margins(X)
    return fitted - start, time.perf_counter() - fitted


def exponent(x, seconds) -> float:
    """The slope of log seconds over log size, by least squares.

    >>> round(exponent([1, 2, 4], [3, 12, 48]), 6)
    2.0
    """
    return float(np.polyfit(np.log(x), np.log(seconds), 1)[0])


def run_scaling(out: Path) -> str:
    """Measure every series, write scaling.csv and scaling.md into `out`, and return the table."""
    rows = []
    with threadpool_limits(1):
        for name, (learner, n) in LEARNERS.items():
            learner.fit(*problem(Size("rows", 100, 4, 4), np.random.default_rng(0)))
            for size in sizes(n):
                fit, margins = measure(learner, size)
                values = (name, *size, f"{fit:.4f}", f"{margins:.4f}")
                rows.append(dict(zip(COLUMNS, values, strict=True)))
    table = _table(rows)
    write_atomically(out / "scaling.csv", to_csv(COLUMNS, rows))
    write_atomically(out / "scaling.md", table + "\n")
    return table


def _table(rows: list[dict]) -> str:
    lines = []
    for learner, axis in dict.fromkeys((row["learner"], row["axis"]) for row in rows):
        series = [row for row in rows if (row["learner"], row["axis"]) == (learner, axis)]
        x = [row[axis] for row in series]
        seconds = [float(row["fit_seconds"]) for row in series]
        points = ", ".join(f"{a:,}: {s:.3g} s" for a, s in zip(x, seconds, strict=True))
        lines.append([learner, axis, points, f"{exponent(x, seconds):.2f}"])
    return tabulate(lines, ["learner", "over", "fit", "exponent"], tablefmt="github")


LEARNERS: dict[str, tuple[Any, int]] = {
    "adaboost, 50 rounds, single-call": (AdaBoostLearner(rounds=50), 4000),
    "adaboost, 50 rounds, multi-call": (AdaBoostLearner(rounds=50, calls="multi"), 4000),
    "svm, degree 4": (SVM(), 500),
}
