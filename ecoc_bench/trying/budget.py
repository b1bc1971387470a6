"""The wall time of a trial: `--time` is for everything, and each step knows what is left for it."""

import re
import time
from collections.abc import Callable

from ..errors import UserError

LEAST = 5.0  # seconds: less is gone before scikit-learn is loaded
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
TAIL_SHARE, TAIL_FIXED = 0.1, 8.0  # of the time, and seconds, for what follows the fits
LATE = 0.15  # of the time is left for the files and the page
MOST_TAIL = 0.3  # ... but no more than this share


def parse_duration(text: str) -> float:
    """Seconds.

    >>> parse_duration("90"), parse_duration("5m"), parse_duration("1.5h")
    (90.0, 300.0, 5400.0)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in UNITS:
        raise UserError(f"--time {text!r} is no duration. Write 60s, 5m or 1h.")
    seconds = float(match[1]) * UNITS[match[2]]
    if seconds < LEAST:
        raise UserError(f"--time {text}: at least {LEAST:g} seconds are needed.")
    return seconds


class Clock:
    """What is left of the time, and which steps took it."""

    def __init__(
        self,
        seconds: float,
        began: float | None = None,
        now: Callable[[], float] = time.monotonic,
        tail: float | None = None,
    ):
        self.now, self.seconds = now, seconds
        usual = min(TAIL_FIXED + TAIL_SHARE * seconds, MOST_TAIL * seconds)
        self.tail = usual if tail is None else tail
        self.began = self._marked = now() if began is None else began
        self.steps: dict[str, float] = {}

    @property
    def passed(self) -> float:
        return self.now() - self.began

    @property
    def left(self) -> float:
        """Seconds until the end of everything."""
        return self.seconds - self.passed

    @property
    def left_for_fits(self) -> float:
        """Seconds until choosing, details, files and page must begin."""
        return self.left - self.tail

    def is_late(self) -> bool:
        """Whether files and page are all that there is time for."""
        return self.left < LATE * self.seconds

    def mark(self, step: str) -> None:
        """The time since the last mark went into this step."""
        now = self.now()
        self.steps[step] = self.steps.get(step, 0.0) + now - self._marked
        self._marked = now
