"""Tables in Allwein et al.'s layout: problems down, codes across, one block per decoder."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any

import pandas as pd

from ..errors import UserError, unknown
from ..published import PaperTable
from .catalogue import JOINT
from .formats import SUFFIXES, Lines, Style, document, grid
from .summary import agreement

DASH = "–"


@dataclass(frozen=True)
class Layout:
    """What a table shows besides its numbers; names in the config's order, the paper's first."""

    datasets: Sequence[str] = ()
    codes: Sequence[str] = ()
    decoders: Sequence[str] = ()
    left_out: Mapping[tuple[str, str], str] = field(default_factory=dict)  # (data set, code): why
    notes: Mapping[str, str] = field(default_factory=dict)  # on a data set
    absent: Mapping[str, str] = field(default_factory=dict)  # data set that is not here: why
    paper: PaperTable | None = None
    title: str = "Test error (%)"
    foot: Sequence[str] = ()  # further notes


def layout_of(facts: Mapping[str, Any], paper: PaperTable | None) -> Layout:
    """The layout that a run's manifest asks for."""
    config = facts["config"]
    return Layout(
        datasets=[d["name"] for d in config["datasets"]],
        codes=[c["name"] for c in (*config["codes"], *config["methods"])],
        decoders=[d["name"] for d in config["decoders"]],
        left_out={(item["dataset"], item["code"]): item["why"] for item in facts["left_out"]},
        notes={name: f"{data['note']}." for name, data in facts["data"].items() if data["note"]},
        absent=_absent(facts),
        paper=paper,
    )


def _absent(facts: Mapping[str, Any]) -> dict[str, str]:
    """The data sets that are not here, and how to get them."""
    of = {d["name"]: d.get("of") or d["name"] for d in facts["config"]["datasets"]}
    return {
        n: f"not fetched; `ecoc-bench data fetch {of.get(n, n)}` gets it" for n in facts["absent"]
    }


def render(table: pd.DataFrame, *, style: Style = "terminal", layout: Layout | None = None) -> str:
    """A summary as text, one table per learner; with ``layout.paper``, a compared summary."""
    layout = layout or Layout()
    if style not in SUFFIXES:
        raise UserError(unknown("style", style, SUFFIXES))
    if style == "csv":
        return tidy_csv(table)
    learners = table.groupby("learner", sort=False)
    return "\n".join(_learner_table(name, rows, style, layout) for name, rows in learners)


def tidy_csv(table: pd.DataFrame) -> str:
    """The tidy frame as CSV, with only as many digits as matter."""
    return table.to_csv(index=False, float_format="%.4f", lineterminator="\n")


def code_title(code: str, paper: PaperTable | None) -> str:
    return paper.code_titles.get(code, code) if paper else code


def block_title(decoder: str, paper: PaperTable | None) -> str:
    """The title over the numbers of a decoder; methods have no decoder."""
    other = "Methods without a code" if decoder == JOINT else f"Decoder: {decoder}"
    return paper.block_titles.get(decoder, other) if paper else other


def learner_title(learner: str) -> str:
    """The name of a learner in a title; `joint` in results.csv is not a learner.

    >>> learner_title("svm"), learner_title("joint")
    ('svm', 'methods')
    """
    return "methods" if learner == JOINT else learner


def ordered(names: Iterable[str], *orders: Iterable[str]) -> list[str]:
    """The names in the order of the first list that has them; other names follow as they come.

    >>> ordered(["mine", "dense", "ova"], ["ova", "complete"], ["mine"])
    ['ova', 'mine', 'dense']
    """
    present = list(dict.fromkeys(names))
    ranked = [name for order in orders for name in order if name in present]
    return list(dict.fromkeys([*ranked, *present]))


def _learner_table(learner: object, rows: pd.DataFrame, style: Style, layout: Layout) -> str:
    paper = layout.paper
    interval = " [95% interval]" if rows["lo"].notna().any() else ""
    title = f"{layout.title} of {learner_title(str(learner))}{interval}"
    if paper:
        title += f", below it that of {paper.title}, and ours minus it"
    decoders = ordered(rows["decoder"], paper.block_titles if paper else (), layout.decoders)
    blocks = [
        (block_title(decoder, paper), _block(rows, decoder, style, layout)) for decoder in decoders
    ]
    return document(title, blocks, _foot(rows, decoders, layout), style)


def _block(rows: pd.DataFrame, decoder: str, style: Style, layout: Layout) -> str:
    datasets, codes = axes(rows, layout)
    block = rows[rows["decoder"] == decoder]
    ours = {(row.dataset, row.code): row for row in block.itertuples(index=False)}

    def entry(dataset: str, code: str) -> Lines:
        return _lines(ours.get((dataset, code)), _printed(dataset, code, decoder, layout))

    head = ["Problem", *(code_title(code, layout.paper) for code in codes)]
    body = [[[dataset], *(entry(dataset, code) for code in codes)] for dataset in datasets]
    return grid(head, body, style)


