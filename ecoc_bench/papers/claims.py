"""Claims of the papers, judged on runs; nothing is fitted and no verdict is softened."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from textwrap import fill
from typing import Literal

import pandas as pd

from ..results.formats import document, grid, line_width
from ..results.run import Run
from ..results.tables import tidy_csv
from .evidence import UNJUDGED, Claim, Outcome, Scope
from .registry import PAPERS

WIDTH = 100
INDENT = " " * 17
OUTCOMES: tuple[Outcome, ...] = ("reproduced", "partly", "not reproduced", UNJUDGED)
Style = Literal["terminal", "markdown", "csv"]


@dataclass(frozen=True)
class Verdict:
    """What a run says about a claim, and what the paper's printed numbers say about it."""

    run: str
    learner: str
    source: str
    name: str
    claim: str
    section: str
    verdict: Outcome
    evidence: str
    paper_verdict: str
    paper_evidence: str

    @property
    def paper_line(self) -> str:
        """The paper's numbers, judged in the same way; empty if it prints none."""
        return f"{self.paper_verdict}: {self.paper_evidence}" if self.paper_verdict else ""


def judge(run: Run) -> list[Verdict]:
    """Every claim about a run: by the table that its config names, or by its data sets."""
    return [
        _verdict(run.name, learner, name, claim, scope, rows)
        for paper in PAPERS.values()
        for key, scope in paper.scopes.items()
        if scope.is_of(run)
        for learner, rows in scope.read(run)
        for name, claim in paper.claims.items()
        if key in claim.scopes
    ]


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """4 if nothing could be judged; a claim that is not reproduced is not a failure."""
    return 0 if any(v.verdict != UNJUDGED for v in verdicts) else 4


def _verdict(
    run: str, learner: str, name: str, claim: Claim, scope: Scope, rows: pd.DataFrame
) -> Verdict:
    found = claim.judge(rows)
    own = ("", "") if scope.own is None else claim.judge(scope.own)
    sentence = claim.sentence, claim.section
    return Verdict(run, learner, scope.source, name, *sentence, *found, *own)


def render(verdicts: Sequence[Verdict], style: Style = "terminal") -> str:
    """The verdicts as text, run by run."""
    if style == "csv":
        return tidy_csv(pd.DataFrame([asdict(v) for v in verdicts], columns=list(FIELDS)))
    if not verdicts:
        return NOTHING
    show = _terminal if style == "terminal" else _markdown
    groups = groupby(verdicts, key=lambda v: (v.run, v.learner, v.source))
    return "\n".join(show(_title(*key), list(group)) for key, group in groups)


FIELDS = tuple(Verdict.__dataclass_fields__)
NOTHING = (
    "No claim is about these runs. Claims are judged on runs whose config names a paper's table\n"
    "under `paper:`, and on runs that repeat another experiment of a paper, such as allwein_fig3.\n"
)


def _title(run: str, learner: str, source: str) -> str:
    return f"What {run} ({learner}) says of the claims of {source}"


def _terminal(title: str, verdicts: list[Verdict]) -> str:
    parts = [title, ""]
    for v in verdicts:
        parts.append(_wrapped(f"{v.claim} ({v.section})", f"{v.verdict:{len(INDENT)}}"))
        parts.append(_wrapped(v.evidence, INDENT))
        if v.paper_line:
            parts.append(_wrapped(f"paper's own numbers: {v.paper_line}", INDENT))
        parts.append("")
    return "\n".join([*parts, _count(verdicts), ""])


def _wrapped(text: str, start: str) -> str:
    # "Section 6" and "p < 0.001" stay on one line.
    glued = text.replace("Section ", "Section\xa0").replace("p < ", "p\xa0<\xa0")
    lines = fill(glued, min(WIDTH, line_width()), initial_indent=start, subsequent_indent=INDENT)
    return lines.replace("\xa0", " ")


def _markdown(title: str, verdicts: list[Verdict]) -> str:
    head = ["Verdict", "Claim", "Evidence", "The paper's own numbers"]
    lines = [(v.verdict, f"{v.claim} ({v.section})", v.evidence, v.paper_line) for v in verdicts]
    table = grid(head, [[[entry] for entry in line] for line in lines], "markdown")
    return document(title, [(_count(verdicts), table)], [], "markdown")


def _count(verdicts: list[Verdict]) -> str:
    counts = [(sum(v.verdict == outcome for v in verdicts), outcome) for outcome in OUTCOMES]
    return f"{len(verdicts)} claims: " + ", ".join(f"{n} {outcome}" for n, outcome in counts if n)
