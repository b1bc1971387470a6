"""What the page says in words: why numbers differ from the paper's, and what is missing."""

from typing import NamedTuple

import pandas as pd

from ..published import PaperTable
from ..results.differences import explanations, general_reasons
from ..results.tables import Layout, code_title, left_out_notes, ordered, signed


class Remark(NamedTuple):
    """What is known about the numbers of one data set that differ."""

    dataset: str
    differences: list[str]
    texts: list[str]


class Notes(NamedTuple):
    general: list[str]
    datasets: list[Remark]


def explained(table: pd.DataFrame, paper: PaperTable) -> Notes:
    """The notes on the paper for the rows marked notable: in general, and by data set."""
    rows = table[table["notable"]]
    return Notes(
        general_reasons(set(rows["code"]), paper),
        [
            Remark(name, _differences(part, paper), texts)
            for name, part, texts in explanations(rows, paper)
        ],
    )


def _differences(rows: pd.DataFrame, paper: PaperTable) -> list[str]:
    codes = ordered(rows["code"], paper.code_titles)
    return [_difference(rows, code, paper) for code in codes]


def _difference(entries: pd.DataFrame, code: str, paper: PaperTable) -> str:
    rows = entries[entries["code"] == code]
    pairs = zip(rows["difference"], rows["decoder"], strict=True)
    points = [f"{signed(difference)} ({decoder})" for difference, decoder in pairs]
    return f"{code_title(code, paper)} {', '.join(points)}"


def remarks(table: pd.DataFrame, layout: Layout) -> list[str]:
    """What a reader of the tables must know: what is missing, and how the numbers were made."""
    found = []
    if table["draws"].max() > 1:
        found.append(
            f"Random codes were drawn {table['draws'].max()} times: their error is the mean over "
            "the draws, shown with its standard deviation and range."
        )
    if not table["complete"].all():
        found.append("*: some folds or draws are missing; run again to complete the entry.")
    found += left_out_notes(layout.left_out, set(table["dataset"]), layout.paper)
    found += [f"{name}: {text}" for name, text in layout.notes.items()]
    found += [f"{name}: {why}." for name, why in layout.absent.items()]
    # Every decoder reads the same fits: count them once.
    fits = table.drop_duplicates(["dataset", "learner", "code"])
    stuck, fitted = fits["unconverged"].sum(), fits["columns_fitted"].sum()
    if stuck:
        found.append(f"{stuck} of {fitted} fitted columns did not converge.")
    return found
