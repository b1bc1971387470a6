"""Claims of the papers, judged on runs; nothing is fitted and no verdict is softened."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import Literal

import pandas as pd

from ..files import write_atomically
from ..formats import document, grid
from ..present import read_run
from ..tables import to_csv
from . import allwein2000_claims, passerini2004_claims, sun2005_claims
from .evidence import Claim, Finding, NotEnough, Outcome, Run, Scope

WIDTH = 100
INDENT = " " * 17
OUTCOMES: tuple[Outcome, ...] = ("reproduced", "partly", "not reproduced", "not enough data")
UNJUDGED = OUTCOMES[-1]
Style = Literal["terminal", "markdown", "csv"]
STYLES: dict[str, Style] = {".txt": "terminal", ".md": "markdown", ".csv": "csv"}


@dataclass(frozen=True)
class Verdict:
    """What a run says of a claim, and what the paper's own printed numbers say of it."""

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
        """The paper's own numbers, judged alike; empty where it prints none."""
        return f"{self.paper_verdict}: {self.paper_evidence}" if self.paper_verdict else ""


def judge(folders: Sequence[Path]) -> list[Verdict]:
    """Every claim about these runs: by the table that a config names, or by its data sets."""
    return [verdict for folder in folders for verdict in _judge_run(folder)]


def write_claims(folder: Path) -> None:
    """Write what a run says of the claims into its tables, if it says anything."""
    verdicts = judge([folder])
    for suffix, style in STYLES.items():
        if verdicts:
            write_atomically(folder / "tables" / f"claims{suffix}", render(verdicts, style))


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """4 when nothing could be judged; a claim that is not reproduced is no failure."""
    return 0 if any(v.verdict != UNJUDGED for v in verdicts) else 4


def _judge_run(folder: Path) -> list[Verdict]:
    run = Run(folder, *read_run(folder))
    return [
        _verdict(run.facts["config"]["name"], learner, name, claim, scope, rows)
        for scopes, claims in PAPERS.values()
        for key, scope in scopes.items()
        if scope.is_of(run.facts)
        for learner, rows in scope.read(run)
        for name, claim in claims.items()
        if key in claim.scopes
    ]


def _verdict(
    run: str, learner: str, name: str, claim: Claim, scope: Scope, rows: pd.DataFrame
) -> Verdict:
    found = _find(claim, rows)
    own = ("", "") if scope.own is None else _find(claim, scope.own)
    sentence = claim.sentence, claim.section
    return Verdict(run, learner, scope.source, name, *sentence, *found, *own)


def _find(claim: Claim, rows: pd.DataFrame) -> Finding:
    try:
        return claim.test(rows)
    except NotEnough as missing:
        return Finding(UNJUDGED, str(missing))


def render(verdicts: Sequence[Verdict], style: Style = "terminal") -> str:
    """The verdicts as text, run by run."""
    if style == "csv":
        return to_csv(pd.DataFrame([asdict(v) for v in verdicts], columns=list(FIELDS)))
    if not verdicts:
        return NOTHING
    show = _terminal if style == "terminal" else _markdown
    groups = groupby(verdicts, key=lambda v: (v.run, v.learner, v.source))
    return "\n".join(show(_title(*key), list(group)) for key, group in groups)


# The experiments and the claims of each paper.
PAPERS: dict[str, tuple[Mapping[str, Scope], Mapping[str, Claim]]] = {
    "allwein2000": (allwein2000_claims.SCOPES, allwein2000_claims.CLAIMS),
    "passerini2004": (passerini2004_claims.SCOPES, passerini2004_claims.CLAIMS),
    "sun2005": (sun2005_claims.SCOPES, sun2005_claims.CLAIMS),
}
FIELDS = tuple(Verdict.__dataclass_fields__)
NOTHING = (
    "No claim is about these runs. Claims are judged on runs whose config names a paper's table\n"
    "under `paper:`, and on runs of allwein_fig3, passerini_small and passerini_large.\n"
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
    lines = fill(glued, WIDTH, initial_indent=start, subsequent_indent=INDENT)
    return lines.replace("\xa0", " ")


def _markdown(title: str, verdicts: list[Verdict]) -> str:
    head = ["Verdict", "Claim", "Evidence", "The paper's own numbers"]
    lines = [(v.verdict, f"{v.claim} ({v.section})", v.evidence, v.paper_line) for v in verdicts]
    table = grid(head, [[[cell] for cell in line] for line in lines], "markdown")
    return document(title, [(_count(verdicts), table)], [], "markdown")


def _count(verdicts: list[Verdict]) -> str:
    counts = [(sum(v.verdict == outcome for v in verdicts), outcome) for outcome in OUTCOMES]
    return f"{len(verdicts)} claims: " + ", ".join(f"{n} {outcome}" for n, outcome in counts if n)
