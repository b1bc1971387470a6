"""Figures 1 to 7 of Allwein et al. 2000, for runs of Tables 2 and 3 and of synthetic data."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from ...plots.compared import OURS, Sheet, sheets
from ...plots.picture import Picture
from ...results.run import Run
from ..paper import Drawn
from .bars import draw_codes, draw_decoders
from .figure2 import draw_decoding
from .figure3 import TITLES, draw_synthetic
from .losses import draw_losses

NORMALS = "ecoc_bench.synthetic:normals"


class Published(NamedTuple):
    """The figures that follow from one of the tables."""

    learner: str
    decoders: int  # the figure that compares decoders, and the one that compares codes
    codes: int
    losses: dict[str, str]  # loss-based decoders and their labels in the figure
    decoder: str  # decoder of the figure that compares codes


PUBLISHED = {
    "allwein2000.table2": Published(
        "AdaBoost", 4, 7, {"l1": "L1", "exponential": "Exp"}, "exponential"
    ),
    "allwein2000.table3": Published("SVM", 5, 6, {"loss": "hinge loss"}, "loss"),
}


def pictures(run: Run) -> Iterator[Picture]:
    """The figures that the run has numbers for."""
    made = _synthetic_sets(run)
    if made:
        yield _figure3(run.results[run.results["dataset"].isin(made)])
    for sheet in sheets(run):
        if sheet.paper.name in PUBLISHED:
            yield from _of_table(sheet, PUBLISHED[sheet.paper.name])


def drawn(run: Run) -> Drawn:
    """Figure 3 shows all synthetic data sets."""
    return Drawn(datasets=frozenset(_synthetic_sets(run)))


def _synthetic_sets(run: Run) -> list[str]:
    """The data sets of Figure 3 in a run that has one of its codes."""
    made = [spec["name"] for spec in run.config["datasets"] if spec.get("make") == NORMALS]
    rows = run.shown["dataset"].isin(made) & run.shown["code"].isin(list(TITLES))
    return made if rows.any() else []


def _figure3(results: pd.DataFrame) -> Picture:
    sets = results.groupby("n_classes")["dataset"].nunique().max()
    title = "AdaBoost on synthetic data (Figure 3 of Allwein et al. 2000)"
    caption = (
        "Average binary error, and multiclass error with Hamming and with loss-based decoding, "
        f"against the number of classes: means over {sets} drawn sets, whiskers of one standard "
        "error each way. A row for each learner of the config; rows have their own scales."
    )
    return Picture("figure3", title, caption, draw_synthetic(results, title))


def _of_table(sheet: Sheet, published: Published) -> Iterator[Picture]:
    """The figures of a table, if the run has the decoders that they compare."""
    yield _losses(sheet.suffix)
    yield _decoding(sheet.suffix)
    ours = sheet.errors[OURS].dropna().index.get_level_values("decoder").unique()
    if "hamming" in ours and any(decoder in ours for decoder in published.losses):
        yield _decoders(sheet, published)
    if published.decoder in ours:
        yield _codes(sheet, published)


def _losses(suffix: str) -> Picture:
    caption = (
        "The exponential, square, hinge and logistic losses L(z) of the margin z = y f(x), and "
        "(L(z) + L(−z))/2, which is never below L(0): the property that Theorem 1 asks for (Eq. 7)."
    )
    title = "Margin-based loss functions (Figure 1 of Allwein et al. 2000)"
    return Picture(f"figure1{suffix}", title, caption, draw_losses(title))


def _decoding(suffix: str) -> Picture:
    caption = (
        "An example with four classes and a code of seven columns, as in the paper's figure: "
        "above, the signs of the predictions f(x), the rows of the code and their Hamming "
        "distances (Eq. 4), in which a zero counts 1/2; below, the predictions and the sums of "
        "exponential losses (Eq. 5). The lowest distance wins (bold): the two decoders predict "
        "two classes."
    )
    title = "Hamming and loss-based decoding of one example (Figure 2 of Allwein et al. 2000)"
    return Picture(f"figure2{suffix}", title, caption, draw_decoding(title))


def _decoders(sheet: Sheet, published: Published) -> Picture:
    n, paper = published.decoders, sheet.paper
    source = f"Figure {n} of {paper.paper}"
    title = f"{sheet.label}: loss-based minus Hamming decoding, {published.learner} ({source})"
    caption = (
        f"After {source}: the test error of loss-based decoding minus that of "
        "Hamming decoding, in points, for each data set and code; below zero loss-based is better. "
        f"The paper's bars follow from its {paper.title.rpartition(', ')[2]}. "
        "A cross: there is no number."
    )
    figure = draw_decoders(sheet.errors, paper, published.losses, title)
    return Picture(f"figure{n}{sheet.suffix}", title, caption, figure)


def _codes(sheet: Sheet, published: Published) -> Picture:
    n, paper = published.codes, sheet.paper
    source = f"Figure {n} of {paper.paper}"
    title = f"{sheet.label}: differences between codes in points, {published.learner} ({source})"
    caption = (
        f"After {source}: the test error of the row's code minus that of the "
        "column's, in points, loss-based decoding "
        f"({paper.block_titles[published.decoder]}). The paper's bars follow from its "
        f"{paper.title.rpartition(', ')[2]}. All panels have one scale; a place without a bar "
        "has no number."
    )
    figure = draw_codes(sheet.errors, paper, published.decoder, title)
    return Picture(f"figure{n}{sheet.suffix}", title, caption, figure)
