"""How long the multiclass SVM with a kernel takes: ours against all pairs by libsvm, in one run.

Both have the same kernel, C and tolerance, on the same standardised inputs, and are fitted in turn
and several times, in one thread. All pairs are scikit-learn's SVC, one per pair of classes on the
examples of the two, decoded by the hinge loss. Compilation is not counted.
"""

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from threadpoolctl import threadpool_limits

from ..data.cards import load_classes
from ..data.inputs import prepare
from ..errors import UserError
from ..joint.crammer_singer import MulticlassSVM
from ..learners.classifier import ECOCClassifier
from ..learners.svm import SVM
from ..results.rows import to_csv

COLUMNS = ("dataset", "who", "repeat", "n_train", "C", "fit_seconds", "error_rate", "duality_gap")
DATASETS = ("satimage", "pendigits")


class Problem(NamedTuple):
    """Training and test part of a data set, standardised."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray


def run_speed_kernel(datasets=DATASETS, C=1.0, repeats=3, out: Path | None = None) -> str:
    """The comparison on each data set as text; the single timings go to the CSV `out`."""
    rows = [row for name in datasets for row in measure(name, C, repeats)]
    if out is not None:
        out.write_text(to_csv(COLUMNS, rows))
    return render(rows)


def measure(dataset: str, C: float = 1.0, repeats: int = 3) -> list[dict[str, Any]]:
    """One row per fit, ours and all pairs in turn, on the full training part."""
    problem = standardized(dataset)
    rows: list[dict[str, Any]] = []
    with threadpool_limits(1):
        warm_up(problem)
        for repeat in range(repeats):
            for who, make in SIDES.items():
                seconds, error_rate, gap = time_fit(make(C), problem)
                values = (dataset, who, repeat, len(problem.y), C, seconds, error_rate, gap)
                rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def standardized(dataset: str) -> Problem:
    """The original split, scaled by its training part."""
    data = load_classes(dataset)
    if data.train is None:
        raise UserError(
            f"data set {dataset} has no train/test split. Use one that has, such as satimage."
        )
    X, X_test = prepare("standardize", data.nominal, data.X[data.train], data.X[~data.train])
    return Problem(X, data.y[data.train], X_test, data.y[~data.train])


def warm_up(problem: Problem) -> None:
    """Compile the kernels, or load what an earlier run compiled: a fit of a few examples."""
    few = np.concatenate([np.flatnonzero(problem.y == r)[:5] for r in np.unique(problem.y)])
    for make in SIDES.values():
        make(1.0).fit(problem.X[few], problem.y[few]).predict(problem.X_test[:5])


def time_fit(machine: BaseEstimator, problem: Problem) -> tuple[float, float, float | None]:
    """Seconds to fit, test error, and the duality gap if the machine has it."""
    start = time.perf_counter()
    machine.fit(problem.X, problem.y)
    seconds = time.perf_counter() - start
    error_rate = float((machine.predict(problem.X_test) != problem.y_test).mean())
    return seconds, error_rate, getattr(machine, "duality_gap_", None)


def ratio(rows: list[dict[str, Any]]) -> float:
    """Median over the repeats of our time divided by the time of all pairs, for one data set."""
    ours, pairs = ([r["fit_seconds"] for r in rows if r["who"] == who] for who in SIDES)
    return median(a / b for a, b in zip(ours, pairs, strict=True))


def render(rows: list[dict[str, Any]]) -> str:
    """A few lines for each data set."""
    lines = []
    for name in dict.fromkeys(row["dataset"] for row in rows):
        mine = [row for row in rows if row["dataset"] == name]
        lines.append(f"{name}, {mine[0]['n_train']} training examples, C = {mine[0]['C']:g}")
        for who in SIDES:
            fits = [row for row in mine if row["who"] == who]
            seconds = median(row["fit_seconds"] for row in fits)
            lines.append(f"  {who:14}  {seconds:8.3f} s  error {fits[0]['error_rate']:.2%}")
        lines.append(f"  {ratio(mine):.2f} times the time of all pairs (median of the repeats)")
    return "\n".join(lines)


def _ours(C):
    return MulticlassSVM(C=C, kernel="rbf", gamma="1/d")


def _pairs(C):
    machine = SVM(C=C, kernel="rbf", gamma="1/d", solver="libsvm")
    return ECOCClassifier(machine, code="all_pairs", decoder="hinge")


SIDES: dict[str, Callable[[float], Any]] = {"crammer_singer": _ours, "all_pairs": _pairs}
