"""A paper's table next to several runs of it, and why numbers differ."""

from collections.abc import Mapping, Sequence

import pandas as pd

from ..errors import UserError
from ..published import PaperTable, load_table
from .differences import Explanation, explanations, general_reasons
from .formats import Style, document, grid
from .run import Run
from .summary import NOTABLE, agreement, notable
from .tables import DASH, block_title, code_title, ordered, signed, tidy_csv

ENTRY = ["dataset", "code", "decoder"]


def runs_beside_paper(runs: Sequence[Run], style: Style = "terminal") -> str:
    """Several runs of one paper's table, side by side with it."""
    names = {run.config["paper"] for run in runs}
    if len(names) != 1 or None in names:
        raise UserError(
            "runs side by side must be of the same paper's table: see `paper:` in a config."
        )
    paper = load_table(names.pop())
    return side_by_side({run.name: run.summary() for run in runs}, paper, style)


def side_by_side(
    runs: Mapping[str, pd.DataFrame], paper: PaperTable, style: Style = "terminal"
) -> str:
    """Paper / run / run ... in each entry; ``runs`` are compared summaries by label."""
    entries = _entries(runs, paper)
    if style == "csv":
        return tidy_csv(entries)
    labels = list(entries["run"].unique())
    decoders = ordered(entries["decoder"], paper.block_titles)
    blocks = [
        (
            block_title(decoder, paper),
            _block(entries[entries["decoder"] == decoder], labels, paper, style),
        )
        for decoder in decoders
    ]
    title = f"Test error (%): {' / '.join([paper.title, *labels])}"
    foot = [
        *(_agreement_note(label, entries[entries["run"] == label], paper) for label in labels),
        *_stand_in_notes(runs, paper),
        *_explanations(entries[entries["notable"]], paper),
    ]
    return document(title, blocks, foot, style)


def _entries(runs: Mapping[str, pd.DataFrame], paper: PaperTable) -> pd.DataFrame:
    """The rows of all runs that the paper's table has, under the paper's names."""
    frames = []
    for label, run in runs.items():
        several = len(set(run["learner"])) > 1
        frame = run.assign(
            run=[f"{label} {learner}" if several else label for learner in run["learner"]],
            is_stand_in=run["dataset"].isin(list(paper.stand_ins)),
            dataset=run["dataset"].map(paper.original),
            notable=notable(run),
        )
        in_paper = [key in paper.entries for key in zip(*(frame[k] for k in ENTRY), strict=True)]
        frames.append(frame.loc[in_paper])
    entries = pd.concat(frames, ignore_index=True)
    # A run of both the paper's data set and its stand-in shows the paper's.
    entries = entries.sort_values("is_stand_in", kind="stable").drop_duplicates(["run", *ENTRY])
    front = ["run", *ENTRY]
    return entries.sort_index()[[*front, *entries.columns.difference(front, sort=False)]]


def _block(block: pd.DataFrame, labels: list[str], paper: PaperTable, style: Style) -> str:
    ours = {
        (row.run, row.dataset, row.code): f"{row.error:.1f}{'†' if row.notable else ''}"
        for row in block.itertuples(index=False)
    }
    decoder = block["decoder"].iloc[0]
    codes = ordered(block["code"], paper.code_titles)

    def entry(dataset: str, code: str) -> list[str]:
        printed = paper.error(dataset, code, decoder)
        numbers = [ours.get((label, dataset, code), DASH) for label in labels]
        return [" / ".join([DASH if printed is None else f"{printed:.1f}", *numbers])]

    head = ["Problem", *(code_title(code, paper) for code in codes)]
    datasets = ordered(block["dataset"], paper.datasets)
    return grid(
        head, [[[name], *(entry(name, code) for code in codes)] for name in datasets], style
    )


def _agreement_note(label: str, entries: pd.DataFrame, paper: PaperTable) -> str:
    overall = agreement(entries)
    blocks = [
        f"{block_title(name, paper)} {agreement(entries[entries['decoder'] == name]).mean:.2f}"
        for name in ordered(entries["decoder"], paper.block_titles)
    ]
    return (
        f"{label}: mean |difference| from the paper {overall.mean:.2f} points over "
        f"{overall.entries} entries ({', '.join(blocks)}); {overall.within} of the paper's numbers "
        "are inside our 95% interval."
    )


def _stand_in_notes(runs: Mapping[str, pd.DataFrame], paper: PaperTable) -> list[str]:
    used = ordered(name for run in runs.values() for name in run["dataset"])
    return [
        f"{paper.stand_ins[name]}: {name} stands in for it."
        for name in used
        if name in paper.stand_ins
    ]


def _explanations(entries: pd.DataFrame, paper: PaperTable) -> list[str]:
    """The numbers that differ, data set by data set, with what is known about the reasons."""
    if entries.empty:
        return []
    return [
        f"†: more than {NOTABLE:.0f} points from the paper's number, and that is outside our 95% "
        "interval. In general:",
        *general_reasons(set(entries["code"]), paper),
        *(_explained(one, paper) for one in explanations(entries, paper)),
    ]


def _explained(one: Explanation, paper: PaperTable) -> str:
    return f"{one.dataset} ({_differences(one.rows, paper)}): {' '.join(one.texts)}"


def _differences(entries: pd.DataFrame, paper: PaperTable) -> str:
    """What differs in one data set, decoder after decoder: "uci_svm: One-vs-all −3.1, −2.2"."""
    runs: dict[str, dict[str, list[str]]] = {}
    for run, code, points in zip(
        entries["run"], entries["code"], entries["difference"], strict=True
    ):
        title = code_title(code, paper)
        runs.setdefault(run, {}).setdefault(title, []).append(signed(points))
    return "; ".join(
        f"{run}: " + ", ".join(f"{title} {'/'.join(points)}" for title, points in codes.items())
        for run, codes in runs.items()
    )
