"""Figures 2 to 4 of Passerini et al. 2004, for a run of its experiments."""

from collections.abc import Iterator

import pandas as pd

from ...plots.hidden import hidden_curves
from ...plots.looks import run_looks
from ...plots.picture import Picture
from ...plots.sweep import draw_bound, draw_sweep
from ...results.run import Run
from ...results.sweeps import Sweep
from ..paper import Drawn
from .experiment import (
    CODES,
    DECODERS,
    FIGURES,
    LIKELIHOOD,
    NAMES,
    TITLES,
    experiment,
    own_sweeps,
)

SHORT = "Passerini et al. 2004"


def pictures(run: Run) -> Iterator[Picture]:
    """The figures that the run has numbers for."""
    found = list(own_sweeps(run))
    for sweep in found:
        yield from _of_sweep(run, sweep, f"_{sweep.name}" if len(found) > 1 else "")


def drawn(run: Run) -> Drawn:
    """The figures show their data sets; a sweep on other data sets is drawn like any other."""
    return Drawn(sweeps=frozenset((s.name, name) for s in own_sweeps(run) for name in NAMES))


def _of_sweep(run: Run, sweep: Sweep, suffix: str) -> Iterator[Picture]:
    points = experiment(run, sweep)
    points = points[points["code"].isin(list(CODES)) & points["decoder"].isin(list(DECODERS))]
    label = f"{run.name}{suffix.replace('_', ' ')}"
    for name in ("figure2", "figure3"):
        curves = _of_figure(points, name)
        if len(curves):
            yield _errors(run, curves.rename(columns={"gamma": "value"}), name, label, suffix)
    bounds = _of_figure(points[points["decoder"] == LIKELIHOOD], "figure4")
    if bounds["bound"].notna().any():
        yield _bounds(bounds.rename(columns={"gamma": "value"}), label, suffix)


def _of_figure(points: pd.DataFrame, figure: str) -> pd.DataFrame:
    """The points of a figure; data sets, codes and decoders are in the paper's order."""
    part = points[points["dataset"].isin(FIGURES[figure])]
    orders = {"dataset": FIGURES[figure], "code": list(CODES), "decoder": list(DECODERS)}
    ranks = {f"{axis}_rank": part[axis].map(order.index) for axis, order in orders.items()}
    return part.assign(**ranks).sort_values([*ranks, "gamma"], kind="stable")


def _errors(run: Run, curves: pd.DataFrame, name: str, label: str, suffix: str) -> Picture:
    source = f"{name.replace('figure', 'Figure ')} of {SHORT}"
    title = f"{label}: test error against gamma ({source})"
    caption = (
        f"After {source}: test error in percent against gamma of the Gaussian kernel, a row for "
        "each data set, a column for each code, a curve for each decoding function. The panels of "
        "a row share their scale."
    )
    caption += hidden_curves(curves, ["dataset", "code"], "decoder", "value", TITLES)
    figure = draw_sweep(curves, "γ", run_looks(run).decoders, title, TITLES)
    return Picture(f"{name}{suffix}", title, caption, figure)


def _bounds(curves: pd.DataFrame, label: str, suffix: str) -> Picture:
    source = f"Figure 4 of {SHORT}"
    title = f"{label}: test error and leave-one-out bound ({source})"
    caption = (
        f"After {source}: test error (dashed) and the leave-one-out bound of Corollary 4.1 (solid) "
        "in percent against gamma, likelihood decoding, data sets with more than 2,000 examples. "
        "The lowest point of each curve is ringed; where a row spans more than a decade its scale "
        "is logarithmic."
    )
    return Picture(f"figure4{suffix}", title, caption, draw_bound(curves, "γ", title, TITLES))
