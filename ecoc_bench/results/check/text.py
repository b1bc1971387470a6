"""The report of a check as text: the summary first, then tables of what matters."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt

from ..formats import Style, document, grid
from .noise import RANDOM_LEARNER, RESPLIT, RETRAINING
from .read import Key
from .regression import Absent, Compared, Report, Test

TESTS: dict[Test, str] = {
    "paired": "equal seeds and settings: exact sign test on the examples that one side alone "
    "mistakes",
    "proportions": "the fits depend on the split alone: Fisher's exact test of two error rates, "
    f"and with another split a variance of {RESPLIT:g} p(1 - p) more is assumed",
    "spread": "fitted anew: Student's t by the spread over draws or repeats, averaged with that "
    "of the other entries",
    "assumed": "fitted anew, once on each side, so that the spread over fits is not known: for "
    f"random codes a standard deviation of {sqrt(RETRAINING):g} sqrt(p(1 - p)) is assumed, 4 "
    "points at an error of 20%, for fixed codes a variance of "
    f"(2 / n + {RANDOM_LEARNER:g}) p(1 - p). The same seed, or several draws or repeats, let "
    "smaller changes be seen",
}


def render(report: Report, style: Style = "terminal") -> str:
    """The report for a terminal, or in Markdown."""
    blocks = [(title, _entries(entries, style)) for title, entries in _sections(report) if entries]
    if report.absent:
        blocks.append(("Not compared", _absent(report, style)))
    return document(summary_line(report), blocks, list(_foot(report)), style)


def summary_line(report: Report) -> str:
    """How many entries of each kind."""
    found = Counter(entry.verdict for entry in report.entries)
    missing = sum(entry.missing for entry in report.absent)
    counts = [
        _count(found["regression"], "regression"),
        _count(found["improvement"], "improvement"),
        f"{found['drift']} drifted",
        f"{found['identical']} identical",
        f"{missing} missing",
        f"{len(report.absent) - missing} not comparable",
    ]
    counts += [f"{len(report.added)} new"] * (len(report.added) > 0)
    entries = "1 entry" if len(report.entries) == 1 else f"{len(report.entries)} entries"
    return f"{entries} compared: {', '.join(counts)}"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _sections(report: Report) -> list[tuple[str, list[Compared]]]:
    return [
        (f"Regressions: worse beyond the noise, level {report.alpha:g}", report.of("regression")),
        (f"Improvements, level {report.alpha:g}", report.of("improvement")),
        ("Drift: not the same, and not beyond the noise", report.of("drift")),
    ]


def _entries(entries: Sequence[Compared], style: Style) -> str:
    head = ["Problem", "Learner", "Code", "Decoder", "Ours", "Reference", "Difference", "p", "Test"]
    rows = [
        [
            *_names(entry.key),
            f"{entry.ours:.1f}",
            f"{entry.reference:.1f}",
            f"{entry.difference:+.1f}".replace("-", "−"),
            f"{entry.p:.2g}",
            entry.test,
        ]
        for entry in entries
    ]
    return grid(head, [[[text] for text in row] for row in rows], style)


def _names(key: Key) -> list[str]:
    learner = f"{key.learner}, {key.stage} rounds" if key.stage else key.learner
    return [key.dataset, learner, key.code, key.decoder]


def _absent(report: Report, style: Style) -> str:
    """A line for each entry, or one for a data set if none of its entries could be compared."""
    compared = {entry.key.dataset for entry in report.entries}
    lines: dict[tuple[str, ...], None] = {}
    for entry in report.absent:
        whole = entry.key.dataset not in compared
        names = [entry.key.dataset, "all", "all", "all"] if whole else _names(entry.key)
        lines[*names, _why(entry)] = None
    head = ["Problem", "Learner", "Code", "Decoder", "Why"]
    return grid(head, [[[text] for text in line] for line in lines], style)


def _why(entry: Absent) -> str:
    return f"{'missing' if entry.missing else 'not comparable'}: {entry.why}"


def _foot(report: Report) -> Iterator[str]:
    shown = [entry for entry in report.entries if entry.verdict != "identical"]
    if shown:
        yield (
            "Test errors in percent. p: one-sided, of the entry alone; Holm's procedure over all "
            f"{len(report.entries)} decides, and gives a greater part of the level to entries of "
            "which more predictions changed."
        )
    for test in dict.fromkeys(entry.test for entry in shown):
        yield f"{test}: {TESTS[test]}."
    yield from report.notes
