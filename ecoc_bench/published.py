"""The papers' printed numbers as data: one YAML file per paper, read into ``PaperTable``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from .errors import UserError, unknown

FOLDER = Path(__file__).resolve().parent / "papers"
PRINTED = "printed.yaml"


@dataclass(frozen=True)
class Note:
    """Why numbers may differ; no data set or no codes means all of them."""

    text: str
    dataset: str | None = None
    codes: tuple[str, ...] = ()

    def covers(self, dataset: str, code: str) -> bool:
        return self.dataset in (None, dataset) and (not self.codes or code in self.codes)


@dataclass(frozen=True)
class PaperTable:
    """A printed table of test errors in percent; an entry printed as a dash is None."""

    name: str
    paper: str
    citation: str
    caption: str
    learner: str
    datasets: tuple[str, ...]
    code_titles: Mapping[str, str]
    block_titles: Mapping[str, str]
    entries: Mapping[tuple[str, str, str], float | None]
    notes: tuple[Note, ...]
    stand_ins: Mapping[str, str]

    @property
    def title(self) -> str:
        """``allwein2000.table3`` in words: "Allwein et al. 2000, Table 3"."""
        return f"{self.paper}, {self.name.rpartition('.')[2].replace('table', 'Table ')}"

    def original(self, dataset: str) -> str:
        """The paper's name of a data set or of its stand-in."""
        return self.stand_ins.get(dataset, dataset)

    def error(self, dataset: str, code: str, decoder: str) -> float | None:
        """The printed error; None for a dash and for what the paper does not print."""
        return self.entries.get((self.original(dataset), code, decoder))


@cache
def load_paper(paper: str) -> dict[str, Any]:
    """Everything in the YAML file of one paper, such as ``allwein2000``."""
    known = _papers()
    if paper not in known:
        raise UserError(unknown("paper", paper, known))
    content: dict[str, Any] = yaml.safe_load((FOLDER / paper / PRINTED).read_text("utf-8"))
    return content


def table_names() -> list[str]:
    """The tables of test errors, as a config names them under ``paper``."""
    return [f"{paper}.{table}" for paper in _papers() for table in load_paper(paper)["tables"]]


def _papers() -> list[str]:
    return sorted(path.parent.name for path in FOLDER.glob(f"*/{PRINTED}"))


def load_table(name: str) -> PaperTable:
    """The table named ``paper.table``.

    >>> load_table("allwein2000.table3").error("glass", "ova", "hamming")
    37.6
    """
    if name not in table_names():
        raise UserError(unknown("table of a paper", name, table_names()))
    paper, _, key = name.partition(".")
    content = load_paper(paper)
    table = content["tables"][key]
    codes, blocks = content["codes"], table["blocks"]
    datasets = tuple(next(iter(blocks.values()))["rows"])
    entries = {
        (dataset, code, decoder): error
        for decoder, block in blocks.items()
        for dataset, errors in block["rows"].items()
        for code, error in zip(codes, errors, strict=True)
    }
    return PaperTable(
        name=name,
        paper=content["short"],
        citation=content["citation"],
        caption=table["caption"],
        learner=table["learner"],
        datasets=datasets,
        code_titles=codes,
        block_titles={decoder: block["title"] for decoder, block in blocks.items()},
        entries=entries,
        notes=tuple(_notes(table["notes"], datasets)),
        stand_ins=content["stand_ins"],
    )


def _notes(notes: list[dict[str, Any]], datasets: Sequence[str]) -> Iterator[Note]:
    """A note on `letter` covers `letter@0`, `letter@0.1`, ... if these are the rows."""
    for note in notes:
        about = note.get("dataset")
        rows = [d for d in datasets if about in (d, d.partition("@")[0])] if about else [None]
        for dataset in rows:
            yield Note(note["text"], dataset, tuple(note.get("codes", ())))
