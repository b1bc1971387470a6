"""Table 1 of Allwein et al. 2000: the sizes of the data sets of a run next to the paper's."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from ...data.cards import card_names, read_card
from ...published import load_paper
from ...results.formats import Lines, Style, TextTable, document, grid
from ...results.run import Run
from ...results.tables import DASH, tidy_csv

PRINTED: dict[str, Any] = load_paper("allwein2000")["datasets"]
QUANTITIES: list[str] = PRINTED["columns"]


def tables(run: Run) -> Iterator[TextTable]:
    """Table 1, for a run of Table 2 or 3."""
    if run.paper is not None and run.paper.name.startswith("allwein2000."):
        table = table1(run)
        if len(table):
            yield TextTable("table1", partial(_text, table))


def table1(run: Run) -> pd.DataFrame:
    """Examples, attributes and classes of the paper's data sets that the run has.

    As in the paper, cross-validation has no test part, and all its examples count as training.
    """
    assert run.paper is not None
    here = {run.paper.original(name): name for name in run.results["dataset"].unique()}
    rows = [
        (dataset, quantity, _sizes(run, here[dataset]).get(quantity), printed)
        for dataset, numbers in PRINTED["rows"].items()
        if dataset in here
        for quantity, printed in zip(QUANTITIES, numbers, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "quantity", "ours", "paper"])
    return frame.astype({"ours": "Int64", "paper": "Int64"})


def _sizes(run: Run, dataset: str) -> dict[str, int | None]:
    data = run.facts["data"][dataset]
    split = data["original_split"] if run.config["evaluation"]["original_split"] else None
    train, test = split or (data["rows"], None)
    attributes = read_card(dataset).attributes if dataset in card_names() else None
    return {"train": train, "test": test, "attributes": attributes, "classes": data["classes"]}


def _text(table: pd.DataFrame, style: Style) -> str:
    if style == "csv":
        return tidy_csv(table)
    body: list[list[Lines]] = [
        [[str(dataset)], *(_entry(*side) for side in sides)]
        for dataset, rows in table.groupby("dataset", sort=False)
        for sides in [zip(rows["ours"], rows["paper"], strict=True)]
    ]
    differ = [str(name) for name, rows in table.groupby("dataset", sort=False) if _differs(rows)]
    notes = [f"{len(table) - int(_unlike(table).sum())} of {len(table)} numbers are the paper's."]
    notes += [f"{name}: {PRINTED['notes'][name]}" for name in differ if name in PRINTED["notes"]]
    title = (
        "Data sets of the run (Table 1 of Allwein et al. 2000), the paper's number where it differs"
    )
    return document(title, [("Sizes", grid(["Problem", *QUANTITIES], body, style))], notes, style)


def _unlike(rows: pd.DataFrame) -> pd.Series:
    """Where ours is not the paper's number; a dash on both sides is the same."""
    ours, paper = rows["ours"], rows["paper"]
    return (ours.fillna(-1) != paper.fillna(-1)).astype(bool)


def _differs(rows: pd.DataFrame) -> bool:
    return bool(_unlike(rows).any())


def _entry(ours, paper) -> Lines:
    text = [DASH if pd.isna(value) else str(value) for value in (ours, paper)]
    return text[:1] if text[0] == text[1] else [text[0], f"paper {text[1]}"]
