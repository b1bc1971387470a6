"""What claims are judged by: the numbers that they need, and how these are compared."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import erfc, sqrt
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from ..results.run import Run
from ..results.summary import summarize
from .missing import Missing

Outcome = Literal["reproduced", "partly", "not reproduced", "not enough data"]
UNJUDGED: Outcome = "not enough data"
ENTRY = ["dataset", "code", "decoder"]
ENOUGH = 0.75  # share of the paper's numbers with a code; with fewer, nothing is concluded


class Finding(NamedTuple):
    """What the numbers say about a claim."""

    verdict: Outcome
    evidence: str  # one line, with the numbers


class NotEnough(Exception):
    """Too many numbers are missing; the message says which and how many."""


@dataclass(frozen=True, kw_only=True)
class Scope(ABC):
    """The experiment of a paper that claims are about, and the runs that repeat it.

    `own` holds the paper's printed numbers as rows, if it prints any.
    """

    source: str
    is_of: Callable[[Run], bool]
    own: pd.DataFrame | None = None

    @abstractmethod
    def read(self, run: Run) -> Iterator[tuple[str, pd.DataFrame]]:
        """The rows that claims are judged on, for each learner that repeats the experiment."""


@dataclass(frozen=True, kw_only=True)
class Entries(Scope):
    """An experiment with the numbers of a printed table, by (data set, code, decoder).

    A run is judged on these and on no others. The decoder by the learner's own loss is called
    "loss" in them.
    """

    learners: tuple[str, ...]  # their types, as in a config
    own_loss: str
    entries: tuple[tuple[str, str, str], ...]
    stand_ins: Mapping[str, str] = field(default_factory=dict)

    def read(self, run: Run) -> Iterator[tuple[str, pd.DataFrame]]:
        summary = summarize(run.results)
        for learner in run.config["learners"]:
            if learner["type"] in self.learners:
                yield learner["name"], self.rows(summary[summary["learner"] == learner["name"]])

    def rows(self, summary: pd.DataFrame) -> pd.DataFrame:
        """The scope's numbers from a summary of one learner; NaN for a missing one."""
        named = summary[summary["complete"]].assign(
            is_stand_in=summary["dataset"].isin(list(self.stand_ins)),
            dataset=summary["dataset"].replace(dict(self.stand_ins)),
            decoder=summary["decoder"].replace(self.own_loss, "loss"),
        )
        # A run of both the paper's data set and its stand-in is judged on the paper's.
        found = named.sort_values("is_stand_in", kind="stable").drop_duplicates(ENTRY)
        return pd.DataFrame(self.entries, columns=ENTRY).merge(found, "left", ENTRY)


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper and the function that judges it: rows of a scope -> Finding.

    The function notes in its second argument what it leaves out.
    """

    sentence: str
    section: str
    scopes: tuple[str, ...]
    test: Callable[[pd.DataFrame, Missing], Finding]

    def judge(self, rows: pd.DataFrame) -> Finding:
        """The verdict; the evidence ends with what is missing."""
        missing = Missing()
        try:
            verdict, evidence = self.test(rows, missing)
        except NotEnough as reason:
            verdict, evidence = UNJUDGED, str(reason)
        return Finding(verdict, "; ".join(filter(None, [evidence, str(missing)])))


def graded(reproduced: bool, partly: bool) -> Outcome:
    """The verdict: the stronger of the two conditions that hold."""
    if reproduced:
        return "reproduced"
    return "partly" if partly else "not reproduced"


def by_decoder(rows: pd.DataFrame, missing: Missing, *decoders: str) -> pd.DataFrame:
    """Errors, (data set, code) down and decoders across; only lines that all decoders have."""
    part = _enough(rows, missing, decoders)
    entries = part.groupby(["dataset", "code"], sort=False)
    table = part.pivot_table("error", ["dataset", "code"], "decoder", sort=False)
    return table.assign(n_test=entries["n_test"].max()).dropna()


def by_code(rows: pd.DataFrame, missing: Missing, decoder: str = "loss") -> pd.DataFrame:
    """Errors, data sets down and codes across; NaN if missing or not in the paper."""
    return _enough(rows, missing, [decoder]).pivot_table("error", "dataset", "code", sort=False)


def sizes(rows: pd.DataFrame) -> pd.Series:
    """The number of test examples of each data set."""
    return rows.groupby("dataset")["n_test"].max()


def _enough(rows: pd.DataFrame, missing: Missing, decoders: Sequence[str]) -> pd.DataFrame:
    """The rows of these decoders, if they have enough of the paper's numbers with every code."""
    due = rows[rows["decoder"].isin(decoders)]
    found = due.groupby(["dataset", "code"], sort=False)["error"].count()
    missing.note_parts(found < len(decoders))
    for decoder in decoders:
        part = rows[rows["decoder"] == decoder]
        for code, errors in part.groupby("code", sort=False)["error"]:
            if errors.count() < ENOUGH * len(errors):
                raise NotEnough(
                    f"only {errors.count()} of the paper's {len(errors)} entries with {code} by "
                    f"{decoder} decoding"
                )
    return due


def lower(a, b) -> np.ndarray:
    """Where a is below b, by more than rounding."""
    return np.asarray(a, dtype=float) < np.asarray(b, dtype=float) - 1e-9


def p_value(a: float, b: float, n: float) -> float:
    """Two-sided p of two error rates, in percent, seen on n examples each (normal approximation).

    Cautious: it treats the two rates as seen on different examples; in a run they are the same.

    >>> round(p_value(20.0, 30.0, 100), 4)
    0.1025
    """
    p = (a + b) / 200
    if not 0 < p < 1:
        return 1.0
    return erfc(abs(a - b) / 100 / sqrt(2 * p * (1 - p) / n) / sqrt(2))
