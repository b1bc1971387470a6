"""report.html of a trial: which method, how good it will be, and where it fails, in one file."""

import math
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np

from .. import __version__
from ..coding.calibration import brier_score, expected_calibration_error, log_loss
from ..plots.confusion import MOST_NAMED
from ..trying import confusion, coverage
from ..trying.answer import Answer, CodeReport
from ..trying.held_out import HeldOut, held_out
from ..trying.per_class import ClassScores, Rate, class_scores
from ..trying.words import optimism, verdict
from ..trying.wrong_rows import confidently_wrong
from . import try_figures as figures
from .entries import BAR, Value
from .template import template
from .try_board import board, other_metrics, value_or_dash
from .try_words import (
    LISTED,
    MEASURES,
    absences,
    against_baseline,
    baseline,
    listed,
    more_data,
    short_names,
)

LONGEST = 60  # characters of a name in a table
TOP = 10  # confusions, dichotomies
WRONG_ROWS = 15
FEW_CLASSES = 30  # more are folded, except for the worst
SHARES = (1.0, 0.95, 0.9, 0.8, 0.7, 0.5)
TARGETS = (0.1, 0.05, 0.02, 0.01)  # errors that a user may want

FACTS = {"sha256": "SHA-256 of the table"}
VERSIONS = {
    "ecoc_bench": "ecoc-bench",
    "python": "Python",
    "numpy": "NumPy",
    "scipy": "SciPy",
    "scikit-learn": "scikit-learn",
}


def render_try_page(answer: Answer) -> str:
    """The page as text: the same answer gives the same bytes."""
    look = answer.look
    predictions = _predictions(answer)
    sections = {
        "time": figures.time_error(answer),
        "code": _code(answer.code, look.classes) if answer.code else None,
        "data": figures.learning_curve(answer),
        "importance": figures.importance(answer),
    }
    drawn = {name for name, section in sections.items() if section}
    return template("try_page.html.j2").render(
        **_overview(answer),
        **sections,
        absent=absences(answer, predictions is not None, drawn),
        predictions=predictions,
        board=board(answer),
        other_measures=[MEASURES[name] for name in other_metrics(answer)],
        critical_difference=figures.critical_difference(answer),
        more_data=more_data(answer),
        importance_rows=_importance(answer),
        unranked=[one for one in answer.entries if one not in answer.ranked],
        provenance=_provenance(answer.provenance),
    )


def _overview(answer: Answer) -> dict[str, Any]:
    """The verdict, and what it is about."""
    look = answer.look
    return {
        "title": f"Predicting {look.target} from {PurePath(look.source).name or look.source}",
        "version": answer.provenance.get("ecoc_bench", __version__),
        "answer": answer,
        "measure": MEASURES[answer.metric],
        "verdict": verdict(answer),
        "optimism": optimism(answer),
        "baseline": baseline(answer),
        "against_baseline": against_baseline(answer),
        "tied": any(one.tied for one in answer.ranked if one.name != answer.best),
        "best_title": answer.entry(answer.best).title,
        "pick_title": answer.entry(answer.pick).title,
        "majority": look.counts.max() / max(1, look.counts.sum()),
        "missing": _missing(answer),
    }


def _missing(answer: Answer) -> str:
    """How much is missing, in words."""
    missing = np.asarray(answer.look.missing)
    if not missing.sum():
        return "no value is missing"
    return f"{missing.sum():,} values are missing, in {(missing > 0).sum()} columns"


def _predictions(answer: Answer) -> dict[str, Any] | None:
    """All that the held-out predictions of the pick say; None if there are none."""
    held = held_out(answer, answer.pick)
    if held is None:
        return None
    classes = answer.look.classes
    names, C = short_names(classes, LONGEST), confusion.counts(held)
    E = confusion.pairwise_errors(held)
    return {
        "repeats": len(answer.folds),
        "matrices": figures.confusions(C, classes, MOST_NAMED),
        "confusions": [
            (names[one.true], names[one.predicted], f"{one.rows:.4g}", f"{100 * one.share:.1f}%")
            for one in confusion.top_confusions(C, TOP)
        ],
        "classes": _class_lines(class_scores(C), names),
        "few": FEW_CLASSES // 2 if len(classes) > FEW_CLASSES else len(classes),
        **_calibration(held, answer.entry(answer.pick).title),
        "parting": figures.parting(E, classes),
        "pairs": _hard_pairs(E, names),
        **_coverage(held),
        "unit": answer.look.unit.capitalize(),
        "wrong_rows": _wrong_rows(answer, held, names),
    }


class ClassLine(NamedTuple):
    """A class and its scores as they are shown."""

    name: str
    rows: int
    rates: list[tuple[Value, str]]  # precision, recall, F1: value and interval
    bar: dict[str, str]  # of F1, empty without one


