"""Tables 1 and 2 of Sun et al. 2005 next to a run's: sizes of parts, and the chosen eta* and T*."""

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from ...published import load_paper
from ...results.formats import Lines, Style, TextTable, document, grid
from ...results.run import Run
from ...results.tables import DASH, tidy_csv
from .experiment import LEVELS, NAMES, choices, is_of, named

COLUMNS = ["table", "dataset", "quantity", "ours", "paper"]
GRID: list[float] = load_paper("sun2005")["shrinkage"]["grid"]
PARTS: list[str] = load_paper("sun2005")["datasets"]["columns"]


def tables(run: Run) -> Iterator[TextTable]:
    """Tables 1 and 2 of a run of Table 3."""
    if not is_of(run):
        return
    for name, table, show in (("table1", table1(run), _sizes), ("table2", table2(run), _choice)):
        yield TextTable(name, partial(_text, table, show))


def _text(table: pd.DataFrame, show: Callable[[pd.DataFrame, Style], str], style: Style) -> str:
    return _csv(table) if style == "csv" else show(table, style)


def table1(run: Run) -> pd.DataFrame:
    """The number of examples in each part of each database; None if the run lacks it."""
    rows = []
    for database, printed in load_paper("sun2005")["datasets"]["rows"].items():
        # The parts are the same at every noise level.
        ours = next((p for dataset in _noisy(database) if (p := _parts(run, dataset))), {})
        for part, paper in zip(PARTS, printed, strict=True):
            rows.append(("table1", database, part, ours.get(part), paper))
    return _frame(rows)


def table2(run: Run) -> pd.DataFrame:
    """The eta* and T* of SECC at each noise level; None if the run lacks it."""
    paper, found, rows = load_paper("sun2005"), choices(run), []
    for database in NAMES:
        for i, dataset in enumerate(_noisy(database)):
            eta, steps = (
                found.loc[dataset, ["eta", "stage"]] if dataset in found.index else (None, None)
            )
            printed = paper["shrinkage"]["rows"][database][i]
            rows.append(("table2", dataset, "eta", eta, printed))
            rows.append(("table2", dataset, "steps", steps, paper["steps"]["rows"][database][i]))
    return _frame(rows)


def within_a_step(ours: float, paper: float) -> bool:
    """Whether two values of eta are the same or neighbours among those that the paper chose.

    >>> within_a_step(0.2, 0.05), within_a_step(0.35, 0.05), within_a_step(0.3, 0.35)
    (True, False, False)
    """
    return ours in GRID and abs(GRID.index(ours) - GRID.index(paper)) <= 1


def _parts(run: Run, dataset: str) -> dict[str, int]:
    return run.facts["data"].get(dataset, {}).get("parts") or {}


def _frame(rows: list[tuple]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS).astype({"ours": float, "paper": float})


def _csv(table: pd.DataFrame) -> str:
    texts = {side: table[side].map("{:g}".format, na_action="ignore") for side in COLUMNS[3:]}
    return tidy_csv(table.assign(**texts))


def _sizes(table: pd.DataFrame, style: Style) -> str:
    entries = _entries(table)
    body: list[list[Lines]] = [
        [[name], *(_lines(entries, [(database, part)]) for part in PARTS)]
        for database, name in NAMES.items()
    ]
    both = table.dropna()
    same = f"{(both['ours'] == both['paper']).sum()} of {len(both)} sizes are the paper's."
    title = "Examples in each part, below them those of Sun et al. 2005, Table 1"
    return document(title, [("Parts", grid(["Database", *PARTS], body, style))], [same], style)


def _choice(table: pd.DataFrame, style: Style) -> str:
    entries = _entries(table)
    body: list[list[Lines]] = [
        [[name], *(_lines(entries, [(d, "eta"), (d, "steps")]) for d in _noisy(database))]
        for database, name in NAMES.items()
    ]
    head = ["Database", *(f"{noise:.0%}" for noise in LEVELS)]
    title = "eta* / T* of AdaBoost.SECC, below them those of Sun et al. 2005, Tables 2 and 3"
    return document(title, [("By noise level", grid(head, body, style))], _agreement(table), style)


def _entries(table: pd.DataFrame) -> dict[tuple[str, str], tuple[float, float]]:
    """(data set, quantity): (ours, paper)."""
    keys = zip(table["dataset"], table["quantity"], strict=True)
    return dict(zip(keys, zip(table["ours"], table["paper"], strict=True), strict=True))


def _lines(entries: dict[tuple[str, str], tuple[float, float]], keys: list) -> Lines:
    ours, paper = (" / ".join(_number(entries[key][side]) for key in keys) for side in (0, 1))
    return [ours, f"paper {paper}"]


def _noisy(database: str) -> list[str]:
    return [named(database, noise) for noise in LEVELS]


def _agreement(table: pd.DataFrame) -> list[str]:
    both = table.dropna()
    eta, steps = (both[both["quantity"] == quantity] for quantity in ("eta", "steps"))
    near = sum(within_a_step(*pair) for pair in zip(eta["ours"], eta["paper"], strict=True))
    return [
        f"The paper's eta in {(eta['ours'] == eta['paper']).sum()} of {len(eta)} entries; within "
        f"one grid step of the paper's eta in {near} of {len(eta)} entries "
        f"(grid {', '.join(f'{value:g}' for value in GRID)}).",
        f"The paper's T* in {(steps['ours'] == steps['paper']).sum()} of {len(steps)} entries.",
    ]


def _number(value: float) -> str:
    return DASH if pd.isna(value) else f"{value:g}"
