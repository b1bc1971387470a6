"""The report of a check as text: the summary first, then tables of what matters."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..formats import Style, document, grid
from .read import Key
from .regression import Absent, Compared, Report, Test

TESTS: dict[Test, str] = {
    "paired": "exact sign test on the examples that one side alone mistakes",
    "proportions": "Fisher's exact test of two error rates",
    "draws": "difference against the noise of the examples and the spread over drawn codes",
    "none": "other random codes, one draw on each side: their spread is not known, so not judged. "
    "With `draws: 2` or more it is",
}


def render(report: Report, style: Style = "terminal") -> str:
    """The report for a terminal, or in Markdown."""
    blocks = [(title, _cells(cells, style)) for title, cells in _sections(report) if cells]
    if report.absent:
        blocks.append(("Not compared", _absent(report, style)))
    return document(summary_line(report), blocks, list(_foot(report)), style)


def summary_line(report: Report) -> str:
    """How many cells of each kind."""
    found = Counter(cell.verdict for cell in report.cells)
    missing = sum(cell.missing for cell in report.absent)
    counts = [
        _count(found["regression"], "regression"),
        _count(found["improvement"], "improvement"),
        f"{found['drift']} drifted",
        f"{found['identical']} identical",
        f"{missing} missing",
        f"{len(report.absent) - missing} not comparable",
    ]
    counts += [f"{found['unjudged']} not judged"] * (found["unjudged"] > 0)
    counts += [f"{len(report.added)} new"] * (len(report.added) > 0)
    return f"{_count(len(report.cells), 'cell')} compared: {', '.join(counts)}"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _sections(report: Report) -> list[tuple[str, list[Compared]]]:
    return [
        (f"Regressions: worse beyond the noise, level {report.alpha:g}", report.of("regression")),
        (f"Improvements, level {report.alpha:g}", report.of("improvement")),
        ("Drift: not the same, and not beyond the noise", report.of("drift")),
        ("Not judged", report.of("unjudged")),
    ]


def _cells(cells: Sequence[Compared], style: Style) -> str:
    head = ["Problem", "Learner", "Code", "Decoder", "Ours", "Reference", "Difference", "p", "Test"]
    rows = [
        [
            *_names(cell.key),
            f"{cell.ours:.1f}",
            f"{cell.reference:.1f}",
            f"{cell.difference:+.1f}".replace("-", "−"),
            f"{cell.p:.2g}",
            cell.test,
        ]
        for cell in cells
    ]
    return grid(head, [[[text] for text in row] for row in rows], style)


def _names(key: Key) -> list[str]:
    learner = f"{key.learner}, {key.stage} rounds" if key.stage else key.learner
    return [key.dataset, learner, key.code, key.decoder]


def _absent(report: Report, style: Style) -> str:
    """A line for each cell, or one for a data set if none of its cells could be compared."""
    compared = {cell.key.dataset for cell in report.cells}
    lines: dict[tuple[str, ...], None] = {}
    for cell in report.absent:
        whole = cell.key.dataset not in compared
        names = [cell.key.dataset, "all", "all", "all"] if whole else _names(cell.key)
        lines[*names, _why(cell)] = None
    head = ["Problem", "Learner", "Code", "Decoder", "Why"]
    return grid(head, [[[text] for text in line] for line in lines], style)


def _why(cell: Absent) -> str:
    return f"{'missing' if cell.missing else 'not comparable'}: {cell.why}"


def _foot(report: Report) -> Iterator[str]:
    shown = [cell for cell in report.cells if cell.verdict != "identical"]
    if shown:
        yield (
            "Test errors in percent. p: one-sided, of the cell alone; Holm's procedure over all "
            f"{len(report.cells)} decides."
        )
    for test in dict.fromkeys(cell.test for cell in shown):
        yield f"{test}: {TESTS[test]}."
    yield from report.notes
