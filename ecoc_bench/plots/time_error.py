"""Test error against the seconds of fitting: a numbered point for each method, named at the side.

The marker is that of the code or method in all figures of the run.

A method is on the Pareto front if no other is at most as slow and at most as wrong, and better in
one of the two.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from ..results.catalogue import JOINT
from ..results.costs import fit_seconds
from ..results.significance.units import METHOD, as_methods, units
from .looks import Look
from .style import BLACK, GREY, WIDTH, head, plain_decades, styled

TICK = 1e-6  # seconds: the last digit of costs.csv, used for shorter times
FEWEST = 3  # no picture of fewer methods
LEFT, RIGHT = (
    0.075,
    0.585,
)  # edges of the plot, as shares of the figure's width; then comes the list
LINE = 0.145  # height of a line of the list in inches
LONGEST = 36  # characters of a name in the list
NUMBER = 6.5  # points: size of the numbers and of the list
DIGIT = 0.64 * NUMBER  # points: width of a digit
MARK = 5.5  # points: the space that a marker takes
LABELS = (
    "seconds to fit (geometric mean over data sets, log scale)",
    "test error (%, mean over data sets)",
)


class Methods(NamedTuple):
    """A row for each method (method, code, seconds, error), and the data sets averaged over."""

    points: pd.DataFrame
    datasets: tuple[str, ...]


def time_and_error(shown: pd.DataFrame, costs: pd.DataFrame, config: dict) -> Methods | None:
    """Seconds and error of each method over the data sets that all have; None if there are few.

    A method is here a combination of learner, code and decoder, or a method without a code. Seconds
    are the average of one training part, then a geometric mean over data sets; errors are in
    percent. None also for a run of one learner and no methods without a code: other pictures show
    its codes and decoders.
    """
    learners = set(shown["learner"])
    if len(learners) < 2 and JOINT not in learners:
        return None
    seconds = fit_seconds(shown, costs, config)
    errors = units(shown, METHOD, {}).errors.dropna(axis="columns", how="all")
    errors = errors[[method for method in errors if method in seconds]].dropna()
    errors = errors.loc[[name in seconds.index for name in errors.index]]
    times = seconds.loc[errors.index, errors.columns].clip(lower=TICK)
    if errors.shape[1] < FEWEST or errors.empty or times.isna().any(axis=None):
        return None
    points = pd.DataFrame({"seconds": np.exp(np.log(times).mean()), "error": errors.mean()})
    codes = dict(zip(as_methods(shown)["code"], shown["code"], strict=True))
    points = points.assign(code=points.index.map(codes)).rename_axis("method").reset_index()
    return Methods(points, tuple(map(str, errors.index)))


@styled
def draw_time_error(
    points: pd.DataFrame, looks: Mapping[str, Look], title: str, labels: tuple[str, str] = LABELS
) -> Figure:
    """`points`: method, code, seconds and error in percent, a row for each; `looks` of codes."""
    points = points.sort_values(["error", "seconds", "method"], ignore_index=True)
    points["front"] = pareto(points["seconds"], points["error"])
    height = max(3.8, 1.0 + LINE * (len(points) + 3))
    figure = Figure(figsize=(WIDTH, height))
    figure.set_layout_engine("none")  # the numbers are placed for exactly these axes
    axes = figure.add_axes((LEFT, 0.45 / height, RIGHT - LEFT, 1 - 0.9 / height))
    _points(axes, points, looks)
    axes.set(xlabel=labels[0], ylabel=labels[1])
    _numbers(axes, points)
    _list(figure, points, looks)
    head(figure, title)
    return figure


def pareto(seconds: ArrayLike, error: ArrayLike) -> np.ndarray:
    """Which points are on the front: no other point is better in one and no worse in the other.

    >>> pareto([1, 2, 3, 3], [9, 5, 5, 4]).tolist()
    [True, True, False, True]
    """
    t, e = np.asarray(seconds, dtype=float), np.asarray(error, dtype=float)
    no_worse = (t[:, None] <= t) & (e[:, None] <= e)
    better = (t[:, None] < t) | (e[:, None] < e)
    return np.logical_not((no_worse & better).any(axis=0))


def _mark(row: Mapping[Hashable, Any], looks: Mapping[str, Look]) -> dict[str, Any]:
    look = looks[row["code"]]
    rim = {"markeredgecolor": BLACK} if row["front"] else {}
    return {
        "color": look["color"],
        "marker": look["marker"],
        "linestyle": "",
        "markersize": 5,
    } | rim


def _points(axes: Axes, points: pd.DataFrame, looks: Mapping[str, Look]) -> None:
    """The points, with a black rim on the front, and the front as a staircase."""
    front = points[points["front"]].sort_values("seconds")
    axes.set_xscale("log")
    plain_decades(axes.xaxis, points["seconds"].min(), points["seconds"].max())
    axes.step(
        front["seconds"], front["error"], where="post", color=GREY, linestyle="--", linewidth=0.8
    )
    for row in points.to_dict("records"):
        axes.plot(row["seconds"], row["error"], **_mark(row, looks))
    axes.margins(0.09)
    axes.set_xlim(axes.get_xlim())  # the numbers are placed for these limits
    axes.set_ylim(axes.get_ylim())
    axes.grid()


def _numbers(axes: Axes, points: pd.DataFrame) -> None:
    """The number of each point next to it; a thin line leads to the point from farther away."""
    scale = 72 / axes.figure.dpi
    at = scale * axes.transData.transform(points[["seconds", "error"]].to_numpy())
    box = scale * np.array(axes.get_window_extent().extents)
    for i, (x, y) in enumerate(place(at, [DIGIT * len(str(i + 1)) for i in range(len(at))], box)):
        far = np.hypot(x - at[i, 0], y - at[i, 1]) > 1.6 * MARK + DIGIT
        axes.annotate(
            str(i + 1),
            (points["seconds"][i], points["error"][i]),
            (x - at[i, 0], y - at[i, 1]),
            textcoords="offset points",
            ha="center",
            va="center_baseline",
            fontsize=NUMBER,
            fontweight="bold" if points["front"][i] else "normal",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.2},  # over the front's line
            arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": GREY} if far else None,
        )


def place(at: np.ndarray, widths: Sequence[float], box: np.ndarray) -> list[np.ndarray]:
    """Centres of the labels, in the units of `at`: the nearest free place around each point.

    A place is free if the label lies in `box` (left, bottom, right, top) and covers no point and
    no earlier label. If nothing is free within ten rings, the label gets the first place.
    """
    taken = [np.r_[point - MARK / 2, point + MARK / 2] for point in at]
    centres = []
    for point, width in zip(at, widths, strict=True):
        half = np.array([width, NUMBER]) / 2
        places = [point + offset for offset in _offsets(half)]
        boxes = [np.r_[place - half, place + half] for place in places]
        free = (j for j, label in enumerate(boxes) if _inside(label, box) and _alone(label, taken))
        chosen = next(free, 0)
        taken.append(boxes[chosen])
        centres.append(places[chosen])
    return centres


def _offsets(half: np.ndarray) -> list[np.ndarray]:
    """Twelve directions in growing rings, the sides first: there a number is nearest."""
    angles = np.deg2rad([0, 180, 45, 225, 315, 135, 75, 255, 15, 195, 285, 105])
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    directions /= np.abs(directions).max(axis=1, keepdims=True)  # rings are rectangles, like labels
    rings = [MARK / 2 + 1.2 + 4 * ring for ring in range(10)]
    return [direction * (half + ring) for ring in rings for direction in directions]


def _inside(label: np.ndarray, box: np.ndarray) -> bool:
    return bool((label[:2] >= box[:2]).all() and (label[2:] <= box[2:]).all())


def _alone(label: np.ndarray, taken: Sequence[np.ndarray]) -> bool:
    others = np.asarray(taken)
    return not ((label[:2] < others[:, 2:]) & (label[2:] > others[:, :2])).all(axis=1).any()


def _list(figure: Figure, points: pd.DataFrame, looks: Mapping[str, Look]) -> None:
    """Number, mark, name, error and seconds of each method, the lowest error first."""
    height = figure.get_figheight()
    axes = figure.add_axes((RIGHT, 0, 1 - RIGHT, 1))
    axes.set_axis_off()
    axes.set_xlim(0, WIDTH * (1 - RIGHT))
    axes.set_ylim(height, 0)
    y, right = 0.52, WIDTH * (1 - RIGHT) - 0.06
    places = ((0.24, "right"), (0.42, "left"), (right - 0.5, "right"), (right, "right"))

    def line(texts: Sequence[str], y: float, **look) -> None:
        for text, (x, side) in zip(texts, places, strict=True):
            axes.text(x, y, text, ha=side, va="center", fontsize=NUMBER, **look)

    line(("", "method", "error", "seconds"), y, color=GREY)
    for i, row in enumerate(points.to_dict("records"), start=1):
        weight = "bold" if row["front"] else "normal"
        numbers = f"{row['error']:.1f}", f"{row['seconds']:.3g}"
        texts = (str(i), shorten(row["method"]), *numbers)
        line(texts, y + i * LINE, fontweight=weight)
        axes.plot(0.33, y + i * LINE, **_mark(row, looks))
    y += (len(points) + 2) * LINE
    line(("- -", "bold, dark rim: the Pareto front", "", ""), y, color=GREY)


def shorten(name: str, longest: int = LONGEST) -> str:
    """A long name without its middle.

    >>> shorten("ova loss (svm)")
    'ova loss (svm)'
    >>> shorten("ova loss (svm)", 8)
    'ova…svm)'
    """
    if len(name) <= longest:
        return name
    return f"{name[: longest - longest // 2 - 1]}…{name[-(longest // 2) :]}"
