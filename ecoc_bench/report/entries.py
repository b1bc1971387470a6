"""The numbers of the page: a line for each result, and summaries of the lines."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pandas as pd

from ..published import PaperTable
from ..results.catalogue import JOINT
from ..results.summary import Agreement, agreement, at_stage, compared, notable, summarize
from ..results.tables import DASH, block_title, code_title, learner_title, ordered, signed

MOST_STAGES = 12
BAR = 120  # width of the small picture of an interval


class Value(NamedTuple):
    """What an entry shows and what its column is sorted by; a text sorts as itself."""

    text: str
    order: float | str | None = None


class Line(NamedTuple):
    """One data set, learner, code and decoder at one stage."""

    names: dict[str, str]  # for the select boxes
    words: str  # for the filter box
    last: bool  # whether this is the learner's last stage
    values: list[Value]
    bar: dict[str, str]
    notable: bool


def measured(results: pd.DataFrame, paper: PaperTable | None) -> pd.DataFrame:
    """The summary of every stage, compared with the paper; ``last`` marks the last stages."""
    final = results.groupby(["learner", "code"])["stage"].max()
    if results["stage"].nunique() > MOST_STAGES:  # curves of hundreds of rounds are for the figures
        results = at_stage(results, None)
    frames = []
    for stage in sorted(set(results["stage"])):
        frame = summarize(results, stage)
        places = zip(frame["learner"], frame["code"], strict=True)
        frames.append(frame.assign(stage=stage, last=[final[place] == stage for place in places]))
    table = pd.concat(frames, ignore_index=True)
    if paper is None:
        return table.assign(notable=False)
    table = compared(table, paper)
    return table.assign(notable=notable(table))


def decoder_title(decoder: str, paper: PaperTable | None) -> str:
    if decoder == JOINT:
        return block_title(decoder, paper)
    return paper.block_titles.get(decoder, decoder) if paper else decoder


def code_head(table: pd.DataFrame) -> str:
    """The heading of the column of codes, which holds methods, too."""
    is_method = table["learner"] == JOINT
    if is_method.all():
        return "Method"
    return "Code or method" if is_method.any() else "Code"


class Head(NamedTuple):
    """A column of the table of all results; some are shown only if the run needs them."""

    title: str
    hint: str = ""
    number: bool = True
    needed: bool = True


def heads(table: pd.DataFrame) -> list[Head]:
    """The columns that the run needs."""
    return [head for head in _columns(table) if head.needed]


def _columns(table: pd.DataFrame) -> list[Head]:
    with_paper = "paper" in table
    coded = bool((table["learner"] != JOINT).any())
    return [
        Head("Data set", number=False),
        Head("Learner", number=False, needed=several(table["learner"])),
        Head("Stage", "boosting rounds", needed=several(table["stage"])),
        Head(code_head(table), number=False),
        Head("Decoder", number=False, needed=coded),
        Head("Error", "test error in percent"),
        Head("95% interval", "Wilson's interval; sorted by its lower end"),
        Head("Paper", "the printed error in percent", needed=with_paper),
        Head("Difference", "ours minus the paper's, in points", needed=with_paper),
        Head("Over draws", "standard deviation and range", needed=bool(table["draws"].max() > 1)),
        Head("Columns", "binary problems of the code", needed=coded),
        Head("ρ", "least Hamming distance between two rows of the code", needed=coded),
        Head("Ties", "test examples with a shared lowest distance, in percent", needed=coded),
        Head("Training error", "in percent"),
        Head("Binary error", "mean test error of the binary problems, in percent", needed=coded),
        Head(
            "Unconverged",
            "columns whose solver did not converge",
            needed=bool(table["unconverged"].any()),
        ),
    ]


def several(names: pd.Series) -> bool:
    return len(set(names)) > 1


def lines(table: pd.DataFrame, paper: PaperTable | None) -> list[Line]:
    """All results, in the order of the run."""
    needed = [head.needed for head in _columns(table)]
    highest = table[["hi", "paper"] if paper else ["hi"]].max(axis=1)
    tops = highest.groupby(table["dataset"]).transform("max")
    rows = zip(table.itertuples(index=False), tops, strict=True)
    return [_line(row, paper, needed, top) for row, top in rows]


def _line(row: Any, paper: PaperTable | None, needed: Sequence[bool], top: float) -> Line:
    code, decoder = code_title(row.code, paper), decoder_title(row.decoder, paper)
    printed = row.paper if paper else float("nan")
    is_method = row.learner == JOINT
    all_values = [
        Value(row.dataset),
        Value(DASH if is_method else row.learner),
        Value(str(row.stage) if row.stage else DASH, float(row.stage)),
        Value(code),
        Value(DASH if is_method else row.decoder),
        Value(f"{row.error:.1f}{'' if row.complete else '*'}", row.error),
        Value(f"{row.lo:.1f} to {row.hi:.1f}", row.lo),
        _number(printed),
        _number(row.difference, signed) if paper else Value(DASH),
        Value(_spread(row), row.sd_draws) if row.draws > 1 else Value(DASH),
        Value(DASH) if is_method else Value(f"{row.n_columns:g}", row.n_columns),
        _number(row.rho, lambda rho: f"{rho:.3g}"),
        Value(DASH) if is_method else _number(row.ties),
        _number(row.train_error),
        _number(row.binary_error),
        Value(str(row.unconverged), float(row.unconverged)),
    ]
    names = {"dataset": row.dataset, "learner": row.learner, "stage": str(row.stage)}
    words = [row.dataset, learner_title(row.learner), str(row.stage), row.code, code, decoder]
    return Line(
        names={**names, "code": row.code, "decoder": row.decoder},
        words=" ".join([*words, *([] if is_method else [row.decoder])]).lower(),
        last=bool(row.last),
        values=[value for value, shown in zip(all_values, needed, strict=True) if shown],
        bar=_bar(row, printed, top),
        notable=bool(row.notable),
    )


def _number(number: float, show=lambda number: f"{number:.1f}") -> Value:
    return Value(DASH) if pd.isna(number) else Value(show(number), number)


def _spread(row: Any) -> str:
    return f"{row.sd_draws:.1f} ({row.min_draw:.1f} to {row.max_draw:.1f})"


def _bar(row: Any, printed: float, top: float) -> dict[str, str]:
    """The places of the interval, our error and the paper's in a picture from 0 to ``top``."""
    places = {"lo": row.lo, "hi": row.hi, "error": row.error, "paper": printed}
    scale = (BAR - 8) / top
    return {
        name: f"{4 + scale * percent:.1f}"
        for name, percent in places.items()
        if not pd.isna(percent)
    }


