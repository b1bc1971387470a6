"""What the makers of figures give."""

from typing import NamedTuple

from matplotlib.figure import Figure


class Picture(NamedTuple):
    """A figure that is yet to be written."""

    name: str
    title: str
    caption: str
    figure: Figure
