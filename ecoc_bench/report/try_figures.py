"""The figures of a trial's page, as pictures inside it; None where there is nothing to draw."""

import warnings
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..coding.calibration import reliability_table
from ..plots.confusion import draw_confusion
from ..plots.coverage import draw_coverage
from ..plots.dendrogram import draw_dendrogram
from ..plots.dichotomies import draw_dichotomies
from ..plots.gaps import draw_gaps
from ..plots.importance import draw_importance
from ..plots.learning_curve import draw_learning_curve
from ..plots.reliability import draw_reliability
from ..plots.style import lines, quick_svg
from ..plots.time_error import TICK, draw_time_error
from ..trying import confusion, coverage
from ..trying.answer import Answer, CodeReport
from ..trying.critical import gaps
from ..trying.held_out import HeldOut
from .template import data_uri
from .try_words import BASELINE, MEASURES, short_names

REM = 7.2  # of an inch of a figure: a figure as wide as a page's text is 52rem wide
LONGEST = 24  # characters of a class in a figure
POINTS = 120  # of the curve of coverage
FIRST_ROWS = 20  # the error of fewer answers says nothing
MOST_LEAVES, MOST_COLUMNS, MOST_BARS = 40, 60, 10


class Image(NamedTuple):
    """A picture with its width and what it shows."""

    uri: str
    alt: str
    caption: str
    width: str


def _image(figure: Figure, alt: str, caption: str) -> Image:
    with warnings.catch_warnings():
        # The browser has the letters of names that Matplotlib's font lacks.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        svg = quick_svg(figure)
    return Image(data_uri(svg), alt, caption, f"{REM * figure.get_figwidth():.1f}rem")


def time_error(answer: Answer) -> Image | None:
    """Ranked candidates by the seconds of a fit and by their error."""
    points = pd.DataFrame(
        {
            "method": short_names([one.title for one in answer.ranked], 36),
            "code": [one.name for one in answer.ranked],
            "seconds": [max(one.fit_seconds, TICK) for one in answer.ranked],
            "error": [100 * one.scores.get("error", np.nan) for one in answer.ranked],
        }
    ).dropna()
    if len(points) < 2:
        return None
    labels = "seconds of a fit (mean over folds, log scale)", "test error (%, mean over folds)"
    figure = draw_time_error(points, lines(list(points["code"])), "", labels)
    caption = (
        "Each candidate by the seconds that it takes to be fitted once and by its test error. "
        "Bold, with a dark rim: no other candidate is both as fast and as good. Times are of this "
        "machine, whatever else it did."
    )
    return _image(
        figure, "Test error against seconds of fitting, a point for each candidate", caption
    )


def critical_difference(answer: Answer) -> Image | None:
    """How far each ranked candidate is behind the best, and how far it must be to be told."""
    found, measure = gaps(answer), MEASURES[answer.metric]
    if not found:
        return None
    unit = 100 if measure.percent else 1
    worse, critical = unit * np.array([(gap.worse, gap.critical) for gap in found]).T
    near = [gap.name != BASELINE for gap in found] if len(found) > 1 else [True]
    end = float(max(worse[near].max(), critical[near].max(), 1e-3))
    names = short_names([answer.entry(gap.name).title for gap in found], 36)
    best = answer.entry(answer.best).title
    label = f"behind {best} ({'points of ' if measure.percent else ''}{measure.title})"
    caption = (
        f"How much worse than {best} each candidate is, a mean over the test parts. The band is "
        "the critical difference: a full dot inside it cannot be told from the best, a hollow dot "
        "outside it can (corrected resampled t-test, 5%, Holm's adjustment)."
    )
    alt = "Differences from the best candidate, with critical differences"
    return _image(draw_gaps(names, worse, critical, end, label), alt, caption)


