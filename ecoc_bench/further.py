"""Tables beside that of the test errors: which runs have them, written and printed."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from . import reliability
from .papers import passerini2004_tables, sun2005_tables
from .papers.passerini2004_runs import own_sweeps
from .present import read_run


class Further(NamedTuple):
    """Further tables: whether a run has them, as text, and into its folder."""

    is_of: Callable[[Path, dict], bool]
    render: Callable[[Path], str]
    write: Callable[[Path], None]


def write_further(folder: Path) -> str:
    """Write what applies to a run into its folder `tables`; the terminal's text is returned."""
    _, facts = read_run(folder)
    texts = []
    for further in FURTHER.values():
        if further.is_of(folder, facts):
            further.write(folder)
            texts.append(further.render(folder))
    return "\n".join(texts)


def _is_calibrated(folder: Path, facts: dict) -> bool:
    return (folder / "calibration.csv").exists()


def _is_sun(folder: Path, facts: dict) -> bool:
    return facts["config"].get("paper") == "sun2005.table3"


def _is_passerini(folder: Path, facts: dict) -> bool:
    return any(own_sweeps(facts))


FURTHER: dict[str, Further] = {
    "calibration": Further(_is_calibrated, reliability.render, reliability.write),
    "passerini2004": Further(
        _is_passerini, passerini2004_tables.render, passerini2004_tables.write
    ),
    "sun2005": Further(_is_sun, sun2005_tables.render, sun2005_tables.write),
}
