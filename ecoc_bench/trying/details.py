"""A closer look at the pick on held-out rows: learning curve, permuted columns, dichotomies."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..coding.folds import dealt
from ..models.scoring import probabilities
from ..seeds import seed_for
from . import work
from .answer import CodeReport
from .budget import Clock
from .candidates import Candidate
from .folds import parts
from .metrics import METRICS
from .race import Race

SHARES = (0.125, 0.25, 0.5, 1.0)  # of a training part
FEWEST = 20  # rows of the smallest
PERMUTED = 500  # test rows whose columns are permuted
MOST_COLUMNS = 100
SHARE = 0.4  # of the time that is left
RESAMPLES = 200


@dataclass
class Closer:
    """What one test part tells."""

    test: np.ndarray
    sizes: list[int] = field(default_factory=list)
    P: list[np.ndarray] = field(default_factory=list)  # probabilities of the test rows, by size
    rises: np.ndarray | None = None  # of the error, by column
    M: np.ndarray | None = None
    wrong: np.ndarray | None = None  # by dichotomy
    about: np.ndarray | None = None  # rows that each is about


def look_closer(
    candidate: Candidate, train: np.ndarray, test: np.ndarray, seed: int, temperature: float
) -> Closer:
    """In a child process: fits on growing shares of the training rows; the last is examined."""
    data, rng = work.table(), np.random.default_rng(seed)
    found = Closer(test)
    order = train[np.argsort(dealt(data.y[train], int(1 / SHARES[0]), rng), kind="stable")]
    fitted = None
    for share in SHARES:
        rows = np.sort(order[: round(share * len(order))])
        if len(rows) >= FEWEST and len(np.unique(data.y[rows])) == len(np.unique(data.y[train])):
            fitted = work.fit(candidate, rows, seed)
            found.sizes.append(len(rows))
            S = fitted.scores(data.X[test], data.n_classes)
            found.P.append(probabilities(S, temperature))
    if fitted is not None:
        if data.X.shape[1] <= MOST_COLUMNS:
            found.rises = _rises(fitted, test[:PERMUTED], rng)
        _dichotomies(fitted, test, found)
    return found


def _rises(fitted: work.Fitted, test: np.ndarray, rng) -> np.ndarray:
    """How much the error rises when a column of the test rows is permuted."""
    data = work.table()
    X, y = data.X[test], data.y[test]
    before = (fitted.scores(X, data.n_classes).argmax(axis=1) != y).mean()
    rises = np.empty(X.shape[1])
    for j in range(X.shape[1]):
        Z = X.copy()
        Z[:, j] = rng.permutation(Z[:, j])
        rises[j] = (fitted.scores(Z, data.n_classes).argmax(axis=1) != y).mean() - before
    return rises


def _dichotomies(fitted: work.Fitted, test: np.ndarray, found: Closer) -> None:
    estimator, data = fitted.estimator, work.table()
    if not hasattr(estimator, "margins") or len(estimator.classes_) < data.n_classes:
        return
    found.M = np.asarray(estimator.code_matrix_)
    F = estimator.margins(fitted.inputs.transform(data.X[test]))
    Y = found.M[data.y[test]]
    found.wrong, found.about = ((F * Y <= 0) & (Y != 0)).sum(axis=0), (Y != 0).sum(axis=0)


class Details:
    """What the parts tell together."""

    def __init__(self, race: Race, metric: str, found: Sequence[Closer]):
        self.data, self.metric, self.found = race.problem.data, METRICS[metric], found

    def learning_curve(self) -> tuple[tuple[int, float, float, float], ...]:
        """(rows, metric, low, high): all parts together; the interval is of resampled rows."""
        if not self.found:
            return ()
        n_sizes = min(len(one.sizes) for one in self.found)
        return tuple(self._point(i - n_sizes) for i in range(n_sizes))

    def _point(self, i: int) -> tuple[int, float, float, float]:
        P = np.concatenate([one.P[i] for one in self.found])
        y = self.data.y[np.concatenate([one.test for one in self.found])]
        rng = np.random.default_rng(0)
        counts = rng.multinomial(len(y), np.full(len(y), 1 / len(y)), RESAMPLES).astype(float)
        low, high = np.percentile(self.metric.of(y, P, counts), [2.5, 97.5])
        size = round(float(np.mean([one.sizes[i] for one in self.found])))
        return size, float(self.metric.of(y, P, np.ones((1, len(y))))[0]), float(low), float(high)

    def importance(self) -> tuple[tuple[str, float, float], ...]:
        """(column, rise of the error, sd over the parts), the highest first."""
        rises = np.array([one.rises for one in self.found if one.rises is not None])
        if not len(rises):
            return ()
        sd = rises.std(axis=0, ddof=1) if len(rises) > 1 else np.full(rises.shape[1], np.nan)
        found = zip(self.data.columns, rises.mean(axis=0).tolist(), sd.tolist(), strict=True)
        return tuple(sorted(found, key=lambda one: -one[1]))

    def code(self) -> CodeReport | None:
        """The dichotomies of the first part's code; parts that drew another do not count."""
        codes = [one.M for one in self.found if one.M is not None]
        if not codes:
            return None
        M = codes[0]
        same = [one for one in self.found if one.M is not None and np.array_equal(one.M, M)]
        wrong, about = (sum(getattr(one, name) for one in same) for name in ("wrong", "about"))
        return CodeReport(M, wrong / np.maximum(about, 1))


def closer_looks(race: Race, name: str, clock: Clock) -> list[Closer]:
    """The parts of the first repeat, one after the other, while a share of the time lasts."""
    run = next(run for run in race.runs if run.candidate.name == name)
    until, found = clock.left * (1 - SHARE), []
    for i, (r, _) in enumerate(parts(race.folds)):
        limit = clock.left - until
        if race.interrupted or r > 0 or limit < 2.5 * float(np.mean(run.fit_seconds)):
            break
        _, candidate, train, test, _ = race.task_of(run, i)
        seed = seed_for("try", race.seed, name, "closer", i)
        task = candidate, train, test, seed, run.temperature
        try:
            found.append(race.workers[0].call(limit, race.problem.data, look_closer, *task))
        except (TimeoutError, RuntimeError):
            break  # the page does without: nothing is decided by it
        except KeyboardInterrupt:
            race.interrupted = True
    return found
