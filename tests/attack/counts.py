"""The counts of an attack: printed, and written as a CSV with a row for each kind of case."""

import csv
import io
from collections import Counter
from pathlib import Path

from tabulate import tabulate


class Counts:
    """How many cases of each kind there were, how many failed, and what was wrong with those."""

    def __init__(self, name: str, columns: tuple[str, ...], unit: str, seed: int):
        self.name, self.columns, self.unit, self.seed = name, columns, unit, seed
        self.cases: Counter[tuple] = Counter()
        self.failed: Counter[tuple] = Counter()
        self.failures: list[str] = []

    def add(self, kinds: Counter, number: int, what: str, faults: list[str]) -> None:
        """Count the cases with this number; a failure is said at once, so that it can be seen."""
        self.cases.update(kinds)
        if faults:
            self.failed[max(kinds, default=("",) * len(self.columns))] += 1
            self.failures.append(f"{self.name}:{number} {what}: {'; '.join(faults)[:1500]}")
            print(self.failures[-1], flush=True)

    @property
    def total(self) -> int:
        return sum(self.cases.values())

    def rows(self) -> list[list]:
        kinds = sorted(self.cases.keys() | self.failed.keys())
        rows = [[*kind, self.cases[kind], self.failed[kind]] for kind in kinds]
        blank = [""] * (len(self.columns) - 1)
        return [*rows, ["all", *blank, self.total, sum(self.failed.values())]]

    @property
    def header(self) -> list[str]:
        return [*self.columns, self.unit, "failures"]

    def show(self) -> str:
        head = f"{self.total} {self.unit} with seed {self.seed}, {len(self.failures)} failures"
        return f"{head}\n{tabulate(self.rows(), self.header)}\n"

    def write(self, folder: Path) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.header, *self.rows()])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self.name}.csv").write_text(text.getvalue())
