"""Tables of a run of Passerini et al. 2004: choices of gamma, decoders, and Table I next to ours.

The paper prints no errors, so only Table I can be compared.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd

from ...data.cards import card_names, read_card
from ...published import load_paper
from ...results.formats import Lines, Style, TextTable, document, grid
from ...results.run import Run
from ...results.sweeps import Sweep
from ...results.tables import DASH, signed, tidy_csv
from ..evidence import lower
from .decoding_claims import CLOSE
from .experiment import CRITERIA, ENTRY, LIKELIHOOD, NAMES, TITLES, chosen, experiment, own_sweeps

QUANTITIES: list[str] = load_paper("passerini2004")["datasets"]["columns"]
ALL = "all codes"


def tables(run: Run) -> Iterator[TextTable]:
    """Choices, decoders and Table I of a run of its experiments."""
    found = list(own_sweeps(run))
    for sweep in found:
        suffix = f"_{sweep.name}" if len(found) > 1 else ""
        for name, (table, show) in TABLES.items():
            rows = table(run, sweep)
            if len(rows):  # a run of other data sets has nothing of Table I
                yield TextTable(f"{name}{suffix}", partial(_text, rows, show))


def _text(table: pd.DataFrame, show: Callable[[pd.DataFrame, Style], str], style: Style) -> str:
    return tidy_csv(table) if style == "csv" else show(table, style)


# How near the chosen gammas come to the best


def choices(run: Run, sweep: Sweep) -> pd.DataFrame:
    """Test errors at the best and the chosen gamma, per data set, code, decoder and criterion.

    The best is chosen on the test examples, one gamma for all folds; a criterion chooses on each
    training part, so its gap may be negative.
    """
    points = experiment(run, sweep)
    best = points.sort_values(["error", "gamma"], kind="stable").drop_duplicates(ENTRY)
    best = best.rename(columns={"gamma": "best_gamma", "error": "best_error"})
    entries = points[ENTRY].drop_duplicates().merge(best[[*ENTRY, "best_gamma", "best_error"]])
    table = entries.merge(pd.DataFrame({"by": list(CRITERIA)}), "cross")
    table = table.merge(chosen(run, sweep), "left", [*ENTRY, "by"])
    numbers = table[["error", "gamma", "share"]].astype(float)
    return table.assign(**numbers, gap=numbers["error"] - table["best_error"])


def _choices(table: pd.DataFrame, style: Style) -> str:
    codes = list(table["code"].unique())
    blocks = [
        (
            "Mean gap to the best gamma, in points (entries within 1 point)",
            _gaps(table, codes, style),
        )
    ]
    for decoder, part in table.groupby("decoder", sort=False):
        body: list[list[Lines]] = [
            [[TITLES.get(str(dataset), str(dataset))], *(_choice(rows, code) for code in codes)]
            for dataset, rows in part.groupby("dataset", sort=False)
        ]
        head = ["Data set", *(TITLES.get(code, code) for code in codes)]
        blocks.append((f"{TITLES.get(str(decoder), decoder)} decoding", grid(head, body, style)))
    notes = [
        "Test error in percent at the best gamma, and how far above it the gammas chosen by the "
        "leave-one-out bound and by cross-validation on the training part are, in points.",
        "The best gamma is chosen on the test examples, one for all folds: a choice made on each "
        "training part (bound, cv) may come out below it. With several folds the gamma shown is "
        "that chosen most often, and how often.",
    ]
    return document("Choices of gamma", blocks, notes, style)


def _choice(rows: pd.DataFrame, code: str) -> Lines:
    part = rows[rows["code"] == code]
    if part.empty:
        return [DASH]
    first = part.iloc[0]
    lines = [f"best {first['best_error']:.1f} (γ {first['best_gamma']:g})"]
    for row in part.to_dict("records"):
        if pd.isna(row["gap"]):
            lines.append(f"{CRITERIA[row['by']]} {DASH}")
            continue
        often = "" if row["share"] == 1 else f", {row['share']:.0%}"
        gap = signed(row["gap"])
        lines.append(f"{CRITERIA[row['by']]} {gap} (γ {row['gamma']:g}{often})")
    return lines


def _gaps(table: pd.DataFrame, codes: list[str], style: Style) -> str:
    """Means over the data sets, and on how many a choice is within a point of the best."""
    decoders = list(table["decoder"].unique())
    body: list[list[Lines]] = []
    for code in [*codes, ALL]:
        part = table if code == ALL else table[table["code"] == code]
        entries = [_gap(part[part["decoder"] == decoder]) for decoder in decoders]
        body.append([[TITLES.get(code, code)], *entries])
    return grid(["Code", *(TITLES.get(d, d) for d in decoders)], body, style)


def _gap(part: pd.DataFrame) -> Lines:
    lines = []
    for by, title in CRITERIA.items():
        gaps = part.loc[part["by"] == by, "gap"].dropna()
        near = f"({(gaps <= CLOSE).sum()} of {len(gaps)})"
        lines.append(f"{title} {signed(gaps.mean())} {near}" if len(gaps) else f"{title} {DASH}")
    return lines


# Likelihood against the other decoders


def decoders(run: Run, sweep: Sweep) -> pd.DataFrame:
    """Each curve's mean, standard deviation and range over gamma, and how likelihood compares.

    `wins`, `ties` and `losses` count the gammas at which likelihood decoding is lower, the same and
    higher.
    """
    points = experiment(run, sweep)
    wide = points.pivot_table("error", ["dataset", "code", "gamma"], "decoder", sort=False)
    rows = []
    for (dataset, code), part in wide.groupby(level=["dataset", "code"], sort=False):
        for decoder in part.columns[part.notna().any()]:
            curve = part[decoder].dropna()
            rest = curve.mean(), curve.std(ddof=0), np.ptp(curve), curve.min()
            rows.append((dataset, code, decoder, len(curve), *rest, *_duel(part, decoder)))
    columns = [*ENTRY, "gammas", "mean", "sd", "range", "best", "wins", "ties", "losses"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[-3:], "Int64"))


def _duel(part: pd.DataFrame, decoder: str) -> tuple[int | None, int | None, int | None]:
    if decoder == LIKELIHOOD:
        return None, None, None
    ours, theirs = part.reindex(columns=[LIKELIHOOD, decoder]).dropna().to_numpy().T
    wins, losses = int(lower(ours, theirs).sum()), int(lower(theirs, ours).sum())
    return wins, len(ours) - wins - losses, losses


def _decoders(table: pd.DataFrame, style: Style) -> str:
    blocks = [("Likelihood against the others: wins, ties, losses", _duels(table, style))]
    names = list(table["decoder"].unique())
    head = ["Data set", *(TITLES.get(d, d) for d in names)]
    for code, part in table.groupby("code", sort=False):
        body: list[list[Lines]] = [
            [[TITLES.get(str(dataset), str(dataset))], *(_curve(rows, d) for d in names)]
            for dataset, rows in part.groupby("dataset", sort=False)
        ]
        body.append([["mean"], *(_curve(part, d) for d in names)])
        title = f"{TITLES.get(str(code), code)}: mean error over gamma, its spread"
        blocks.append((title, grid(head, body, style)))
    notes = [
        "Points are data set, code and gamma; a tie is the same error. The share is that of the "
        "points at which likelihood decoding is at least as good.",
        "Test errors in percent; sd and range are those over gamma: the lower, the less sensitive "
        "to its choice.",
    ]
    return document("Decoding functions", blocks, notes, style)


def _duels(table: pd.DataFrame, style: Style) -> str:
    others = [d for d in table["decoder"].unique() if d != LIKELIHOOD]
    body: list[list[Lines]] = []
    for code in [*table["code"].unique(), ALL]:
        part = table if code == ALL else table[table["code"] == code]
        counts = [part.loc[part["decoder"] == d, ["wins", "ties", "losses"]].sum() for d in others]
        body.append([[TITLES.get(code, code)], *(_score(*map(int, c)) for c in counts)])
    return grid(["Code", *(TITLES.get(d, d) for d in others)], body, style)


def _score(wins: int, ties: int, losses: int) -> Lines:
    total = wins + ties + losses
    share = f"{(wins + ties) / total:.0%}" if total else DASH
    return [f"{wins}, {ties}, {losses}", f"at least as good {share}"]


def _curve(rows: pd.DataFrame, decoder: str) -> Lines:
    part = rows[rows["decoder"] == decoder]
    if part.empty:
        return [DASH]
    mean, sd, span = part[["mean", "sd", "range"]].mean()
    return [f"{mean:.1f}", f"sd {sd:.1f}, range {span:.1f}"]


# Table I


def table1(run: Run, _: Sweep) -> pd.DataFrame:
    """Classes, examples and inputs of the paper's data sets that the run has; NaN: no test part."""
    here = set(run.results["dataset"])
    rows = [
        (dataset, quantity, _sizes(run, dataset).get(quantity), printed)
        for dataset, numbers in load_paper("passerini2004")["datasets"]["rows"].items()
        if dataset in here
        for quantity, printed in zip(QUANTITIES, numbers, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "quantity", "ours", "paper"])
    return frame.astype({"ours": "Int64", "paper": "Int64"})


