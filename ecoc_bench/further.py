"""Tables of a paper beside that of its test errors: which runs have them, written and printed."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..present import read_run
from . import sun2005_tables


class Further(NamedTuple):
    """Further tables of one paper: whether a run has them, as text, and into its folder."""

    is_of: Callable[[dict], bool]
    render: Callable[[Path], str]
    write: Callable[[Path], None]


def write_further(folder: Path) -> str:
    """Write what applies to a run into its folder `tables`; the terminal's text is returned."""
    _, facts = read_run(folder)
    texts = []
    for further in FURTHER.values():
        if further.is_of(facts):
            further.write(folder)
            texts.append(further.render(folder))
    return "\n".join(texts)


def _is_sun(facts: dict) -> bool:
    return facts["config"].get("paper") == "sun2005.table3"


FURTHER: dict[str, Further] = {
    "sun2005": Further(_is_sun, sun2005_tables.render, sun2005_tables.write),
}
