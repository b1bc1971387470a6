"""What the page says in words: why cells differ from the paper's, and what is not there."""

from typing import NamedTuple

import pandas as pd

from ..papers import PaperTable
from ..reasons import general_reasons, known_reasons
from ..tables import code_title, left_out_notes, ordered, signed


class Explanation(NamedTuple):
    """What is known of the cells of one data set that differ."""

    dataset: str
    differences: list[str]
    texts: list[str]


class Notes(NamedTuple):
    general: list[str]
    datasets: list[Explanation]


def explanations(table: pd.DataFrame, paper: PaperTable) -> Notes:
    """Of the cells marked notable: the paper's notes, in general and data set by data set."""
    cells = table[table["notable"]]
    cells = cells.assign(original=cells["dataset"].map(paper.original))
    return Notes(
        general_reasons(set(cells["code"]), paper),
        [
            _explanation(name, cells[cells["original"] == name], paper)
            for name in ordered(cells["original"], paper.datasets)
        ],
    )


def _explanation(dataset: str, cells: pd.DataFrame, paper: PaperTable) -> Explanation:
    codes = ordered(cells["code"], paper.code_titles)
    texts = known_reasons(dataset, codes, paper)
    return Explanation(dataset, [_difference(cells, code, paper) for code in codes], texts)


def _difference(cells: pd.DataFrame, code: str, paper: PaperTable) -> str:
    rows = cells[cells["code"] == code]
    pairs = zip(rows["difference"], rows["decoder"], strict=True)
    points = [f"{signed(difference)} ({decoder})" for difference, decoder in pairs]
    return f"{code_title(code, paper)} {', '.join(points)}"


def remarks(table: pd.DataFrame, facts: dict, paper: PaperTable | None) -> list[str]:
    """What a reader of the tables must know: what is missing, and of what the numbers are made."""
    found = []
    if table["draws"].max() > 1:
        found.append(
            f"Random codes were drawn {table['draws'].max()} times: their error is the mean over "
            "the draws, shown with its standard deviation and range."
        )
    if not table["complete"].all():
        found.append("*: some folds or draws are missing; run again to complete the cell.")
    left_out = {(item["dataset"], item["code"]): item["why"] for item in facts["left_out"]}
    found += left_out_notes(left_out, set(table["dataset"]), paper)
    found += [f"{name}: {data['note']}." for name, data in facts["data"].items() if data["note"]]
    found += [
        f"{name} is not here; `ecoc-bench data fetch {name}` gets it." for name in facts["absent"]
    ]
    # Every decoder reads the same fits: count them once.
    fits = table.drop_duplicates(["dataset", "learner", "code"])
    stuck, fitted = fits["unconverged"].sum(), fits["columns_fitted"].sum()
    if stuck:
        found.append(
            f"{stuck} of {fitted} fitted columns did not converge: their solver hit its cap."
        )
    return found