def axes(rows: pd.DataFrame, layout: Layout) -> tuple[list[str], list[str]]:
    """Problems and codes, with the data sets that are absent and the codes that were left out."""
    paper = layout.paper
    datasets = [*rows["dataset"], *layout.absent]
    codes = [*rows["code"], *(code for dataset, code in layout.left_out if dataset in datasets)]
    if paper is None:
        return ordered(datasets, layout.datasets), ordered(codes, layout.codes)
    # A stand-in takes the place of the paper's data set.
    places = [
        name for known in paper.datasets for name in datasets if paper.original(name) == known
    ]
    return (
        ordered(datasets, places, layout.datasets),
        ordered(codes, paper.code_titles, layout.codes),
    )


def _printed(dataset: str, code: str, decoder: str, layout: Layout) -> str | None:
    """The paper's number as text for an entry; None if nothing is compared."""
    if layout.paper is None:
        return None
    error = layout.paper.error(dataset, code, decoder)
    return DASH if error is None else f"{error:.1f}"


def _lines(row: Any, printed: str | None) -> Lines:
    """Our number with its interval, the paper's with the difference, and the spread over draws."""
    if row is None:
        return [DASH] if printed in (None, DASH) else [DASH, f"paper {printed}"]
    mark = "" if row.complete else "*"
    lines = [DASH if isnan(row.error) else f"{row.error:.1f}{mark}"]
    if not isnan(row.lo):
        lines[0] += f" [{row.lo:.1f}, {row.hi:.1f}]"
    if printed is not None:
        lines.append(
            f"paper {printed} {'' if printed == DASH else signed(row.difference)}".rstrip()
        )
    if row.draws > 1:
        lines.append(f"sd {row.sd_draws:.1f}, {row.min_draw:.1f}–{row.max_draw:.1f}")
    return lines


def signed(points: float) -> str:
    """A difference with its sign.

    >>> signed(1.26), signed(-0.31), signed(-0.04)
    ('+1.3', '−0.3', '0.0')
    """
    text = f"{points:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def _foot(rows: pd.DataFrame, decoders: Sequence[str], layout: Layout) -> list[str]:
    notes = _agreement_notes(rows, decoders, layout.paper) if layout.paper else []
    notes += layout.foot
    if rows["draws"].max() > 1:
        drawn = rows.loc[rows["draws"] > 1, "draws"]
        count = f"{drawn.min()}" if drawn.min() == drawn.max() else f"up to {drawn.max()}"
        notes.append(
            f"Random codes: the mean over {count} drawn codes; below it the standard deviation, "
            "the lowest and the highest draw."
        )
    if not rows["complete"].all():
        notes.append("*: some folds or draws are missing; run again to complete the entry.")
    present = set(rows["dataset"])
    left_out = left_out_notes(layout.left_out, present, layout.paper)
    notes += [f"{DASH}: {note}" for note in left_out]
    notes += _unconverged_notes(rows)
    notes += [f"{name}: {text}" for name, text in layout.notes.items() if name in present]
    notes += [f"{DASH}: {name}: {why}." for name, why in layout.absent.items()]
    return notes


def _agreement_notes(rows: pd.DataFrame, decoders: Sequence[str], paper: PaperTable) -> list[str]:
    overall = agreement(rows)
    if not overall.entries:
        return [f"No entry of this table is in {paper.title}."]
    blocks = {name: agreement(rows[rows["decoder"] == name]) for name in decoders}
    means = [
        f"{block_title(name, paper)} {block.mean:.2f} ({block.entries} entries)"
        for name, block in blocks.items()
        if block.entries
    ]
    return [
        f"Mean |difference| in points: {', '.join(means)}; "
        f"in all {overall.mean:.2f} ({overall.entries} entries).",
        f"The paper's number is inside our 95% interval in {overall.within} of {overall.entries} "
        "entries.",
    ]


def left_out_notes(
    left_out: Mapping[tuple[str, str], str], present: set[str], paper: PaperTable | None
) -> list[str]:
    """One line per code and reason, with the data sets it was left out of."""
    groups: dict[tuple[str, str], list[str]] = {}
    for (dataset, code), reason in left_out.items():
        if dataset in present:
            groups.setdefault((code, reason), []).append(dataset)
    return [
        f"{code_title(code, paper)} left out of {', '.join(datasets)}: {reason}"
        for (code, reason), datasets in groups.items()
    ]


def _unconverged_notes(rows: pd.DataFrame) -> list[str]:
    # Every decoder reads the same fits: count them once.
    fits = rows.drop_duplicates(["dataset", "code"]).groupby("dataset", sort=False)
    counts = fits[["unconverged", "columns_fitted"]].sum()
    parts = [
        f"{row.Index} {row.unconverged} of {row.columns_fitted}"
        for row in counts[counts["unconverged"] > 0].itertuples()
    ]
    return [f"Columns that did not converge, over all codes: {', '.join(parts)}."] if parts else []
