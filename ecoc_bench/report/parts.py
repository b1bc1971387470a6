"""What other modules say of a run, made ready for the page: figures, claims, statistics."""

import base64
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pandas as pd

from ..config import JOINT
from ..figures import write_figures
from ..papers.claims import Verdict, judge
from ..significance import NotEnoughData, blocks, compare, draw_cd, notes
from ..significance.text import Block
from ..significance.units import METHOD, as_methods

AXES = ("code", "decoder", "learner")


class Plate(NamedTuple):
    """A figure with its file inside."""

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


def data_uri(svg: Path) -> str:
    """The file as an address: in an image nothing can run, or clash with the names of the page."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.read_bytes()).decode()}"


def figures(folder: Path) -> list[Plate]:
    """The figures of the run, drawn into its folder."""
    return [Plate(f.title, f.caption, data_uri(f.svg)) for f in write_figures(folder)]


def statistics(results: pd.DataFrame) -> list[Tests]:
    """Every axis on which the run has two names or more."""
    counts = {axis: list(dict.fromkeys(results[axis])) for axis in AXES}
    if JOINT in counts["learner"] and len(counts["learner"]) > 1:  # no axis has them all
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
            uri = data_uri(diagram)
    methods = list(comparison.methods)
    return Tests(axis, methods, "", uri, tuple(blocks(comparison)), tuple(notes(comparison)))


def verdicts(folder: Path) -> list[Verdict]:
    """What the run says of the papers' claims."""
    return judge([folder])
