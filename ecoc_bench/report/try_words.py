"""The numbers of a trial's page in words: how a measure is printed, and what is said of it."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..plots.time_error import shorten
from ..results.tables import DASH, signed
from ..trying.answer import Answer
from ..trying.metrics import METRICS

LISTED = 4  # names in a list before it says how many more there are
PREDICTED = ("confusion", "classes", "probabilities", "parting", "coverage", "wrong")  # sections
BASELINE = "prior"  # the candidate that looks at no column


class Measure(NamedTuple):
    """How a metric of a trial is called and printed."""

    title: str
    percent: bool

    @property
    def label(self) -> str:
        """For an axis or a heading.

        >>> Measure("error", True).label
        'error (%)'
        """
        return f"{self.title} (%)" if self.percent else self.title

    @property
    def heading(self) -> str:
        """At the head of a column.

        >>> Measure("macro F1", True).heading
        'Macro F1 (%)'
        """
        return f"{self.label[0].upper()}{self.label[1:]}"

    def text(self, value: float) -> str:
        """The value as it stands in a sentence.

        >>> Measure("error", True).text(0.1234), Measure("log loss", False).text(0.1234)
        ('12.3%', '0.123')
        """
        return (
            f"{self.bare(value)}%" if self.percent and not math.isnan(value) else self.bare(value)
        )

    def bare(self, value: float) -> str:
        """The value under a heading that names its unit."""
        if math.isnan(value):
            return DASH
        return f"{100 * value:.1f}" if self.percent else f"{value:.3f}"

    def span(self, low: float, high: float) -> str:
        """An interval."""
        return DASH if math.isnan(low) else f"{self.bare(low)} to {self.bare(high)}"

    def difference(self, value: float) -> str:
        """With its sign: in points, or as it is."""
        return (
            f"{signed(100 * value)} points" if self.percent else f"{value:+.3f}".replace("-", "−")
        )


def baseline(answer: Answer) -> float | None:
    """The chosen metric of the baseline; None if it is not ranked."""
    return next((one.scores[answer.metric] for one in answer.ranked if one.name == BASELINE), None)


def against_baseline(answer: Answer) -> str:
    """Whether the columns say anything about the classes; empty if the baseline is not ranked."""
    measure, honest = MEASURES[answer.metric], answer.honest
    chance = baseline(answer)
    if chance is None:
        return ""
    better = honest.low > chance if answer.higher_is_better else honest.high < chance
    number = f"{measure.text(chance)} that the shares of the classes alone give"
    if better:
        return f"The interval is clear of the {number}: the columns tell the classes apart."
    return (
        f"The interval is not clear of the {number}: on these rows it is not shown that the "
        "columns say anything about the classes."
    )


def absences(answer: Answer, predicted: bool, drawn: set[str]) -> dict[str, str]:
    """Why a section is empty, by its name; `drawn` has the figures that could be drawn."""
    pick = answer.entry(answer.pick).title
    more_time = "Give it more time with `--time`."
    why = {
        "time": "There are no two ranked candidates with known times to compare.",
        "code": f"No code is shown: {pick} is no reduction to binary problems, or the time was up "
        "before its dichotomies were examined.",
        "data": "There is no learning curve: the time was up, or the table is too small, before "
        f"{pick} was fitted on fewer rows. {more_time}",
        "importance": "No column was permuted: the time was up, or the table has too many columns. "
        f"{more_time}",
    }
    if len(answer.look.classes) == 2:
        why["code"] = "Two classes are one binary problem: there is no code to choose."
        why["parting"] = "Two classes are one pair: the confusion matrix above shows all of it."
    found = {name: sentence for name, sentence in why.items() if name not in drawn}
    if not predicted:
        none = f"No predictions of {pick} on held-out rows were kept. {more_time}"
        found |= dict.fromkeys(PREDICTED, none)
    if len(answer.ranked) == len(answer.entries):
        found["unranked"] = "There are none: every candidate was finished on all test parts."
    return found


def more_data(answer: Answer) -> str:
    """Is more data worth it? What the last step of the learning curve says."""
    measure = MEASURES[answer.metric]
    if len(answer.learning_curve) < 2:
        return ""
    (n0, before, low0, high0), (n, after, low, high) = sorted(answer.learning_curve)[-2:]
    unsure = math.hypot(high0 - low0, high - low) / 2
    gain = (after - before) if answer.higher_is_better else (before - after)
    step = (
        f"From {n0:,} to {n:,} training rows the {measure.title} went from {measure.text(before)} "
        f"to {measure.text(after)}"
    )
    if gain > unsure:
        return f"{step}: it still improves, and more rows like these are likely to be worth it."
    if gain < -unsure:
        return f"{step}: it did not improve with more rows, and the curve is not to be relied on."
    return (
        f"{step}, a step within its uncertainty ({measure.span(low, high)}): more rows of the "
        "same kind would probably change little; better columns may."
    )


def short_names(names: Sequence[str], longest: int) -> list[str]:
    """Names without what cannot be printed and without long middles; they stay distinct.

    >>> short_names(["a" * 20 + "1" + "b" * 20, "a" * 20 + "2" + "b" * 20, "c"], 9)
    ['aaa…bbb 1', 'aaa…bbb 2', 'c']
    """
    clean = ["".join(c if c.isprintable() else " " for c in name).strip() or "(empty)"
             for name in names]  # fmt: skip
    short = [shorten(name, longest) for name in clean]
    return [
        f"{shorten(name, longest - 1 - len(str(i)))} {i}" if short.count(shown) > 1 else shown
        for i, (name, shown) in enumerate(zip(clean, short, strict=True), start=1)
    ]


def listed(names: Sequence[str], most: int = LISTED) -> str:
    """Some names, and how many more there are.

    >>> listed(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    more = len(names) - most
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:most])} and {more} more"


MEASURES = {name: Measure(one.title, one.percent) for name, one in METRICS.items()}