def _sizes(run: Run, dataset: str) -> dict[str, int | None]:
    """As in Table I: cross-validation has no test part, and all its examples count as training."""
    rows = run.results[run.results["dataset"] == dataset]
    first = rows.iloc[0]
    train, test = int(first["n_train"]), int(first["n_test"])
    folded = rows["fold"].max() > 0
    inputs = read_card(dataset).attributes if dataset in card_names() else None
    parts = {"train": train + test if folded else train, "test": None if folded else test}
    return {"classes": int(first["n_classes"]), **parts, "inputs": inputs}


def _table1(table: pd.DataFrame, style: Style) -> str:
    body: list[list[Lines]] = [
        [[NAMES[str(dataset)]], *([_whole(o), f"paper {_whole(p)}"] for o, p in sides)]
        for dataset, rows in table.groupby("dataset", sort=False)
        for sides in [list(zip(rows["ours"], rows["paper"], strict=True))]
    ]
    both = table.dropna()
    same = f"{int((both['ours'] == both['paper']).sum())} of {len(both)} numbers are the paper's."
    title = "Data sets of the run, below them those of Passerini et al. 2004, Table I"
    return document(title, [("Sizes", grid(["Data set", *QUANTITIES], body, style))], [same], style)


def _whole(value) -> str:
    return DASH if pd.isna(value) else str(value)


TABLES = {
    "choices": (choices, _choices),
    "decoders": (decoders, _decoders),
    "table1": (table1, _table1),
}
