"""Reliability: how often predictions of a given confidence are right."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .style import GREY, head, lines, panels, styled


@styled
def draw_reliability(tables: Mapping[str, pd.DataFrame], title: str, height: float = 5.6) -> Figure:
    """A line for each kind of estimate from its `calibration.reliability_table`; counts below.

    On the diagonal, predictions are right as often as they claim to be.
    """
    figure, grid = panels(2, 1, height, width=4.8, sharex=True, height_ratios=[3, 1])
    upper, lower = grid[:, 0]
    upper.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    for (name, look), table in zip(lines(list(tables)).items(), tables.values(), strict=True):
        filled = table[table["count"] > 0]
        upper.plot(filled["confidence"], filled["accuracy"], label=name, **look)
        edges = np.append(table["low"], table["high"].iloc[-1])
        plain = {key: value for key, value in look.items() if key != "marker"}
        lower.stairs(table["count"], edges, linewidth=1.2, **plain)
    upper.set_ylabel("share that is right")
    upper.set_ylim(-0.02, 1.02)
    upper.grid()
    lower.set_xlabel("confidence: the largest probability")
    lower.set_ylabel("examples")
    lower.set_xlim(0, 1)
    lower.grid(axis="y")
    head(figure, title)
    figure.legend(*upper.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
