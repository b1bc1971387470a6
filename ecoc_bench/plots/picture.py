"""What the functions that draw figures return."""

from typing import NamedTuple

from matplotlib.figure import Figure


class Picture(NamedTuple):
    """A figure that has not been written yet."""

    name: str
    title: str
    caption: str
    figure: Figure
