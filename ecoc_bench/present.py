"""A run's folder -> its tables, alone or beside the paper's and other runs."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from .errors import UserError
from .files import write_atomically
from .formats import Style
from .papers import load_table
from .plan import Plan
from .rows import read_rows
from .selection import shown_rows
from .side_by_side import side_by_side
from .summary import compare, summarize
from .tables import Layout, render

SUFFIXES: dict[str, Style] = {".txt": "terminal", ".md": "markdown", ".tex": "latex", ".csv": "csv"}


def write_tables(folder: Path, plan: Plan) -> str:
    """Write the run's table in every style; the terminal's is returned."""
    counts = Counter((c.dataset, c.learner, c.code) for c in plan.cells)
    texts = run_table(folder, expected=counts)
    for suffix, style in SUFFIXES.items():
        write_atomically(folder / "tables" / f"table{suffix}", texts[style])
    return texts["terminal"]


def run_table(folder: Path, stage: int | None = None, expected=None) -> dict[Style, str]:
    """The table of a run in every style, beside the paper's where the config names one.

    Staged learners are shown after their last round, or all after `stage` rounds.
    """
    results, facts = read_shown(folder)
    if stage is not None and stage not in set(results["stage"]):
        known = ", ".join(map(str, sorted(set(results["stage"]))))
        raise UserError(f"{folder}: no rows of stage {stage}. The run has: {known}.")
    summary = summarize(results, stage, expected)
    if stage is not None:
        summary["learner"] += f" after {stage} rounds"
    paper = load_table(facts["config"]["paper"]) if facts["config"]["paper"] else None
    if paper is not None:
        summary = compare(summary, paper)
    layout = _layout(facts, paper)
    return {style: render(summary, style=style, layout=layout) for style in SUFFIXES.values()}


def runs_table(folders: Sequence[Path], style: Style) -> str:
    """Several runs of one paper's table, side by side with it."""
    runs, papers = {}, set()
    for folder in folders:
        results, facts = read_shown(folder)
        papers.add(facts["config"]["paper"])
        runs[facts["config"]["name"]] = summarize(results)
    if len(papers) != 1 or None in papers:
        raise UserError(
            "runs side by side must be of the same paper's table: see `paper:` in a config."
        )
    paper = load_table(papers.pop())
    return side_by_side({name: compare(table, paper) for name, table in runs.items()}, paper, style)


def read_run(folder: Path) -> tuple[pd.DataFrame, dict]:
    """results.csv and manifest.json of a run."""
    try:
        facts = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return read_rows(folder / "results.csv"), facts
    except (OSError, ValueError) as error:
        raise UserError(
            f"{folder}: not the folder of a run: {error}. Run a config first, or name its folder."
        ) from error


def read_shown(folder: Path) -> tuple[pd.DataFrame, dict]:
    """As `read_run`, but what the config chose takes the place of what it was chosen from."""
    results, facts = read_run(folder)
    return shown_rows(folder, results, facts.get("config", {})), facts


def _layout(facts: dict, paper) -> Layout:
    config = facts["config"]
    left_out = {(item["dataset"], item["code"]): item["why"] for item in facts["left_out"]}
    notes = {name: f"{data['note']}." for name, data in facts["data"].items() if data["note"]}
    return Layout(
        datasets=[d["name"] for d in config["datasets"]],
        codes=[c["name"] for c in (*config["codes"], *config.get("methods", ()))],
        decoders=[d["name"] for d in config["decoders"]],
        left_out=left_out,
        notes=notes,
        absent=_absent(facts),
        paper=paper,
    )


def _absent(facts: dict) -> dict[str, str]:
    """The data sets that are not here, and how to get them."""
    of = {d["name"]: d.get("of") or d["name"] for d in facts["config"]["datasets"]}
    return {n: f"not fetched; `ecoc-bench data fetch {of[n]}` gets it" for n in facts["absent"]}
