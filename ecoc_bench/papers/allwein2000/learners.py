"""Section 2 of Allwein et al. 2000 as an experiment: does decoding by its own loss help a learner?

The paper measures AdaBoost and SVMs only, and says that its framework holds for regression,
logistic regression and decision trees, too. A run with all these kinds of learners, decoded by
`hamming` and by `loss`, is judged learner by learner.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from ...results.formats import Lines, Style, TextTable, document, grid
from ...results.run import Run
from ...results.summary import summarize
from ...results.tables import DASH, signed, tidy_csv
from ..evidence import Scope, lower

KINDS = frozenset({"svm", "adaboost", "least_squares", "logistic", "c45"})
DECODERS = ("hamming", "loss")


@dataclass(frozen=True, kw_only=True)
class Learners(Scope):
    """The entries of each learner that has both decoders."""

    def read(self, run: Run) -> Iterator[tuple[str, pd.DataFrame]]:
        summary = summarize(run.results)
        both = summary[summary["complete"] & summary["decoder"].isin(DECODERS)]
        for learner in run.config["learners"]:
            rows = both[both["learner"] == learner["name"]]
            if set(rows["decoder"]) == set(DECODERS):
                yield learner["name"], rows


def has_all_kinds(run: Run) -> bool:
    """Whether a run has the learners of Section 2 and the two ways to decode them."""
    decoders = {decoder["name"] for decoder in run.config["decoders"]}
    types = {learner["type"] for learner in run.config["learners"]}
    return types >= KINDS and decoders >= set(DECODERS)


SCOPE = Learners(source="Allwein et al. 2000, Section 2", is_of=has_all_kinds)


def learner_table(run: Run) -> pd.DataFrame:
    """For each learner the entries, data set and code, in which its own loss has a lower error."""
    bounds = run.rows("bounds.csv")
    losses = {} if bounds is None else dict(bounds.groupby("learner")["loss"].first())
    lines = []
    for name, rows in SCOPE.read(run):
        table = rows.pivot_table("error", ["dataset", "code"], "decoder").dropna()
        hamming, loss = table["hamming"], table["loss"]
        better, worse = int(lower(loss, hamming).sum()), int(lower(hamming, loss).sum())
        means = hamming.mean(), loss.mean(), (loss - hamming).mean()
        equal = len(table) - better - worse
        lines.append((name, losses.get(name, ""), better, equal, worse, *means))
    columns = ["learner", "loss", "lower", "equal", "higher", "hamming", "loss_based", "difference"]
    return pd.DataFrame(lines, columns=columns)


def tables(run: Run) -> Iterator[TextTable]:
    """The table of such a run."""
    if has_all_kinds(run):
        yield TextTable("learners", partial(_text, learner_table(run)))


def _text(table: pd.DataFrame, style: Style) -> str:
    if style == "csv":
        return tidy_csv(table)
    head = ["Learner", "Its loss", "Lower", "Equal", "Higher"]
    head += ["Hamming", "Loss-based", "Difference"]
    lines = table.to_dict("records")
    body = [_row(line) for line in lines]
    better = [line["learner"] for line in lines if line["lower"] > line["higher"]]
    notes = [
        "Entries, a data set and a code each, in which decoding by the learner's own loss has a "
        "lower error than Hamming decoding, the same, or a higher one; then mean errors (%).",
        f"Loss-based decoding is more often better than worse for {len(better)} of {len(table)} "
        f"learners: {', '.join(better) or 'none'}.",
    ]
    title = (
        "Loss-based against Hamming decoding, learner by learner (Section 2 of Allwein et al. 2000)"
    )
    return document(title, [("Test errors", grid(head, body, style))], notes, style)


def _row(line: dict[Hashable, Any]) -> list[Lines]:
    words = [line["learner"], line["loss"] or DASH, line["lower"], line["equal"], line["higher"]]
    words += [f"{line[name]:.1f}" for name in ("hamming", "loss_based")]
    return [[str(word)] for word in (*words, signed(line["difference"]))]
