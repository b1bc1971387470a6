"""Sections of the page with content from other packages: embedded figures, and statistics."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pandas as pd

from ..plots.critical_difference import draw_cd
from ..results.catalogue import JOINT
from ..results.significance import NotEnoughData, blocks, compare, notes
from ..results.significance.text import Block
from ..results.significance.units import METHOD, as_methods
from .figures import FigureFile
from .template import data_uri

AXES = ("code", "decoder", "learner")


class Plate(NamedTuple):
    """A figure with the content of its file."""

    title: str
    caption: str
    uri: str


class Tests(NamedTuple):
    """The statistics of one axis, or a sentence on why there are none."""

    axis: str
    names: list[str]
    why_not: str = ""
    uri: str = ""
    blocks: tuple[Block, ...] = ()
    notes: tuple[str, ...] = ()


def plates(figures: Sequence[FigureFile]) -> list[Plate]:
    """The figures of the run, as they are in its folder."""
    return [Plate(f.title, f.caption, data_uri(f.svg.read_bytes())) for f in figures]


def statistics(results: pd.DataFrame) -> list[Tests]:
    """The tests of every axis on which the run has at least two names."""
    counts = {axis: list(dict.fromkeys(results[axis])) for axis in AXES}
    if JOINT in counts["learner"]:  # no axis has both methods and codes
        return [_tests(results, METHOD, list(dict.fromkeys(as_methods(results)["code"])))]
    return [_tests(results, axis, names) for axis, names in counts.items() if len(names) > 1]


def _tests(results: pd.DataFrame, axis: str, names: list[str]) -> Tests:
    try:
        comparison = compare(results, axis)
    except NotEnoughData as reason:
        return Tests(axis, names, why_not=str(reason))
    uri = ""
    if comparison.joint:
        with TemporaryDirectory() as folder:
            diagram = Path(folder) / "cd.svg"
            draw_cd(comparison, diagram)
            uri = data_uri(diagram.read_bytes())
    methods = list(comparison.methods)
    return Tests(axis, methods, "", uri, tuple(blocks(comparison)), tuple(notes(comparison)))
