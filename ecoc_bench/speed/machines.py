"""How fast our support-vector machines are: all columns of a code, against libsvm, in one run.

Both have the same kernel, C and tolerance, on the same standardised inputs, and are fitted in turn
and several times, in one thread. libsvm is scikit-learn's SVC, fitted to each column on its
non-zero examples. Our time holds the kernel rows, which are computed anew in each repeat.
Compilation is not counted.
"""

import time
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from ..coding.codes import CODES
from ..coding.decoders import hinge, predict
from ..data.cards import load_classes
from ..data.inputs import prepare
from ..errors import UserError, unknown
from ..learners.keeping import forget
from ..learners.svm import SVM
from ..results.rows import to_csv

COLUMNS = (
    "dataset", "code", "who", "repeat", "n_train", "columns", "fit_seconds", "cpu_seconds",
    "predict_seconds", "steps", "newtons", "objective", "error_rate",
)  # fmt: skip
OURS, THEIRS = "ecoc-bench", "libsvm"
NEAR = 0.01  # margins nearer to zero than this may differ in sign at libsvm's tolerance


class Problem(NamedTuple):
    """Training and test part, standardised, and the code."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    M: np.ndarray


class Comparison(NamedTuple):
    """One row per repeat and side, and how the fitted columns differ."""

    rows: list[dict[str, Any]]
    worst_gap: float  # of our dual objectives below libsvm's, relative; negative: none is below
    differing: int  # signs of test margins that differ, and
    beyond: int  # those of margins that are not near zero

    def ratios(self, of: str) -> list[float]:
        """libsvm's time divided by ours, for each repeat."""
        ours, theirs = ([r[of] for r in self.rows if r["who"] == who] for who in (OURS, THEIRS))
        return [b / a for a, b in zip(ours, theirs, strict=True)]


def run_speed_svm(dataset: str, code: str, repeats: int, out: Path | None = None) -> str:
    """What `ecoc-bench speed --base svm` prints; the single timings go to the CSV `out`."""
    found = compare(problem_of(dataset, code), dataset, code, repeats)
    if out is not None:
        out.write_text(to_csv(COLUMNS, found.rows))
    return render(found)


def problem_of(dataset: str, code: str) -> Problem:
    """The original split, or every tenth row for testing, scaled by the training part."""
    data = load_classes(dataset)
    if code not in CODES:
        raise UserError(unknown("code", code, CODES))
    train = np.arange(len(data.y)) % 10 > 0 if data.train is None else data.train
    X, X_test = prepare("standardize", data.nominal, data.X[train], data.X[~train])
    M = CODES[code].make(data.n_classes, np.random.default_rng(0))
    return Problem(X, data.y[train], X_test, data.y[~train], M)


def compare(problem: Problem, dataset: str, code: str, repeats: int) -> Comparison:
    """Fit both in turn, `repeats` times."""
    rows: list[dict[str, Any]] = []
    size = len(problem.y), problem.M.shape[1]
    with threadpool_limits(1):
        few = np.concatenate([np.flatnonzero(problem.y == r)[:5] for r in np.unique(problem.y)])
        SVM().fit(problem.X[few], problem.M[problem.y[few]]).margins(problem.X_test[:5])
        for repeat in range(repeats):
            fits = {who: _timed(problem, solver) for who, solver in SIDES.items()}
            rows += [
                dict(zip(COLUMNS, (dataset, code, who, repeat, *size, *fit.row), strict=True))
                for who, fit in fits.items()
            ]
    ours, theirs = fits[OURS], fits[THEIRS]
    gaps = (theirs.objectives - ours.objectives) / np.maximum(np.abs(theirs.objectives), 1e-12)
    differ = (ours.F > 0) != (theirs.F > 0)
    beyond = differ & (np.minimum(np.abs(ours.F), np.abs(theirs.F)) > NEAR)
    return Comparison(rows, float(gaps.max()), int(differ.sum()), int(beyond.sum()))


class _Timed(NamedTuple):
    row: tuple
    objectives: np.ndarray
    F: np.ndarray


def _timed(problem: Problem, solver: str) -> _Timed:
    """Fit all columns and predict the test part."""
    forget()
    start, cpu = time.perf_counter(), time.process_time()
    learner = SVM(solver=solver).fit(problem.X, problem.M[problem.y])
    fit_seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu
    start = time.perf_counter()
    F = learner.margins(problem.X_test)
    predict_seconds = time.perf_counter() - start
    machines = learner.estimators_
    objectives = np.array([_objective(machine) for machine in machines])
    steps = mean(float(np.sum(machine.n_iter_)) for machine in machines)
    newtons = mean(getattr(machine, "newtons_", 0) for machine in machines)
    error_rate = float((predict(hinge(problem.M, F)) != problem.y_test).mean())
    times = fit_seconds, cpu_seconds, predict_seconds
    return _Timed((*times, steps, newtons, objectives.sum(), error_rate), objectives, F)


def _objective(machine) -> float:
    """The dual objective: sum alpha - 1/2 sum alpha_i y_i (f(x_i) - bias)."""
    b = machine.dual_coef_[0]
    f = machine.decision_function(machine.support_vectors_) - machine.intercept_[0]
    return float(np.abs(b).sum() - 0.5 * b @ f)


def render(found: Comparison) -> str:
    """The comparison in a few lines of text."""
    first = found.rows[0]
    lines = [
        f"{first['dataset']}, {first['code']}: {first['columns']} columns, {first['n_train']} "
        "training examples"
    ]
    for who in SIDES:
        mine = [row for row in found.rows if row["who"] == who]
        each = 1e3 * median(row["fit_seconds"] for row in mine) / first["columns"]
        lines.append(
            f"  {who:10}  {each:8.2f} ms a column, {mine[0]['steps']:.0f} pair steps and "
            f"{mine[0]['newtons']:.0f} exact ones, prediction "
            f"{median(row['predict_seconds'] for row in mine):.2f} s, error "
            f"{mine[0]['error_rate']:.2%}"
        )
    wall, cpu = found.ratios("fit_seconds"), found.ratios("cpu_seconds")
    return "\n".join(
        [
            *lines,
            f"  {median(wall):.1f} times as fast ({min(wall):.1f} to {max(wall):.1f}), by "
            f"processor time {median(cpu):.1f} ({min(cpu):.1f} to {max(cpu):.1f}); predictions "
            f"{median(found.ratios('predict_seconds')):.1f} times",
            f"  dual objective: ours is at most {max(found.worst_gap, 0.0):.1e} below, relative; "
            f"{found.differing} test margins differ in sign, {found.beyond} of them not near 0",
        ]
    )


SIDES: dict[str, str] = {OURS: "own", THEIRS: "libsvm"}
