"""A run's folder, read once: tables, statistics, claims, figures and the page share one `Run`."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from ..errors import UserError, unknown
from ..published import PaperTable, load_table
from .catalogue import FILES, JOINT, TEXTS, RunFile
from .facts import read_facts
from .failures import Failure, read_failures
from .formats import Style
from .leaderboard import Leaderboard, leaderboard
from .measured import Measured, as_errors, measured, summary_of
from .ownership import Ownership
from .rows import read_rows, short_line
from .significance import ERROR, Comparison, compare
from .summary import compared, summarize
from .tables import layout_of, render, tidy_csv

REMEDY = "Run its config again with this folder as --out: nothing that is stored is refitted."

NO_FILE = RunFile("nothing")


class NothingMeasured(UserError):
    """A run without any row."""

    exit_code = 4


class Run:
    """The files of a run; `facts` is its manifest, `results` the frame of results.csv.

    `rows` reads each of the other CSV files when it is first asked for, and only once.
    """

    def __init__(self, folder: Path | str):
        self.folder = Path(folder)
        owned = Ownership(self.folder)
        self.facts = _manifest(owned)
        self.results = _results(owned)
        self._owned = owned
        self._rows: dict[str, pd.DataFrame | None] = {}

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}): {len(self.results)} rows"

    @property
    def config(self) -> dict[str, Any]:
        """The config as the manifest has it, short forms written out."""
        return self.facts["config"]

    @property
    def name(self) -> str:
        return self.config["name"]

    @cached_property
    def paper(self) -> PaperTable | None:
        """The printed table that the config names."""
        return load_table(self.config["paper"]) if self.config["paper"] else None

    @cached_property
    def failures(self) -> list[Failure]:
        return read_failures(self.folder / "failures.csv")

    def rows(self, name: str) -> pd.DataFrame | None:
        """The frame of another CSV of the run, such as `costs.csv`; None if the run has none."""
        if not FILES.get(name, NO_FILE).columns:
            tables = [file for file, entry in FILES.items() if entry.columns]
            raise UserError(unknown("table of a run", name, tables))
        if name not in self._rows:
            there = (self.folder / name).exists()
            self._rows[name] = _frame(self._owned, name) if there else None
        return self._rows[name]

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The rows for tables: the chosen rows, instead of all members of the sweeps.

        Chosen rows have stage 0, because their stages differ. A learner or method of a choice that
        is no member of a sweep stays.
        """
        choices, selected = self.config["select"], self.rows("selected.csv")
        if not choices or selected is None:
            return self.results
        among = {name for choice in choices.values() for name in choice["among"]}
        learners, methods = (
            [spec["name"] for spec in self.config[key] if spec.get("of") in among]
            for key in ("learners", "methods")
        )
        rows = self.results
        hidden = rows["learner"].isin(learners) | (
            rows["code"].isin(methods) & (rows["learner"] == JOINT)
        )
        chosen = selected.assign(stage=0)[rows.columns]
        return pd.concat([rows[~hidden], chosen], ignore_index=True)

    def summary(
        self,
        stage: int | None = None,
        expected: Mapping[tuple[str, str, str], int] | None = None,
    ) -> pd.DataFrame:
        """One row per data set, learner, code and decoder, compared with the paper if there is one.

        Learners with stages are shown after their last stage, or all after `stage` rounds;
        `expected` counts the cells of a finished run.
        """
        self._check_stage(stage)
        table = summarize(self.shown, stage, expected)
        return table if self.paper is None else compared(table, self.paper)

    def _check_stage(self, stage: int | None) -> None:
        if stage is not None and stage not in set(self.shown["stage"]):
            known = ", ".join(map(str, sorted(set(self.shown["stage"]))))
            raise UserError(f"{self.folder}: no rows of stage {stage}. The run has: {known}.")

    def leaderboard(
        self,
        stage: int | None = None,
        expected: Mapping[tuple[str, str, str], int] | None = None,
    ) -> Leaderboard:
        """Everything that the run compares, codes and methods together, the best first."""
        self._check_stage(stage)
        costs = self.rows("costs.csv")
        return leaderboard(self.shown, costs, self.config, stage=stage, expected=expected)

    @property
    def measures(self) -> list[str]:
        """The further measures that the run has: those of measures.csv."""
        values = self.rows("measures.csv")
        return [] if values is None else list(dict.fromkeys(values["measure"]))

    def measured(self, name: str) -> Measured:
        """The rows of the run by a further measure, at the last stage of each learner."""
        values = self.rows("measures.csv")
        if values is None:
            raise UserError(
                f"{self.folder}: the run has no measures. Add `measures: [{name}]` to the config. "
                f"{REMEDY}"
            )
        if name not in self.measures:
            raise UserError(f"{self.folder}: {unknown('measure of the run', name, self.measures)}")
        return measured(self.shown, values, name)

    def table(
        self, style: Style = "terminal", stage: int | None = None, measure: str | None = None
    ) -> str:
        """The table of test errors as text: for a terminal, in Markdown, LaTeX or CSV.

        With `measure`, the table of that measure, at the last stage.
        """
        if measure is not None:
            return self._measure_table(measure, style)
        summary = self.summary(stage)
        if stage is not None:
            summary["learner"] += f" after {stage} rounds"
        return render(summary, style=style, layout=layout_of(self.facts, self.paper))

    def _measure_table(self, name: str, style: Style) -> str:
        found = self.measured(name)
        if style == "csv":
            return tidy_csv(summary_of(found))
        layout = replace(
            layout_of(self.facts, None), title=found.measure.heading, foot=found.notes()
        )
        return render(as_errors(found), style=style, layout=layout)

    def stats(
        self,
        axis: str = "code",
        keep: Mapping[str, Collection[str]] | None = None,
        stage: int | None = None,
        rope: float = 1.0,
        alpha: float = 0.05,
        measure: str | None = None,
    ) -> Comparison:
        """Whether the codes, decoders, learners or methods differ over the data sets of the run.

        By the error, or by a further `measure`, which is known at the last stage only.
        """
        if measure is None:
            rows, of = self.shown, ERROR
        else:
            found = self.measured(measure)
            rows, of = found.losses(), found.lost
        return compare(rows, axis, keep=keep or {}, stage=stage, rope=rope, alpha=alpha, of=of)


