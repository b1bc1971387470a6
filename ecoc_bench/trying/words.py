"""An answer in words: the verdict, the leaderboard as text, and the record for programs."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from .answer import RANKED, Answer, Entry, Look
from .metrics import METRICS

MOST_CLASSES = 8  # named in a line
MOST_GAPS = 5  # columns with missing values, the same
DASH = "-"


def number(metric: str, value: float) -> str:
    """A score as it is printed.

    >>> number("error", 0.1234), number("log_loss", 0.1234)
    ('12.3%', '0.123')
    """
    if math.isnan(value):
        return DASH
    return f"{100 * value:.1f}%" if METRICS[metric].percent else f"{value:.3f}"


def span(metric: str, low: float, high: float) -> str:
    """An interval as it is printed."""
    return DASH if math.isnan(low) else f"{number(metric, low)} to {number(metric, high)}"


def verdict(answer: Answer) -> str:
    """What to use, and what to expect of it."""
    metric, honest = answer.metric, answer.honest
    title = METRICS[metric].title
    article = "an" if title[0] in "aeiou" else "a"
    return (
        f"Use {answer.entry(answer.pick).title}: on new rows like these, expect {article} {title} "
        f"of {number(metric, honest.estimate)} (95% interval "
        f"{span(metric, honest.low, honest.high)})."
    )


def optimism(answer: Answer) -> str:
    """The number without the correction, and why it is not the one to expect."""
    metric, honest = answer.metric, answer.honest
    if len(answer.ranked) < 2:
        return "Nothing was chosen: one candidate was ranked, so its number needs no correction."
    by = honest.optimism * (-1 if answer.higher_is_better else 1)
    if by <= 0:
        said = "choosing it among others made it no better than it is"
    else:
        size = f"{100 * by:.1f} points" if METRICS[metric].percent else f"{by:.3f}"
        said = f"{size} too good, because the same rows chose it among others"
    return f"On the rows that chose it, it has {number(metric, honest.naive)}: {said}."


def look_lines(look: Look) -> Iterator[str]:
    """The table as it was read."""
    n_numbers = look.kinds.count("number")
    kinds = [(n_numbers, "of numbers"), (len(look.kinds) - n_numbers, "of categories")]
    columns = ", ".join(f"{n} {what}" for n, what in kinds if n)
    yield f"{look.source}: {look.n_rows} rows, {len(look.columns)} columns ({columns})"
    pairs = sorted(zip(look.counts.tolist(), look.classes, strict=True), reverse=True)
    shown = ", ".join(f"{name} {count}" for count, name in pairs[:MOST_CLASSES])
    more = len(pairs) - MOST_CLASSES
    rest = f" and {more} more, the rarest with {pairs[-1][0]}" if more > 0 else ""
    yield f"{look.target}: {len(pairs)} classes: {shown}{rest}"
    gaps = {c: int(n) for c, n in zip(look.columns, look.missing, strict=True) if n}
    if gaps:
        first = ", ".join(
            f"{c} {n}" for c, n in sorted(gaps.items(), key=lambda g: -g[1])[:MOST_GAPS]
        )
        rest = ", ..." if len(gaps) > MOST_GAPS else ""
        yield f"missing values: {sum(gaps.values())} ({first}{rest})"
    yield from (f"note: {remark}" for remark in look.remarks)


def leaderboard(answer: Answer) -> str:
    """The ranked candidates as a table, then the others with their reasons."""
    others = [name for name in METRICS if name != answer.metric]
    head = [
        "", "rank", "method", METRICS[answer.metric].title, "95% interval",
        *(METRICS[name].title for name in others), "fit s", "us/row", "MB",
    ]  # fmt: skip
    lines = [_line(answer, rank, one, others) for rank, one in enumerate(answer.ranked, start=1)]
    text = [*_aligned([head, *lines]), "* the pick, = cannot be told from the best"]
    for one in answer.entries:
        if one.status != RANKED:
            text.append(f"{one.status}: {one.title} ({one.reason})")
    return "\n".join(text)


def _line(answer: Answer, rank: int, one: Entry, others: Sequence[str]) -> list[str]:
    mark = ("*" if one.name == answer.pick else " ") + ("=" if one.tied else "")
    costs = (one.fit_seconds, one.predict_us, one.megabytes)
    return [
        mark, str(rank), one.title, number(answer.metric, one.scores[answer.metric]),
        span(answer.metric, *one.interval), *(number(m, one.scores[m]) for m in others),
        *(f"{cost:.2g}" if cost < 100 else f"{cost:.0f}" for cost in costs),
    ]  # fmt: skip


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if i in (0, 2) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def as_record(answer: Answer) -> dict[str, Any]:
    """The answer as JSON values, without the probabilities of the rows."""
    look = answer.look
    return {
        "source": look.source,
        "target": look.target,
        "rows": look.n_rows,
        "classes": dict(zip(look.classes, look.counts.tolist(), strict=True)),
        "columns": dict(zip(look.columns, look.kinds, strict=True)),
        "missing": dict(zip(look.columns, look.missing.tolist(), strict=True)),
        "remarks": list(look.remarks),
        "metric": answer.metric,
        "verdict": verdict(answer),
        "pick": answer.pick,
        "best": answer.best,
        "why": answer.why,
        "comparison": list(answer.comparison),
        "honest": {
            **{name: getattr(answer.honest, name) for name in ("estimate", "low", "high", "naive")},
            "optimism": answer.honest.optimism,
        },
        "leaderboard": board_rows(answer),
        "learning_curve": [list(point) for point in answer.learning_curve],
        "importance": [[name, rise, _or_none(sd)] for name, rise, sd in answer.importance],
        "seconds": answer.seconds,
        "provenance": answer.provenance,
    }


def board_rows(answer: Answer) -> list[dict[str, Any]]:
    """A record for each candidate; what is not known is None."""
    ranks = {one.name: rank for rank, one in enumerate(answer.ranked, start=1)}
    return [
        {
            "rank": ranks.get(one.name),
            "name": one.name,
            "method": one.title,
            "status": one.status,
            "picked": one.name == answer.pick,
            "tied": one.tied,
            **{name: _or_none(one.scores.get(name, math.nan)) for name in METRICS},
            "low": _or_none(one.interval[0]),
            "high": _or_none(one.interval[1]),
            "fit_seconds": _or_none(one.fit_seconds),
            "predict_us": _or_none(one.predict_us),
            "megabytes": _or_none(one.megabytes),
            "reason": one.reason,
        }
        for one in answer.entries
    ]


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
