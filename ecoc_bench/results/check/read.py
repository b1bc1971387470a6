"""One side of a check: the rows of a run, the examples it got wrong, and its manifest."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...coding.codes import CODES
from ...errors import UserError
from ..catalogue import NAMES
from ..rows import read_rows
from ..run import Run

KEY = ["dataset", "learner", "code", "stage", "decoder"]
PLACE = ["draw", "repeat", "fold"]
SILENT: tuple = (None, [], {}, "", "error")  # no value; `error`: nothing is dropped or kept
MEASURED = ["n_classes", "n_test", "errors"]


class Key(NamedTuple):
    """An entry of a check: its rows over draws, repeats and folds are compared together."""

    dataset: str
    learner: str
    code: str
    stage: int
    decoder: str


class Row(NamedTuple):
    """An entry on one fold; which examples were tested and mistaken, if this is known."""

    n_classes: int
    n_test: int
    errors: int
    examples: str | None
    mistakes: str | None


Rows = dict[tuple[int, int, int], Row]  # by draw, repeat and fold


@dataclass(frozen=True, eq=False)
class Side:
    """The rows of every entry, in the order of the file."""

    entries: dict[Key, Rows]
    facts: dict  # the manifest; empty if there is none

    def checksum(self, dataset: str) -> str | None:
        return self.facts.get("data", {}).get(dataset, {}).get("sha256")

    def fingerprint(self, dataset: str, code: str, draw: int) -> str | None:
        """The digest of a coding matrix; None if the run did not record it."""
        return self.facts.get("codes", {}).get(f"{dataset}.{code}.{draw}")

    def setting(self, part: str):
        """The value of a key of the config, as {name: spec} if its members have names."""
        value = self.facts.get("config", {}).get(part)
        return {spec["name"]: spec for spec in value} if isinstance(value, list) else value

    def settings(self, key: Key) -> dict:
        """What the fits of an entry depend on. The decoder is not part of it: it fits nothing."""
        named = {
            "datasets": key.dataset, "learners": key.learner, "codes": key.code,
            "methods": key.code,
        }  # fmt: skip
        members = {
            part: given((self.setting(part) or {}).get(name)) for part, name in named.items()
        }
        whole = {part: given(self.setting(part)) for part in ("seed", "evaluation", "parts")}
        return members | whole

    def is_fixed(self, code: str) -> bool:
        """Whether a code is the same for every seed; an unknown name may be a random code."""
        spec = (self.setting("codes") or {}).get(code, {"family": code})
        family = CODES.get(str(spec["family"]))
        return bool(spec.get("matrix")) or (family is not None and not family.random)


def given(setting):
    """A setting without the keys that say nothing: a newer version may know more of them."""
    if isinstance(setting, dict):
        return {name: value for name, value in setting.items() if value not in SILENT}
    return setting


def read_side(path: Path) -> Side:
    """A run's folder, or a CSV of results; the files next to a results.csv are read, too."""
    file = path / "results.csv" if path.is_dir() else path
    columns = [*KEY, *PLACE, *MEASURED]
    facts, wrong = {}, None
    if path.is_dir() or (file.name == "results.csv" and file.with_name("manifest.json").exists()):
        run = Run(file.parent)
        rows, facts, wrong = run.results[columns], run.facts, run.rows("mistakes.csv")
    else:
        rows = _read_csv(file, columns)
    _refuse_wrong_rows(file, rows)
    return Side(_entries(_with_mistakes(rows, wrong, file.with_name("mistakes.csv"))), facts)


def _refuse_wrong_rows(file: Path, rows: pd.DataFrame) -> None:
    """A UserError that names the first line with a missing value, a word or a second row."""
    numbers = rows[[name for name in rows if name not in NAMES]]
    as_numbers = numbers.apply(pd.to_numeric, errors="coerce")
    faults = {
        "a value is missing": rows.isna().any(axis=1) | (rows == "").any(axis=1),
        "a word among the numbers": as_numbers.isna().any(axis=1),
        "this entry has a row already": rows.duplicated([*KEY, *PLACE]),
    }
    for what, at in faults.items():
        if at.any():
            line = int(np.flatnonzero(at)[0]) + 2
            raise UserError(f"{file}: line {line}: {what}. Run its config again.")


def _entries(rows: pd.DataFrame) -> dict[Key, Rows]:
    entries: dict[Key, Rows] = {}
    lists = [rows[name].tolist() for name in [*KEY, *PLACE, *Row._fields]]
    for values in zip(*lists, strict=True):
        entries.setdefault(Key(*values[:5]), {})[values[5:8]] = Row(*values[8:])
    return entries


def _read_csv(file: Path, columns: list[str]) -> pd.DataFrame:
    """These columns of a CSV of results that stands alone."""
    try:
        rows = read_rows(file.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(
            f"{file}: cannot be read: {error}. Name a run's folder or its results.csv."
        ) from error
    absent = [name for name in columns if name not in rows]
    if absent:
        raise UserError(f"{file}: no column '{absent[0]}'. Name a run's folder or its results.csv.")
    return rows[columns]


def _with_mistakes(rows: pd.DataFrame, wrong: pd.DataFrame | None, file: Path) -> pd.DataFrame:
    """The rows with their test examples and mistakes, which must add up to their errors."""
    if wrong is None:
        return rows.assign(examples=None, mistakes=None)
    joined = rows.merge(wrong, how="left", on=[*KEY, *PLACE])
    known = joined[joined["mistakes"].notna()]
    for text, n, errors in zip(known["mistakes"], known["n_test"], known["errors"], strict=True):
        if not _adds_up(text, n, errors):
            raise UserError(
                f"{file}: not the mistakes of the results.csv next to it. Run its config again."
            )
    return joined.astype({"examples": object, "mistakes": object}).where(joined.notna(), None)


def _adds_up(mistakes: str, n: int, errors: int) -> bool:
    try:
        return int(unpack(mistakes, n).sum()) == errors
    except ValueError:  # no hexadecimal number
        return False


def unpack(mistakes: str, n: int) -> np.ndarray:
    """The hex of packed bits -> for each of n examples, 1 if it is mistaken.

    >>> unpack("50", 4)
    array([0, 1, 0, 1])
    """
    packed = np.frombuffer(bytes.fromhex(mistakes), dtype=np.uint8)
    return np.unpackbits(packed, count=n).astype(int)
