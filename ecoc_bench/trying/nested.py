"""The slow proof: the whole trial again in each training part, its pick scored on the test part.

No row that is scored has touched a fit, a choice or a temperature. Varma & Simon 2006.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import UserError
from ..files import scratch
from ..models.scoring import probabilities
from . import work
from .answer import RANKED
from .budget import Clock
from .folds import make_folds, parts
from .judge import judged
from .look import Problem
from .metrics import METRICS
from .race import Race
from .words import number
from .workers import Worker

SHARE = 0.3  # of the time is for the trial itself, the rest for its proof
FEWEST = 2  # rows of each class in a training part


def nested(race: Race, options: Any, clock: Clock, workers: Sequence[Worker]) -> str:
    """What the outer folds say, in a sentence."""
    ranked = [run.candidate for run in race.runs if run.status == RANKED]
    data = race.problem.data
    P = np.full((len(data.y), data.n_classes), np.nan)
    outer, picks = [part for part in parts(race.folds) if part[0] == 0], []
    for i, (r, f) in enumerate(outer):
        test, train = race.folds[r] == f, np.flatnonzero(race.folds[r] != f)
        if np.bincount(data.y[train], minlength=data.n_classes).min() < FEWEST:
            return "No nested folds: a class has too few rows for them."
        share = (clock.left_for_fits - 1.0) / (len(outer) - i)
        own = Clock(max(share, 0.0), tail=0.0)
        try:
            pick, P[test] = _inner(race, ranked, train, test, options, own, workers)
        except UserError:
            return f"No nested folds: {i} of {len(outer)} were done in the time."
        picks.append(pick)
    return _said(options.metric, data.y, P, picks)


def _inner(
    race: Race, candidates, train: np.ndarray, test: np.ndarray, options, clock: Clock, workers
) -> tuple[str, np.ndarray]:
    """The pick of a trial on the training rows, and its probabilities of the test rows."""
    problem = _part(race.problem, train)
    folds = make_folds(problem.data.y, problem.groups, None, options.seed, 0.0)
    with scratch() as folder:
        inner = Race(problem, candidates, folds, clock, workers, options.seed, folder, race.facts)
        inner.run()
        race.interrupted = inner.interrupted
        if not all(run.status == RANKED for run in inner.runs):
            raise UserError("not all candidates were finished")
        pick = judged(inner, options.metric, options.pick).pick
        run = next(run for run in inner.runs if run.candidate.name == pick)
        path = folder / f"{pick}.ecoc"
        rows = race.problem.data.X[test]
        S = workers[0].call(max(clock.left, 5.0), problem.data, work.scores_of_file, path, rows)
    return pick, probabilities(S, run.temperature)


def _part(problem: Problem, rows: np.ndarray) -> Problem:
    data = replace(problem.data, X=problem.data.X[rows], y=problem.data.y[rows])
    groups = None
    if problem.groups is not None:
        groups = np.unique(problem.groups[rows], return_inverse=True)[1]
    return replace(problem, data=data, lines=problem.lines[rows], groups=groups)


def _said(metric: str, y: np.ndarray, P: np.ndarray, picks: list[str]) -> str:
    every = np.ones((1, len(y)))
    found = float(METRICS[metric].of(y, P, every)[0])
    names = ", ".join(sorted(set(picks), key=lambda name: -picks.count(name)))
    return (
        f"Nested folds: the whole trial in each of {len(picks)} training parts has "
        f"{METRICS[metric].title} {number(metric, found)} on the rows left out (it picked {names})."
    )
