"""In words: which numbers differ from the paper's, and why, as far as the notes on it say."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import pandas as pd

from ..published import PaperTable
from .tables import code_title, ordered


class Explanation(NamedTuple):
    """The rows of one data set that differ, and what is known about them."""

    dataset: str
    rows: pd.DataFrame
    texts: list[str]


def explanations(rows: pd.DataFrame, paper: PaperTable) -> list[Explanation]:
    """The rows that differ notably, by data set, in the paper's order and with its names."""
    rows = rows.assign(original=rows["dataset"].map(paper.original))
    return [
        Explanation(
            name, part, known_reasons(name, ordered(part["code"], paper.code_titles), paper)
        )
        for name in ordered(rows["original"], paper.datasets)
        for part in [rows[rows["original"] == name]]
    ]


def general_reasons(codes: Collection[str], paper: PaperTable) -> list[str]:
    """The notes on the paper that are about no single data set and cover any of these codes."""
    notes = [note for note in paper.notes if note.dataset is None]
    return [n.text for n in notes if codes and (not n.codes or set(codes).intersection(n.codes))]


def known_reasons(dataset: str, codes: Sequence[str], paper: PaperTable) -> list[str]:
    """What is known about these codes on a data set; codes without any note are named, too."""
    notes = [note for note in paper.notes if note.dataset == dataset]
    texts = [note.text for note in notes if any(note.covers(dataset, code) for code in codes)]
    bare = [code for code in codes if not any(note.covers(dataset, code) for note in notes)]
    if bare:
        names = ", ".join(code_title(code, paper) for code in bare)
        texts.append(f"Nothing particular is known of {names}.")
    return texts
