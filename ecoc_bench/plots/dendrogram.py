"""Classes joined where they are hard to part: a dendrogram along the error of pairs."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from scipy.cluster.hierarchy import dendrogram, leaves_list

from .style import BLUE, WIDTH, styled

LINE = 0.16  # inches of a name


@styled
def draw_dendrogram(tree: np.ndarray, largest: float, names: Sequence[str]) -> Figure:
    """`tree`: a linkage at heights of the largest error of a pair minus the error of the join.

    The earlier (the farther left) two classes are joined, the more often they are confused.
    """
    start = 1.1 * largest  # names stand off from the join of the worst pair
    lifted = tree.copy()
    lifted[:, 2] += start - largest
    drawn = dendrogram(lifted, no_plot=True)
    figure = Figure(figsize=(WIDTH, 0.7 + LINE * len(names)))
    axes = figure.subplots()
    for y, heights in zip(drawn["icoord"], drawn["dcoord"], strict=True):
        axes.plot(100 * (start - np.asarray(heights)), y, color=BLUE, linewidth=1, clip_on=False)
    leaves = [names[leaf] for leaf in leaves_list(lifted).tolist()]
    axes.set_yticks(5 + 10 * np.arange(len(leaves)), leaves)
    axes.set_ylim(10 * len(leaves), 0)
    axes.set_xlim(100 * start, 0)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.set_xlabel("error between two classes if no other could be the answer (%)")
    return figure
