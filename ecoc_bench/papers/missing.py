"""What a claim was judged without: every judge notes here what it leaves out, and why.

`Claim.judge` puts it at the end of the evidence, so that no number is dropped unsaid.
"""

from collections.abc import Iterable

import pandas as pd

ABSENT = "missing"


class Missing:
    """Names of what is left out, by the reason, in the order in which they were noted."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, None]] = {}

    def note(self, names: Iterable[str], why: str = ABSENT) -> None:
        for name in names:
            self._names.setdefault(why, {})[name] = None

    def note_parts(self, lacks: pd.Series, why: str = ABSENT) -> None:
        """The parts where `lacks` holds: an index of two levels, a whole and its parts.

        A whole of which every part lacks is named alone.
        """
        for whole, parts in lacks.groupby(level=0, sort=False):
            gone = parts[parts].index.get_level_values(1)
            if len(gone) == len(parts):
                self.note([str(whole)], why)
            elif len(gone):
                self.note([f"{whole} with {', '.join(map(str, gone))}"], why)

    def __str__(self) -> str:
        """
        >>> missing = Missing()
        >>> missing.note(["isolet", "letter"])
        >>> missing.note(["glass"], "no bound")
        >>> str(missing)
        'missing: isolet, letter; no bound: glass'
        """
        return "; ".join(f"{why}: {', '.join(names)}" for why, names in self._names.items())