def confusions(C: np.ndarray, classes: tuple[str, ...], most_named: int) -> list[Image]:
    """The matrix; if it has too many classes for names, also the part of the most confused."""
    order = confusion.neighbours(C)
    percent, names = 100 * confusion.shares(C), short_names(classes, LONGEST)

    def picture(places: np.ndarray, what: str) -> Image:
        figure = draw_confusion(percent[np.ix_(places, places)], [names[c] for c in places])
        return _image(
            figure, f"Confusion matrix of {what}, true classes down", caption.format(what)
        )

    caption = (
        "{}: a row is a true class and its numbers are percent of its rows (a dot: less than half "
        "a percent). Blue is right, orange is wrong; classes that are taken for each other stand "
        "side by side. Colours grow with the square root, so that small shares can be seen."
    )
    if len(C) <= most_named:
        return [picture(order, f"All {len(C)} classes")]
    some = set(confusion.most_confused(C, most_named // 2).tolist())
    part = np.array([c for c in order if c in some])
    found = [picture(part, f"The {len(part)} classes with the most wrong rows")]
    return [*found, picture(order, f"All {len(C)} classes")]


def reliability(held: HeldOut, title: str) -> Image:
    figure = draw_reliability({title: reliability_table(held.y, held.P)}, "", 4.4)
    caption = (
        "How often the most probable class is right, against its probability, over the held-out "
        "rows of all repeats; below, how many predictions there are. On the diagonal a probability "
        "can be taken at its word; below it, it promises too much."
    )
    return _image(figure, "Reliability diagram: share that is right against probability", caption)


def code(report: CodeReport, classes: tuple[str, ...]) -> Image:
    """The code; of a long one the columns with the highest error."""
    ell = report.M.shape[1]
    places = np.arange(ell)
    if ell > MOST_COLUMNS:
        places = np.argsort(-np.nan_to_num(report.errors), kind="stable")[:MOST_COLUMNS]
    figure = draw_dichotomies(
        report.M[:, places], 100 * report.errors[places], short_names(classes, LONGEST)
    )
    which = (
        f"{ell} columns" if len(places) == ell else f"the {len(places)} hardest of {ell} columns"
    )
    caption = (
        f"The code matrix, {which}, and above each column the error of its binary classifier on "
        "held-out rows of the classes that it is about."
    )
    return _image(figure, f"Code matrix with the held-out error of each column: {which}", caption)


def parting(E: np.ndarray, classes: tuple[str, ...]) -> Image | None:
    """Classes joined by the errors between them; of many classes those with the largest errors."""
    if len(E) < 3 or E.max() == 0:
        return None
    some = np.sort(np.argsort(-E.max(axis=1), kind="stable")[:MOST_LEAVES])
    names = short_names(classes, LONGEST)
    part = E[np.ix_(some, some)]
    figure = draw_dendrogram(confusion.merges(part), float(part.max()), [names[c] for c in some])
    few = "" if len(some) == len(E) else f" The {len(some)} classes that are hardest to part."
    caption = (
        "Classes that are hard to part are joined far to the left, at the mean error between their "
        "groups; the error of a pair is that on rows of the two classes if no other class could be "
        f"the answer.{few}"
    )
    return _image(figure, "Dendrogram of the classes by the error between them", caption)


def covered(curve: coverage.Curve) -> Image:
    first = min(1.0, FIRST_ROWS / max(1, curve.rows))
    points = coverage.at_shares(curve, np.linspace(first, 1, POINTS).tolist())
    percent = 100 * np.array([(p.share, p.error, p.low, p.high) for p in points])
    caption = (
        "The error of the answers if the least confident rows are left unanswered, with Wilson's "
        "95% interval. A curve that rises to the right means that the probabilities know which "
        "rows are hard."
    )
    figure = draw_coverage(*percent.T)
    return _image(figure, "Error against the share of rows that are answered", caption)


def learning_curve(answer: Answer) -> Image | None:
    if len(answer.learning_curve) < 2:
        return None
    measure = MEASURES[answer.metric]
    rows, value, low, high = np.array(sorted(answer.learning_curve)).T
    unit = 100 if measure.percent else 1
    figure = draw_learning_curve(
        rows.astype(int), unit * value, unit * low, unit * high, measure.label
    )
    caption = "The picked candidate fitted on fewer rows, with 95% intervals."
    return _image(figure, f"Learning curve: {measure.title} against training rows", caption)


def importance(answer: Answer) -> Image | None:
    ranked = sorted(answer.importance, key=lambda one: -one[1])[:MOST_BARS]
    if not ranked:
        return None
    columns, rise, sd = zip(*ranked, strict=True)
    bars = pd.DataFrame(
        {
            "panel": "",
            "feature": short_names(columns, LONGEST),
            "increase": 100 * np.array(rise),
            "split_gain": np.nan,
            "sd": 100 * np.array(sd),
        }
    )
    caption = (
        "By how many points the error of the picked candidate grows when a column is permuted "
        "among held-out rows, with the standard deviation over test parts. Columns that say the "
        "same share their importance: each may look unimportant alone."
    )
    return _image(draw_importance(bars, ""), "Bars of the importance of columns", caption)