def choices(table: pd.DataFrame, paper: PaperTable | None) -> dict[str, list[tuple[str, str]]]:
    """The select boxes: axis -> (name, title) of its names in the run."""
    axes = ("dataset", "learner", "code", "decoder")
    found = {axis: [(name, name) for name in ordered(table[axis])] for axis in axes}
    found["code"] = [(name, code_title(name, paper)) for name, _ in found["code"]]
    for axis in ("learner", "decoder"):
        found[axis] = [(name, learner_title(name)) for name, _ in found[axis]]
    found["stage"] = [(str(stage), str(stage)) for stage in sorted(set(table["stage"]))]
    return found


class DecoderLine(NamedTuple):
    """One learner's numbers by one decoder, compared with the paper and with Hamming decoding."""

    learner: str
    decoder: str
    near: Agreement | None
    duels: int  # how many of them Hamming decoding has, too; 0 for Hamming decoding itself
    wins: int  # in how many of these the decoder is at least as good
    gain: float  # mean of its error minus Hamming's, in points


def by_decoder(table: pd.DataFrame, paper: PaperTable | None) -> list[DecoderLine]:
    """A summary of the numbers of each learner and decoder."""
    wide = table.pivot_table("error", ["learner", "dataset", "code"], "decoder")
    found = []
    for (learner, decoder), rows in table.groupby(["learner", "decoder"], sort=False):
        points = pd.Series(dtype=float)
        if "hamming" in wide and decoder != "hamming":
            points = (wide[decoder] - wide["hamming"]).loc[[str(learner)]].dropna()
        near = agreement(rows) if paper else None
        # Sums of the same numbers in another order differ in their last bits.
        wins, gain = int((points <= 1e-9).sum()), float(points.mean())
        title = decoder_title(str(decoder), paper)
        found.append(DecoderLine(learner_title(str(learner)), title, near, len(points), wins, gain))
    return found
