"""How a piece of a run's presentation is made: just so, or so that it fails alone."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import UserError, reason
from ..files import PACKAGE

Attempt = Callable[..., Any]  # (what, make, *arguments) -> what `make` gives, or None


def call(what: str, make: Callable, *arguments) -> Any:
    """Make a piece; an error is the caller's."""
    return make(*arguments)


class Guard:
    """Makes pieces, and notes a sentence for each that cannot be made."""

    def __init__(self) -> None:
        self.troubles: list[str] = []

    def __call__(self, what: str, make: Callable, *arguments) -> Any:
        try:
            return make(*arguments)
        except Exception as error:
            self.troubles.append(f"{what} could not be made: {_explained(error)}")
            return None


def _explained(error: Exception) -> str:
    """The message of an error; of one that is no sentence for users also where it arose."""
    if isinstance(error, UserError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(PACKAGE)]
    place = f" ({Path(ours[-1].filename).name}, line {ours[-1].lineno})" if ours else ""
    return f"{reason(error)}{place}. This is a fault of ecoc-bench; the rows are not affected."
