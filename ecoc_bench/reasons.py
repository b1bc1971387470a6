"""In words: why cells differ from the paper's, as far as the paper's notes tell."""

from collections.abc import Collection, Sequence

from .papers import PaperTable
from .tables import code_title


def general_reasons(codes: Collection[str], paper: PaperTable) -> list[str]:
    """The paper's notes that are of no single data set, as far as these codes are concerned."""
    notes = [note for note in paper.notes if note.dataset is None]
    return [n.text for n in notes if codes and (not n.codes or set(codes).intersection(n.codes))]


def known_reasons(dataset: str, codes: Sequence[str], paper: PaperTable) -> list[str]:
    """What is known of these cells of a data set; said, too, where nothing is."""
    notes = [note for note in paper.notes if note.dataset == dataset]
    texts = [note.text for note in notes if any(note.covers(dataset, code) for code in codes)]
    bare = [code for code in codes if not any(note.covers(dataset, code) for note in notes)]
    if bare:
        names = ", ".join(code_title(code, paper) for code in bare)
        texts.append(f"Nothing particular is known of {names}.")
    return texts
