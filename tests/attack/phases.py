"""The phases of a run, told from outside: by what it says and by the files that appear."""

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from ecoc_bench.running.record import HEAD, pieces

from .processes import POLL, Command

TABLES = ("results.csv", "mistakes.csv", "bounds.csv")


class Watched:
    """A run and how far it has come since its start; `whole` is the number of its records."""

    def __init__(self, command: Command, out: Path, whole: int):
        self.command, self.out, self.whole = command, out, whole
        self.start = time.time_ns()
        self.before = len(records(out))

    def said(self, words: str) -> bool:
        return words in self.command.said

    def newer(self, *names: str) -> bool:
        """Whether one of these files, or of the files in these folders, was written since."""
        return any(_written(self.out / name) > self.start for name in names)

    def phase(self) -> str:
        """The last phase whose first sign is there."""
        return [name for name, (sign, _) in PHASES.items() if sign(self)][-1]

    def await_phase(self, name: str, draw: random.Random) -> bool:
        """Wait for a phase and a random moment in it; False when the run was over before."""
        sign, length = PHASES[name]
        while self.command.poll() is None and not sign(self):
            time.sleep(POLL)
        end = time.monotonic() + draw.uniform(0, length)
        while self.command.poll() is None and time.monotonic() < end:
            time.sleep(POLL)
        return self.command.poll() is None


def _written(path: Path) -> int:
    """When a file, or the last file in a folder, was written; 0 if there is none."""
    try:
        if path.is_dir():
            return max((entry.stat().st_mtime_ns for entry in os.scandir(path)), default=0)
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def records(out: Path) -> set[tuple[str, str, str]]:
    """The whole records in a store: context, columns and checksum; a damaged one is an error."""
    found, columns = set(), []
    for path in (out / "store").glob("*.record"):
        raw = path.read_bytes()
        for start, end, record in pieces(raw):
            if record is None:
                raise DamagedRecord(f"bytes {start} to {end} of {path.name}")
            checksum = HEAD.match(raw, start)[1].decode()
            found.add((record.context, " ".join(record.columns), checksum))
            columns += [(record.context, column) for column in record.columns]
    if len(columns) != len(set(columns)):
        raise DamagedRecord("a column that was recorded was fitted again")
    return found


class DamagedRecord(Exception):
    """A store that does not hold each finished fit once and whole."""


def _n_records(run: Watched) -> int:
    """Without a check: a record may be half written while we look."""
    return sum(
        path.read_bytes().count(b"ECOCBENCH2 ") for path in (run.out / "store").glob("*.record")
    )


# The first sign of each phase, and how many seconds after it the run is struck at the latest.
PHASES: dict[str, tuple[Callable[[Watched], bool], float]] = {
    "importing": (lambda run: True, 3.0),
    "planning": (lambda run: run.said("planning "), 0.2),
    "starting": (lambda run: run.said("fitting what is missing"), 3.0),
    "fitting": (lambda run: _n_records(run) > run.before, 0.3),
    "decoding": (lambda run: run.said("fitting what") and _n_records(run) >= run.whole, 0.2),
    "writing": (lambda run: run.newer(*TABLES), 0.05),
    "tables": (lambda run: run.newer("tables"), 0.3),
    "figures": (lambda run: run.newer("figures"), 0.8),
    "page": (lambda run: run.newer("report.html"), 0.05),
}
