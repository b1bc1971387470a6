"""What the makers of figures are given, and what they give."""

from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from ..papers import PaperTable
from ..papers.evidence import Run


class Picture(NamedTuple):
    """A figure that is yet to be written."""

    name: str
    title: str
    caption: str
    figure: Figure


class Sheet(NamedTuple):
    """One learner of a run that repeats a paper's table."""

    run: Run
    paper: PaperTable
    errors: pd.DataFrame  # as `differences.beside` gives them
    label: str  # of the run, in titles
    suffix: str  # of the files' names, where the run has several learners
