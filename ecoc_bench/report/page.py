"""report.html: a run as one file that needs no other file and no network."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pandas as pd
import yaml

from ..papers.claims import Verdict
from ..results import leaderboard, margin_bounds, measure_tables
from ..results.bound_tables import bound_blocks, bound_notes
from ..results.catalogue import JOINT
from ..results.run import Run
from ..results.summary import agreement
from ..results.tables import layout_of
from . import board, entries, grid, notes, sections
from .figures import FigureFile
from .template import template

AXIS_TITLES = {
    "dataset": "Data set", "learner": "Learner", "code": "Code", "decoder": "Decoder",
    "stage": "Stage",
}  # fmt: skip


def render_page(run: Run, figures: Sequence[FigureFile], verdicts: Sequence[Verdict]) -> str:
    """The page as text: the same run, figures and verdicts give the same bytes."""
    # Names are text, even the name of a data set called 2000.
    results = run.shown.astype(dict.fromkeys(["dataset", "learner", "code", "decoder"], str))
    return template("page.html.j2").render(
        **_overview(results, run),
        **_answer(run),
        **_numbers(results, run),
        margin_bounds=_margin_bounds(run),
        figures=sections.plates(figures),
        verdicts=verdicts,
        statistics=sections.statistics(results),
        **_bounds(run),
        measures=measure_tables.blocks(run) if run.measures else [],
        failures=run.failures,
    )


def _bounds(run: Run) -> dict[str, Any]:
    """Training errors and margins with their bounds, if the run has cells with a code."""
    rows = run.rows("bounds.csv")
    if rows is None or rows.empty:
        return {"bounds": [], "bound_notes": []}
    return {"bounds": bound_blocks(rows), "bound_notes": bound_notes(rows)}


def _margin_bounds(run: Run) -> margin_bounds.Sheet | None:
    rows = run.rows("margin_bounds.csv")
    return None if rows is None else margin_bounds.sheet(margin_bounds.means(rows))


def _overview(results: pd.DataFrame, run: Run) -> dict[str, Any]:
    facts, config = run.facts, run.config
    return {
        "version": facts["ecoc_bench"],
        "facts": facts,
        "config": config,
        "title": config["title"] or config["name"],
        "what": what_was_run(results),
        "written": f"{datetime.fromisoformat(facts['written']):%d %B %Y, %H:%M UTC}",
        "config_yaml": yaml.safe_dump(
            _without_nulls(config), sort_keys=False, default_flow_style=None, width=100
        ),
        "tested_on": tested_on(config["evaluation"]),
        "axis_titles": AXIS_TITLES | {"code": entries.code_head(results)},
    }


def _answer(run: Run) -> dict[str, Any]:
    """What the page opens with: who is best."""
    found = run.leaderboard()
    return {
        "answer": leaderboard.verdict(found),
        "board": board.board_lines(found),
        "board_notes": leaderboard.notes(found),
        "board_ranks": len(found.datasets) > 1,
        "board_seconds": any(one.seconds is not None for one in found.standings),
    }


def what_was_run(results: pd.DataFrame) -> str:
    """The experiment in a sentence.

    >>> names = {"dataset": ["a", "b"], "learner": "svm", "code": ["ova", "dense"]}
    >>> what_was_run(pd.DataFrame({**names, "decoder": "loss"}))
    '2 data sets; 1 learner (svm), 2 codes (ova, dense) and 1 decoder (loss).'
    >>> names = {"dataset": "a", "learner": "joint", "code": ["kesler", "winnow"]}
    >>> what_was_run(pd.DataFrame({**names, "decoder": "joint"}))
    '1 data set; 2 methods (kesler, winnow).'
    """
    parts = [_count(results["dataset"].nunique(), "data set")]
    is_method = results["learner"] == JOINT
    coded, methods = results[~is_method], results[is_method]["code"].unique()
    if len(coded):
        learners, codes, decoders = (
            f"{_count(coded[axis].nunique(), axis)} ({', '.join(coded[axis].unique())})"
            for axis in ("learner", "code", "decoder")
        )
        parts.append(f"{learners}, {codes} and {decoders}")
    if len(methods):
        parts.append(f"{_count(len(methods), 'method')} ({', '.join(methods)})")
    return f"{'; '.join(parts)}."


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def tested_on(evaluation: dict):
    """A function from a data set's entry in the manifest to how the data set was tested."""
    folds = f"{evaluation['folds']}-fold cross-validation"
    if evaluation["equal_folds"]:
        folds += ", test folds of equal size"
    if evaluation["repeats"] > 1:
        folds += f", {evaluation['repeats']} times"

    def describe(data: dict) -> str:
        if data.get("parts"):
            sizes = " / ".join(str(n) for n in data["parts"].values())
            return f"parts drawn anew in each repeat, {sizes} (training, validation, test)"
        split = data["original_split"]
        if split is None or not evaluation["original_split"]:
            return folds
        return f"original split, {split[0]} / {split[1]}"

    return describe


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item not in (None, {})}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _numbers(results: pd.DataFrame, run: Run) -> dict[str, Any]:
    paper = run.paper
    layout = layout_of(run.facts, paper)
    table = entries.measured(results, paper)
    last = table[table["last"]]
    return {
        "paper": paper,
        "n_entries": len(last),
        "n_rows": len(results),
        "overall": agreement(last) if paper else None,
        "by_decoder": entries.by_decoder(last, paper),
        "remarks": notes.remarks(last, layout),
        "notes": notes.explained(last, paper) if paper else None,
        "grids": grid.grids(table, layout),
        "several_learners": entries.several(table["learner"]),
        "any_draws": bool(last["draws"].max() > 1),
        "any_notable": bool(last["notable"].any()),
        "heads": entries.heads(table),
        "lines": entries.lines(table, paper),
        "bar_after": "95% interval",
        "choices": entries.choices(table, paper),
    }
