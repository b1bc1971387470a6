"""What `ecoc-bench try` found out about a table: its files and its page are made of this alone."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

RANKED, UNFINISHED, FAILED = "ranked", "not finished", "failed"


@dataclass(frozen=True, eq=False)
class Look:
    """The table as it was read."""

    source: str
    target: str
    n_rows: int
    classes: tuple[str, ...]
    counts: np.ndarray  # rows of each class
    columns: tuple[str, ...]
    kinds: tuple[str, ...]  # "number" or "category" of each column
    missing: np.ndarray  # missing values of each column
    remarks: tuple[str, ...]  # constant columns, identifiers, dates, duplicates with other labels
    unit: str = "line"  # what the rows are counted by in the file: lines, or rows


@dataclass(frozen=True, eq=False)
class Entry:
    """One candidate: its out-of-sample probabilities, and what it cost."""

    name: str
    title: str
    status: str  # RANKED, UNFINISHED or FAILED
    reason: str = ""  # why it is not ranked
    simplicity: float = 0  # its place in the order of candidates, the simplest first
    probabilities: np.ndarray | None = None  # repeats x rows x classes; NaN: never in a test part
    scores: dict[str, float] = field(
        default_factory=dict
    )  # metric -> of all test rows, mean over the repeats
    interval: tuple[float, float] = (np.nan, np.nan)  # 95%, of the chosen metric
    by_fold: np.ndarray | None = None  # chosen metric in each test fold
    fit_seconds: float = np.nan  # mean of a fit
    predict_us: float = np.nan  # microseconds per row
    megabytes: float = np.nan  # of its model file
    tied: bool = False  # cannot be told from the best


@dataclass(frozen=True)
class Honest:
    """The winner's number when the choice of the winner is counted: BBC-CV.

    Tsamardinos, Greasidou & Borboudakis 2018, Algorithm 3.
    """

    estimate: float
    low: float
    high: float
    naive: float  # of the same winner, on the rows that chose it

    @property
    def optimism(self) -> float:
        return self.estimate - self.naive


@dataclass(frozen=True, eq=False)
class CodeReport:
    """The code of a picked reduction, with the held-out error of each dichotomy."""

    M: np.ndarray
    errors: np.ndarray  # of each column, on the rows that it is about


@dataclass(frozen=True, eq=False)
class Answer:
    """Everything that is said about a table."""

    look: Look
    metric: str  # error, balanced_accuracy, macro_f1 or log_loss
    higher_is_better: bool
    entries: tuple[Entry, ...]  # the ranked ones first, best first
    best: str
    pick: str
    why: str  # the reason of the pick, a sentence
    comparison: tuple[str, ...]  # what the tests say, in sentences
    honest: Honest
    y: np.ndarray  # classes by number, one for each row
    lines: np.ndarray  # of the file, or rows, one for each row
    folds: np.ndarray  # repeats x rows: the test fold of each row; -1: in none
    learning_curve: tuple[tuple[int, float, float, float], ...]  # rows, metric, low, high
    importance: tuple[tuple[str, float, float], ...]  # column, rise of the error when permuted, sd
    code: CodeReport | None
    seconds: dict[str, float]  # wall time by step; "asked" is --time
    provenance: dict[str, Any]  # versions, seed, sha256 of the file, command
    config: str  # try.yaml

    def entry(self, name: str) -> Entry:
        return next(one for one in self.entries if one.name == name)

    @property
    def ranked(self) -> tuple[Entry, ...]:
        return tuple(one for one in self.entries if one.status == RANKED)
