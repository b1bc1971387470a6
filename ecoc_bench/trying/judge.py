"""The end of a race: entries with their numbers, who is tied, who is picked and why."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from . import calibrate
from .answer import RANKED, Entry, Honest
from .choose import PICKS, correlated_bayes, rule_for, tied
from .folds import ratio
from .honest import Scorer, bootstrap
from .look import Problem
from .metrics import METRICS, score
from .race import Race, Run

MOST_NAMED = 4  # candidates in a sentence
GUESSING = "prior"


class Judged(NamedTuple):
    """The candidates, the ranked ones first, and what there is to say about them."""

    entries: tuple[Entry, ...]
    best: str
    pick: str
    why: str
    comparison: tuple[str, ...]
    honest: Honest


def judged(race: Race, metric: str, pick: str) -> Judged:
    """Rank, compare and pick; the honest number of the pick counts the picking."""
    problem, folds = race.problem, race.folds
    ranked = [_entry(run, problem, folds) for run in race.runs if run.status == RANKED]
    P = [one.probabilities for one in ranked if one.probabilities is not None]
    scorer = Scorer(metric, problem.data.y, folds, P)
    every = np.ones((1, len(problem.data.y)))
    scores, by_part = scorer.overall(every)[0], scorer.by_part(every)[0]
    same = tied(scores[None], by_part[None], ratio(folds))[0]
    rule = rule_for(pick, ranked)
    picked = rule(scores, same)
    honest, intervals = bootstrap(scorer, rule, problem.groups, race.seed, race.clock.is_late)
    entries = [
        replace(
            one,
            interval=(float(low), float(high)),
            by_fold=scorer.sign * by_part[c],
            tied=bool(same[c]),
        )
        for c, (one, (low, high)) in enumerate(zip(ranked, intervals, strict=True))
    ]
    order = sorted(range(len(entries)), key=lambda c: (scores[c], entries[c].simplicity))
    first = order[0]
    against = by_part[first], by_part[picked]
    return Judged(
        (*(entries[c] for c in order), *_unranked(race.runs)),
        entries[first].name,
        entries[picked].name,
        _why(pick, entries[picked], entries[first], entries),
        tuple(_comparison(entries, order, picked, *against, ratio(folds))),
        honest,
    )


def _entry(run: Run, problem: Problem, folds: np.ndarray) -> Entry:
    y, k = problem.data.y, problem.data.n_classes
    P = np.full((*folds.shape, k), np.nan)
    for r, fold in enumerate(folds):
        P[r] = calibrate.probabilities(run.scores[r], y, fold)
    tested = [np.flatnonzero(fold >= 0) for fold in folds]
    scores = {
        name: float(np.mean([score(name, y[rows], P[r][rows]) for r, rows in enumerate(tested)]))
        for name in METRICS
    }
    return Entry(
        run.candidate.name,
        run.candidate.title,
        RANKED,
        simplicity=run.candidate.simplicity,
        probabilities=P,
        scores=scores,
        fit_seconds=float(np.mean(run.fit_seconds)),
        predict_us=float(np.median(run.predict_us)),
        megabytes=run.megabytes,
    )


def _unranked(runs: Sequence[Run]) -> list[Entry]:
    return [
        Entry(run.candidate.name, run.candidate.title, run.status, run.reason,
              run.candidate.simplicity,
              fit_seconds=float(np.mean(run.fit_seconds)) if run.fit_seconds else np.nan)
        for run in runs
        if run.status != RANKED
    ]  # fmt: skip


def _why(pick: str, picked: Entry, best: Entry, entries: Sequence[Entry]) -> str:
    """The reason of the pick."""
    n_tied = sum(one.tied for one in entries)
    if len(entries) == 1:
        return "It is the only candidate that was finished in the time."
    if n_tied == 1:
        return "It is better than every other candidate."
    if pick == "best":
        return "It has the best score, and --pick best asks for no more."
    if picked.name == best.name:
        return f"It has the best score and is {PICKS[pick]} of those within a point of it."
    return (
        f"It is {PICKS[pick]} of those that cannot be told from the best ({best.title}) and are "
        "within a point of it."
    )


def _comparison(entries, order, picked: int, best_parts, pick_parts, test_ratio: float):
    """What the tests say, in sentences; `order` has the best first."""
    names, first = [one.title for one in entries], order[0]
    others = [c for c in order[1:] if entries[c].tied]
    test = "corrected resampled t-tests, Holm's adjustment, 5%"
    if others:
        shown = ", ".join(names[c] for c in others[:MOST_NAMED])
        more = len(others) - MOST_NAMED
        rest = f" and {more} more" if more > 0 else ""
        yield f"Cannot be told from the best, {names[first]} ({test}): {shown}{rest}."
    elif len(entries) > 1:
        yield f"The best, {names[first]}, is better than every other candidate ({test})."
    if any(one.name == GUESSING and one.tied for one in entries) and len(entries) > 1:
        yield "No candidate can be told from guessing by the shares of the classes."
    if picked != first and len(best_parts) > 1:
        yield _bayes(names[picked], names[first], best_parts, pick_parts, test_ratio)


def _bayes(pick: str, best: str, best_parts, pick_parts, test_ratio: float) -> str:
    found = correlated_bayes(best_parts, pick_parts, test_ratio)
    return (
        f"{pick[0].upper()}{pick[1:]} against {best}: worse by more than a point with probability "
        f"{found.first_better:.2f}, within a point {found.equal:.2f}, better by more than a point "
        f"{found.second_better:.2f} (Bayesian correlated t-test)."
    )
