"""The figures of Allwein et al. 2000 that a run of its Table 2 or 3 gets: 1 and 4 to 7."""

from collections.abc import Iterator
from typing import NamedTuple

from ..plots.differences import OURS, draw_codes, draw_decoders
from ..plots.losses import draw_losses
from ..plots.picture import Picture, Sheet


class Published(NamedTuple):
    """The figures that follow from one of the tables."""

    learner: str
    decoders: int  # the figure that compares decoders, and the one that compares codes
    codes: int
    losses: dict[str, str]  # loss-based decoders and what the figure calls them
    decoder: str  # of the figure that compares codes


PUBLISHED = {
    "allwein2000.table2": Published(
        "AdaBoost", 4, 7, {"l1": "L1", "exponential": "Exp"}, "exponential"
    ),
    "allwein2000.table3": Published("SVM", 5, 6, {"loss": "hinge loss"}, "loss"),
}


def pictures(sheet: Sheet) -> Iterator[Picture]:
    """As far as the run has the decoders that a figure compares."""
    published = PUBLISHED[sheet.paper.name]
    yield _losses(sheet.suffix)
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
        f"{paper.title.rpartition(', ')[2]}. Each panel has its own scale; a place without a bar "
        "has no number."
    )
    figure = draw_codes(sheet.errors, paper, published.decoder, title)
    return Picture(f"figure{n}{sheet.suffix}", title, caption, figure)