def _class_lines(scores: list[ClassScores], names: list[str]) -> list[ClassLine]:
    """The classes, the lowest F1 first."""
    order = sorted(range(len(names)), key=lambda c: np.nan_to_num(scores[c].f1.value, nan=2))
    return [
        ClassLine(
            names[c],
            scores[c].rows,
            [_rate(rate) for rate in (scores[c].precision, scores[c].recall, scores[c].f1)],
            _f1_bar(scores[c].f1),
        )
        for c in order
    ]


def _rate(rate: Rate) -> tuple[Value, str]:
    percent = MEASURES["macro_f1"]  # rates are printed as this one is
    return value_or_dash(rate.value, percent.bare), percent.span(rate.low, rate.high)


def _f1_bar(f1: Rate) -> dict[str, str]:
    if math.isnan(f1.value):
        return {}
    places = {"lo": f1.low, "error": f1.value, "hi": f1.high}
    return {name: f"{4 + (BAR - 8) * place:.1f}" for name, place in places.items()}


def _calibration(held: HeldOut, title: str) -> dict[str, Any]:
    """Proper scores of the probabilities, next to those of the shares of the classes."""
    shares = np.bincount(held.y, minlength=held.n_classes) / len(held.y)
    return {
        "reliability": figures.reliability(held, title),
        "brier": brier_score(held.y, held.P),
        "brier_of_shares": 1 - float((shares**2).sum()),
        "log_loss": log_loss(held.y, held.P),
        "calibration_error": expected_calibration_error(held.y, held.P),
    }


def _hard_pairs(E: np.ndarray, names: list[str]) -> list[tuple[str, str, str]]:
    """The pairs with the largest errors between them."""
    a, b = np.triu_indices(len(E), 1)
    order = np.argsort(-E[a, b], kind="stable")[:TOP]
    return [
        (names[a[i]], names[b[i]], f"{100 * E[a[i], b[i]]:.1f}%")
        for i in order
        if E[a[i], b[i]] > 0
    ]


def _coverage(held: HeldOut) -> dict[str, Any]:
    """The curve, its numbers at some shares, and the share that keeps within some errors."""
    curve = coverage.coverage_curve(held)
    percent = MEASURES["error"]
    total = float(curve.error[-1])
    reached = [(target, coverage.widest(curve, target)) for target in TARGETS if target < total]
    return {
        "coverage": figures.covered(curve),
        "coverage_rows": [
            (percent.text(p.share), _least(p.confidence), percent.text(p.error),
             percent.span(p.low, p.high))
            for p in coverage.at_shares(curve, SHARES)
        ],
        "coverage_targets": [
            (f"{100 * target:g}%", percent.text(float(curve.share[place])))
            for target, place in reached
            if place is not None
        ],
    }  # fmt: skip


def _least(confidence: float) -> str:
    """Rounded down, so that `--abstain` with this number answers these rows."""
    return f"{math.floor(1e4 * confidence) / 1e4:.4f}"


def _wrong_rows(answer: Answer, held: HeldOut, names: list[str]) -> list[tuple]:
    return [
        (
            int(answer.lines[one.row]), names[one.true], names[one.predicted],
            f"{one.p_predicted:.3f}", f"{one.p_true:.3f}",
        )
        for one in confidently_wrong(held, WRONG_ROWS)
    ]  # fmt: skip


def _code(report: CodeReport, classes: tuple[str, ...]) -> dict[str, Any]:
    """The picture, and the hardest dichotomies in words."""
    names = short_names(classes, LONGEST // 2)
    order = np.argsort(-np.nan_to_num(report.errors), kind="stable")[:TOP]

    def side(column: int, sign: int) -> str:
        own, others = (np.flatnonzero(report.M[:, column] == s) for s in (sign, -sign))
        all_others = len(own) + len(others) == len(names)
        if all_others and len(own) > LISTED >= len(others):
            return f"the other {len(own)} classes"
        return listed([names[c] for c in own])

    hardest = [
        (int(s) + 1, side(s, 1), side(s, -1), MEASURES["error"].text(float(report.errors[s])))
        for s in order
    ]
    shape = "{} classes, {} columns".format(*report.M.shape)
    return {"image": figures.code(report, classes), "hardest": hardest, "shape": shape}


def _importance(answer: Answer) -> list[tuple[str, str, str]]:
    """All columns, the most important first."""
    ranked = sorted(answer.importance, key=lambda one: -one[1])
    names = short_names([column for column, *_ in ranked], LONGEST)
    return [
        (name, f"{100 * rise:.2f}", value_or_dash(100 * sd, "{:.2f}".format).text)
        for name, (_, rise, sd) in zip(names, ranked, strict=True)
    ]


def _provenance(facts: dict[str, Any]) -> list[tuple[str, str]]:
    """What is known of how the answer was made, besides what stands elsewhere on the page."""
    versions = ", ".join(f"{VERSIONS[name]} {facts[name]}" for name in VERSIONS if name in facts)
    told = {*VERSIONS, "command", "source", "target", "rows"}
    others = [
        (FACTS.get(name, name.replace("_", " ").capitalize()), str(value))
        for name, value in facts.items()
        if name not in told
    ]
    return [("Versions", versions), *others]