def _content(owned: Ownership, name: str) -> bytes:
    """A file of a run, as the run wrote it."""
    content = (owned.folder / name).read_bytes()
    if owned.is_damaged(name, content):
        raise UserError(
            f"{owned.folder / name}: not as the run wrote it: its checksum differs. {REMEDY}"
        )
    return content


def _manifest(owned: Ownership) -> dict[str, Any]:
    """The manifest of a run, with every key that its readers need."""
    path = owned.folder / "manifest.json"
    try:
        return read_facts(_content(owned, path.name), path, REMEDY)
    except (OSError, ValueError) as error:
        raise UserError(
            f"{owned.folder}: not the folder of a run: {error}. Run a config first, or name its "
            "folder."
        ) from error


def _results(owned: Ownership) -> pd.DataFrame:
    path = owned.folder / "results.csv"
    rows = _frame(owned, path.name)
    if rows.empty:
        raise NothingMeasured(f"{path}: no rows. {REMEDY}")
    return rows


def _frame(owned: Ownership, name: str) -> pd.DataFrame:
    """A CSV of a run with the columns that it must have, in this order, numbers in their places."""
    path, columns = owned.folder / name, FILES[name].columns
    added = FILES[name].added
    try:
        content = _content(owned, name)
        rows = read_rows(content)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read: {error}. {REMEDY}") from error
    if rows.iloc[:, -1].isin([nan, ""]).any() and (line := short_line(content)):
        raise UserError(f"{path}: line {line}: too few cells. {REMEDY}")
    if missing := [name for name in columns if name not in rows and name not in added]:
        raise UserError(f"{path}: no column {', '.join(missing)}. {REMEDY}")
    rows = rows.reindex(columns=list(columns))
    numbers = [name for name in columns if name not in TEXTS and len(rows)]
    if words := [name for name in numbers if not is_numeric_dtype(rows[name])]:
        raise UserError(f"{path}: words among the numbers of {', '.join(words)}. {REMEDY}")
    return rows
